import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { Gateway, verifyWebhook, WebhookError } from '../sdk/src/index.js';
import { FailingProxy } from './support/failing-proxy.js';
import { errorOf } from './support/gateway-error.js';
import type { ReceivedWebhook } from './support/merchant-server.js';
import { CONFIRMATIONS, SECRET, Shop, type ShopApplication } from './support/shop.js';
import { fallSilent, PATIENCE_MS, watchDeadlines } from './support/silence.js';
import { TestClock } from './support/test-clock.js';
import { startTestGateway } from './support/test-gateway.js';

const WEI = 1_500_000_000_000_000_001n;

/** Read this first: what a shop does with the client, against a real gateway and a real chain. */
describe('the client package', () => {
  let shop: Shop;
  let application: ShopApplication;
  let proxy: FailingProxy;
  let gateway: Gateway;
  /** With the bad network in between. */
  let shaky: Gateway;
  let dashboard: Gateway;
  const forgetDeadlines = watchDeadlines();
  const bad = () => ({ baseUrl: proxy.url, token: application.clientToken });

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application();
    proxy = await FailingProxy.start(shop.gateway.baseUrl);
    const { baseUrl } = shop.gateway;
    gateway = new Gateway({ baseUrl, token: application.clientToken });
    shaky = new Gateway({ ...bad(), timeoutMs: 20_000 });
    dashboard = new Gateway({ baseUrl, token: () => shop.owner.accessToken });
  });
  beforeEach(() => {
    proxy.troubles.length = 0;
    proxy.seen.length = 0;
  });
  afterAll(async () => {
    await proxy?.stop();
    await shop?.close();
    forgetDeadlines();
  });

  const order = (fields: Partial<Parameters<Gateway['payments']['create']>[0]> = {}) => ({
    amount: 10_000,
    currencyCode: 'USD',
    reference: 'ORDER-1',
    referenceLabel: 'Order 1',
    clientId: application.clientId,
    ...fields,
  });
  const verify = ({ headers, body }: Pick<ReceivedWebhook, 'headers' | 'body'>) =>
    verifyWebhook({ headers, body, secret: SECRET, now: shop.gateway.clock.now(), allowTest: true });

  it('follows a payment from the order to CONFIRMED, and verifies each webhook', async () => {
    const { id, checkoutUrl } = await gateway.payments.create(
      order({ redirectUrl: 'https://shop.example/thanks' }),
    );
    expect(await gateway.payments.get(id)).toMatchObject({
      status: 'OPEN',
      amount: { amount: 10_000n, atomic: '10000' },
      checkoutUrl,
    });

    const waiting = gateway.payments.waitFor(id, { pollMs: 20 });
    const seen = gateway.payments.waitFor(id, { pollMs: 20, until: ['FOUND'] });
    const [method] = await gateway.checkout.methods(checkoutUrl);
    const instructions = await gateway.checkout.instructions(checkoutUrl, method!);
    expect(instructions).toMatchObject({ provider: 'ethereum', method: 'eth', status: 'OPEN' });
    await shop.chain.sendEth({
      to: instructions.address as `0x${string}`,
      value: instructions.amount.amount,
    });
    await shop.mine();
    expect((await seen).status).toBe('FOUND');
    const { confirmations } = await gateway.checkout.status(checkoutUrl);
    const progress = { seen: 1, required: CONFIRMATIONS, finality: null };
    expect(confirmations).toMatchObject({ ...progress, estimatedSecondsRemaining: 132, delayed: false });

    const before = shop.merchant.requests.length;
    await shop.mine(CONFIRMATIONS);
    const payment = await waiting;
    expect(payment.status).toBe('CONFIRMED');
    expect(payment.receivedAmount.amount).toBe(10_000n);
    expect(payment.transactions[0]).toMatchObject({
      status: 'CONFIRMED',
      amount: { amount: instructions.amount.amount },
    });

    const events = await Promise.all(shop.merchant.requests.slice(before).map(verify));
    expect(events.map(({ event }) => event)).toEqual(['payment.received', 'payment.completed']);
    // The event carries what the API answers.
    expect(events[1]).toMatchObject({ payment });
  });

  it('refuses every mutation of a real webhook', async () => {
    const request = shop.merchant.requests.at(-1) as ReceivedWebhook;
    await expect(verify(request)).resolves.toBeDefined();
    const text = request.body.toString('utf8');
    const bodies = [
      text.replace('"payment.completed"', '"payment.received"'),
      text.replace('"10000"', '"10001"'),
      text.replace(':10000,', ':10000.0,'),
      `${text}\n`,
      JSON.stringify(JSON.parse(text), null, 2),
    ];
    for (const body of bodies) {
      expect(body).not.toBe(text);
      await expect(verify({ ...request, body: Buffer.from(body) })).rejects.toThrow(WebhookError);
    }
    const signed = Object.keys(request.headers).filter((name) =>
      /^webhook-|^x-paymentservice-(?!event)/.test(name),
    );
    expect(signed).toHaveLength(5);
    for (const name of signed) {
      const value = String(request.headers[name]);
      const changed = value.slice(0, -2) + (value.at(-2) === '0' ? '1' : '0') + value.slice(-1);
      await expect(verify({ ...request, headers: { ...request.headers, [name]: changed } })).rejects.toThrow(
        WebhookError,
      );
      await expect(
        verify({ ...request, headers: { ...request.headers, [name]: undefined } }),
      ).rejects.toThrow(WebhookError);
    }
  });

  it('verifies webhooks while the secret changes', async () => {
    const rotating = await shop.application();
    const created = await shop.createPayment(rotating);
    await shop.call('PUT', `/api/payment-applications/${rotating.id}`, shop.owner.accessToken, {
      secret: 'the new secret',
    });
    await shop.send(await shop.instructions(created));
    await shop.mine(CONFIRMATIONS);
    const { headers, body } = shop.merchant.requests.at(-1) as ReceivedWebhook;
    const now = shop.gateway.clock.now();
    for (const secret of ['the new secret', SECRET, [SECRET, 'the new secret']])
      expect(await verifyWebhook({ headers, body, secret, now })).toMatchObject({
        payment: { id: created.id },
      });
    await expect(verifyWebhook({ headers, body, secret: 'another', now })).rejects.toMatchObject({
      reason: 'bad_signature',
    });
  });

  it('sends and reads 1500000000000000001 wei exactly', async () => {
    const { id, checkoutUrl } = await gateway.payments.create(order({ amount: WEI, currencyCode: 'ETH' }));
    const { amount } = await gateway.payments.get(id);
    expect(amount).toMatchObject({ amount: WEI, atomic: '1500000000000000001' });
    expect((await gateway.checkout.status(checkoutUrl)).remainingAmount.amount).toBe(WEI);
    // The same as a number would be another amount: it is not sent.
    await expect(
      gateway.payments.create(order({ amount: Number(WEI), currencyCode: 'ETH' })),
    ).rejects.toThrow(/amount is not exact/);
  });

  describe('on a bad network', () => {
    const countOf = async (reference: string) =>
      (await dashboard.payments.list({ reference }).page()).pagination.total;

    it.each<[string, FailingProxy['troubles']]>([
      ['lost answers', ['lose-answer', 'lose-answer']],
      ['broken connections', ['drop', 'drop']],
      ['503', [{ status: 503, headers: { 'retry-after': '0' }, body: '' }]],
      [
        '429',
        [
          {
            status: 429,
            headers: { 'retry-after': '0' },
            body: '{"message":"Too many.","code":"too_many_requests"}',
          },
        ],
      ],
    ])('creates one payment through %s', async (name, troubles) => {
      proxy.troubles.push(...troubles);
      const reference = `SHAKY ${name}`;
      const { id } = await shaky.payments.create(order({ reference }));
      expect(proxy.seen).toHaveLength(troubles.length + 1);
      expect(await countOf(reference)).toBe(1);
      expect((await shaky.payments.get(id)).reference).toBe(reference);
    });

    it('creates one payment per order number, also for repeated calls', async () => {
      const options = { idempotencyKey: 'order-77' };
      const first = await gateway.payments.create(order({ reference: 'ORDER-77' }), options);
      expect(await gateway.payments.create(order({ reference: 'ORDER-77' }), options)).toEqual(first);
      expect(await errorOf(gateway.payments.create(order({ reference: 'ORDER-78' }), options))).toMatchObject(
        {
          status: 422,
          code: 'idempotency_key_reused',
        },
      );
      expect(await countOf('ORDER-77')).toBe(1);
    });

    it('creates two payments for two calls without a key', async () => {
      const [one, two] = [await gateway.payments.create(order()), await gateway.payments.create(order())];
      expect(one.id).not.toBe(two.id);
    });

    it('ends at a timeout, and at an abort', async () => {
      const hasty = new Gateway({ ...bad(), timeoutMs: PATIENCE_MS, retries: 0 });
      proxy.troubles.push('hang', 'hang');
      expect(await errorOf(hasty.payments.create(order()))).toMatchObject({ status: 0, code: 'timeout' });
      const reason = new Error('the visitor left');
      const controller = new AbortController();
      const heard = proxy.seen.length;
      const call = shaky.payments.create(order(), { signal: controller.signal });
      while (proxy.seen.length === heard) await turnOfTheLoop();
      controller.abort(reason);
      await expect(call).rejects.toBe(reason);
    });

    it('waits through an outage', async () => {
      const { id } = await gateway.payments.create(order());
      const patient = new Gateway({ ...bad(), retries: 0 });
      proxy.troubles.push('drop', { status: 503, body: '' }, 'drop');
      const waiting = patient.payments.waitFor(id, { pollMs: 10 });
      while (proxy.seen.length < 5) await turnOfTheLoop();
      await gateway.payments.cancel(id);
      expect((await waiting).status).toBe('CANCELLED');
    });
  });

  describe('waiting', () => {
    it('ends at a final status, whichever status was awaited', async () => {
      const { id } = await gateway.payments.create(order());
      await gateway.payments.cancel(id, { reason: 'sold out' });
      expect((await gateway.payments.waitFor(id, { until: ['CONFIRMED'] })).status).toBe('CANCELLED');
      expect((await gateway.payments.waitFor(id, { until: () => false })).status).toBe('CANCELLED');
    });

    it('ends at its timeout, with the last status', async () => {
      const { id } = await gateway.payments.create(order());
      const waiting = errorOf(shaky.payments.waitFor(id, { timeoutMs: PATIENCE_MS, pollMs: 1 }));
      // The second poll follows the answer to the first.
      while (proxy.seen.length < 2) await turnOfTheLoop();
      fallSilent();
      const error = await waiting;
      expect(error).toMatchObject({
        status: 0,
        code: 'wait_timeout',
        message: expect.stringContaining('it is OPEN'),
      });
    });

    it('ends at an abort', async () => {
      const { id } = await gateway.payments.create(order());
      const reason = new Error('shutting down');
      const controller = new AbortController();
      const waiting = shaky.payments.waitFor(id, { signal: controller.signal });
      while (proxy.seen.length === 0) await turnOfTheLoop();
      controller.abort(reason);
      await expect(waiting).rejects.toBe(reason);
    });

    it.each([{ pollMs: 0 }, { pollMs: -1 }, { timeoutMs: Number.NaN }])('refuses %j', async (options) => {
      const waiting = gateway.payments.waitFor('550e8400-e29b-41d4-a716-446655440000', options);
      await expect(waiting).rejects.toThrow(/^(pollMs|timeoutMs): an integer from 1/);
    });

    it('fails at once for a payment that does not exist', async () => {
      const waiting = gateway.payments.waitFor('550e8400-e29b-41d4-a716-446655440000');
      expect(await errorOf(waiting)).toMatchObject({ status: 404, code: 'payment_not_found' });
    });
  });

  it('lists each payment once over several pages, also while new ones arrive', async () => {
    const reference = 'LISTED';
    const made: string[] = [];
    for (let index = 0; index < 7; index++)
      made.push((await gateway.payments.create(order({ reference }))).id);
    const list = dashboard.payments.list({ reference, perPage: 3 });
    expect((await list.page()).pagination).toEqual({
      total: 7,
      count: 3,
      per_page: 3,
      current_page: 1,
      total_pages: 3,
    });
    expect((await list.page(4)).items).toEqual([]);
    const found: string[] = [];
    for await (const { id } of list) {
      found.push(id);
      if (found.length === 2) await gateway.payments.create(order({ reference }));
    }
    expect(found).toEqual(made.reverse());
    await gateway.payments.cancel(made[0]!);
    const open = dashboard.payments.list({
      reference,
      status: ['OPEN', 'FOUND'],
      dateFrom: new Date(0),
      sort: 'date',
    });
    expect((await open.page()).pagination.total).toBe(7);
    expect((await dashboard.payments.list({ reference, status: 'CANCELLED' }).page()).items).toMatchObject([
      { id: made[0] },
    ]);
  });

  it('accepts an underpayment', async () => {
    const { id, checkoutUrl } = await gateway.payments.create(order());
    const instructions = await gateway.checkout.instructions(checkoutUrl, {
      provider: 'ethereum',
      method: 'eth',
    });
    await shop.chain.sendEth({
      to: instructions.address as `0x${string}`,
      value: instructions.amount.amount / 2n,
    });
    await shop.mine(CONFIRMATIONS);
    expect((await gateway.payments.get(id)).status).toBe('UNDERPAID');
    await gateway.payments.accept(id);
    await shop.settle();
    expect((await gateway.payments.get(id)).status).toBe('CONFIRMED');
  });

  it('accepts funds in another coin', async () => {
    const { id, checkoutUrl } = await gateway.payments.create(order());
    const { address } = await gateway.checkout.instructions(checkoutUrl, {
      provider: 'ethereum',
      method: 'eth',
    });
    const to = address as `0x${string}`;
    await shop.chain.sendToken({ token: shop.tokens.USDC, to, value: 1_000_000_000n });
    await shop.mine(CONFIRMATIONS);
    const waiting = dashboard.payments.list({ unmatchedFunds: true });
    expect((await waiting.page()).items.map((payment) => payment.id)).toEqual([id]);
    expect((await gateway.checkout.status(checkoutUrl)).unmatchedTransactions).toHaveLength(1);
    const transfer = (await gateway.payments.get(id)).transactions.find(({ acceptable }) => acceptable);
    expect(transfer).toMatchObject({ matched: false });
    const accepted = await gateway.payments.accept(id, { transferId: transfer?.id ?? '' });
    expect(accepted.transactions).toMatchObject([{ matched: true, acceptable: false }]);
    expect((await waiting.page()).items).toEqual([]);
    const refused = await errorOf(gateway.payments.accept(id, { transferId: id }));
    expect(refused).toMatchObject({ status: 422, errors: { transferId: expect.any(Array) } });
  });

  it("throws the gateway's errors with types", async () => {
    const invalid = await errorOf(gateway.payments.create(order({ amount: 0, reference: '' })));
    expect(invalid).toMatchObject({
      name: 'GatewayError',
      status: 422,
      code: 'validation_failed',
      retryAfter: null,
    });
    expect(Object.keys(invalid.errors)).toEqual(['amount', 'reference']);
    expect(invalid.requestId).toMatch(/^[0-9a-f-]{36}$/);
    const stranger = new Gateway({ baseUrl: shop.gateway.baseUrl, token: 'pct_unknown' });
    expect(await errorOf(stranger.payments.get('550e8400-e29b-41d4-a716-446655440000'))).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    expect(await errorOf(gateway.payments.list().page())).toMatchObject({
      status: 401,
      code: 'oauth_token_required',
    });
    const { checkoutUrl } = await gateway.payments.create(order());
    const forged = checkoutUrl.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect(await errorOf(gateway.checkout.status(forged))).toMatchObject({
      status: 403,
      code: 'invalid_signature',
    });
  });

  it('retries when the rate limit allows it again', async () => {
    const clock = new TestClock();
    const limited = await startTestGateway({ RATE_LIMIT_READS: '2' }, clock, shop.gateway.databaseUrl);
    try {
      const { id } = await gateway.payments.create(order());
      const client = new Gateway({ baseUrl: limited.baseUrl, token: application.clientToken, retries: 0 });
      for (let index = 0; index < 2; index++) await client.payments.get(id);
      const error = await errorOf(client.payments.get(id));
      expect(error).toMatchObject({ status: 429, code: 'too_many_requests' });
      expect(error.retryAfter).toBeGreaterThan(0);
      clock.advanceSeconds(error.retryAfter ?? 0);
      expect((await client.payments.get(id)).status).toBe('OPEN');
    } finally {
      await limited.close();
    }
  });

  it.each(['', '.', '..', '../checkout', 'a/b', 'a?b', 'ORDER 1'])(
    'sends no request with %j as an id',
    async (id) => {
      await expect(gateway.payments.get(id)).rejects.toThrow(/^paymentId: not an id/);
      await expect(gateway.payments.cancel(id)).rejects.toThrow(TypeError);
    },
  );

  it.each([
    '',
    'nonsense',
    'https://pay.example.com/checkout/',
    'https://pay.example.com/checkout/1?expires=1',
  ])('rejects %j as a checkout link', async (link) => {
    await expect(gateway.checkout.status(link)).rejects.toThrow(/^checkoutUrl: /);
  });
});
