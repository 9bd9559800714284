import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import type { ChainAdapter } from '../src/chains/chain-adapter.pure.js';
import { ChainsService } from '../src/chains/chains.service.js';
import { type Hex, startAnvil } from '../test/support/anvil.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { atTheEnd } from './support/cleanup.js';
import { BenchDatabase } from './support/database.js';
import { deployLoudToken, fillChain, type Noise, type Payout } from './support/evm-load.js';
import { openGateway } from './support/gateway.js';
import { type Cases, interleave, ownCpu, printTable, timed, treeCpu } from './support/measure.js';
import { demandAllPaid, type Due, fillPayments, keyOf } from './support/payments.js';
import { hasPonder, runPonder } from './support/ponder.js';
import { record, type Recorded, replay } from './support/replay.js';

/** Ranges that the gateway reads at once in catch-up, of about as many blocks, and requests: logs and traces of each. */
const RANGES = 3;
const RANGE = 16;
/** As many as a gateway in catch-up wants at least. */
const WANTED = 17;
const IN_FLIGHT = 6;
/** The peer is given a part of the range, or it would take minutes. */
const PONDER_SHARE = 0.2;
const PONDER_DEADLINE_MS = 120_000;
const NATIVE = { asset: 'native', currencyCode: 'ETH', decimals: 18 };

const NOISE: Noise = { nativeTransfers: 10, tokenCalls: 5, transfersPerCall: 40 };

/**
 * A gateway that was away for a thousand blocks: 200 token transfers and 10 payments in native coin each, one in a
 * thousand of them to one of a million deposit addresses.
 */
export const evmCatchup: Benchmark = {
  name: 'evm-catchup',
  run: measure,
};

