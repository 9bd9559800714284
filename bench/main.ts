import os from 'node:os';
import { parseArgs } from 'node:util';
import { checkoutPage } from './checkout-page.js';
import { create } from './create.js';
import { detectLatency } from './detect-latency.js';
import { evmCatchup } from './evm-catchup.js';
import { grow } from './grow.js';
import { hookDrain } from './hook-drain.js';
import { hookIsolation } from './hook-isolation.js';
import { hookLatency } from './hook-latency.js';
import { hookSoak } from './hook-soak.js';
import { instances } from './instances.js';
import { logRetention } from './log-retention.js';
import { matchScale } from './match-scale.js';
import { read } from './read.js';
import { rowBytes } from './row-bytes.js';
import type { Benchmark, Options } from './support/benchmark.js';
import { endAll, endOnSignals } from './support/cleanup.js';
import { endTurns, joinTurns, startBeside } from './support/turns.js';
import { utxoCatchup } from './utxo-catchup.js';
import { verifyScale } from './verify-scale.js';

export const BENCHMARKS: readonly Benchmark[] = [
  evmCatchup,
  utxoCatchup,
  matchScale,
  detectLatency,
  hookDrain,
  hookLatency,
  hookIsolation,
  hookSoak,
  checkoutPage,
  create,
  read,
  instances,
  rowBytes,
  logRetention,
  verifyScale,
  grow,
];
const USAGE = `npm run bench -- <${BENCHMARKS.map(({ name }) => name).join('|')}>... [--rounds 3] [--scale 1] [--tiny] [--beside <checkout>]`;

/** Runs what the command line names; the last line is "N passed, M failed". @returns the exit code */
export async function main(words: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      tiny: { type: 'boolean' },
      rounds: { type: 'string' },
      scale: { type: 'string' },
      beside: { type: 'string' },
    },
  });
  const isTiny = values.tiny === true;
  const options: Options = {
    scale: isTiny ? 0 : Number(values.scale ?? 1),
    rounds: isTiny ? 1 : Number(values.rounds ?? 3),
  };
  const chosen = BENCHMARKS.filter(
    ({ name }) => positionals.includes(name) || (isTiny && positionals.length === 0),
  );
  const isWrong = !(options.scale >= 0 && options.scale <= 1) || !(options.rounds >= 1);
  if (isWrong || chosen.length === 0 || chosen.length < positionals.length) {
    console.error(USAGE);
    return 2;
  }
  endOnSignals();
  let failed = 0;
  joinTurns();
  for (const benchmark of chosen) if (!(await runOne(benchmark, options, values.beside))) failed++;
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** @param beside another checkout, whose run of the same benchmark takes turns with this one */
async function runOne({ name, run }: Benchmark, options: Options, beside?: string): Promise<boolean> {
  console.error(`== ${name}`);
  const begun = performance.now();
  const machine = { node: process.version, cpus: os.availableParallelism(), load: os.loadavg()[0] };
  try {
    const { rounds, scale } = options;
    if (beside) startBeside(beside, [name, '--rounds', `${rounds}`, '--scale', `${scale}`]);
    console.log(JSON.stringify({ benchmark: name, ...options, ...machine, ...(await run(options)) }));
    await endTurns();
    return true;
  } catch (error) {
    console.error(error);
    return false;
  } finally {
    await endAll();
    console.error(`== ${name}: ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  }
}
