import { STANDARD_EVENTS } from '../src/applications/event-types.pure.js';
import { PaymentExpiry } from '../src/payments/payment-expiry.service.js';
import { PaymentInvariantsService } from '../src/payments/payment-invariants.service.js';
import { PaymentSweep } from '../src/payments/payment-sweep.service.js';
import type { Hex } from './support/anvil.js';
import { CUSTOMER, RefundsApi } from './support/refunds-api.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

/** USDC has 6 decimals and ether 18; the usual floors of Ethereum. */
const FLOOR = { USDC: 100_000n, ETH: 30_000_000_000_000n };
const EVENTS = [...STANDARD_EVENTS, 'payment.found', 'payment.expired', 'payment.cancelled'];
let shop: Shop;
let application: ShopApplication;
let refunds: RefundsApi;

beforeAll(async () => {
  shop = await Shop.open();
  application = await shop.application({ events: EVENTS });
  refunds = new RefundsApi(shop, application);
});
afterEach(async () => {
  const invariants = shop.gateway.get(PaymentInvariantsService);
  const { ids } = await invariants.next(null, null, 1_000);
  expect((await invariants.audit(ids)).flatMap(({ findings }) => findings)).toEqual([]);
});
afterAll(() => shop.close());

type Coin = keyof typeof FLOOR;

/** An order of 100.00, or another one, that was asked for in a coin. */
async function ask(coin: Coin, by = application, fields: Record<string, unknown> = {}) {
  const payment = await shop.createPayment(by, fields);
  const { address, amount } = await shop.instructions(payment, coin.toLowerCase());
  const send = async (value: bigint, of: Coin = coin) => {
    const to = address as Hex;
    if (of === 'ETH') await shop.chain.sendEth({ to, value });
    else await shop.chain.sendToken({ token: shop.tokens[of], to, value });
  };
  const due = BigInt(amount.atomic);
  return { payment, due, send, pay: async (value: bigint, of?: Coin) => (await send(value, of), bury()) };
}
/** A second of its own, for `verify`: what comes later did not come in the very moment. */
async function bury(): Promise<void> {
  await shop.mine(CONFIRMATIONS);
  await shop.wait(1);
}
const post = (payment: CreatedPayment, action: string, body: unknown = {}) =>
  shop.call<{ status: string }>(
    'POST',
    `/api/payment/${payment.id}/${action}`,
    application.clientToken,
    body,
  );
const cancel = (payment: CreatedPayment) => post(payment, 'cancel');
/** What the merchant's list of things to do says of a payment. */
async function attention({ id }: CreatedPayment) {
  const path = '/api/attention?limit=100';
  const { body } = await shop.call<{ kind: string; payment?: { id: string } }[]>(
    'GET',
    path,
    shop.owner.accessToken,
  );
  return body.data.filter(({ payment }) => payment?.id === id).map(({ kind }) => kind);
}

