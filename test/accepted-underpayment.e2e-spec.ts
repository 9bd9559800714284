import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { PaymentInstructionsContract } from '../src/checkout/payment-instructions.contract.js';
import { PaymentInvariantsService } from '../src/payments/payment-invariants.service.js';
import type { Hex } from './support/anvil.js';
import { rawTransaction } from './support/evm-chain.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

/** 10.00 USD at the stub's rate, in wei. */
const TEN_DOLLARS = 5_000_000_000_000_000n;
const ALERT = 'a reorg removed funds of a settled payment';
const SHORT_BY_FORTY = { receivedAmount: { amount: 6_000 }, underpaidAmount: { amount: 4_000 } };

let shop: Shop;
let application: ShopApplication;
let alerts: string[];
let isMerchantAway = false;

beforeAll(async () => {
  shop = await Shop.open();
  application = await shop.application();
});
beforeEach(async () => {
  alerts = [];
  jest.spyOn(Logger.prototype, 'error').mockImplementation((context: unknown, message?: unknown) => {
    if (message === ALERT) alerts.push((context as { paymentId: string }).paymentId);
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  if (isMerchantAway) await merchantReturns();
  expect(await findings()).toEqual([]);
});
afterAll(() => shop.close());

/** What `verify` says of the payments themselves. */
async function findings() {
  const invariants = shop.gateway.get(PaymentInvariantsService);
  const { ids } = await invariants.next(null, null, 1_000);
  const audited = await invariants.audit(ids);
  return audited.flatMap((payment) => payment.findings);
}

interface Asked {
  payment: CreatedPayment;
  instructions: PaymentInstructionsContract;
}

async function ask(of = application, method = 'eth'): Promise<Asked> {
  const payment = await shop.createPayment(of);
  return { payment, instructions: await shop.instructions(payment, method) };
}

async function accept(payment: CreatedPayment, body?: unknown): Promise<void> {
  const { clientToken } = application;
  const answer = await shop.call('POST', `/api/payment/${payment.id}/accept`, clientToken, body);
  expect(answer.status).toBe(200);
}

/** 60.00 of 100.00 USD in one transfer, accepted; its signed bytes. */
async function acceptSixty({ payment, instructions }: Asked): Promise<Hex> {
  const raw = await rawTransaction(shop.chain, await shop.send(instructions, 6n * TEN_DOLLARS));
  await shop.mine(CONFIRMATIONS);
  expect(await shop.status(payment)).toBe('UNDERPAID');
  await accept(payment);
  return raw;
}

/** 50.00 and then 10.00 USD, accepted while the merchant's endpoint is down. The younger one is `depth` blocks deep. */
async function acceptTwoParts({ payment, instructions }: Asked): Promise<{ younger: Hex; depth: number }> {
  await shop.send(instructions, 5n * TEN_DOLLARS);
  await shop.mine(CONFIRMATIONS);
  const younger = await rawTransaction(shop.chain, await shop.send(instructions, TEN_DOLLARS));
  await shop.mine(CONFIRMATIONS);
  await merchantLeaves();
  await accept(payment);
  await shop.settle();
  expect(await shop.payment(payment)).toMatchObject({ status: 'RECEIVED', ...SHORT_BY_FORTY });
  // A second of its own: what comes later did not come in the very moment of the acceptance.
  await shop.wait(1);
  return { younger, depth: CONFIRMATIONS };
}

/** The merchant's endpoint answers no more. */
async function merchantLeaves(): Promise<void> {
  await shop.merchant.down();
  isMerchantAway = true;
}

/** The merchant's endpoint is there again, and what waits for it comes. */
async function merchantReturns(): Promise<void> {
  await shop.merchant.up();
  isMerchantAway = false;
  await shop.wait(300);
  await shop.settle();
}

async function historyOf({ id }: CreatedPayment): Promise<string[]> {
  const rows = await shop.gateway.sql.query<{ to: string }>(
    'select to_status as "to" from payment_status_history where payment_id = $1 order by seq',
    [id],
  );
  return rows.map(({ to }) => to);
}

const ONCE = ['OPEN', 'FOUND', 'UNDERPAID', 'RECEIVED', 'CONFIRMED'];
const EVENTS = ['payment.underpaid', 'payment.received', 'payment.completed'];

describe('an accepted underpayment that the merchant has not acknowledged', () => {
  it.each([
    ['one wei', 1n, SHORT_BY_FORTY],
    ['the rest', 4n * TEN_DOLLARS, { receivedAmount: { amount: 10_000 }, underpaidAmount: null }],
    ['more than the rest', 5n * TEN_DOLLARS, { receivedAmount: { amount: 11_000 }, underpaidAmount: null }],
  ])('stays RECEIVED when %s arrives in addition', async (_name, amount, amounts) => {
    const asked = await ask();
    await acceptTwoParts(asked);
    await shop.send(asked.instructions, amount);
    for (let block = 0; block < CONFIRMATIONS; block++) {
      await shop.mine();
      expect(await shop.payment(asked.payment)).toMatchObject({ status: 'RECEIVED', reviewReason: null });
    }
    expect(await shop.payment(asked.payment)).toMatchObject({ ...amounts, settledAmount: { amount: 6_000 } });
    await merchantReturns();
    expect(await shop.status(asked.payment)).toBe('CONFIRMED');
    expect(await historyOf(asked.payment)).toEqual(ONCE);
    expect(shop.events(asked.payment)).toEqual(EVENTS);
  });

  it('stays RECEIVED when a reorg removes only what arrived in addition', async () => {
    const asked = await ask();
    await acceptTwoParts(asked);
    await shop.send(asked.instructions, 4n * TEN_DOLLARS);
    await shop.mine(CONFIRMATIONS);
    expect((await shop.payment(asked.payment)).receivedAmount.amount).toBe(10_000);
    await shop.chain.reorg(CONFIRMATIONS);
    await shop.settle();
    const expected = { status: 'RECEIVED', reviewReason: null, ...SHORT_BY_FORTY };
    expect(await shop.payment(asked.payment)).toMatchObject(expected);
    await merchantReturns();
    expect(await historyOf(asked.payment)).toEqual(ONCE);
    expect(shop.events(asked.payment)).toEqual(EVENTS);
  });

  it('falls back when a reorg removes part of it, even with other funds pending, and must be accepted again', async () => {
    const asked = await ask();
    const { payment, instructions } = asked;
    const { younger, depth } = await acceptTwoParts(asked);
    await shop.chain.reorg(depth);
    await shop.settle();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'UNDERPAID',
      reviewReason: 'reorg',
      receivedAmount: { amount: 5_000 },
      settledAmount: null,
    });
    // Less than the first time; so that is what must stay from now on.
    await accept(payment);
    await shop.chain.rpc('eth_sendRawTransaction', [younger]);
    await shop.mine(3);
    expect(await shop.payment(payment)).toMatchObject({ status: 'RECEIVED', reviewReason: null });
    await shop.chain.reorg(3);
    await shop.send(instructions, 1n);
    await shop.mine();
    expect(await shop.payment(payment)).toMatchObject({ status: 'RECEIVED', reviewReason: null });
    await merchantReturns();
    expect(await historyOf(payment)).toEqual([...ONCE.slice(0, -1), 'UNDERPAID', 'RECEIVED', 'CONFIRMED']);
    expect(shop.events(payment).filter((event) => event === 'payment.received')).toHaveLength(1);
  });

  it('is reported by the audit when its stored amount was changed', async () => {
    const asked = await ask();
    await acceptTwoParts(asked);
    const plant = async (amount: number) =>
      shop.gateway.sql.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica');
        const statement = 'update payments set underpay_accepted_amount = $2 where id = $1';
        await tx.query(statement, [asked.payment.id, amount]);
      });
    await plant(6_001);
    expect((await findings()).map(({ check, expected }) => [check, expected])).toEqual([
      ['status', 'UNDERPAID'],
      ['settled', '6000'],
    ]);
    await plant(5_999);
    expect((await findings()).map(({ subject }) => subject)).toEqual(['underpayAcceptedAmount']);
    await plant(6_000);
  });

  it('falls back to OPEN when a reorg removes all of it', async () => {
    const asked = await ask();
    await merchantLeaves();
    await acceptSixty(asked);
    await shop.chain.reorg(CONFIRMATIONS);
    await shop.settle();
    expect(await shop.payment(asked.payment)).toMatchObject({ status: 'OPEN', reviewReason: 'reorg' });
    await merchantReturns();
    expect(shop.events(asked.payment)).not.toContain('payment.received');
  });

  it('stays RECEIVED also when underpayments are accepted automatically', async () => {
    const lenient = await shop.application({ allowUnderpay: true, underpayLeastShareBps: 1 });
    const { payment, instructions } = await ask(lenient);
    await shop.send(instructions, 6n * TEN_DOLLARS);
    await shop.mine(CONFIRMATIONS);
    await merchantLeaves();
    await shop.wait(900);
    await shop.settle();
    expect(await shop.status(payment)).toBe('RECEIVED');
    await shop.send(instructions, 1n);
    await shop.mine();
    expect(await shop.payment(payment)).toMatchObject({ status: 'RECEIVED', reviewReason: null });
    await shop.chain.reorg(CONFIRMATIONS + 1);
    await shop.settle();
    expect(await shop.payment(payment)).toMatchObject({ status: 'OPEN', reviewReason: 'reorg' });
  });

  it('stays RECEIVED while additional late funds wait for a rate', async () => {
    const asked = await ask();
    await acceptTwoParts(asked);
    await shop.wait(3_600);
    for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'down');
    await shop.send(asked.instructions, TEN_DOLLARS);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.payment(asked.payment)).toMatchObject({ status: 'RECEIVED', ...SHORT_BY_FORTY });
    for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'ok');
    await shop.wait(60);
    await shop.settle();
    expect(await shop.payment(asked.payment)).toMatchObject({
      status: 'RECEIVED',
      receivedAmount: { amount: 7_000 },
      settledAmount: { amount: 6_000 },
    });
  });

  it('counts accepted funds in another asset like matched ones', async () => {
    const { payment, instructions } = await ask();
    await shop.send(instructions, 5n * TEN_DOLLARS);
    await shop.mine(CONFIRMATIONS);
    const to = instructions.address as Hex;
    await shop.chain.sendToken({ token: shop.tokens.USDC, to, value: 10_000_000n });
    await shop.mine(CONFIRMATIONS);
    const usdc = (await shop.payment(payment)).transactions.find(({ matched }) => !matched);
    await accept(payment, { transferId: usdc?.id });
    expect(await shop.payment(payment)).toMatchObject({ status: 'UNDERPAID', ...SHORT_BY_FORTY });
    await merchantLeaves();
    await accept(payment);
    await shop.send(instructions, 1n);
    await shop.mine();
    expect(await shop.payment(payment)).toMatchObject({ status: 'RECEIVED', ...SHORT_BY_FORTY });
    await shop.chain.reorg(CONFIRMATIONS + 1);
    await shop.settle();
    expect(await shop.payment(payment)).toMatchObject({ status: 'UNDERPAID', reviewReason: 'reorg' });
  });
});

