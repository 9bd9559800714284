import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { IdleChainService } from '../src/chain-watcher/idle-chain.service.js';
import { PollPaceService } from '../src/chain-watcher/poll-pace.service.js';
import { ChainsService } from '../src/chains/chains.service.js';
import type { Hex } from './support/anvil.js';
import { raw, type RpcFault, RpcProxy } from './support/rpc-proxy.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

const SLUG = 'ethereum';
const DUE = 10n ** 18n / 20n;

let shop: Shop;
let proxy: RpcProxy;
let application: ShopApplication;

beforeEach(async () => {
  shop = await Shop.open({}, async (node) => {
    proxy = await RpcProxy.start(node);
    return proxy.url;
  });
  application = await shop.application();
  await shop.chain.mine(200);
  proxy.setFaults({});
});
afterEach(async () => {
  await shop.close();
  await proxy.stop();
});

const look = () => shop.gateway.get(IdleChainService).lookOnce(SLUG);
const turn = () => shop.gateway.get(PollPaceService).runIfDue(SLUG);

async function cursorHeight(): Promise<number> {
  const [row] = await shop.gateway.sql.query<{ height: string }>(
    'select height from chain_cursors where chain = $1',
    [SLUG],
  );
  return Number(row?.height);
}

/** Creates a payment, whose address the customer is shown, and pays it in the next block. */
async function payAtOnce(): Promise<CreatedPayment> {
  const payment = await shop.createPayment(application);
  const { address } = await shop.instructions(payment);
  await shop.chain.sendEth({ to: address as Hex, value: DUE });
  await shop.chain.mine();
  return payment;
}

async function expectCredited(payment: CreatedPayment): Promise<void> {
  await shop.chain.mine(CONFIRMATIONS);
  await shop.settle();
  expect(await shop.payment(payment)).toMatchObject({ status: 'CONFIRMED' });
}

/** Lets something happen before the node answers the first such request. */
function before(isMeant: (params: unknown[]) => boolean, happen: () => Promise<unknown>): RpcFault {
  let isOver = false;
  return async (call, answer) => {
    const reply = await answer();
    if (!isOver && isMeant(call.params)) {
      isOver = true;
      await happen();
    }
    return reply;
  };
}

describe('a chain without addresses', () => {
  it('is asked for its newest block only, and that rarely', async () => {
    for (let i = 0; i < 5; i++) expect(await turn()).toBe(false);
    expect(proxy.seen.map(({ method }) => method)).toEqual(Array<string>(3).fill('eth_getBlockByNumber'));
    expect(await cursorHeight()).toBe(await shop.chain.blockNumber());
  });

  it('is asked again at the ordinary interval after a failure, which pauses its methods', async () => {
    const payment = await shop.createPayment(application);
    const path = `payment/${payment.id}/provider/ethereum/method/eth`;
    proxy.setFaults({ eth_getBlockByNumber: raw('', 502) });
    await turn();
    expect(proxy.faulted).toBeGreaterThan(0);
    expect(await shop.checkout(payment, path)).toMatchObject({ status: 503 });
    proxy.setFaults({});
    while (!shop.gateway.get(ChainsService).findHealth(SLUG)?.ok) await turn();
    expect(await shop.checkout(payment, path)).toMatchObject({ status: 200 });
  });

  it('is read from its first address on', async () => {
    await turn();
    await shop.chain.mine(50);
    const payment = await payAtOnce();
    while (await turn()) continue;
    expect(await cursorHeight()).toBe(await shop.chain.blockNumber());
    await expectCredited(payment);
  });

  it.each<[when: string, isMeant: (params: unknown[]) => boolean]>([
    ['while the node is asked for the newest block', ([block]) => block === 'latest'],
    ['after the addresses were looked up', ([block]) => block !== 'latest'],
  ])('misses no payment to an address that is handed out %s', async (_when, isMeant) => {
    const payments: CreatedPayment[] = [];
    proxy.setFaults({ eth_getBlockByNumber: before(isMeant, async () => payments.push(await payAtOnce())) });
    await look();
    proxy.setFaults({});
    const [payment] = payments;
    if (!payment) throw new Error('nothing was paid');
    expect(await cursorHeight()).toBeLessThan(await shop.chain.blockNumber());
    await expectCredited(payment);
  });

  it('follows a fork right after its first address, below the blocks that were left out', async () => {
    await look();
    const skippedTo = await cursorHeight();
    const payment = await shop.createPayment(application);
    const { address } = await shop.instructions(payment);
    await shop.chain.reorg(10, [[{ to: address as Hex, value: DUE }, 2]]);
    await shop.chain.mine();
    await shop.gateway.get(ChainWatcherService).drain(SLUG);
    const [transfer] = await shop.gateway.sql.query<{ height: string }>(
      'select block_height as height from payment_transfers where payment_id = $1',
      [payment.id],
    );
    expect(Number(transfer?.height)).toBeLessThan(skippedTo);
    await expectCredited(payment);
  });
});
