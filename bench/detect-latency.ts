import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { NewHeads } from '../src/chains/evm/new-heads.js';
import { JsonRpc } from '../src/chains/json-rpc.js';
import { type Hex, startAnvil } from '../test/support/anvil.js';
import { startUtxoNode } from '../test/support/litecoind.js';
import { type Benchmark, type Options, scaled } from './support/benchmark.js';
import { atTheEnd } from './support/cleanup.js';
import { BenchDatabase } from './support/database.js';
import { openGateway } from './support/gateway.js';
import { type Cases, interleave, ownCpu, printTable, type Sample, timed } from './support/measure.js';
import { type Due, fillPayments, keyOf } from './support/payments.js';
import { yieldTurn } from './support/turns.js';

const PATIENCE_MS = 60_000;
/** Blocks that are paid in before the clock counts: plans are made, code is compiled, which takes V8 some repetitions. */
const WARM_UP = 20;

/** From "the node shows the block" to the committed status, with the gateway's own loops running. */
export const detectLatency: Benchmark = { name: 'detect-latency', run: measure };

/** A chain that can be paid on. */
interface FaultHarness {
  env: Record<string, string>;
  /** Which configuration key names the block to start from. */
  startVariable: string;
  height(): Promise<number>;
  due: Due;
  family: 'evm' | 'bitcoin';
  /** Hands a payment in; it waits for a block. */
  pay(i: number): Promise<unknown>;
  mine(): Promise<unknown>;
  /** Resolves when the node reports the next block. */
  nextBlock(): Promise<unknown>;
  /** Whether the payment is seen before it is in a block. */
  hasMempool: boolean;
}

async function measure(options: Options): Promise<Record<string, unknown>> {
  const payments = scaled(40, options, 4);
  const watched = scaled(10_000, options, 1_000);
  const [evm, utxo] = [await evmHarness(), await utxoHarness()];
  const mute = await withoutWebSocket(evm.env['CHAIN_ETHEREUM_RPC_URL'] ?? '');
  const polled = {
    ...evm,
    env: { ...evm.env, CHAIN_ETHEREUM_RPC_URL: mute, CHAIN_POLL_INTERVAL_MS: '1000' },
  };
  const cases: Cases = {
    'EVM, new heads': () => rounds(evm, payments, watched),
    'EVM, one look a second': () => rounds(polled, Math.min(10, payments), watched),
    'UTXO, waitfornewblock': () => rounds(utxo, payments, watched),
  };
  const results = await interleave(cases, options.rounds);
  databases.clear();
  printTable(results, 'payment');
  return { payments, watched, results };
}

/** A gateway that runs by itself; each payment is timed from the node's own notice to the row's commit. */
async function rounds(harness: FaultHarness, payments: number, watched: number): Promise<Sample> {
  const warmUp = Math.min(WARM_UP, payments);
  const database = await databaseOf(harness, payments + warmUp, watched);
  const url = await database.clone();
  const listener = await StatusListener.open(url);
  // What earlier rounds paid lies below.
  const start = { [harness.startVariable]: String(await harness.height()) };
  const gateway = await openGateway(url, { ...harness.env, ...start }, { loops: true });
  const latencies: number[] = [];
  try {
    return {
      ...(await timed({ gateway: ownCpu, postgres: () => database.cpu() }, async () => {
        for (let i = 0; i < payments + warmUp; i++) {
          if (i > 0) await yieldTurn();
          const isSeen = listener.next();
          await harness.pay(i);
          if (harness.hasMempool) await isSeen;
          const isDone = harness.hasMempool ? listener.next() : isSeen;
          const shown = harness.nextBlock().then(() => performance.now());
          // Wait for the notification before the block is mined.
          await delay(20);
          await harness.mine();
          const [from, to] = await Promise.all([shown, isDone]);
          if (i >= warmUp) latencies.push(Math.max(0, to - from));
        }
        return payments;
      })),
      latencies,
    };
  } finally {
    await gateway.close();
    await listener.close();
    await database.drop(url);
  }
}

const databases = new Map<string, Promise<BenchDatabase>>();

