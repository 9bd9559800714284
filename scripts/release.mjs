// Builds what is published of a release from the commit that is checked out, so that the same commit gives the same bytes:
// the sources, what servers run, the client package, the bill of materials, a statement of provenance, and SHA256SUMS of all
// of them, signed.
//   npm run release -- --key ~/.ssh/release --out /tmp/release
// docs/how-to/release.md explains how a release is made and verified.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { provenanceOf, sha256, sumsOf } from './provenance.mjs';
import { ARCHITECTURES, NODE, writeRuntimes } from './runtime.mjs';
import { billOfMaterials, materialProblems } from './supply-chain.mjs';

/** What a signature is for: a signature of the same key for another purpose is none of a release. */
const NAMESPACE = 'crypto-payment-gateway-release';
/** The development chain, which the image does not hold either (Dockerfile). */
const NOT_SHIPPED = /^node_modules\/@foundry-rs\//;
const root = process.cwd();
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim();

function refuse(message) {
  console.error(message);
  process.exit(1);
}

const { values } = parseArgs({
  options: {
    key: { type: 'string' },
    unsigned: { type: 'boolean', default: false },
    tag: { type: 'string' },
    out: { type: 'string' },
  },
});
if (values.out === undefined) refuse('--out is missing: the folder for the files of the release');
if ((values.key === undefined) !== values.unsigned)
  refuse(
    'give --key, an SSH key that signs, or --unsigned where something else signs (.github/workflows/release.yml)',
  );

const dirty = git('status', '--porcelain');
if (dirty !== '') refuse(`not committed, so not in the release:\n${dirty}`);
const manifest = JSON.parse(read('package.json'));
const { version } = manifest;
const client = JSON.parse(read('sdk/package.json'));
if (client.version !== version) refuse(`package.json is ${version}, sdk/package.json is ${client.version}`);
if (values.tag !== undefined && values.tag !== `v${version}`)
  refuse(`the tag is ${values.tag}, package.json says ${version}`);
/** What operators read before they upgrade, by the heading of the version. */
const NOTES = { 'CHANGELOG.md': `## ${version}`, 'docs/how-to/upgrade.md': `### ${version}` };
const unwritten = Object.entries(NOTES).filter(
  ([file, heading]) => !read(file).split('\n').includes(heading),
);
if (values.tag !== undefined && unwritten.length > 0)
  refuse(unwritten.map(([file, heading]) => `${file} has no heading "${heading}"`).join('\n'));

const out = path.resolve(values.out);
mkdirSync(out, { recursive: true });
if (readdirSync(out).length > 0) refuse(`${out} is not empty`);
const write = (name, content) => writeFileSync(path.join(out, name), content);

const commit = git('rev-parse', 'HEAD');
const name = `${manifest.name}-${version}`;
const archive = execFileSync('git', ['archive', '--format=tar', `--prefix=${name}/`, commit], {
  cwd: root,
  maxBuffer: 2 ** 28,
});
write(`${name}.tar.gz`, gzipSync(archive, { level: 9 }));
const flavors = ARCHITECTURES.flatMap((arch) =>
  // Debian's own Node.js is too old: the package brings one.
  [false, true].map((withNode) => ({ arch, withNode, isPackaged: withNode })),
);
await writeRuntimes({ commit, version, out, flavors });

// What an earlier build left would be packed too.
rmSync(path.join(root, 'sdk/dist'), { recursive: true, force: true });
execFileSync('npm', ['run', '--silent', 'sdk:build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], {
  cwd: path.join(root, 'sdk'),
  stdio: ['ignore', 'ignore', 'inherit'],
});

// Compiled again, so that the contract in the release is the one of its source.
const compiler = 'scripts/compile-contracts.mjs';
execFileSync(process.execPath, [compiler, '--check'], { cwd: root, stdio: 'inherit' });
write('collector.json', execFileSync(process.execPath, [compiler, '--report'], { cwd: root }));
write('Collector.sol', read('contracts/Collector.sol'));

const lock = read('package-lock.json');
// Of every platform, so that it does not depend on the machine; the image holds the list of its own.
const bill = billOfMaterials(JSON.parse(lock), (file) => !NOT_SHIPPED.test(file));
const problems = materialProblems(bill);
if (problems.length > 0) refuse(problems.join('\n'));
write('sbom.cdx.json', `${JSON.stringify(bill, null, 2)}\n`);

const digests = () =>
  readdirSync(out)
    .sort()
    .map((file) => [file, sha256(readFileSync(path.join(out, file)))]);
const provenance = provenanceOf({
  subjects: digests(),
  manifest,
  commit,
  lockfile: lock,
  dockerfile: read('Dockerfile'),
  environment: process.env,
  versions: {
    nodeInArchives: NODE.version,
    node: process.version,
    npm: execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim(),
  },
});
write('provenance.json', `${JSON.stringify(provenance, null, 2)}\n`);
write('SHA256SUMS', sumsOf(digests()));
if (values.key !== undefined)
  execFileSync(
    'ssh-keygen',
    ['-q', '-Y', 'sign', '-f', values.key, '-n', NAMESPACE, path.join(out, 'SHA256SUMS')],
    {
      stdio: 'inherit',
    },
  );
for (const file of readdirSync(out).sort()) console.log(path.join(out, file));
