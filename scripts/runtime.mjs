// Makes the archive that a server runs: the program in a few files, the packages that stay beside it, and what installs it
// (ops/install). The same steps as the Dockerfile, so the same commit gives the same bytes.
//   node scripts/runtime.mjs --arch x64 --out /tmp/runtime [--node] [--deb]
// docs/how-to/install.md is for whoever gets it.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { packageName, packDebian } from './debian-package.mjs';
import { pruneBundled } from './prune-bundled.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** Node.js as npm has it, for servers whose own is older; security releases change it. */
export const NODE = {
  version: '24.22.3',
  integrity: {
    x64: 'sha512-KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xnc3XY8xzkW587dlZzNqRA==',
    arm64: 'sha512-IZx0J52/1NDwAsY2iyWR9nlPIYuYviTWetjj8+ElvYQh2+XRhLfCfkbFEF/2O5vGI2hcUbyPNHV+nz342FbJXw==',
  },
};
export const ARCHITECTURES = Object.keys(NODE.integrity);
/** What is not in the bundle, from the sources. */
const SOURCES = [
  ['ops/install/install.sh', 'install.sh'],
  ['ops/install/units', 'ops/install/units'],
  ['ops/install/backup.sh', 'ops/install/backup.sh'],
  ['ops/postgres', 'ops/postgres'],
  ['ops/prometheus', 'ops/prometheus'],
  ['ops/grafana', 'ops/grafana'],
  ['docs/errors.md', 'docs/errors.md'],
  ['docs/how-to', 'docs/how-to'],
  ['docs/reference', 'docs/reference'],
  ['docs/specification', 'docs/specification'],
  ['.env.example', '.env.example'],
  ['package.json', 'package.json'],
  ['CHANGELOG.md', 'CHANGELOG.md'],
  ['LICENSE', 'LICENSE'],
];
/** Half of the packages' size is for editors and debuggers. */
const FOR_EDITORS = /\.(d\.[mc]?ts|map)$/;

const run = (program, args, cwd, env = {}) =>
  execFileSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    maxBuffer: 2 ** 28,
  });

/** The sources of the commit, with the packages of `root`, built and bundled: the folder that it returns. */
export function buildProgram(commit, work) {
  const folder = path.join(work, 'program');
  mkdirSync(folder);
  const sources = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-xf', '-'], { cwd: folder, input: sources });
  linkPackages(folder);
  run('npm', ['run', '--silent', 'build'], folder, { GATEWAY_COMMIT: commit });
  run('npm', ['run', '--silent', 'bundle'], folder);
  for (const name of readdirSync(path.join(folder, 'dist')))
    if (name === 'sdk' || name.endsWith('.tsbuildinfo'))
      rmSync(path.join(folder, 'dist', name), { recursive: true });
  return folder;
}

/** Links of the files, as the bundler names packages by where they lie; copies on another file system. */
function linkPackages(folder) {
  const from = realpathSync(path.join(root, 'node_modules'));
  const copy = (how) => spawnSync('cp', [how, from, path.join(folder, 'node_modules')], { stdio: 'ignore' });
  if (copy('-al').status === 0) return;
  rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
  if (copy('-a').status !== 0) throw new Error(`${from} cannot be copied`);
}

