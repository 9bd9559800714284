import type { AttentionItemContract } from '../src/overview/attention.contract.js';
import type { PaymentOverviewContract } from '../src/payments/payment-overview.contract.js';
import type { TimelineEntryContract } from '../src/overview/timeline.contract.js';
import type { Hex } from './support/anvil.js';
import { RefundsApi } from './support/refunds-api.js';
import { CONFIRMATIONS, type CreatedPayment, type Shop, type ShopApplication } from './support/shop.js';
import { BSC_CONFIRMATIONS, TwoChains } from './support/two-chains.js';

let chains: TwoChains;
let shop: Shop;
let application: ShopApplication;
let refunds: RefundsApi;
let orders = 0;

beforeAll(async () => {
  chains = await TwoChains.open();
  shop = chains.shop;
  application = await shop.application();
  refunds = new RefundsApi(shop, application);
});
afterAll(() => chains.close());

/** Longer than a link is valid. */
const A_DAY_AND_MORE = 25 * 3_600;

async function items({ id }: CreatedPayment): Promise<AttentionItemContract[]> {
  const read = async <T>(path: string) =>
    (await shop.call<T[]>('GET', path, shop.owner.accessToken)).body.data;
  const all = await read<AttentionItemContract>('/api/attention?limit=100');
  const found = all.filter(({ payment }) => payment?.id === id);
  // The list says the same of the payment as the queue.
  const [row] = await read<PaymentOverviewContract>(`/api/payment-overview?search=${id}`);
  expect(row?.attention).toEqual(found.map(({ kind }) => kind));
  return found;
}
const kindsOf = async (payment: CreatedPayment) => (await items(payment)).map(({ kind }) => kind);
const post = ({ id }: CreatedPayment, act: string, body: object = {}) =>
  shop.call<{ status: string }>('POST', `/api/payment/${id}/${act}`, application.clientToken, body);
const cancelRefund = (payment: CreatedPayment, refundId: string) =>
  post(payment, `refunds/${refundId}/cancel`);
const keptActs = async ({ id }: CreatedPayment) =>
  shop.gateway.sql.query<{ details: unknown }>(
    `select details from audit_log where act = 'payment.kept' and target_id = $1`,
    [id],
  );

/** A reorganization takes the time of Anvil's blocks back. */
const setChainTime = () =>
  shop.chain.rpc('evm_setNextBlockTimestamp', [Math.floor(shop.gateway.clock.now().getTime() / 1_000)]);

/** A payment whose address is known, with what it asks for. */
async function ordered(of = application) {
  const payment = await shop.createPayment(of, { reference: `LATE-${++orders}` });
  const asked = await shop.instructions(payment);
  return { payment, asked, amount: BigInt(asked.amount.amount) };
}
async function paidLate(of = application): Promise<CreatedPayment> {
  const { payment, asked } = await ordered(of);
  await shop.wait(A_DAY_AND_MORE);
  await setChainTime();
  await shop.send(asked);
  await shop.mine(CONFIRMATIONS);
  return payment;
}

describe('a payment that is paid after the end of its link', () => {
  it('is an item with its times and sums, until a refund promises it', async () => {
    const payment = await paidLate();
    expect(await shop.status(payment)).toBe('CONFIRMED');
    const [item, ...others] = await items(payment);
    expect(others).toEqual([]);
    const { date, expiresAt } = await shop.payment(payment);
    expect(item).toMatchObject({
      kind: 'paid_late',
      endedAt: expiresAt,
      payment: { date },
      actions: [
        { name: 'refund', path: `/api/payment/${payment.id}/refunds` },
        { name: 'keep', path: `/api/payment/${payment.id}/keep` },
        { name: 'timeline' },
      ],
    });
    expect(item?.sums?.excess).toEqual(item?.sums?.received);
    expect(Date.parse(item?.since ?? '')).toBeGreaterThan(Date.parse(expiresAt));
    const part = await refunds.create(payment, { amount: 4_000 });
    expect((await items(payment))[0]?.sums?.excess?.atomic).toBe('6000');
    const rest = await refunds.create(payment);
    expect(await kindsOf(payment)).toEqual([]);
    await cancelRefund(payment, rest.id);
    await cancelRefund(payment, part.id);
    expect(await kindsOf(payment)).toEqual(['paid_late']);
  });

  it('ends when the merchant keeps it, once, with a record of who; what comes on top is asked for again', async () => {
    const { payment, asked } = await ordered();
    await shop.wait(A_DAY_AND_MORE);
    await shop.send(asked);
    await shop.mine(CONFIRMATIONS);
    // The excess alone is something else.
    expect(await post(payment, 'keep', { amount: 10_000 })).toMatchObject({ status: 409 });
    for (let times = 0; times < 2; times++)
      expect(await post(payment, 'keep')).toMatchObject({
        status: 200,
        body: { data: { status: 'CONFIRMED' } },
      });
    expect(await kindsOf(payment)).toEqual([]);
    expect(await keptActs(payment)).toMatchObject([
      { details: { amount: '10000', late: true, twice: false } },
    ]);
    const timeline = await shop.call<TimelineEntryContract[]>(
      'GET',
      `/api/payment/${payment.id}/timeline`,
      shop.owner.accessToken,
    );
    expect(timeline.body.data.filter(({ code }) => code === 'payment.kept')).toMatchObject([
      { kind: 'act', actor: 'client_token' },
    ]);
    await shop.send(asked);
    await shop.mine(CONFIRMATIONS);
    expect(await kindsOf(payment)).toEqual(['overpaid']);
  });

  it('is one for what was accepted by itself, and none for what its merchant accepts', async () => {
    const lenient = await shop.application({ allowUnderpay: true });
    const [byItself, byMerchant] = [await ordered(lenient), await ordered()];
    await shop.wait(A_DAY_AND_MORE);
    for (const { asked, amount } of [byItself, byMerchant]) await shop.send(asked, (amount * 97n) / 100n);
    await shop.mine(CONFIRMATIONS);
    expect(await kindsOf(byMerchant.payment)).toContain('underpaid');
    await shop.wait(3_600);
    await shop.settle();
    expect(await kindsOf(byItself.payment)).toEqual(['paid_late']);
    expect(await post(byMerchant.payment, 'accept')).toMatchObject({ status: 200 });
    expect(await kindsOf(byMerchant.payment)).toEqual([]);
  });
});