async function measure(options: Options): Promise<Record<string, unknown>> {
  const blocks = scaled(1_000, options, 40);
  const watched = scaled(1_000_000, options, 1_000);
  const paid = scaled(200, options, 10);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-bench-evm-'));
  atTheEnd(() => rm(folder, { recursive: true, force: true }));
  const chain = await startAnvil();
  atTheEnd(() => chain.stop());
  const database = await BenchDatabase.start();
  const token = (await deployLoudToken(chain)).toLowerCase() as Hex;
  const dues = Array.from({ length: paid }, (_, i): Due => {
    const asset = i % 2 === 0 ? NATIVE : { asset: token, currencyCode: 'USDT', decimals: 6 };
    return { chain: 'ethereum', ...asset, amount: 10_000_000n + BigInt(i) };
  });
  const start = await chain.blockNumber();
  await Promise.all([
    fillChain(chain, token, payoutsOf(dues, blocks), NOISE),
    database.fill((client) => fillPayments(client, 'evm', watched, dues)),
  ]);
  await chain.mine(64);
  const end = await chain.blockNumber();
  const watchedFile = path.join(folder, 'watched');
  await writeFile(watchedFile, dues.map((_, i) => addressOf(i)).join('\n'));
  const logs =
    blocks * NOISE.tokenCalls * NOISE.transfersPerCall + dues.filter((due) => due.asset === token).length;
  let requests: Recorded[] = [];
  let bytes = 0;

  const open = (url: string) =>
    openGateway(url, {
      CHAIN_ETHEREUM_RPC_URL: chain.url,
      CHAIN_ETHEREUM_CHAIN_ID: String(chain.chainId),
      CHAIN_ETHEREUM_TOKENS: `USDT:${token}:6`,
      CHAIN_ETHEREUM_START_HEIGHT: String(start),
    });
  const subject = async () => {
    const url = await database.clone();
    const gateway = await open(url);
    try {
      const watcher = gateway.get(ChainWatcherService);
      // The cursor is made, as it stood when the gateway went away.
      await watcher.runOnce('ethereum');
      const pids = { gateway: ownCpu, postgres: () => database.cpu(), node: () => treeCpu(chain.pid) };
      const work = () => timed(pids, async () => watcher.drain('ethereum').then(() => logs));
      let sample: Awaited<ReturnType<typeof work>> | null = null;
      requests = await record(new URL(chain.url).origin, async () => (sample = await work()));
      await demandAllPaid(gateway.sql, dues);
      demand(sample !== null, 'nothing was measured');
      return sample;
    } finally {
      await gateway.close();
      await database.drop(url);
    }
  };
  /** The blocks, checked as always, and then forgotten: no addresses, no database. */
  const readOnly = async () => {
    const url = await database.clone();
    const gateway = await open(url);
    try {
      const adapter = gateway.get(ChainsService).adapter('ethereum');
      await adapter.probe();
      const pids = { gateway: ownCpu, node: () => treeCpu(chain.pid) };
      return await timed(pids, async () => {
        demand((await readAll(adapter, start + 1, end)) >= logs, 'logs were left out');
        return logs;
      });
    } finally {
      await gateway.close();
      await database.drop(url);
    }
  };
  const ceiling = () =>
    timed({ client: ownCpu, node: () => treeCpu(chain.pid) }, async () => {
      bytes = await replay(requests, IN_FLIGHT);
      demand(bytes > logs * 500, 'the upper bound read too little');
      return logs;
    });
  const ponder = async (round: number) => {
    const databaseUrl = await database.empty();
    const to = Math.min(end, start + Math.max(40, Math.round(blocks * PONDER_SHARE)));
    const task = {
      rpcUrl: chain.url,
      databaseUrl,
      token,
      from: start + 1,
      to,
      watched: watchedFile,
      schema: `round${round}`,
      deadlineMs: PONDER_DEADLINE_MS,
    };
    const share = Math.min(1, (to - start) / blocks);
    const sample = await runPonder(task, Math.round(logs * share), () => database.cpu());
    await database.drop(databaseUrl);
    demand(sample !== null, 'ponder did not come to an end');
    return sample;
  };
  const cases: Cases = { gateway: subject, 'blocks read, no more': readOnly, 'same bytes alone': ceiling };
  if (hasPonder()) cases['ponder 0.16.10'] = ponder;
  else console.error('   without ponder: npm --prefix bench ci');
  const results = await interleave(cases, options.rounds);
  printTable(results, 'log');
  const perBlock = { calls: callsIn(requests) / blocks, bytes: Math.round(bytes / blocks) };
  return { blocks, watched, paid, logs, requests: requests.length, perBlock, results };
}

/** What a provider charges: each call of a batch. */
function callsIn(requests: readonly Recorded[]): number {
  return requests.reduce((sum, { body }) => sum + body.toString().split('"method":').length - 1, 0);
}

/** @returns how many credits the blocks hold, whomever they pay */
async function readAll(adapter: ChainAdapter, from: number, to: number): Promise<number> {
  let [next, credits] = [from, 0];
  const work = async () => {
    while (next <= to) {
      const first = next;
      next += RANGE;
      const past = Math.min(next, to + 1);
      for (let at = first; at < past;) {
        const found = (await adapter.blocks?.(at, Math.max(WANTED, past - at))) ?? [];
        const blocks = found.slice(0, past - at);
        demand(blocks.length > 0, 'the node gave no blocks');
        for (const { candidates } of blocks) credits += candidates.length;
        at += blocks.length;
      }
    }
  };
  await Promise.all(Array.from({ length: RANGES }, work));
  return credits;
}

/** Spread evenly over the blocks. */
function payoutsOf(dues: readonly Due[], blocks: number): Payout[][] {
  const payouts = Array.from({ length: blocks }, (): Payout[] => []);
  dues.forEach(({ asset, amount }, i) => {
    payouts[Math.floor((i * blocks) / dues.length)]?.push({
      to: addressOf(i),
      amount,
      isToken: asset !== 'native',
    });
  });
  return payouts;
}

function addressOf(i: number): Hex {
  return `0x${keyOf('evm', i).toString('hex')}`;
}