/** The folder of one architecture. @param program as {@link buildProgram} returns it */
export async function assembleRuntime({ program, work, name, arch, withNode }) {
  const folder = path.join(work, name);
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc', 'scripts'])
    cpSync(path.join(program, file), path.join(folder, file), { recursive: true });
  const install = [
    'ci',
    '--omit=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--os=linux',
    `--cpu=${arch}`,
  ];
  run('npm', [...install, '--libc=glibc'], folder);
  rmSync(path.join(folder, 'node_modules/@foundry-rs'), { recursive: true, force: true });
  cpSync(path.join(program, 'dist'), path.join(folder, 'dist'), { recursive: true });
  const readJson = (file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
  await pruneBundled(folder, readJson('package-lock.json'), readJson('dist/packages.json'));
  const bill = execFileSync(process.execPath, ['scripts/write-sbom.mjs'], {
    cwd: folder,
    maxBuffer: 2 ** 28,
  });
  for (const file of ['scripts', 'package-lock.json', '.npmrc', 'node_modules/.package-lock.json'])
    rmSync(path.join(folder, file), { recursive: true, force: true });
  for (const file of readdirSync(path.join(folder, 'node_modules'), { recursive: true }))
    if (FOR_EDITORS.test(file)) rmSync(path.join(folder, 'node_modules', file));
  for (const [from, to] of SOURCES)
    cpSync(path.join(program, from), path.join(folder, to), { recursive: true });
  writeFileSync(path.join(folder, 'sbom.json'), bill);
  const page = readFileSync(path.join(program, 'docs/how-to/install.md'), 'utf8');
  // One floor higher, the same pages are elsewhere.
  const readme = page.replaceAll('](../../', '](').replaceAll('](../', '](docs/');
  writeFileSync(
    path.join(folder, 'README.md'),
    readme.replaceAll(/\]\((?=[\w-]+\.md)(?!CHANGELOG)/g, '](docs/how-to/'),
  );
  if (withNode) addNode(folder, work, arch);
  return folder;
}

/** npm's package of Node.js, checked against {@link NODE}: its program and its license. */
function addNode(folder, work, arch) {
  const packed = path.join(work, `node-${arch}`);
  mkdirSync(packed);
  run(
    'npm',
    ['pack', '--silent', `node-linux-${arch}@${NODE.version}`, '--pack-destination', packed],
    packed,
  );
  const [name = ''] = readdirSync(packed);
  const digest = createHash('sha512')
    .update(readFileSync(path.join(packed, name)))
    .digest('base64');
  if (`sha512-${digest}` !== NODE.integrity[arch])
    throw new Error(`${name} is not the Node.js that is expected`);
  const files = ['package/bin/node', 'package/LICENSE'];
  mkdirSync(path.join(folder, 'node'));
  run('tar', ['-xzf', name, '-C', path.join(folder, 'node'), '--strip-components=1', ...files], packed);
  chmodSync(path.join(folder, 'node/bin/node'), 0o755);
}

/** Writes the folder as an archive whose bytes follow from its files alone. @param seconds since 1970, of all files */
export function packRuntime({ work, name, seconds, to }) {
  const fixed = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=go=rX,u+rw',
    '--format=gnu',
  ];
  const archive = path.join(work, `${path.basename(to)}.tar`);
  run('tar', [...fixed, `--mtime=@${seconds}`, '-cf', archive, name], work);
  run('gzip', ['-9', '-n', archive], work);
  cpSync(`${archive}.gz`, to);
}

/**
 * The archives of a release in `out`: for each architecture one that uses the server's Node.js, and one with its own.
 * @param flavors `isPackaged`: also as a package of Debian, from the same folder
 */
export async function writeRuntimes({ commit, version, out, flavors }) {
  const work = mkdtempSync(path.join(os.tmpdir(), 'gateway-runtime-'));
  try {
    const seconds = execFileSync('git', ['log', '-1', '--format=%ct', commit], {
      cwd: root,
      encoding: 'utf8',
    }).trim();
    const program = buildProgram(commit, work);
    for (const { arch, withNode, isPackaged } of flavors) {
      const name = `payment-gateway-${version}`;
      const folder = await assembleRuntime({ program, work, name, arch, withNode });
      packRuntime({ work, name, seconds, to: path.join(out, runtimeName(version, arch, withNode)) });
      if (isPackaged)
        packDebian({ folder, work, version, arch, seconds, to: path.join(out, packageName(version, arch)) });
      rmSync(path.join(work, name), { recursive: true });
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export const runtimeName = (version, arch, withNode) =>
  `payment-gateway-${version}-linux-${arch}${withNode ? '-node' : ''}.tar.gz`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      arch: { type: 'string' },
      out: { type: 'string' },
      node: { type: 'boolean', default: false },
      deb: { type: 'boolean', default: false },
    },
  });
  if (!ARCHITECTURES.includes(values.arch ?? '') || values.out === undefined)
    throw new Error(`needed: --arch ${ARCHITECTURES.join('|')} and --out <folder>`);
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  mkdirSync(values.out, { recursive: true });
  const flavors = [{ arch: values.arch, withNode: values.node, isPackaged: values.deb }];
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  await writeRuntimes({ commit, version, out: path.resolve(values.out), flavors });
}
