import { TransactionSearch } from '../src/chain-watcher/transaction-search.service.js';
import type { AttentionItemContract } from '../src/overview/attention.contract.js';
import type { AttentionKind } from '../src/overview/attention.pure.js';
import type { PaymentOverviewContract } from '../src/payments/payment-overview.contract.js';
import type { Hex } from './support/anvil.js';
import { CUSTOMER, RefundsApi } from './support/refunds-api.js';
import { CONFIRMATIONS, type CreatedPayment, type Shop, type ShopApplication } from './support/shop.js';
import { TwoChains } from './support/two-chains.js';

let chains: TwoChains;
let shop: Shop;
let application: ShopApplication;
let refunds: RefundsApi;
/** Each its own reference, unless a test says otherwise. */
let orders = 0;

beforeAll(async () => {
  chains = await TwoChains.open();
  shop = chains.shop;
  application = await shop.application();
  refunds = new RefundsApi(shop, application);
});
afterAll(() => chains.close());

const kinds: AttentionKind[] = [
  'paid_twice',
  'overpaid',
  'overpaid_held',
  'funds_after_end',
  'unmatched_funds',
  'unlisted_token',
  'underpaid',
];
async function items(paymentId: string): Promise<AttentionItemContract[]> {
  const path = `/api/attention?limit=100&kind=${kinds.join()}`;
  const { status, body } = await shop.call<AttentionItemContract[]>('GET', path, shop.owner.accessToken);
  expect(status).toBe(200);
  const found = body.data.filter(({ payment }) => payment?.id === paymentId);
  const overview = await shop.call<PaymentOverviewContract[]>(
    'GET',
    `/api/payment-overview?search=${paymentId}`,
    shop.owner.accessToken,
  );
  const [row] = overview.body.data;
  // The list says the same of the payment as the queue.
  expect(row?.attention.filter((kind) => kinds.includes(kind))).toEqual(found.map(({ kind }) => kind));
  expect(row?.owedAmount?.atomic ?? null).toBe(
    found.find(({ kind }) => kind === 'overpaid')?.sums?.excess?.atomic ?? null,
  );
  return found;
}
const kindsOf = async ({ id }: CreatedPayment) => (await items(id)).map(({ kind }) => kind);
const keep = ({ id }: CreatedPayment, body?: object, of = application) =>
  shop.call('POST', `/api/payment/${id}/keep`, of.clientToken, body);
const isFiltered = async ({ id }: CreatedPayment) => {
  const { body } = await shop.call<{ id: string }[]>(
    'GET',
    '/api/payment-overview?overpaid=true&limit=100',
    shop.owner.accessToken,
  );
  return body.data.some((each) => each.id === id);
};

/** Pays so many thousandths of what is asked, in one transfer each. */
async function paid(
  parts: readonly bigint[],
  fields: Record<string, unknown> = {},
  of = application,
): Promise<CreatedPayment> {
  const payment = await shop.createPayment(of, { reference: `ORDER-${++orders}`, ...fields });
  const asked = await shop.instructions(payment);
  for (const thousandths of parts)
    await shop.send(asked, (BigInt(asked.amount.amount) * thousandths) / 1_000n);
  await shop.mine(CONFIRMATIONS);
  return payment;
}
async function pay(payment: CreatedPayment, thousandths: bigint): Promise<void> {
  const asked = await shop.instructions(payment);
  await shop.send(asked, (BigInt(asked.amount.amount) * thousandths) / 1_000n);
  await shop.mine(CONFIRMATIONS);
}

