import { randomBytes } from 'node:crypto';
import type { ChainAdapter, ObservedBlock, TransferCandidate } from '../src/chains/chain-adapter.pure.js';
import { ChainsService } from '../src/chains/chains.service.js';
import { BlockMatcher } from '../src/chain-watcher/block-matcher.service.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { BenchDatabase } from './support/database.js';
import { openGateway } from './support/gateway.js';
import { interleave, ownCpu, printTable, timed } from './support/measure.js';
import { fillPayments, keyOf } from './support/payments.js';

/** A busy live block: transfers to so many addresses, one of them ours. */
const CANDIDATES = 300;
const FEW = 10_000;
const MEGABYTE = 2 ** 20;

/** One live block against a million deposit addresses, and against ten thousand. */
export const matchScale: Benchmark = { name: 'match-scale', run: measure };

async function measure(options: Options): Promise<Record<string, unknown>> {
  const watched = scaled(1_000_000, options, 2 * FEW);
  const blocks = scaled(300, options, 20);
  const database = await BenchDatabase.start();
  await database.fill((client) => fillPayments(client, 'evm', watched, [], watched));
  const env = { CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:9' };
  const [all, cut] = [await database.clone(), await database.clone()];
  await database.change(cut, (client) =>
    client.query('delete from deposit_addresses where derivation_index >= $1', [FEW]),
  );
  const [many, few] = [await openGateway(all, env), await openGateway(cut, env)];
  const chain = many.get(ChainsService).get('ethereum');

  const matching = (gateway: typeof many, addresses: number) => async () => {
    const matcher = gateway.get(BlockMatcher);
    const latencies: number[] = [];
    await matcher.match(chain, believer, [blockOf(0)]);
    const sample = await timed({ gateway: ownCpu, postgres: () => database.cpu() }, async () => {
      for (let i = 0; i < blocks; i++) {
        const block = blockOf((i * 7) % addresses);
        const begun = performance.now();
        const { transfers } = await matcher.match(chain, believer, [block]);
        latencies.push(performance.now() - begun);
        demand(transfers.length === 1, `${transfers.length} transfers found and not one`);
      }
      return blocks;
    });
    return { ...sample, latencies };
  };
  const heldBefore = held();
  const cases = {
    [`gateway, ${watched} addresses`]: matching(many, watched),
    [`gateway, ${FEW} addresses`]: matching(few, FEW),
  };
  const results = await interleave(cases, options.rounds);
  const heldByMatching = (held() - heldBefore) / MEGABYTE;
  demand(heldByMatching < 32, `matching holds ${heldByMatching.toFixed(0)} MB`);

  // What the gateway does without: every address in memory.
  const before = held();
  const set = new Set(Array.from({ length: watched }, (_, i) => keyOf('evm', i).toString('hex')));
  const inMemory = await interleave(
    {
      'Set of all addresses in memory': async () =>
        timed({ gateway: ownCpu }, async () => {
          for (let i = 0; i < blocks; i++) {
            const hits = blockOf(i).candidates.filter(({ key }) => set.has(key.toString('hex')));
            demand(hits.length === 1, 'the set missed one');
          }
          return blocks;
        }),
    },
    options.rounds,
  );
  const heldBySet = (held() - before) / MEGABYTE;
  const together = { ...results, ...inMemory };
  printTable(together, 'block');
  console.error(`   memory held: matching ${heldByMatching.toFixed(1)} MB, set ${heldBySet.toFixed(1)} MB`);
  await Promise.all([many.close(), few.close()]);
  return { watched, candidates: CANDIDATES, heldByMatching, heldBySet, results: together };
}

/** Bytes in use, after the garbage is gone where this process may ask for that. */
function held(): number {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A block with one payment to payment number `i`. */
function blockOf(i: number): ObservedBlock {
  const candidates = Array.from({ length: CANDIDATES }, (_, n): TransferCandidate => ({
    key: n === CANDIDATES / 2 ? keyOf('evm', i) : randomBytes(20),
    asset: 'native',
    amount: 1n,
    txHash: `0x${n.toString(16).padStart(64, '0')}`,
    locator: null,
  }));
  const hash = `0x${'00'.repeat(32)}`;
  return { height: 1, hash, parentHash: hash, time: new Date(0), candidates };
}

/** Takes every candidate at its word: the node's part is not measured here. */
const believer = {
  verify: async (_block, candidates) =>
    candidates.map(({ txHash, asset, key, amount }) => ({ txHash, asset, key, amount, ordinal: 'value' })),
} as Partial<ChainAdapter> as ChainAdapter;