describe('dust', () => {
  it.each<[string, Coin, Coin]>([
    ['of the coin that was asked for', 'USDC', 'USDC'],
    ['of ether that was asked for', 'ETH', 'ETH'],
    ['of ether that was not asked for', 'USDC', 'ETH'],
    ['of a token that was not asked for', 'ETH', 'USDC'],
  ])('%s changes nothing, alone or in sum, and the order is cancelled', async (_what, asked, sent) => {
    const { payment, pay } = await ask(asked);
    await pay(1n, sent);
    await pay(FLOOR[sent] / 2n, sent);
    const seen = await shop.payment(payment);
    expect(seen).toMatchObject({ status: 'OPEN', reviewReason: null, underpaidAmount: null });
    expect(seen.transactions.map(({ status }) => status)).toEqual(['CONFIRMED', 'CONFIRMED']);
    expect(await attention(payment)).toEqual([]);
    expect(shop.events(payment)).toEqual([]);
    expect(await cancel(payment)).toMatchObject({ status: 200, body: { data: { status: 'CANCELLED' } } });
    await pay(1n, sent);
    expect(await shop.payment(payment)).toMatchObject({ status: 'CANCELLED', reviewReason: null });
    expect(await attention(payment)).toEqual([]);
  });

  it('counts as soon as its sum reaches the floor, all of it, and is added up before', async () => {
    const { payment, pay } = await ask('USDC');
    await pay(60_000n);
    expect(await shop.payment(payment)).toMatchObject({ status: 'OPEN', receivedAmount: { amount: 6 } });
    await pay(40_000n);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'UNDERPAID',
      receivedAmount: { amount: 10 },
      underpaidAmount: { amount: 9_990 },
    });
    expect(await attention(payment)).toEqual(['underpaid']);
  });

  it('that was not asked for needs attention from the floor on', async () => {
    const { payment, pay } = await ask('USDC');
    await pay(FLOOR.ETH - 1n, 'ETH');
    expect(await attention(payment)).toEqual([]);
    await pay(1n, 'ETH');
    expect(await attention(payment)).toEqual(['unmatched_funds']);
    expect((await cancel(payment)).status).toBe(409);
  });

  it('is dust again when a reorganization takes its sum below the floor', async () => {
    const { payment, pay, send } = await ask('USDC');
    await pay(60_000n);
    await send(40_000n);
    await shop.mine();
    expect(await shop.status(payment)).toBe('FOUND');
    await shop.chain.reorg(1);
    await shop.mine(2);
    expect(await shop.payment(payment)).toMatchObject({ status: 'OPEN', receivedAmount: { amount: 6 } });
    expect((await cancel(payment)).status).toBe(200);
  });

  it('before and after the price is neither a shortfall nor an overpayment', async () => {
    const held = await shop.application({ allowOverpay: false });
    const { payment, pay, due } = await ask('USDC', held);
    await pay(1n);
    await pay(due);
    await pay(FLOOR.USDC - 2n);
    await pay(1n, 'ETH');
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_009 },
      overpaidAmount: null,
      reviewReason: null,
    });
    expect(await attention(payment)).toEqual([]);
  });

  it('completes what is due, also of an order below the floor', async () => {
    const { payment, pay, due } = await ask('USDC', application, { amount: 5 });
    await pay(due - 1n);
    expect(await shop.status(payment)).toBe('OPEN');
    await pay(1n);
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('does not keep an order from being announced as expired', async () => {
    const expiresAt = new Date(shop.gateway.clock.now().getTime() + 120_000).toISOString();
    const { payment, pay } = await ask('USDC', application, { expiresAt });
    await pay(1n);
    await pay(1n, 'ETH');
    await shop.wait(200);
    await shop.mine();
    while (await shop.gateway.get(PaymentExpiry).runOnce()) continue;
    await shop.deliver();
    expect(shop.events(payment)).toEqual(['payment.expired']);
  });

  it('that comes while a refund is paid does not keep the order open', async () => {
    const { payment, pay } = await ask('USDC');
    await pay(10_000_000n);
    expect(await shop.status(payment)).toBe('UNDERPAID');
    const refund = await refunds.create(payment, { address: CUSTOMER });
    await pay(FLOOR.USDC - 1n);
    await refunds.settleRefund(refund);
    expect(await shop.payment(payment)).toMatchObject({ status: 'REFUND', reviewReason: null });
  });
});

describe('shares of the amount', () => {
  const automatic = { allowUnderpay: true };
  it.each<[string, Record<string, unknown>, bigint, string]>([
    ['95 % is accepted by itself', automatic, 95n, 'CONFIRMED'],
    ['less is decided by a person', automatic, 94n, 'UNDERPAID'],
    ['half, where the shop wants that', { ...automatic, underpayLeastShareBps: 5_000 }, 50n, 'CONFIRMED'],
    ['nothing is tolerated unless it is set', {}, 99n, 'UNDERPAID'],
    ['a fee of 1 % is tolerated where it is set', { underpayToleranceBps: 100 }, 99n, 'CONFIRMED'],
    ['and not more', { underpayToleranceBps: 99 }, 99n, 'UNDERPAID'],
  ])('%s', async (_what, settings, percent, status) => {
    const { payment, pay, due } = await ask('USDC', await shop.application(settings));
    await pay((due * percent) / 100n);
    await shop.wait(1_000);
    while (await shop.gateway.get(PaymentSweep).runOnce()) continue;
    await shop.settle();
    expect(await shop.status(payment)).toBe(status);
  });

  it('that are changed later take back nothing', async () => {
    const by = await shop.application({ underpayToleranceBps: 500 });
    const { payment, pay, due } = await ask('USDC', by);
    await pay((due * 96n) / 100n);
    const path = `/api/payment-applications/${by.id}`;
    const put = await shop.call('PUT', path, shop.owner.accessToken, { underpayToleranceBps: 0 });
    expect(put.status).toBe(200);
    await pay(1n);
    expect(await shop.payment(payment)).toMatchObject({ status: 'CONFIRMED', reviewReason: null });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a least share of nothing', { underpayLeastShareBps: 0 }, 'from 1 to 10000'],
    ['more than everything', { underpayLeastShareBps: 10_001 }, 'from 1 to 10000'],
    ['a text', { underpayLeastShareBps: '95' }, 'from 1 to 10000'],
    ['a fraction', { underpayToleranceBps: 0.5 }, 'from 0 to 10000'],
    ['a negative tolerance', { underpayToleranceBps: -1 }, 'from 0 to 10000'],
    ['a tolerance above what the least share leaves', { underpayToleranceBps: 501 }, 'at most 500'],
    [
      'both, which contradict each other',
      { underpayLeastShareBps: 9_900, underpayToleranceBps: 101 },
      'at most 100',
    ],
  ])('of %s are refused by name', async (_what, settings, says) => {
    const field = Object.keys(settings).at(-1) ?? '';
    const path = `/api/payment-applications/${application.id}`;
    const { status, body } = await shop.call('PUT', path, shop.owner.accessToken, settings);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: [expect.stringContaining(says)] } });
  });
});