describe('is no item', () => {
  it('with money that was seen before the end and is final after it', async () => {
    const { payment, asked } = await ordered();
    await shop.send(asked);
    await shop.mine(1);
    await shop.wait(A_DAY_AND_MORE);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(await kindsOf(payment)).toEqual([]);
  });

  it('with money that a block had before the end, which the gateway read after it', async () => {
    const { payment, asked } = await ordered();
    await shop.send(asked);
    await shop.chain.mine(1);
    await shop.wait(A_DAY_AND_MORE);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(await kindsOf(payment)).toEqual([]);
  });

  it('with a part that came before the end, and the rest after it', async () => {
    const { payment, asked, amount } = await ordered();
    await shop.send(asked, amount / 2n);
    await shop.mine(CONFIRMATIONS);
    await shop.wait(A_DAY_AND_MORE);
    await shop.send(asked, amount - amount / 2n);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(await kindsOf(payment)).toEqual([]);
  });

  it('with money on another network that its merchant accepts', async () => {
    const { payment, asked } = await ordered();
    await shop.wait(A_DAY_AND_MORE);
    await chains.bsc.sendEth({ to: asked.address as Hex, value: (10n ** 18n * 100n) / 500n });
    await chains.mineBsc(BSC_CONFIRMATIONS);
    expect(await chains.accept(application, payment)).toMatchObject({ status: 200 });
    await shop.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(await kindsOf(payment)).toEqual([]);
  });
});

it('of a cancelled payment is money after the end, which the merchant keeps once it is confirmed, too', async () => {
  const { payment, asked } = await ordered();
  expect(await post(payment, 'cancel')).toMatchObject({ status: 200 });
  await shop.send(asked);
  await shop.mine(1);
  expect(await kindsOf(payment)).toEqual(['funds_after_end']);
  expect(await post(payment, 'keep')).toMatchObject({
    status: 409,
    body: { code: 'invalid_state_transition', hint: expect.stringContaining('Wait') as string },
  });
  await shop.mine(CONFIRMATIONS);
  for (let times = 0; times < 2; times++) expect(await post(payment, 'keep')).toMatchObject({ status: 200 });
  expect(await kindsOf(payment)).toEqual([]);
  expect(await keptActs(payment)).toMatchObject([{ details: { amount: '10000', late: true } }]);
  await shop.wait(60);
  await shop.send(asked);
  await shop.mine(CONFIRMATIONS);
  expect(await kindsOf(payment)).toEqual(['funds_after_end']);
});

describe('a reorganization', () => {
  it('that moves a transaction of before the end to a block after it makes nobody late', async () => {
    const { payment, asked } = await ordered();
    const txHash = await shop.send(asked);
    await shop.mine(1);
    const raw = await shop.chain.rpc<Hex>('eth_getRawTransactionByHash', [txHash]);
    await shop.wait(A_DAY_AND_MORE);
    await shop.chain.reorg(1);
    await shop.settle();
    expect(await shop.status(payment)).toBe('OPEN');
    await setChainTime();
    await shop.chain.rpc('eth_sendRawTransaction', [raw]);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(await kindsOf(payment)).toEqual([]);
  });

  it('that takes late money back ends the item, and what the merchant has decided about it', async () => {
    await shop.merchant.down();
    const payment = await paidLate();
    expect(await kindsOf(payment)).toContain('paid_late');
    await post(payment, 'keep');
    await shop.chain.reorg(CONFIRMATIONS);
    await shop.settle();
    expect(await shop.status(payment)).toBe('OPEN');
    expect(await kindsOf(payment)).not.toContain('paid_late');
    const [row] = await shop.gateway.sql.query<object>(
      'select paid_late_at, late_kept_at from payments where id = $1',
      [payment.id],
    );
    expect(row).toEqual({ paid_late_at: null, late_kept_at: null });
    await shop.merchant.up();
  });
});
