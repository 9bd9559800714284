import { PaymentsService } from '../src/payments/payments.service.js';
import type { Hex } from './support/anvil.js';
import { CUSTOMER, RefundsApi } from './support/refunds-api.js';
import { CONFIRMATIONS, type CreatedPayment, type Shop, type ShopApplication } from './support/shop.js';
import { BSC_CONFIRMATIONS, DUE_BNB, TwoChains } from './support/two-chains.js';

let chains: TwoChains;
let shop: Shop;
let application: ShopApplication;
let refunds: RefundsApi;

beforeAll(async () => {
  chains = await TwoChains.open();
  shop = chains.shop;
  application = await shop.application();
  refunds = new RefundsApi(shop, application);
});
afterAll(() => chains.close());

const create = () => shop.createPayment(application);
const cancel = ({ id }: CreatedPayment) =>
  shop.call('POST', `/api/payment/${id}/cancel`, application.clientToken, { reason: 'out of stock' });
const cancelled = async () => {
  const payment = await create();
  await shop.instructions(payment);
  expect(await cancel(payment)).toMatchObject({ status: 200, body: { data: { reviewReason: null } } });
  return payment;
};
/** Whether the merchant's list of funds to be decided on has the payment. */
const isListed = async ({ id }: CreatedPayment) => {
  const path = '/api/payment?per_page=100&unmatchedFunds=true';
  const { body } = await shop.call<{ id: string }[]>('GET', path, shop.owner.accessToken);
  return body.data.some((each) => each.id === id);
};

describe('cancelling a payment that received unexpected funds', () => {
  const REFUSED = {
    status: 409,
    body: {
      code: 'invalid_state_transition',
      message: 'A payment that has received funds cannot be cancelled',
    },
  };

  it('is refused as soon as a token that was not requested is seen', async () => {
    const payment = await create();
    const to = (await shop.instructions(payment)).address as Hex;
    await shop.chain.sendToken({ token: shop.tokens.USDC, to, value: 100_000_000n });
    await shop.mine();
    expect(await cancel(payment)).toMatchObject(REFUSED);
    await shop.mine(CONFIRMATIONS);
    expect(await cancel(payment)).toMatchObject(REFUSED);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'OPEN',
      cancelledAt: null,
      transactions: [{ currencyCode: 'USDC', status: 'CONFIRMED', matched: false, acceptable: true }],
    });
    // So that the merchant still has a way on.
    expect(await chains.accept(application, payment)).toMatchObject({
      status: 200,
      body: { data: { status: 'RECEIVED' } },
    });
  });

  it('is refused while funds exist on another network, and allowed once a reorg removes them', async () => {
    const payment = await create();
    await chains.sendBnb(payment);
    expect(await cancel(payment)).toMatchObject(REFUSED);
    await chains.reorgBsc(1);
    expect(await cancel(payment)).toMatchObject({ status: 200, body: { data: { status: 'CANCELLED' } } });
    expect((await shop.payment(payment)).reviewReason).toBeNull();
  });

  it('succeeds before the funds or is refused, when both are recorded concurrently', async () => {
    for (let round = 0; round < 6; round++) {
      const payment = await create();
      await chains.bsc.sendEth({ to: await chains.addressOf(payment), value: DUE_BNB });
      await chains.bsc.mine(1);
      const [answer] = await Promise.all([cancel(payment), chains.settle()]);
      expect([200, 409]).toContain(answer.status);
      expect(await shop.payment(payment)).toMatchObject(
        answer.status === 200
          ? { status: 'CANCELLED', reviewReason: 'funds_after_cancel', transactions: [{ matched: false }] }
          : { status: 'OPEN', reviewReason: null, transactions: [{ matched: false }] },
      );
    }
  });
});

