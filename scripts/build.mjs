// Builds dist/ when it is missing or older than the sources.
//   node scripts/build.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
// The demo shop is made with the client package.
const SOURCES = ['src', 'migrations', 'web', 'sdk/src'];
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package.json'];

/** Milliseconds since 1970; a missing file is older than all others. */
async function modifiedAt(file) {
  return stat(path.join(root, file)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** Files that go into the build; none in an image that ships dist/ alone. */
async function listSources() {
  const lists = SOURCES.map(async (folder) => {
    const names = await readdir(path.join(root, folder), { recursive: true }).catch(() => []);
    return names.map((name) => path.join(folder, name));
  });
  return (await Promise.all(lists))
    .flat()
    .filter((file) =>
      /(?<!\.spec|\.d)\.ts$|^migrations\/.+\/.+\.sql$|^web\/[^/]+\.(css|html)$|^web\/dashboard\/.+\.(tsx|css|html)$|^web\/messages\/.+\.json$/.test(
        file,
      ),
    );
}

/** A source without an output as new as it, or null. Each has its own, so a build that was interrupted is noticed too. */
async function findStale() {
  const settings = Math.max(...(await Promise.all(SETTINGS.map(modifiedAt))));
  const sources = await listSources();
  const checks = sources.map(async (source) => {
    const built = source
      // The dashboard is written last, as a whole.
      .replace(/^(web\/dashboard|web\/messages\/dashboard)\/.+$/, 'web/build/dashboard/index.html')
      // One file of a folder of modules.
      .replace(/^web\/(checkout|shared)\/.+\.ts$/, 'web/checkout.ts')
      .replace(/^sdk\/src\/.+\.ts$/, 'src/demo/shop/coffee-shop.ts')
      // A part of every style sheet.
      .replace(/^web\/(tokens|page-after)\.css$/, 'web/page.css')
      .replace(/\.ts$/, '.js')
      .replace(/^web\/(?!messages|build)/, 'web/build/');
    const output = await modifiedAt(path.join('dist', built));
    return output < settings || output < (await modifiedAt(source)) ? source : null;
  });
  return (await Promise.all(checks)).find((source) => source !== null) ?? null;
}

/** What it says goes to standard error: standard output belongs to the program that is run afterwards. */
async function build() {
  console.error('Building...');
  const begun = performance.now();
  // Its packages are for development; where nothing has to be built, they are not there.
  const { buildWeb } = await import('./build-web.mjs').catch((error) => {
    throw new Error('cannot build: run "npm ci" with development dependencies first', { cause: error });
  });
  await buildWeb();
  const nest = spawn(path.join(root, 'node_modules', '.bin', 'nest'), ['build'], {
    cwd: root,
    stdio: ['inherit', process.stderr, 'inherit'],
  });
  const [code, signal] = await once(nest, 'exit').catch((error) => {
    throw new Error('cannot build: run "npm ci" with development dependencies first', { cause: error });
  });
  if (code !== 0) throw new Error(`the build failed (${signal ?? `code ${code}`})`);
  console.error(`Built in ${((performance.now() - begun) / 1_000).toFixed(1)} s.`);
}

/**
 * @param program what is going to be run. Where the development packages were removed (`npm prune --omit=dev`), what was
 * built is what was installed: often as a bundle, which has no output of its own for each source.
 */
export async function buildIfStale(program) {
  const canBuild = (await modifiedAt('node_modules/typescript/package.json')) > 0;
  if (!canBuild && program !== undefined && (await modifiedAt(program)) > 0) return;
  if ((await findStale()) === null) return;
  await build();
  // Otherwise every program would build again, and take dist/ from under the others.
  const left = await findStale();
  if (left !== null) throw new Error(`${left} has no output in dist/ by the rules of scripts/build.mjs`);
}

if (process.argv[1] === import.meta.filename) await buildIfStale();
