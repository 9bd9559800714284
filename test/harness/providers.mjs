// Chains read through providers with the limits of ordinary plans, on two implementations of a node: batches of 0, 1, 3
// and 10 calls, 429 for 10, 30 and 50 % of all requests, ranges of logs, plans without traces, web pages. Every payment
// must be credited exactly once, each chain must be read to its tip, and each limit must have been applied.
//   node test/harness/providers.mjs
//   PROVIDER_BLOCKS=400 node test/harness/providers.mjs     a longer chain; default: 40 blocks
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import '../../scripts/register-typescript.mjs';
import { check, expect, finish } from './checks.mjs';
import { run } from './development.mjs';
import { INSTALL } from './packages.mjs';

const { Logger } = await import('@nestjs/common');
const { startAnvil } = await import('../support/anvil.ts');
const { startHardhat } = await import('../support/hardhat.ts');
const { LimitedProvider } = await import('../support/provider-limits.ts');
const { payChain, tryProvider } = await import('../support/provider-trial.ts');

Logger.overrideLogger(false);

const BLOCKS = Number(process.env.PROVIDER_BLOCKS ?? 40);
/** Blocks that are read where most of the time is spent waiting. */
const LIMITED_BLOCKS = Math.max(6, Math.floor(BLOCKS / 8));
const TRACES = ['trace_block', 'debug_traceBlockByHash'];
/** Each with the limit that must have been applied. */
/** @type {[title: string, limits: import('../support/provider-limits.ts').Limits, applied: string][]} */
const TRIALS = [
  ...[0, 1, 3, 10].map((batch) => [`batches of ${batch}`, { batch }, 'batch']),
  ...['http', 'elements', 'first element'].map((batchStyle) => [
    `batches of 3, refused by ${batchStyle}`,
    { batch: 3, batchStyle },
    'batch',
  ]),
  ...[0.1, 0.3, 0.5].map((rate) => [`429 for ${rate * 100} % of requests`, { rate }, 'rate']),
  ...[0.1, 0.3, 0.5].map((elementRate) => [
    `429 for ${elementRate * 100} % of calls`,
    { elementRate },
    'elementRate',
  ]),
  ...[1, 5, 20].map((range) => [`logs of ${range} blocks`, { range }, 'range']),
  ['no traces', { withheld: TRACES }, 'withheld'],
  ['web pages for 10 % of requests', { pages: 0.1 }, 'pages'],
  ['all of them', { batch: 3, rate: 0.2, elementRate: 0.1, range: 5, pages: 0.05, withheld: TRACES }, 'rate'],
];

const root = path.resolve(import.meta.dirname, '../..');
const hardhat = await mkdtemp(path.join(os.tmpdir(), 'gateway-hardhat-'));
await check("Hardhat's packages install", async () => {
  await cp(path.join(root, 'test/hardhat'), hardhat, { recursive: true });
  const [program, ...args] = INSTALL;
  const { code, output } = await run(program, args, { cwd: hardhat });
  expect(code === 0, output);
});

const summary = [];
const NODES = { anvil: startAnvil, hardhat: () => startHardhat(hardhat) };
for (const [name, start] of Object.entries(NODES)) {
  const node = await check(`${name} starts`, () => start());
  if (!node) continue;
  const chain = await payChain(node, BLOCKS);
  const provider = await LimitedProvider.start(node.url);
  for (const [title, limits, applied] of TRIALS) {
    await check(`${name}, ${title}`, async () => {
      const above = limits.rate || limits.elementRate ? chain.height - LIMITED_BLOCKS : 0;
      const result = await tryProvider(chain, provider, limits, above);
      const { counts, wrong, read, steps, failures } = result;
      summary.push({ name, title, steps, failures, requests: counts.requests, applied: counts[applied] });
      expect(wrong.length === 0, `${wrong.length} wrong credits: ${wrong.slice(0, 5).join('; ')}`);
      expect(read === chain.height, `stopped at block ${read} of ${chain.height}: ${result.error}`);
      expect(counts[applied] > 0, 'the limit was never applied');
    });
  }
  await provider.stop();
  await node.stop();
}
await rm(hardhat, { recursive: true, force: true });
for (const { name, title, steps, failures, requests, applied } of summary)
  process.stdout.write(
    `${name}, ${title}: ${requests} requests, limited ${applied} times, ${failures} of ${steps} steps repeated\n`,
  );
finish();
