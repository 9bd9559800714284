import type { CheckoutStatusContract } from '../src/checkout/checkout.contract.js';
import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import { rawTransaction } from './support/evm-chain.js';
import { RpcProxy } from './support/rpc-proxy.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

/** An ether is 2,000 USD. */
const ORDINARY = { amount: 10_000 };
const SAFE = { amount: 40_000 };
const DEEP_AND_SAFE = { amount: 200_000 };
const FINAL = { amount: 500_000 };
const ETHER = 10n ** 18n;

let shop: Shop;
let node: RpcProxy;
let application: ShopApplication;

async function open(env: Record<string, string>, chainId?: number): Promise<void> {
  const start = async (url: string) => {
    node = await RpcProxy.start(url);
    return node.url;
  };
  shop = await Shop.open(env, start, chainId === undefined ? {} : { anvil: { chainId } });
  application = await shop.application();
}

async function close(): Promise<void> {
  const { differences } = await shop.gateway.get(Reconciliation).run({ limit: 100, budget: null });
  await shop.close();
  await node.stop();
  expect(differences).toEqual([]);
}

/** The node names these heights; null: it does not know the tag. @param change of the block it shows */
function name(tags: { safe?: number | null; finalized?: number | null }, change: object = {}): void {
  node.setFaults({
    eth_getBlockByNumber: async (call, answer) => {
      const tag = String(call.params[0]);
      if (tag !== 'safe' && tag !== 'finalized') return answer();
      const height = tags[tag];
      if (height === null) return { jsonrpc: '2.0', id: call.id, result: null };
      const reply = await answer([`0x${(height ?? 0).toString(16)}`, false]);
      return { ...reply, result: { ...(reply.result as object), ...change } };
    },
  });
}

const newPayment = async (price: Record<string, unknown>, by = application) => {
  const payment = await shop.createPayment(by, price);
  return { payment, instructions: await shop.instructions(payment) };
};
const progress = async (payment: CreatedPayment) =>
  (await shop.checkout<CheckoutStatusContract>(payment, `payment/${payment.id}`)).body.data.confirmations;
const required = async (payment: CreatedPayment) =>
  (await shop.payment(payment)).transactions.map(({ confirmationsRequired, finality }) => [
    confirmationsRequired,
    finality,
  ]);

