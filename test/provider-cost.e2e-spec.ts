import { readFileSync } from 'node:fs';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { CHAIN_CATALOG } from '../src/chains/chain-catalog.pure.js';
import { pollIntervalMs } from '../src/chains/poll-interval.pure.js';
import { RpcProxy } from './support/rpc-proxy.js';
import { Shop } from './support/shop.js';

const TRACES = ['trace_block', 'debug_traceBlockByHash'];
/** Seconds between blocks in 2026; the catalog rounds up to whole seconds. */
const PACE: Readonly<Record<string, number>> = { bsc: 0.5, arbitrum: 0.25 };
/** Seconds that are simulated: a whole number of polls and of blocks on every chain. */
const WINDOW = 24;
const WINDOWS_PER_DAY = 86_400 / WINDOW;

/** Units of one call. The sources are in docs/reference/chains.md#cost. */
const UNITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  alchemy: { eth_getBlockByNumber: 20, eth_getBlockByHash: 20, eth_getBlockReceipts: 20, trace_block: 40 },
  infura: { eth_getBlockByNumber: 80, eth_getBlockByHash: 80, eth_getBlockReceipts: 1_000, trace_block: 300 },
  quicknode: { eth_getBlockByNumber: 20, eth_getBlockByHash: 20, eth_getBlockReceipts: 20, trace_block: 40 },
};
const EVM = CHAIN_CATALOG.filter(({ family }) => family === 'evm');

/** Calls of one window by method. */
type Calls = ReadonlyMap<string, number>;

let shop: Shop;
let proxy: RpcProxy;

/** Every block has a payment in coin and one in tokens, neither to us. */
async function mineBusily(blocks: number): Promise<void> {
  const { chain, tokens } = shop;
  for (let i = 0; i < blocks; i++) {
    await chain.sendEth({ to: chain.account(3), value: 1n });
    await chain.sendToken({ token: tokens.USDT, to: chain.account(3), value: 1n });
    await chain.mine();
  }
}

/** What the watcher requests in one window of a chain with this pace, counted in front of the node. */
async function count(blockSeconds: number, intervalMs: number): Promise<Calls> {
  const watcher = shop.gateway.get(ChainWatcherService);
  await watcher.drain('ethereum');
  proxy.seen.length = 0;
  let mined = 0;
  for (let at = intervalMs; at <= WINDOW * 1_000; at += intervalMs) {
    const due = Math.floor(at / 1_000 / blockSeconds);
    await mineBusily(due - mined);
    mined = due;
    await watcher.drain('ethereum');
  }
  const calls = new Map<string, number>();
  for (const { method } of proxy.seen) calls.set(method, (calls.get(method) ?? 0) + 1);
  return calls;
}

const paceOf = (slug: string, averageBlockSeconds: number) => PACE[slug] ?? averageBlockSeconds;

/** By slug; chains of the same pace are counted once. */
async function countAll(): Promise<Map<string, Calls>> {
  const counted = new Map<string, Calls>();
  const result = new Map<string, Calls>();
  for (const chain of EVM) {
    const blockSeconds = paceOf(chain.slug, chain.averageBlockSeconds);
    const intervalMs = pollIntervalMs(chain, { chains: [], chainPollIntervalMs: null });
    const key = `${blockSeconds} ${intervalMs}`;
    const calls = counted.get(key) ?? (await count(blockSeconds, intervalMs));
    counted.set(key, calls);
    result.set(chain.slug, calls);
  }
  return result;
}

function perDay(calls: Calls, weight: (method: string) => number): number {
  return [...calls].reduce((sum, [method, times]) => sum + times * weight(method), 0) * WINDOWS_PER_DAY;
}

function unitsOf(provider: string): (method: string) => number {
  return (method) => {
    const units = UNITS[provider]?.[method];
    if (units === undefined) throw new Error(`${provider}: ${method} has no price here`);
    return units;
  };
}

/** A row of the table in docs/reference/chains.md#cost: thousands of calls, then millions of units. */
function rowOf(slug: string, traced: Calls, plain: Calls): string[] {
  const thousands = (calls: Calls) => (perDay(calls, () => 1) / 1_000).toFixed(1);
  const millions = (provider: string) => (perDay(traced, unitsOf(provider)) / 1e6).toFixed(1);
  return [`\`${slug}\``, thousands(traced), thousands(plain), ...Object.keys(UNITS).map(millions)];
}

function documentedRows(): string[][] {
  const text = readFileSync('docs/reference/chains.md', 'utf8');
  const section = text.slice(text.indexOf('<a id="cost"></a>'), text.indexOf('## What was tested'));
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe('what an EVM chain costs at a provider', () => {
  beforeAll(async () => {
    shop = await Shop.open({}, async (node) => {
      proxy = await RpcProxy.start(node);
      return proxy.url;
    });
  });
  afterAll(async () => {
    await shop.close();
    await proxy.stop();
  });

  it('is what the documentation says', async () => {
    const traced = await countAll();
    proxy.hide(TRACES);
    shop.gateway = await shop.gateway.restart();
    const plain = await countAll();
    const none: Calls = new Map();
    const rows = EVM.map(({ slug }) => rowOf(slug, traced.get(slug) ?? none, plain.get(slug) ?? none));
    expect(documentedRows()).toEqual(rows);
  }, 300_000);
});