describe('unexpected funds that arrive at a closed payment', () => {
  it('are listed for review, count once accepted, and can then be refunded', async () => {
    const payment = await cancelled();
    const txHash = await chains.sendBnb(payment, { blocks: BSC_CONFIRMATIONS });
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CANCELLED',
      reviewReason: 'funds_after_cancel',
      receivedAmount: { amount: 0 },
      transactions: [
        { txHash, status: 'CONFIRMED', matched: false, acceptable: true, creditedAmount: { amount: 0 } },
      ],
    });
    expect(await isListed(payment)).toBe(true);
    expect(await refunds.post(payment, '')).toMatchObject({ status: 409 });

    expect(await chains.accept(application, payment)).toMatchObject({
      status: 200,
      body: {
        data: {
          status: 'CANCELLED',
          reviewReason: 'funds_after_cancel',
          receivedAmount: { amount: 10_000 },
          settledAmount: null,
          transactions: [{ matched: true, acceptable: false, creditedAmount: { amount: 10_000 } }],
        },
      },
    });
    expect(await isListed(payment)).toBe(false);
    expect(await refunds.create(payment, { address: CUSTOMER })).toMatchObject({
      type: 'UNEXPECTED',
      status: 'AWAITING_PAYMENT',
      blockchain: 'bsc',
      payoutAmount: { atomic: DUE_BNB.toString() },
    });
    expect(await refunds.post(payment, '')).toMatchObject({ status: 422 });
    await chains.settle();
    expect(shop.events(payment)).toEqual([]);
  });

  it('are listed for review when their payment failed after they arrived', async () => {
    const payment = await create();
    await chains.sendBnb(payment, { blocks: BSC_CONFIRMATIONS });
    await shop.gateway.get(PaymentsService).fail(payment.id, 'address_integrity');
    expect(await shop.payment(payment)).toMatchObject({
      status: 'ERROR',
      reviewReason: 'funds_after_cancel',
      transactions: [{ acceptable: true }],
    });
    expect(await chains.accept(application, payment)).toMatchObject({
      status: 200,
      body: { data: { status: 'ERROR', receivedAmount: { amount: 10_000 } } },
    });
  });

  it('are listed for review after a full refund, and can be refunded too', async () => {
    const payment = await refunds.paid();
    await refunds.settleRefund(await refunds.create(payment, { address: CUSTOMER }));
    expect(await shop.payment(payment)).toMatchObject({ status: 'REFUND', reviewReason: null });
    await chains.sendBnb(payment, { amount: DUE_BNB / 2n, blocks: BSC_CONFIRMATIONS });
    expect(await shop.payment(payment)).toMatchObject({
      status: 'REFUND',
      reviewReason: 'funds_after_cancel',
    });
    const stray = (await chains.transactions(payment)).find(({ matched }) => !matched);
    expect(await chains.accept(application, payment, stray?.id)).toMatchObject({
      status: 200,
      body: { data: { status: 'REFUND', receivedAmount: { amount: 15_000 } } },
    });
    const fields = { payoutCurrencyCode: 'BNB', blockchainSlug: 'bsc', address: CUSTOMER };
    expect(await refunds.create(payment, fields)).toMatchObject({
      type: 'UNEXPECTED',
      amount: { amount: 5_000 },
      payoutAmount: { atomic: (DUE_BNB / 2n).toString() },
    });
  });

  it('need no review when only the link had ended: the payment is OPEN and accepts them', async () => {
    const payment = await create();
    await shop.instructions(payment);
    await shop.wait(25 * 3_600);
    await chains.bsc.sendEth({ to: await depositAddress(payment), value: DUE_BNB });
    await chains.mineBsc(BSC_CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'OPEN',
      expired: true,
      reviewReason: null,
      transactions: [{ matched: false, acceptable: true }],
    });
    expect(await cancel(payment)).toMatchObject({ status: 409 });
    expect(await chains.accept(application, payment)).toMatchObject({
      status: 200,
      body: { data: { status: 'RECEIVED', receivedAmount: { amount: 10_000 } } },
    });
  });

  it('are reported by the reconciliation while their payment is not under review', async () => {
    const payment = await cancelled();
    await chains.sendBnb(payment);
    const setReason = (reason: string | null) =>
      shop.gateway.sql.query('update payments set review_reason = $2 where id = $1', [payment.id, reason]);
    await setReason(null);
    const before = await chains.reconcile();
    expect(before.differences).toMatchObject([{ check: 'review', paymentId: payment.id }]);
    await setReason('funds_after_cancel');
  });

  it('leave records that pass the reconciliation', async () => {
    expect(await chains.reconcile()).toMatchObject({ differences: [], consistent: true });
  });
});

async function depositAddress({ id }: CreatedPayment): Promise<Hex> {
  const sql = 'select address from deposit_addresses where payment_id = $1';
  const [row] = await shop.gateway.sql.query<{ address: Hex }>(sql, [id]);
  if (!row) throw new Error('no address');
  return row.address;
}
