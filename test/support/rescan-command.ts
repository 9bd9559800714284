import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { runCli } from '../../src/cli.js';
import type { Failpoint } from '../../src/platform/kernel/failpoints.js';
import { FAILPOINT_HOOK } from '../chaos/launch.js';
import type { Shop } from './shop.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** The blocks to read again; without `to` up to the cursor. */
export interface RescanArgs {
  from: number;
  to?: number;
}

const argsOf = ({ from, to }: RescanArgs) => [
  'rescan',
  '--chain',
  'ethereum',
  '--from',
  String(from),
  ...(to === undefined ? [] : ['--to', String(to)]),
];

/** Runs `rescan` beside the gateway of the shop. */
export async function rescan(shop: Shop, range: RescanArgs) {
  const [output, errors]: [string[], string[]] = [[], []];
  const code = await runCli(argsOf(range), shop.gateway.environment, {
    input: (async function* () {})(),
    write: (text) => output.push(text),
    writeError: (text) => errors.push(text),
  });
  const [, credited] = /transfers credited: (\d+)/.exec(output.join('')) ?? [];
  return { code, credited: Number(credited), output: output.join(''), errors: errors.join('') };
}

/** Runs `rescan` in a process of its own, which is killed when it passes a failpoint for the nth time. */
export async function killedRescan(
  shop: Shop,
  range: RescanArgs,
  at: Failpoint,
  passage: number,
): Promise<string | null> {
  const hooks = [path.join(ROOT, 'scripts/register-typescript.mjs'), FAILPOINT_HOOK];
  const child = spawn(
    process.execPath,
    [...hooks.flatMap((hook) => ['--import', hook]), path.join(ROOT, 'src/cli.ts'), ...argsOf(range)],
    {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', ...shop.gateway.environment },
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    },
  );
  child.stdin?.write(`${at}:${passage}\n`);
  // The hook reports the failpoint here.
  (child.stdio[3] as Readable).resume();
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  return signal;
}
