import { Gateway, GatewayError } from '../sdk/src/index.js';
import { FailingProxy } from './support/failing-proxy.js';
import { CUSTOMER, RefundsApi } from './support/refunds-api.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';

/** Money goes back by the client package, against a real gateway and a real chain. */
describe('refunds by the client package', () => {
  let shop: Shop;
  let application: ShopApplication;
  let proxy: FailingProxy;
  let api: RefundsApi;
  let gateway: Gateway;

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application();
    api = new RefundsApi(shop, application);
    proxy = await FailingProxy.start(shop.gateway.baseUrl);
    gateway = new Gateway({ baseUrl: proxy.url, token: application.clientToken });
  });
  afterAll(async () => {
    await proxy?.stop();
    await shop?.close();
  });

  it('are created, listed, read, given an address and completed', async () => {
    const { refunds } = gateway.payments;
    const { id } = await api.paid();
    const part = await refunds.create(id, { amount: 2_500n, reason: 'customer_request' });
    expect(part).toMatchObject({
      paymentId: id,
      type: 'PARTIAL',
      status: 'AWAITING_ADDRESS',
      amount: { amount: 2_500n },
      payoutAmount: { amount: 12_500_000_000_000_000n },
      reason: 'customer_request',
    });
    const rest = await refunds.create(id);
    expect(rest.amount.amount).toBe(7_500n);
    expect(await refunds.get(id, part.id)).toEqual(part);
    expect(await refunds.list(id)).toMatchObject({
      items: [{ id: rest.id }, { id: part.id }],
      pagination: { total: 2, per_page: 100 },
    });
    expect((await refunds.list(id, { page: 2, perPage: 1 })).items).toEqual([part]);

    expect((await refunds.cancel(id, rest.id)).status).toBe('CANCELLED');
    const due = await refunds.setAddress(id, part.id, CUSTOMER);
    expect(due).toMatchObject({ status: 'AWAITING_PAYMENT', address: CUSTOMER, addressSetBy: 'merchant' });
    const txHash = await shop.chain.sendEth({ to: CUSTOMER, value: due.payoutAmount.amount });
    expect(await refunds.complete(id, part.id, txHash)).toMatchObject({ status: 'PROCESSING', txHash });
    await api.confirm();
    expect(await refunds.get(id, part.id)).toMatchObject({
      status: 'COMPLETED',
      confirmations: { seen: CONFIRMATIONS },
    });
    expect((await gateway.payments.get(id)).refundedAmount?.amount).toBe(2_500n);
  });

  it('are created once when the response is lost', async () => {
    const { id } = await api.paid();
    proxy.seen.length = 0;
    proxy.troubles.push('lose-answer');
    const refund = await gateway.payments.refunds.create(id);
    expect(proxy.seen).toEqual(Array(2).fill(`POST /api/payment/${id}/refunds`));
    expect((await gateway.payments.refunds.list(id)).items).toEqual([refund]);
  });

  it('fail with a reason when nothing can be refunded, and reject malformed ids', async () => {
    const { id } = await shop.createPayment(application);
    const error: unknown = await gateway.payments.refunds.create(id).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ status: 409, code: 'invalid_state_transition' });
    await expect(gateway.payments.refunds.get(id, '../x')).rejects.toThrow(/^refundId: not an id/);
  });

  it('have another end: an excess is kept, if it is the one that was shown', async () => {
    const payment = await shop.createPayment(application);
    const instructions = await shop.instructions(payment);
    await shop.send(instructions, BigInt(instructions.amount.amount) * 2n);
    await shop.mine(CONFIRMATIONS);
    const { payments } = gateway;
    const excess = (await payments.get(payment.id)).overpaidAmount?.amount ?? 0n;
    expect(excess).toBe(10_000n);
    await expect(payments.keep(payment.id, { amount: excess - 1n })).rejects.toMatchObject({ status: 409 });
    expect((await payments.keep(payment.id, { amount: excess })).id).toBe(payment.id);
    // Repeated, it is harmless.
    expect((await payments.keep(payment.id)).id).toBe(payment.id);
  });
});