describe('tiers that wait for a tag of the chain', () => {
  const TIERS = '2,ETH:0.2:safe,ETH:1:4,ETH:2:finalized';
  beforeAll(() =>
    open({
      CHAIN_ETHEREUM_CONFIRMATIONS: TIERS,
      CHAIN_ETHEREUM_CONFIRMATIONS_MIN: '1',
      CHAIN_STALL_BLOCKS: '0',
    }),
  );
  afterAll(close);

  it('leave ordinary amounts to the number of blocks', async () => {
    const { payment, instructions } = await newPayment(ORDINARY);
    await shop.send(instructions);
    name({});
    await shop.mine(2);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(await required(payment)).toEqual([[2, null]]);
  });

  it('count a large amount once its block is safe, also without a new block', async () => {
    const { payment, instructions } = await newPayment(SAFE);
    await shop.send(instructions);
    name({});
    await shop.mine(10);
    expect(await shop.status(payment)).toBe('FOUND');
    const waiting = await progress(payment);
    expect(waiting).toMatchObject({ seen: 10, required: 64, finality: 'safe' });
    expect(waiting?.estimatedSecondsRemaining).toBeGreaterThan(0);
    const tip = await shop.chain.blockNumber();
    name({ safe: tip - 10 });
    await shop.settle();
    expect(await shop.status(payment)).toBe('FOUND');
    name({ safe: tip - 9 });
    await shop.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(await required(payment)).toEqual([[64, 'safe']]);
    expect(await progress(payment)).toMatchObject({ seen: 64, required: 64, estimatedSecondsRemaining: 0 });
  });

  it('keep the number of blocks of a smaller tier', async () => {
    const { payment, instructions } = await newPayment(DEEP_AND_SAFE);
    await shop.send(instructions);
    await shop.chain.mine(3);
    name({ safe: await shop.chain.blockNumber() });
    await shop.settle();
    expect(await shop.status(payment)).toBe('FOUND');
    await shop.mine();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('count the largest amounts once final, and not when merely safe', async () => {
    const { payment, instructions } = await newPayment(FINAL);
    expect(instructions.confirmations).toMatchObject({ seen: 0, required: 96, finality: 'finalized' });
    await shop.send(instructions);
    await shop.chain.mine(20);
    const tip = await shop.chain.blockNumber();
    name({ safe: tip, finalized: tip - 20 });
    await shop.settle();
    expect(await shop.status(payment)).toBe('FOUND');
    name({ safe: tip, finalized: tip - 19 });
    await shop.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('confirm nothing when the block of the tag is not the applied one', async () => {
    const { payment, instructions } = await newPayment(FINAL);
    await shop.send(instructions);
    await shop.chain.mine(5);
    const tip = await shop.chain.blockNumber();
    name({ finalized: tip }, { hash: `0x${'ab'.repeat(32)}` });
    await shop.settle();
    expect(await shop.status(payment)).toBe('FOUND');
    expect(node.faulted).toBeGreaterThan(0);
    name({ finalized: tip });
    await shop.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('apply to all parts once the sum reaches them', async () => {
    const { payment, instructions } = await newPayment(ORDINARY);
    name({});
    await shop.send(instructions, ETHER / 100n);
    await shop.mine();
    expect(await required(payment)).toEqual([[2, null]]);
    // In the block that would have been the second of the first part.
    for (let i = 0; i < 2; i++) await shop.send(instructions, ETHER);
    await shop.mine();
    expect(await required(payment)).toEqual([
      [96, 'finalized'],
      [96, 'finalized'],
      [96, 'finalized'],
    ]);
    await shop.chain.mine(8);
    const tip = await shop.chain.blockNumber();
    name({ safe: tip });
    await shop.settle();
    expect(await shop.payment(payment)).toMatchObject({ status: 'FOUND', receivedAmount: { amount: 0 } });
    name({ finalized: tip });
    await shop.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('are not lowered by an application, which can ask for more blocks', async () => {
    const quick = await shop.application({ confirmations: { ethereum: 1 } });
    const slow = await shop.application({ confirmations: { ethereum: 6 } });
    const [hasty, patient] = [await newPayment(SAFE, quick), await newPayment(SAFE, slow)];
    name({});
    for (const { instructions } of [hasty, patient]) await shop.send(instructions);
    await shop.mine(5);
    expect(await shop.status(hasty.payment)).toBe('FOUND');
    name({ safe: await shop.chain.blockNumber() });
    await shop.settle();
    expect(await shop.status(hasty.payment)).toBe('CONFIRMED');
    expect(await shop.status(patient.payment)).toBe('FOUND');
    await shop.mine();
    expect(await shop.status(patient.payment)).toBe('CONFIRMED');
  });

  it('stay with a pending transfer when the setting is removed', async () => {
    const { payment, instructions } = await newPayment(FINAL);
    name({});
    await shop.send(instructions);
    await shop.mine();
    shop.gateway = await shop.gateway.restart({ CHAIN_ETHEREUM_CONFIRMATIONS: '2' });
    await shop.mine(10);
    expect(await shop.status(payment)).toBe('FOUND');
    await shop.send(instructions, 1n);
    await shop.mine();
    expect(await required(payment)).toEqual([
      [96, 'finalized'],
      [96, 'finalized'],
    ]);
    name({ finalized: await shop.chain.blockNumber() });
    await shop.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
    shop.gateway = await shop.gateway.restart({ CHAIN_ETHEREUM_CONFIRMATIONS: TIERS });
  });

  it('stay with a transfer whose block is replaced', async () => {
    const { payment, instructions } = await newPayment(SAFE);
    const raw = await rawTransaction(shop.chain, await shop.send(instructions));
    name({});
    await shop.mine(3);
    await shop.chain.reorg(3, [[raw, 1]]);
    await shop.mine(4);
    expect(await required(payment)).toEqual([[64, 'safe']]);
    expect(await shop.status(payment)).toBe('FOUND');
    name({ safe: await shop.chain.blockNumber() });
    await shop.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('keep the chain from starting when no node names the block', async () => {
    name({ safe: null });
    shop.gateway = await shop.gateway.restart();
    const before = await shop.chain.blockNumber();
    await shop.mine();
    const [cursor] = await shop.gateway.sql.query<{ height: string }>('select height from chain_cursors');
    expect(Number(cursor?.height)).toBe(before);
    node.setFaults({});
    await shop.settle();
  });
});

describe('default tiers', () => {
  /** Main network, so that they apply. */
  beforeAll(() => open({ CHAIN_STALL_BLOCKS: '0' }, 1));
  afterAll(close);

  it('count blocks instead where no node has the tag', async () => {
    name({ finalized: null });
    shop.gateway = await shop.gateway.restart();
    const { payment, instructions } = await newPayment({ amount: 20_000_000 });
    expect(instructions.confirmations).toMatchObject({ required: 96, finality: 'finalized' });
    await shop.send(instructions);
    await shop.mine(95);
    expect(node.faulted).toBeGreaterThan(0);
    expect(await shop.status(payment)).toBe('FOUND');
    await shop.mine();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('wait for the tag where a node has it', async () => {
    name({});
    shop.gateway = await shop.gateway.restart();
    const { payment, instructions } = await newPayment({ amount: 20_000_000 });
    await shop.send(instructions);
    await shop.mine(100);
    expect(await shop.status(payment)).toBe('FOUND');
    name({ finalized: await shop.chain.blockNumber() });
    await shop.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });
});
