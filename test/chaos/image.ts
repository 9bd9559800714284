import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { freePort } from '../support/free-port.js';
import { FAILPOINT_HOOK, isListening, type Launch, plainLaunch } from './launch.js';

interface Load {
  kind: 'import' | 'require';
  /** URLs for imports, file names for requires. */
  from: string;
  request: string;
  found: string;
  format?: string;
}

interface FileEntry {
  source: [at: number, length: number];
  isLatin: boolean;
  code?: [at: number, length: number];
}

const BOOT = path.resolve(import.meta.dirname, 'boot.mjs');
const RECORD = path.resolve(import.meta.dirname, 'record-loads.mjs');
const START_TIMEOUT_MS = 120_000;

function imageLaunch(root: string, image: string): Launch {
  const program = pathToFileURL(path.join(root, 'dist/src/main.js')).href;
  const args = [
    // Optimization costs more than it saves in a process that runs for seconds.
    '--no-opt',
    '--experimental-vm-modules',
    '--no-warnings',
    '--import',
    FAILPOINT_HOOK,
    BOOT,
    image,
    program,
  ];
  return { root, args };
}

/**
 * Writes an image of the built program: every file that a start reads, with its compiled code. A first, ordinary start
 * records these files; a second one, of the image without code, compiles them.
 */
export async function makeImage(root: string, env: Record<string, string>, folder: string): Promise<Launch> {
  const record = path.join(folder, 'loads.jsonl');
  const codesFile = path.join(folder, 'codes.json');
  const image = path.join(folder, 'program.image');
  const plain = plainLaunch(root);
  const recording = { root, args: ['--import', RECORD, ...plain.args] };
  await startOnce(recording, { ...env, CHAOS_RECORD: record }, (child) => child.kill('SIGKILL'));
  const lines = (await readFile(record, 'utf8')).trim().split('\n');
  const loads = lines.map((line) => JSON.parse(line) as Load);
  const launch = imageLaunch(root, image);
  await writeImage(image, root, loads, {});
  await startOnce(launch, { ...env, CHAOS_MAKE_IMAGE: codesFile }, (child) => child.kill('SIGUSR2'));
  await writeImage(
    image,
    root,
    loads,
    JSON.parse(await readFile(codesFile, 'utf8')) as Record<string, string>,
  );
  return launch;
}

async function startOnce(
  { root, args }: Launch,
  env: Record<string, string>,
  end: (child: ChildProcess) => void,
): Promise<void> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...env, PORT: String(port) },
    // Without the pipe for failpoints: no kill is planned.
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const ended = once(child, 'close');
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await isListening(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the program did not start:\n${output}`);
    }
    await delay(50);
  }
  end(child);
  await ended;
}

async function writeImage(
  image: string,
  root: string,
  loads: readonly Load[],
  codes: Record<string, string>,
): Promise<void> {
  const imports: Record<string, Record<string, { found: string; format: string }>> = {};
  const requires: Record<string, Record<string, string>> = {};
  const names = new Set([pathToFileURL(path.join(root, 'dist/src/main.js')).href]);
  for (const { kind, from, request, found, format } of loads) {
    if (kind === 'require') (requires[from] ??= {})[request] = found;
    else (imports[from] ??= {})[request] = { found, format: format ?? 'commonjs' };
    const isOurs = kind === 'require' ? /\.c?js$/.test(found) : format === 'module';
    if (isOurs && !found.includes('/test/chaos/')) names.add(found);
    // A CommonJS module that a module imports is required under its file name.
    if (kind === 'import' && format === 'commonjs') names.add(fileURLToPath(found));
  }
  const parts: Buffer[] = [];
  let at = 0;
  const append = (part: Buffer): [number, number] => {
    parts.push(part);
    at += part.length;
    return [at - part.length, part.length];
  };
  const files: Record<string, FileEntry> = {};
  for (const name of names) {
    const text = await readFile(name.startsWith('file:') ? fileURLToPath(name) : name, 'utf8');
    const latin = Buffer.from(text, 'latin1');
    const isLatin = latin.toString('latin1') === text;
    files[name] = { source: append(isLatin ? latin : Buffer.from(text, 'utf8')), isLatin };
    // Compiled code has lost whom its import() would ask.
    const code = /\bimport\s*\(/.test(text) ? undefined : codes[name];
    if (code !== undefined) files[name].code = append(Buffer.from(code, 'base64'));
  }
  const head = Buffer.from(JSON.stringify({ imports, requires, files }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  await writeFile(image, Buffer.concat([length, head, ...parts]));
}