describe('every order', () => {
  const refund = (payment: CreatedPayment, body = {}) => post(payment, 'refunds', body);

  it('with a part of its price is closed by a refund, which the refused cancellation names', async () => {
    const { payment, pay } = await ask('USDC');
    await pay(10_000_000n);
    const refused = await cancel(payment);
    expect(refused).toMatchObject({ status: 409, body: { hint: expect.stringContaining('/refunds') } });
    const given = await refunds.create(payment, { address: CUSTOMER });
    expect(await cancel(payment)).toMatchObject({ body: { hint: expect.stringContaining('pay them out') } });
    await refunds.settleRefund(given);
    expect(await shop.status(payment)).toBe('REFUND');
  });

  it('with funds that it did not ask for is cancelled once a refund gives them back', async () => {
    const { payment, pay } = await ask('USDC');
    await pay(FLOOR.ETH, 'ETH');
    expect(await cancel(payment)).toMatchObject({
      status: 409,
      body: { hint: expect.stringContaining('transferId') },
    });
    expect(await refund(payment)).toMatchObject({
      status: 409,
      body: { hint: expect.stringContaining('transferId') },
    });
    const [transfer] = (await shop.payment(payment)).transactions;
    expect((await refund(payment, { transferId: transfer?.id, address: CUSTOMER })).status).toBe(201);
    expect((await cancel(payment)).status).toBe(200);
  });

  it('waits for funds that are not confirmed, and is told so', async () => {
    const { payment, send } = await ask('USDC');
    await send(10_000_000n);
    await shop.mine();
    for (const answer of [await cancel(payment), await post(payment, 'accept'), await refund(payment)]) {
      expect(answer).toMatchObject({ status: 409, body: { hint: expect.stringContaining('Wait until') } });
      expect(JSON.stringify(answer.body)).not.toContain('POST');
    }
  });

  it('that got nothing but dust is told to be cancelled, and can be', async () => {
    const { payment, pay } = await ask('USDC');
    await pay(1n);
    const hint = { hint: expect.stringContaining('/cancel') };
    expect(await post(payment, 'accept')).toMatchObject({ status: 409, body: hint });
    expect(await refund(payment)).toMatchObject({ status: 409, body: hint });
    expect((await cancel(payment)).status).toBe(200);
    expect((await cancel(payment)).status).toBe(200);
  });
});

it('holds a payment whose second one was only seen, where overpayment is not allowed', async () => {
  const { payment, send, due } = await ask('USDC', await shop.application({ allowOverpay: false }));
  await send(due);
  await shop.mine(CONFIRMATIONS - 1);
  await send(due);
  await shop.mine(1);
  await shop.settle();
  await shop.wait(1);
  expect(await shop.payment(payment)).toMatchObject({
    status: 'RECEIVED',
    reviewReason: 'overpaid',
    overpaidAmount: null,
  });
  await bury();
  expect(await shop.payment(payment)).toMatchObject({
    status: 'RECEIVED',
    reviewReason: 'overpaid',
    overpaidAmount: { amount: 10_000 },
  });
});
