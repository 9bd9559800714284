import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

export interface Ended {
  code: number | null;
  /** Of both streams. */
  said: string;
  /** The command line and the environment, as the system shows them to others. */
  shown: string;
}

/** The offline signer as the client package ships it, in a folder of its own. */
export class CollectPrograms {
  private constructor(readonly folder: string) {}

  static async build(): Promise<CollectPrograms> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-collect-'));
    await run(process.execPath, [
      path.join(root, 'scripts/bundle-derivation.mjs'),
      path.join(folder, 'dist'),
    ]);
    await writeFile(path.join(folder, 'dist/package.json'), '{"type":"module"}');
    await mkdir(path.join(folder, 'work'));
    return new CollectPrograms(folder);
  }

  /** Where it runs, and writes. */
  get work(): string {
    return path.join(this.folder, 'work');
  }

  start(name: 'collect-sign' | 'collect-send', args: readonly string[]): ChildProcess {
    const program = path.join(this.folder, 'dist', `${name}.js`);
    return spawn(process.execPath, [program, ...args], {
      cwd: this.work,
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  /** @param lines what is typed */
  async run(
    name: 'collect-sign' | 'collect-send',
    args: readonly string[],
    lines: readonly string[] = [],
  ): Promise<Ended> {
    const child = this.start(name, args);
    const ended = heard(child);
    const shown = ['cmdline', 'environ']
      .map((file) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8'))
      .join(' ');
    child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
    return { ...(await ended), shown };
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}

/** Until it ends. */
export async function heard(child: ChildProcess): Promise<Omit<Ended, 'shown'>> {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}
