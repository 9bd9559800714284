// `npm start`: builds when dist/ is missing or older than the sources, then runs the gateway in this very
// process, so that there is one pid to signal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '..');
const SOURCES = ['src', 'migrations'];
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package.json'];

/** Milliseconds since 1970; a missing file is older than all others. */
async function modifiedAt(file) {
  return stat(path.join(root, file)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** TypeScript files that go into the build; none in an image that ships dist/ alone. */
async function listSources() {
  const lists = SOURCES.map(async (folder) => {
    const names = await readdir(path.join(root, folder), { recursive: true }).catch(() => []);
    return names.map((name) => path.join(folder, name));
  });
  return (await Promise.all(lists)).flat().filter((file) => /(?<!\.spec|\.d)\.ts$/.test(file));
}

/** Each source has its own output, so a build that was interrupted is noticed too. */
async function isStale() {
  const settings = Math.max(...(await Promise.all(SETTINGS.map(modifiedAt))));
  const sources = await listSources();
  const checks = sources.map(async (source) => {
    const output = await modifiedAt(path.join('dist', source.replace(/\.ts$/, '.js')));
    return output < settings || output < (await modifiedAt(source));
  });
  return (await Promise.all(checks)).includes(true);
}

async function build() {
  console.log('Building...');
  const nest = spawn(path.join(root, 'node_modules', '.bin', 'nest'), ['build'], {
    cwd: root,
    stdio: 'inherit',
  });
  const [code, signal] = await once(nest, 'exit').catch((error) => {
    throw new Error('cannot build: run "npm ci" with development dependencies first', { cause: error });
  });
  if (code !== 0) throw new Error(`the build failed (${signal ?? `code ${code}`})`);
}

try {
  if (await isStale()) await build();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
await import(pathToFileURL(path.join(root, 'dist', 'src', 'main.js')).href);