describe('a CONFIRMED payment whose funds are removed by a reorg', () => {
  it.each([
    ['an accepted underpayment', acceptSixty],
    [
      'a full payment',
      async ({ instructions }: Asked) => {
        const raw = await rawTransaction(shop.chain, await shop.send(instructions));
        await shop.mine(CONFIRMATIONS);
        return raw;
      },
    ],
  ])('has a review reason each time while the funds are gone: %s', async (_name, pay) => {
    const asked = await ask();
    const raw = await pay(asked);
    await shop.settle();
    const { payment } = asked;
    for (const times of [1, 2]) {
      expect(await shop.payment(payment)).toMatchObject({ status: 'CONFIRMED', reviewReason: null });
      await shop.chain.reorg(CONFIRMATIONS + (times - 1));
      await shop.settle();
      expect(await shop.payment(payment)).toMatchObject({
        status: 'CONFIRMED',
        reviewReason: 'reorg',
        receivedAmount: { amount: 0 },
      });
      expect(alerts).toEqual(Array.from({ length: times }, () => payment.id));
      await shop.chain.rpc('eth_sendRawTransaction', [raw]);
      await shop.mine(CONFIRMATIONS - 1);
      expect((await shop.payment(payment)).reviewReason).toBe('reorg');
      await shop.mine();
    }
    expect(await shop.payment(payment)).toMatchObject({ status: 'CONFIRMED', reviewReason: null });
    expect(alerts).toHaveLength(2);
  });

  it('has a review reason when part of an accepted sum is gone, but not for additional funds', async () => {
    const asked = await ask();
    const { payment, instructions } = asked;
    await acceptTwoParts(asked);
    await merchantReturns();
    expect(await shop.status(payment)).toBe('CONFIRMED');
    await shop.send(instructions, TEN_DOLLARS);
    await shop.mine(CONFIRMATIONS);
    await shop.chain.reorg(CONFIRMATIONS);
    await shop.settle();
    expect(await shop.payment(payment)).toMatchObject({ ...SHORT_BY_FORTY, reviewReason: null });
    expect(alerts).toEqual([]);
    await shop.chain.reorg(2 * CONFIRMATIONS);
    await shop.settle();
    const after = await shop.payment(payment);
    expect(after).toMatchObject({ status: 'CONFIRMED', reviewReason: 'reorg' });
    expect(after.receivedAmount.amount).toBeLessThan(6_000);
    expect(alerts).toEqual([payment.id]);
  });
});
