// Bundles the gateway's own derivation of addresses (src/wallets/derivation.pure.ts) with what it needs, so that it runs
// without Node and without packages: in the client package and in the pages for checking an address and for collecting.
// Bundles the offline signer (sdk/src/collect), too: each program is one file, to be copied to another machine.
//   node scripts/bundle-derivation.mjs [folder]     writes derivation.js, its types, the signer and the licenses;
//                                                   default: to sdk/dist
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild-wasm';

const root = path.resolve(import.meta.dirname, '..');
export const DERIVATION = path.join(root, 'src/wallets/derivation.pure.ts');
const BROWSER = path.join(import.meta.dirname, 'browser');

/** sdk/src/derivation.d.ts declares what this file exports, for programs that are checked without Node's types. */
const derivation = {
  name: 'derivation',
  setup: ({ onResolve }) => onResolve({ filter: /\/derivation\.js$/ }, () => ({ path: DERIVATION })),
};

const PROGRAMS = ['collect-sign', 'collect-send'];

/** A program of the signer with everything that it needs, for Node. */
async function bundleProgram(name) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [path.join(root, 'sdk/src/collect', `${name.replace('collect-', '')}.ts`)],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    legalComments: 'inline',
    tsconfigRaw: {},
  });
  return { name, text: outputFiles[0].text, packages: packagesOf(metafile) };
}

/** Returns the text of the bundle, and the packages in it. @param format esm, or iife for a page */
export async function bundle(entry, format) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format,
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'inline',
    minifyWhitespace: format === 'iife',
    treeShaking: true,
    plugins: [derivation],
    alias: {
      'node:crypto': path.join(BROWSER, 'node-crypto.mjs'),
      buffer: path.join(root, 'node_modules/buffer/index.js'),
    },
    inject: [path.join(BROWSER, 'buffer.mjs')],
    tsconfigRaw: {},
  });
  return { text: outputFiles[0].text, packages: packagesOf(metafile) };
}

function packagesOf({ inputs }) {
  const packages = Object.keys(inputs)
    .map((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1])
    .filter((name) => name !== undefined);
  return [...new Set(packages)].sort();
}

async function licenseOf(name) {
  const folder = path.join(root, 'node_modules', name);
  const { version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  return `${name} ${version} (${license})\n\n${(await readFile(path.join(folder, 'LICENSE'), 'utf8')).trim()}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const target = path.resolve(process.argv[2] ?? path.join(root, 'sdk/dist'));
  await mkdir(target, { recursive: true });
  const { text, packages } = await bundle(DERIVATION, 'esm');
  await writeFile(path.join(target, 'derivation.js'), text);
  const programs = await Promise.all(PROGRAMS.map(bundleProgram));
  for (const { name, text: program } of programs)
    await writeFile(path.join(target, `${name}.js`), program, { mode: 0o755 });
  const all = [...new Set([packages, ...programs.map((one) => one.packages)].flat())].sort();
  await writeFile(
    path.join(target, 'derivation.licenses.txt'),
    (await Promise.all(all.map(licenseOf))).join('\n---\n\n'),
  );
  await copyFile(path.join(root, 'sdk/src/derivation.d.ts'), path.join(target, 'derivation.d.ts'));
}
