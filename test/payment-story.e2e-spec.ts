/**
 * @inOrder One clock and one source of rates, which the stories move.
 */
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';

/** Read this first: a payment from creation to its end, through the public API and a real EVM node. */
describe('a payment from creation to its end', () => {
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application();
  });
  afterAll(() => shop.close());

  it('goes from OPEN through FOUND and RECEIVED to CONFIRMED, with its webhook', async () => {
    // A merchant's server asks for 100.00 USD and gets a signed checkout URL.
    const payment = await shop.createPayment(application, {
      reference: 'ORDER-42',
      referenceLabel: 'Order #42',
    });
    expect(await shop.payment(payment)).toMatchObject({
      status: 'OPEN',
      foundAt: null,
      confirmedAt: null,
      checkoutUrl: payment.checkoutUrl,
      amount: { amount: 10_000, atomic: '10000', formatted: '$100.00' },
      receivedAmount: { amount: 0 },
      transactions: [],
    });

    // The customer picks ether, and gets address, amount and expiry.
    const instructions = await shop.instructions(payment);
    expect(instructions.amount).toMatchObject({ atomic: '50000000000000000', formatted: '0.05000000 ETH' });
    expect(instructions.paymentUri).toBe(`ethereum:${instructions.address}@31337?value=50000000000000000`);
    expect(instructions.rate).toMatchObject({ base: 'ETH', quote: 'USD', value: '2000' });
    expect(instructions.secondsRemaining).toBe(900);

    // The customer pays; the first block shows it.
    const txHash = await shop.send(instructions);
    await shop.mine();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'FOUND',
      foundAt: expect.stringMatching(/^\d{4}-.*Z$/),
      receivedAmount: { amount: 0 },
      transactions: [
        { txHash, status: 'PENDING', confirmations: 1, confirmationsRequired: CONFIRMATIONS, late: false },
      ],
    });
    await shop.mine(CONFIRMATIONS - 2);
    expect(await shop.status(payment)).toBe('FOUND');
    expect(shop.events(payment)).toEqual([]);

    // The twelfth confirmation settles it; the merchant answers 2xx, and so it is confirmed.
    shop.merchant.plan({ status: 500 });
    await shop.mine();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'RECEIVED',
      confirmedAt: null,
      receivedAmount: { amount: 10_000 },
      settledAmount: { amount: 10_000 },
    });
    shop.gateway.clock.advanceSeconds(10);
    await shop.settle();
    const confirmed = await shop.payment(payment);
    expect(confirmed).toMatchObject({
      status: 'CONFIRMED',
      confirmedAt: expect.any(String),
      receivedAmount: { amount: 10_000, formatted: '$100.00' },
      overpaidAmount: null,
      underpaidAmount: null,
      reviewReason: null,
      transactions: [
        { txHash, status: 'CONFIRMED', confirmations: CONFIRMATIONS, creditedAmount: { amount: 10_000 } },
      ],
    });

    // Both events came in order, signed; the retry carried the same id.
    const [refused, received, completed, ...others] = shop.webhooks(payment);
    expect(others).toEqual([]);
    expect(refused).toEqual(received);
    expect(received).toMatchObject({
      event: 'payment.received',
      payment: { id: payment.id, status: 'RECEIVED' },
    });
    expect(completed).toMatchObject({
      event: 'payment.completed',
      payment: { id: payment.id, status: 'CONFIRMED' },
    });
    expect(completed?.payment).toMatchObject({ confirmedAt: confirmed.confirmedAt, reference: 'ORDER-42' });
  });

  it('goes straight to CONFIRMED when there is no webhook', async () => {
    const quiet = await shop.application({ callbackUrl: null });
    const payment = await shop.createPayment(quiet);
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(shop.events(payment)).toEqual([]);
  });

  it('is recorded with three transitions even when first seen fully confirmed', async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    await shop.chain.mine(CONFIRMATIONS + 20);
    await shop.settle();
    const history = await shop.gateway.sql.query<{ to_status: string }>(
      'select to_status from payment_status_history where payment_id = $1 order by seq',
      [payment.id],
    );
    expect(history.map((row) => row.to_status)).toEqual(['OPEN', 'FOUND', 'RECEIVED', 'CONFIRMED']);
  });

  it('becomes UNDERPAID and then RECEIVED when paid in two parts', async () => {
    const payment = await shop.createPayment(application);
    const first = await shop.instructions(payment);
    await shop.send(first, 30_000_000_000_000_000n);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'UNDERPAID',
      receivedAmount: { amount: 6_000 },
      underpaidAmount: { amount: 4_000 },
    });
    expect(shop.events(payment)).toEqual(['payment.underpaid']);

    const second = await shop.instructions(payment);
    expect(second.address).toBe(first.address);
    expect(second.amount).toEqual(first.amount);
    expect(second.remainingAmount.atomic).toBe('20000000000000000');
    expect(second.paymentUri).toContain('value=20000000000000000');
    await shop.send(second, BigInt(second.remainingAmount.amount));
    await shop.mine();
    expect(await shop.status(payment)).toBe('UNDERPAID');
    await shop.mine(CONFIRMATIONS - 1);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      underpaidAmount: null,
    });
    expect(shop.events(payment)).toEqual(['payment.underpaid', 'payment.received', 'payment.completed']);
  });

  it('is confirmed with its excess when overpayment is allowed', async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment), 60_000_000_000_000_000n);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 12_000 },
      overpaidAmount: { amount: 2_000 },
      reviewReason: null,
    });
  });

  it('is announced but held until the merchant accepts when overpayment is not allowed', async () => {
    const strict = await shop.application({ allowOverpay: false });
    const payment = await shop.createPayment(strict);
    await shop.send(await shop.instructions(payment), 60_000_000_000_000_000n);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'RECEIVED',
      overpaidAmount: { amount: 2_000 },
      reviewReason: 'overpaid',
    });
    expect(shop.events(payment)).toEqual(['payment.received']);

    const accepted = await shop.call('POST', `/api/payment/${payment.id}/accept`, strict.clientToken);
    expect(accepted).toMatchObject({
      status: 200,
      body: { data: { status: 'CONFIRMED', reviewReason: null } },
    });
    await shop.settle();
    expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
  });

  it('is accepted once the quote has ended, without payment.underpaid, when underpayment is allowed', async () => {
    const lenient = await shop.application({ allowUnderpay: true, underpayLeastShareBps: 1 });
    const payment = await shop.createPayment(lenient);
    await shop.send(await shop.instructions(payment), 30_000_000_000_000_000n);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('UNDERPAID');
    expect(shop.events(payment)).toEqual([]);
    await shop.wait(899);
    await shop.settle();
    expect(await shop.status(payment)).toBe('UNDERPAID');
    await shop.wait(1);
    await shop.settle();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 6_000 },
      underpaidAmount: { amount: 4_000 },
    });
    expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
  });

  it('stays UNDERPAID until the merchant accepts when underpayment is not allowed', async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment), 30_000_000_000_000_000n);
    await shop.mine(CONFIRMATIONS);
    await shop.wait(3_600);
    await shop.settle();
    expect(await shop.status(payment)).toBe('UNDERPAID');
    const accepted = await shop.call('POST', `/api/payment/${payment.id}/accept`, application.clientToken);
    expect(accepted).toMatchObject({ status: 200, body: { data: { status: 'RECEIVED' } } });
    await shop.settle();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      underpaidAmount: { amount: 4_000 },
    });
  });

  it.each(['usdt', 'usdc'])('is paid in %s', async (method) => {
    const payment = await shop.createPayment(application);
    const instructions = await shop.instructions(payment, method);
    expect(instructions.amount).toMatchObject({ atomic: '100000000', decimals: 6 });
    expect(instructions.token).toMatchObject({ standard: 'ERC-20', decimals: 6 });
    await shop.send(instructions);
    await shop.mine();
    expect(await shop.status(payment)).toBe('FOUND');
    await shop.mine(CONFIRMATIONS - 1);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      transactions: [{ currencyCode: method.toUpperCase(), amount: { atomic: '100000000' } }],
    });
  });

  it("waits while the merchant's endpoint is down, and is confirmed when it is up again", async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    await shop.merchant.down();
    await shop.mine(CONFIRMATIONS);
    shop.gateway.clock.advanceSeconds(7);
    await shop.settle();
    expect(await shop.status(payment)).toBe('RECEIVED');
    await shop.merchant.up();
    shop.gateway.clock.advanceSeconds(60);
    await shop.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
  });

  it('is credited at the rate of when the funds were first seen, when paid long after the link has expired', async () => {
    const payment = await shop.createPayment(application);
    const instructions = await shop.instructions(payment);
    await shop.wait(25 * 3_600);
    const link = await shop.checkout(payment, `payment/${payment.id}`);
    expect(link).toMatchObject({ status: 403, body: { code: 'link_expired' } });
    // Ether has lost half its value: what was asked for is only half of it now.
    shop.rates.setPrice('ETH', 'USD', '1000');
    await shop.send(instructions);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'UNDERPAID',
      expired: true,
      receivedAmount: { amount: 5_000 },
      transactions: [{ late: true, creditedAmount: { amount: 5_000 } }],
    });
    await shop.send(instructions);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
    });
    shop.rates.setPrice('ETH', 'USD', '2000');
  });

  it('is settled later when late funds arrive while there is no rate', async () => {
    const payment = await shop.createPayment(application);
    const instructions = await shop.instructions(payment);
    await shop.wait(3_600);
    shop.rates.setMode('kraken', 'down');
    shop.rates.setMode('coinbase', 'down');
    await shop.send(instructions);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({ status: 'FOUND', transactions: [{ late: true }] });
    shop.rates.setMode('kraken', 'ok');
    shop.rates.setMode('coinbase', 'ok');
    shop.gateway.clock.advanceSeconds(60);
    await shop.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('is found when it was paid while the gateway was down', async () => {
    const payment = await shop.createPayment(application);
    const instructions = await shop.instructions(payment);
    await shop.whileDown(async () => {
      await shop.send(instructions);
      await shop.chain.mine(CONFIRMATIONS + 300);
    });
    // The gateway comes back an hour later; the money had come in time.
    shop.gateway.clock.advanceSeconds(3_600);
    await shop.settle();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      transactions: [{ late: false }],
    });
  });

  it('is settled although the clock was set back', async () => {
    const payment = await shop.createPayment(application);
    const instructions = await shop.instructions(payment);
    shop.gateway.clock.advanceSeconds(-120);
    await shop.send(instructions);
    await shop.mine(CONFIRMATIONS);
    const { status, date, foundAt, confirmedAt } = await shop.payment(payment);
    expect([status, foundAt, confirmedAt]).toEqual(['CONFIRMED', date, date]);
    shop.gateway.clock.advanceSeconds(120);
  });

  it('priced in ether is returned with all its digits', async () => {
    const wei = 1_500_000_000_000_000_001n;
    const payment = await shop.createPayment(application, { amount: wei, currencyCode: 'ETH' });
    expect((await shop.payment(payment)).amount).toMatchObject({ amount: wei, atomic: String(wei) });
    const instructions = await shop.instructions(payment);
    expect(instructions.amount.amount).toBe(wei);
    await shop.send(instructions);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: wei },
      overpaidAmount: null,
    });
  });
});
