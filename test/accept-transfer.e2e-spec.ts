import { newKey } from './support/keyed-api.js';
import { createOwner } from './support/principals.js';
import { CONFIRMATIONS, type CreatedPayment, type Shop, type ShopApplication } from './support/shop.js';
import { BSC_CONFIRMATIONS, DUE_BNB, TwoChains } from './support/two-chains.js';

let chains: TwoChains;
let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  chains = await TwoChains.open();
  shop = chains.shop;
  application = await shop.application();
});
afterAll(() => chains.close());

const create = () => shop.createPayment(application);
const accept = (payment: CreatedPayment, transferId?: unknown) =>
  chains.accept(application, payment, transferId);
async function postWithKey(payment: CreatedPayment, transferId: string, key: string) {
  const response = await fetch(`${shop.gateway.baseUrl}/api/payment/${payment.id}/accept`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${application.clientToken}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ transferId }),
  });
  const isReplayed = response.headers.get('idempotency-replayed') === 'true';
  return { status: response.status, isReplayed, text: await response.text() };
}
const LONGEST_IDLE_TRANSACTION = `
  select max(extract(epoch from clock_timestamp() - xact_start))::float8 as seconds from pg_stat_activity
  where datname = current_database() and state = 'idle in transaction'`;

describe('accepting a transfer', () => {
  const INVALID = {
    code: 'validation_failed',
    errors: { transferId: ['The selected transferId is invalid.'] },
  };

  it('refuses an unknown transfer, one of another payment and an invalid id with an error on the field', async () => {
    const [payment, other] = [await create(), await create()];
    await chains.sendBnb(other);
    const foreign = await chains.transferOf(other);
    expect(await accept(payment, '019bc0f8-2c3e-7d4a-9b1f-5e6d7c8b9a01')).toMatchObject({
      status: 422,
      body: INVALID,
    });
    expect(await accept(payment, foreign.id)).toMatchObject({ status: 422, body: INVALID });
    for (const odd of ['x', 5, {}, [foreign.id], true])
      expect(await accept(payment, odd)).toMatchObject({
        status: 422,
        body: {
          errors: {
            transferId: [
              'The transferId field must be a valid UUID, such as 550e8400-e29b-41d4-a716-446655440000.',
            ],
          },
        },
      });
    expect(await chains.transferOf(other)).toMatchObject({ matched: false });
    // In capitals it is the same id.
    expect(await accept(other, foreign.id.toUpperCase())).toMatchObject({ status: 200 });
  });

  it("returns 404 to another merchant, also with the transfer's real id", async () => {
    const payment = await create();
    await chains.sendBnb(payment);
    const { id } = await chains.transferOf(payment);
    const stranger = await createOwner(shop.gateway);
    const path = `/api/payment/${payment.id}/accept`;
    expect(await shop.call('POST', path, stranger.accessToken, { transferId: id })).toMatchObject({
      status: 404,
      body: { code: 'payment_not_found' },
    });
    expect(await chains.transferOf(payment)).toMatchObject({ matched: false });
  });

  it('without transferId returns the payment unchanged', async () => {
    const payment = await create();
    await chains.sendBnb(payment, { blocks: BSC_CONFIRMATIONS });
    const path = `/api/payment/${payment.id}/accept`;
    for (const body of [undefined, {}, { transferId: null }])
      expect(await shop.call('POST', path, application.clientToken, body)).toMatchObject({
        status: 409,
        body: { message: 'A payment that is OPEN cannot be accepted' },
      });
  });

  it('turns a CONFIRMED payment into an overpaid one, whose excess can be refunded', async () => {
    const payment = await create();
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    await chains.sendBnb(payment, { amount: DUE_BNB / 2n, blocks: BSC_CONFIRMATIONS });
    const stray = (await chains.transactions(payment)).find(({ blockchain }) => blockchain === 'bsc');
    expect(stray).toMatchObject({ matched: false, acceptable: true });
    expect(await accept(payment, stray?.id)).toMatchObject({
      status: 200,
      body: {
        data: {
          status: 'CONFIRMED',
          settledAmount: { amount: 10_000 },
          receivedAmount: { amount: 15_000 },
          overpaidAmount: { amount: 5_000 },
        },
      },
    });
    await chains.settle();
    expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
    const refund = await shop.call('POST', `/api/payment/${payment.id}/refunds`, application.clientToken, {
      amount: 5_000,
      payoutCurrencyCode: 'BNB',
      blockchainSlug: 'bsc',
    });
    expect(refund).toMatchObject({
      status: 201,
      body: { data: { type: 'OVERPAYMENT', payoutAmount: { atomic: (DUE_BNB / 2n).toString() } } },
    });
  });

  it('waits for a rate, and changes nothing without one', async () => {
    const payment = await create();
    await chains.sendBnb(payment);
    for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'down');
    // Rates that were read before hold for ten minutes.
    await shop.wait(11 * 60);
    expect(await accept(payment)).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(await shop.payment(payment)).toMatchObject({ status: 'OPEN', transactions: [{ matched: false }] });
    for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'ok');
    await shop.wait(10);
    expect(await accept(payment)).toMatchObject({ status: 200, body: { data: { status: 'FOUND' } } });
  });

  it('happens once for concurrent requests', async () => {
    const payment = await create();
    await chains.sendBnb(payment, { blocks: BSC_CONFIRMATIONS });
    const { id } = await chains.transferOf(payment);
    const answers = await Promise.all([1, 2, 3, 4].map(() => accept(payment, id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await chains.settle();
    expect(await chains.acceptances(payment)).toHaveLength(1);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      overpaidAmount: null,
    });
    expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
  });

  it('accepts an Idempotency-Key, and retries with the same key when the first request had no rate', async () => {
    const payment = await create();
    await chains.sendBnb(payment, { blocks: BSC_CONFIRMATIONS });
    const { id } = await chains.transferOf(payment);
    const key = newKey();
    const post = (transferId: string) => postWithKey(payment, transferId, key);
    for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'down');
    await shop.wait(11 * 60);
    expect(await post(id)).toMatchObject({ status: 503, isReplayed: false });
    for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'ok');
    await shop.wait(10);
    const first = await post(id);
    expect(first).toMatchObject({ status: 200, isReplayed: false });
    expect(await post(id)).toEqual({ ...first, isReplayed: true });
    expect(await post(payment.id)).toMatchObject({ status: 422 });
    expect(await chains.acceptances(payment)).toHaveLength(1);
  });

  it('requests rates outside of its transaction, also with an Idempotency-Key', async () => {
    const payment = await create();
    await chains.sendBnb(payment);
    const { id } = await chains.transferOf(payment);
    for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'slow');
    await shop.wait(30);
    let isOver = false;
    const answer = postWithKey(payment, id, newKey()).finally(() => (isOver = true));
    let longest = 0;
    while (!isOver) {
      const [row] = await shop.gateway.sql.query<{ seconds: number | null }>(LONGEST_IDLE_TRANSACTION);
      longest = Math.max(longest, row?.seconds ?? 0);
    }
    for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'ok');
    expect(await answer).toMatchObject({ status: 200 });
    // The sources took 1.5 s.
    expect(longest).toBeLessThan(1);
  });

  it('leaves records that pass the reconciliation', async () => {
    expect(await chains.reconcile()).toMatchObject({ differences: [], consistent: true });
  });
});
