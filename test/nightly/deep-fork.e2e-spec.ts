import { ChainWatcherService } from '../../src/chain-watcher/chain-watcher.service.js';
import type { Hex } from '../support/anvil.js';
import { RpcProxy } from '../support/rpc-proxy.js';
import { Shop, type ShopApplication } from '../support/shop.js';

const SLUG = 'base';
/** Blocks that are kept without a gap on Base, and the distance of the marks below them. */
const KEPT = 512;
const MARKS = 256;

let shop: Shop;
let proxy: RpcProxy;
let application: ShopApplication;

beforeEach(async () => {
  shop = await Shop.open({}, async (node) => {
    proxy = await RpcProxy.start(node);
    return node;
  });
  shop.gateway = await shop.gateway.restart({
    CHAIN_BASE_RPC_URL: proxy.url,
    CHAIN_BASE_CHAIN_ID: String(shop.chain.chainId),
  });
  application = await shop.application();
});
afterEach(async () => {
  await shop.close();
  await proxy.stop();
});

const watch = () => shop.gateway.get(ChainWatcherService).drain(SLUG);

/** The node names this block safe; null: none. */
function nameSafe(height: number | null): void {
  proxy.setFaults({
    eth_getBlockByNumber: async (call, answer) => {
      if (call.params[0] !== 'safe') return answer();
      if (height === null) return { jsonrpc: '2.0', id: call.id, result: null };
      return answer([`0x${height.toString(16)}`, false]);
    },
  });
}

async function cursor() {
  const [row] = await shop.gateway.sql.query<{ height: string; hash: string; halted_at: Date | null }>(
    'select height, hash, halted_at from chain_cursors where chain = $1',
    [SLUG],
  );
  return { height: Number(row?.height), hash: row?.hash, isHalted: row?.halted_at !== null };
}

async function transfers() {
  return shop.gateway.sql.query<{ amount: string; state: string }>(
    'select amount, state from payment_transfers where chain = $1 order by amount',
    [SLUG],
  );
}

/** Mines up to this height. */
async function mineTo(height: number): Promise<void> {
  await shop.chain.mine(height - (await shop.chain.blockNumber()));
}

/** Payments of 1 and 2 below and above block 300, all applied; then everything above 300 is replaced, with a payment of 3. */
async function forkDeeply(safe: number | null): Promise<void> {
  nameSafe(safe && 0);
  await watch();
  const { address } = await shop.instructions(await shop.createPayment(application), 'eth');
  await mineTo(290);
  await shop.chain.sendEth({ to: address as Hex, value: 1n });
  await mineTo(300);
  const before = await shop.chain.rpc<Hex>('evm_snapshot');
  await shop.chain.sendEth({ to: address as Hex, value: 2n });
  await mineTo(300 + KEPT + 30);
  await watch();
  expect(await transfers()).toEqual([
    { amount: '1', state: 'confirmed' },
    { amount: '2', state: 'confirmed' },
  ]);
  // The node's own reorg does not go that deep.
  await shop.chain.rpc('evm_revert', [before]);
  nameSafe(safe);
  await shop.chain.sendEth({ to: address as Hex, value: 3n });
  await mineTo(300 + KEPT + 60);
  await watch();
}

describe('a fork of a rollup that is deeper than the kept history', () => {
  it.each([
    ['below the newest mark', MARKS - 6],
    ['above it', 299],
  ])('above a safe block %s is followed like any other', async (_what, safe) => {
    await forkDeeply(safe);
    const height = await shop.chain.blockNumber();
    expect(await cursor()).toMatchObject({ height, isHalted: false });
    expect(await cursor()).toMatchObject({ hash: await shop.chain.blockHash(height) });
    expect(await transfers()).toEqual([
      { amount: '1', state: 'confirmed' },
      { amount: '2', state: 'orphaned' },
      { amount: '3', state: 'confirmed' },
    ]);
  });

  it.each([
    ['without a known safe block', null],
    ['that replaces safe blocks', 300 + 40],
  ])('%s halts the chain, and reverts nothing', async (_what, safe) => {
    await forkDeeply(safe);
    expect(await cursor()).toMatchObject({ height: 300 + KEPT + 30, isHalted: true });
    expect(await transfers()).toEqual([
      { amount: '1', state: 'confirmed' },
      { amount: '2', state: 'confirmed' },
    ]);
  });
});