function databaseOf({ family, due }: FaultHarness, dues: number, watched: number): Promise<BenchDatabase> {
  const name = `${family} ${dues}`;
  const made =
    databases.get(name) ??
    BenchDatabase.start().then(async (database) => {
      await database.fill((client) =>
        fillPayments(
          client,
          family,
          watched,
          Array.from({ length: dues }, () => due),
        ),
      );
      return database;
    });
  databases.set(name, made);
  return made;
}

/** Hears of every status as it is committed. */
class StatusListener {
  private resolve: ((at: number) => void) | null = null;

  private constructor(private readonly client: pg.Client) {
    client.on('notification', () => {
      this.resolve?.(performance.now());
      this.resolve = null;
    });
  }

  static async open(url: string): Promise<StatusListener> {
    const client = new pg.Client({ connectionString: url });
    // It ends with the database, also when a signal ends that first.
    client.on('error', (error) => console.error(`   listener: ${error.message}`));
    await client.connect();
    await client.query(`
      create function bench_tell() returns trigger language plpgsql as $$
        begin perform pg_notify('bench', new.status); return null; end $$;
      create trigger bench_tell after update of status on payments for each row
        when (old.status is distinct from new.status) execute function bench_tell();
      listen bench`);
    return new StatusListener(client);
  }

  /** When the next one was committed. */
  next(): Promise<number> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no payment was found')), PATIENCE_MS);
      this.resolve = (at) => {
        clearTimeout(timer);
        resolve(at);
      };
    });
  }

  close(): Promise<void> {
    return this.client.end();
  }
}

async function evmHarness(): Promise<FaultHarness> {
  const chain = await startAnvil();
  atTheEnd(() => chain.stop());
  const heads = new NewHeads(chain.url);
  atTheEnd(() => heads.close());
  const never = new AbortController().signal;
  // Nothing is reported before it is connected and subscribed, so do not wait for earlier blocks.
  let isSubscribed = false;
  const first = heads.wait(PATIENCE_MS, never).then(() => (isSubscribed = true));
  while (!isSubscribed) await Promise.race([first, chain.mine().then(() => delay(50))]);
  const due = { chain: 'ethereum', asset: 'native', currencyCode: 'ETH', decimals: 18, amount: 1_000n };
  return {
    family: 'evm',
    startVariable: 'CHAIN_ETHEREUM_START_HEIGHT',
    height: () => chain.blockNumber(),
    due,
    hasMempool: false,
    env: {
      CHAIN_ETHEREUM_RPC_URL: chain.url,
      CHAIN_ETHEREUM_CHAIN_ID: String(chain.chainId),
      CHAIN_ETHEREUM_CONFIRMATIONS: '1000',
    },
    pay: (i) => chain.sendEth({ to: `0x${keyOf('evm', i).toString('hex')}` as Hex, value: due.amount }),
    mine: () => chain.mine(),
    nextBlock: () => heads.wait(PATIENCE_MS, never),
  };
}

async function utxoHarness(): Promise<FaultHarness> {
  const node = await startUtxoNode();
  atTheEnd(() => node.stop());
  const rpc = new JsonRpc(node.url, { deadlineMs: PATIENCE_MS });
  atTheEnd(() => rpc.close());
  const due = { chain: 'bitcoin', asset: 'native', currencyCode: 'BTC', decimals: 8, amount: 10_000n };
  return {
    family: 'bitcoin',
    startVariable: 'CHAIN_BITCOIN_START_HEIGHT',
    height: () => node.height(),
    due,
    hasMempool: true,
    env: {
      CHAIN_BITCOIN_RPC_URL: node.url,
      CHAIN_BITCOIN_NETWORK: 'regtest',
      // The block that holds a payment also moves it.
      CHAIN_BITCOIN_CONFIRMATIONS: '1',
    },
    pay: (i) => node.pay([{ key: keyOf('bitcoin', i), amount: due.amount }]),
    mine: () => node.mine(),
    nextBlock: () => rpc.call('waitfornewblock', PATIENCE_MS),
  };
}

/** The same node for clients without WebSocket. */
async function withoutWebSocket(url: string): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(400).end();
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat(chunks),
      })
        .then(async (answer) => response.end(await answer.text()))
        .catch(() => response.writeHead(502).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atTheEnd(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