describe('an overpayment', () => {
  it('of one that is paid twice is an item with its sums, until it is kept; more raises it again', async () => {
    const payment = await paid([1_000n, 1_000n]);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    const [item, ...others] = await items(payment.id);
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      kind: 'overpaid',
      otherPaymentId: null,
      actions: [{ name: 'refund' }, { name: 'keep' }, { name: 'timeline' }],
    });
    const { asked, received, excess, coins } = item?.sums ?? {};
    expect(excess?.atomic).toBe(asked?.atomic);
    expect(BigInt(received?.atomic ?? 0)).toBe(2n * BigInt(asked?.atomic ?? 0));
    expect(coins).toMatchObject([{ blockchain: 'ethereum' }]);
    expect(coins?.[0]?.excess?.atomic).toBe(coins?.[0]?.asked?.atomic);
    expect(BigInt(coins?.[0]?.received.atomic ?? 0)).toBe(2n * BigInt(coins?.[0]?.asked?.atomic ?? 0));
    expect(await isFiltered(payment)).toBe(true);

    // What the merchant has not seen is not kept.
    expect(await keep(payment, { amount: 1 })).toMatchObject({ status: 409 });
    expect(await keep(payment, { amount: 'much' })).toMatchObject({
      status: 422,
      body: { errors: { amount: [expect.any(String)] } },
    });
    expect(await kindsOf(payment)).toEqual(['overpaid']);
    expect(await keep(payment, { amount: Number(excess?.atomic) })).toMatchObject({
      status: 200,
      body: { data: { status: 'CONFIRMED' } },
    });
    expect(await keep(payment)).toMatchObject({ status: 200 });
    expect(await kindsOf(payment)).toEqual([]);
    expect(await isFiltered(payment)).toBe(false);
    const audit = await shop.gateway.sql.query<{ actor_kind: string; details: unknown }>(
      `select * from audit_log where act = 'payment.kept' and target_id = $1`,
      [payment.id],
    );
    expect(audit).toHaveLength(1);

    await pay(payment, 500n);
    const [again] = await items(payment.id);
    expect(again).toMatchObject({ kind: 'overpaid' });
    expect(BigInt(again?.sums?.excess?.atomic ?? 0)).toBe(BigInt(asked?.atomic ?? 0) / 2n);
  });

  it('ends when a refund promises it, and is back when the refund is cancelled', async () => {
    const payment = await paid([1_500n]);
    const [item] = await items(payment.id);
    const amount = Number(item?.sums?.excess?.atomic);
    const refund = await refunds.create(payment, { amount, address: CUSTOMER });
    expect(await kindsOf(payment)).toEqual([]);
    await shop.call(
      'POST',
      `/api/payment/${payment.id}/refunds/${refund.id}/cancel`,
      application.clientToken,
    );
    expect(await kindsOf(payment)).toEqual(['overpaid']);
    expect((await items(payment.id))[0]?.sums?.coins[0]?.excess?.atomic).toBe(refund.payoutAmount.atomic);
  });

  it('is not there twice where it holds the payment, nor after that was accepted', async () => {
    const strict = await shop.application({ allowOverpay: false });
    const payment = await paid([1_500n], {}, strict);
    expect(await kindsOf(payment)).toEqual(['overpaid_held']);
    expect(await keep(payment, {}, strict)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state_transition' },
    });
    await shop.call('POST', `/api/payment/${payment.id}/accept`, strict.clientToken);
    expect(await kindsOf(payment)).toEqual([]);
    await pay(payment, 250n);
    expect(await kindsOf(payment)).toEqual(['overpaid']);
  });

  it('of less than the floor is nothing, and neither is a payment without one', async () => {
    const exact = await paid([1_000n]);
    expect(await kindsOf(exact)).toEqual([]);
    expect(await keep(exact)).toMatchObject({ status: 409, body: { code: 'invalid_state_transition' } });
    const asked = await shop.instructions(exact);
    await shop.send(asked, 1n);
    await shop.mine(CONFIRMATIONS);
    expect(await kindsOf(exact)).toEqual([]);
  });
});

describe('a second paid payment of one reference', () => {
  it('names the first one, and ends when one of the two is given back or kept', async () => {
    const [first, second] = [
      await paid([1_000n], { reference: 'TABS' }),
      await paid([1_000n], { reference: 'TABS' }),
    ];
    expect(await kindsOf(first)).toEqual([]);
    const [item] = await items(second.id);
    expect(item).toMatchObject({
      kind: 'paid_twice',
      otherPaymentId: first.id,
      actions: [
        { name: 'refund', path: `/api/payment/${second.id}/refunds` },
        { name: 'keep' },
        { name: 'timeline' },
      ],
    });
    expect(item?.sums?.excess?.atomic).toBe(item?.sums?.received.atomic);
    const third = await paid([1_000n], { reference: 'TABS' });
    expect((await items(third.id))[0]).toMatchObject({ kind: 'paid_twice', otherPaymentId: first.id });
    expect(await keep(third)).toMatchObject({ status: 200 });
    expect(await kindsOf(third)).toEqual([]);
    // Given back, the first one is no reason any more.
    await refunds.create(first, { address: CUSTOMER });
    expect(await kindsOf(second)).toEqual([]);
  });

  it.each([
    [
      'of another application',
      async () => paid([1_000n], { reference: 'OTHERS' }, await shop.application()),
      'OTHERS',
    ],
    ['of another reference', () => paid([1_000n], { reference: 'others-1' }), 'OTHERS-1'],
    ['that is not paid', () => shop.createPayment(application, { reference: 'UNPAID' }), 'UNPAID'],
    ['that has received dust', () => paid([1_000n, 0n], { reference: 'DUSTY-1' }), 'DUSTY'],
  ])('is none beside one %s', async (_what, make, reference) => {
    await make();
    expect(await kindsOf(await paid([1_000n], { reference }))).toEqual([]);
  });

  it('is one also where the first was paid in part, which is the one to give back', async () => {
    const [part, whole] = [
      await paid([500n], { reference: 'PART' }),
      await paid([1_000n], { reference: 'PART' }),
    ];
    expect(await kindsOf(whole)).toEqual([]);
    expect(await kindsOf(part)).toEqual(['paid_twice', 'underpaid']);
    expect((await items(part.id))[0]).toMatchObject({ otherPaymentId: whole.id });
  });
});

