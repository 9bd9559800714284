// Turns the built program into a few files, its packages included: to find and to read 2,900 files is half of the CPU of
// a start (docs/decisions/0819-bundle-the-image.md). For the image; everything else works on one file for each source.
//   npm run bundle [-- <folder>]     default: dist
// Replaces `src` of the folder and the code of its migrations, and lists in `packages.json` which paths of the lockfile
// are inside.
import { existsSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { isKept } from './supply-chain.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const PROGRAMS = ['main', 'cli'];
/** What runs without configuration is not in the image. */
const DEMO = /^\.\/demo\//;
/**
 * Optional packages of TypeORM and Nest, which say so when they are used; and what packages do that know why. Anything
 * else that the bundler remarks fails the build.
 */
const EXPECTED = new Set(['UNRESOLVED_IMPORT', 'EVAL', 'INEFFECTIVE_DYNAMIC_IMPORT']);

/** A module reads the files beside it from where it was, although all of them are in `src` afterwards. */
const keepPlaces = (folder) => ({
  name: 'keep-places',
  transform(code, id) {
    if (!id.startsWith(`${folder}/`) || !code.includes('import.meta.')) return null;
    const place = JSON.stringify(path.relative(path.join(folder, 'src'), id));
    const text = code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
    return { code: text, map: null };
  },
});

export async function bundleServer(folder) {
  const src = path.join(folder, 'src');
  const draft = path.join(folder, 'src.bundled');
  const listed = path.join(folder, 'packages.json');
  if (existsSync(listed)) throw new Error(`${folder} is bundled already: run "npm run build" before`);
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((name) => [name, path.join(src, `${name}.js`)])),
    // Also for a copy of dist/ outside of the project.
    resolve: { modules: [path.join(root, 'node_modules')] },
    platform: 'node',
    tsconfig: false,
    external: (id) => isKept(id) || DEMO.test(id),
    plugins: [keepPlaces(folder)],
    onLog: (level, log, handle) => {
      if (!EXPECTED.has(log.code)) handle(level === 'warn' ? 'error' : level, log);
    },
  });
  const { output } = await bundle.write({
    dir: draft,
    cleanDir: true,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'part-[name].js',
    // Nest, TypeORM and the log show names of classes.
    keepNames: true,
    codeSplitting: {
      // Runs before the packages that it instruments are loaded, as main.ts says.
      groups: [
        { name: 'tracing', test: /\/observability\/tracing\.js$/, includeDependenciesRecursively: true },
      ],
    },
  });
  await bundle.close();
  await rm(src, { recursive: true });
  await rename(draft, src);
  await removeCode(path.join(folder, 'migrations'));
  const inside = output.flatMap(({ moduleIds }) => moduleIds ?? []).map(packageOf);
  const list = [...new Set(inside.filter((found) => found !== null))].sort();
  await writeFile(listed, JSON.stringify(list, null, 2));
}

/** `…/node_modules/a/node_modules/@b/c/d.js` is of `node_modules/a/node_modules/@b/c`. */
function packageOf(id) {
  const [found = null] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path.relative(root, id)) ?? [];
  return found;
}

/** Their statements are files of their own, which stay. */
async function removeCode(folder) {
  for (const name of await readdir(folder)) if (/\.js(\.map)?$/.test(name)) await rm(path.join(folder, name));
}

if (process.argv[1] === import.meta.filename)
  await bundleServer(path.resolve(process.argv[2] ?? path.join(root, 'dist')));