describe('money after the end', () => {
  it('has its sums, and ends when a refund promises it', async () => {
    const payment = await shop.createPayment(application);
    const asked = await shop.instructions(payment);
    await shop.call('POST', `/api/payment/${payment.id}/cancel`, application.clientToken);
    await shop.send(asked);
    await shop.mine(1);
    // Not confirmed: there is nothing to do yet.
    expect((await items(payment.id))[0]).toMatchObject({
      kind: 'funds_after_end',
      actions: [{ name: 'timeline' }],
    });
    await shop.mine(CONFIRMATIONS);
    const [item] = await items(payment.id);
    expect(item).toMatchObject({
      kind: 'funds_after_end',
      actions: [{ name: 'refund' }, { name: 'keep' }, { name: 'timeline' }],
    });
    expect(item?.sums?.excess?.atomic).toBe(item?.sums?.asked.atomic);
    await refunds.create(payment, { address: CUSTOMER });
    expect(await kindsOf(payment)).toEqual([]);
  });
});

it('shows what came on another network with its amount', async () => {
  const payment = await shop.createPayment(application);
  await chains.sendBnb(payment);
  const [item] = await items(payment.id);
  expect(item).toMatchObject({
    kind: 'unmatched_funds',
    sums: { excess: null, coins: [{ blockchain: 'bsc', asked: null, excess: null }] },
  });
  expect(BigInt(item?.sums?.coins[0]?.received.atomic ?? 0)).toBeGreaterThan(0n);
});

describe('a token that the gateway does not list', () => {
  const name = async (payment: CreatedPayment, txHash: string) => {
    const path = `/api/checkout/payment/${payment.id}/transaction${new URL(payment.checkoutUrl).search}`;
    const { status } = await shop.call('POST', path, null, { txHash, provider: 'ethereum' });
    expect(status).toBeLessThan(300);
    while (await shop.gateway.get(TransactionSearch).runOnce()) continue;
  };

  it('is told apart once its customer names the transaction, with contract and units, until it is kept', async () => {
    const payment = await shop.createPayment(application, { reference: 'UNLISTED' });
    const to = (await shop.instructions(payment)).address as Hex;
    const token = await shop.chain.deployToken('https://evil.example');
    const txHash = await shop.chain.sendToken({ token: token.address, to, value: 25_000_000n });
    await shop.mine(CONFIRMATIONS);
    // Nobody is told of what strangers send.
    expect(await kindsOf(payment)).toEqual([]);
    await name(payment, txHash);
    const [item, ...others] = await items(payment.id);
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      kind: 'unlisted_token',
      tokens: [{ blockchain: 'ethereum', contract: token.address.toLowerCase(), amount: '25000000', txHash }],
      actions: [{ name: 'keep' }, { name: 'timeline' }],
    });
    expect(JSON.stringify(item)).not.toContain('evil');
    expect(await shop.status(payment)).toBe('OPEN');
    expect(await keep(payment)).toMatchObject({ status: 200 });
    expect(await kindsOf(payment)).toEqual([]);
    expect(await keep(payment)).toMatchObject({ status: 200 });
  });

  it('of another address is none', async () => {
    const [mine, other] = [
      await shop.createPayment(application, { reference: 'MINE' }),
      await shop.createPayment(application, { reference: 'NOT-MINE' }),
    ];
    await shop.instructions(mine);
    const to = (await shop.instructions(other)).address as Hex;
    const token = await shop.chain.deployToken('FREE');
    const txHash = await shop.chain.sendToken({ token: token.address, to, value: 1n });
    await shop.mine();
    await name(mine, txHash);
    expect(await kindsOf(mine)).toEqual([]);
    expect(await kindsOf(other)).toEqual([]);
  });
});
