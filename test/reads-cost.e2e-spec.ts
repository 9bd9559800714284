import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import pg from 'pg';
import { sendRequest } from './support/api-request.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

/** What a customer's page and a merchant's server ask every few seconds is read in few statements, and writes nothing. */
describe('the statements of a request', () => {
  let shop: Shop;
  let application: ShopApplication;
  let payment: CreatedPayment;
  const sent: string[] = [];
  const original = Reflect.get(pg.Client.prototype, 'query') as (...words: unknown[]) => unknown;

  beforeAll(async () => {
    // What is remembered for a second stays so, however slow the machine.
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now);
    Reflect.set(pg.Client.prototype, 'query', function (this: pg.Client, ...words: unknown[]) {
      const [statement] = words;
      sent.push(typeof statement === 'string' ? statement : (statement as { text: string }).text);
      return original.apply(this, words);
    });
    shop = await Shop.open({ ACCESS_CACHE_MS: '1000' });
    application = await shop.application();
    payment = await shop.createPayment(application, { redirectUrl: 'https://shop.example/thanks' });
    await shop.instructions(payment);
  });
  afterAll(async () => {
    Reflect.set(pg.Client.prototype, 'query', original);
    await shop.close();
    jest.restoreAllMocks();
  });

  const query = (): string => new URL(payment.checkoutUrl).search;
  it.each<[string, number, () => string, boolean]>([
    ['a payment', 2, () => `/api/payment/${payment.id}`, true],
    ['its public status', 3, () => `/api/checkout/payment/${payment.id}${query()}`, false],
    ['its payment methods', 2, () => `/api/checkout/${payment.id}/payment-methods${query()}`, false],
    [
      'its instructions again',
      3,
      () => `/api/checkout/payment/${payment.id}/provider/ethereum/method/eth${query()}`,
      false,
    ],
    ['its hosted page', 4, () => `/checkout/${payment.id}${query()}`, false],
  ])('of %s are at most %i, and none of them writes', async (_what, most, path, hasToken) => {
    const ask = async () => {
      const token = hasToken ? application.clientToken : null;
      expect((await sendRequest(`${shop.gateway.baseUrl}${path()}`, { token })).status).toBe(200);
    };
    // What is remembered is read by the first.
    await ask();
    for (let asked = 0; asked < 5; asked++) {
      sent.length = 0;
      await ask();
      expect(sent.length).toBeLessThanOrEqual(most);
      expect(sent.filter((text) => !/^\s*select\b/i.test(text))).toEqual([]);
    }
  });

  it.each([
    ['no key', () => null],
    ['an Idempotency-Key', () => randomUUID()],
  ])('of a creation with %s are one', async (_what, newKey) => {
    const { clientId, clientToken: token } = application;
    const body = { amount: 1, currencyCode: 'USD', reference: 'A', referenceLabel: 'A', clientId };
    const counts: number[] = [];
    for (let created = 0; created < 5; created++) {
      sent.length = 0;
      const url = `${shop.gateway.baseUrl}/api/payment/checkout`;
      const { status } = await sendRequest(url, { method: 'POST', token, body, key: newKey() });
      expect(status).toBe(201);
      counts.push(sent.length);
    }
    expect(Math.min(...counts)).toBe(1);
  });

  it('of the first instructions of a payment are at most 8', async () => {
    const counts: number[] = [];
    for (let asked = 0; asked < 5; asked++) {
      const fresh = await shop.createPayment(application);
      sent.length = 0;
      await shop.instructions(fresh);
      counts.push(sent.length);
    }
    expect(Math.min(...counts)).toBeLessThanOrEqual(8);
  });

  it('of a poll that is not modified are one', async () => {
    const path = `${shop.gateway.baseUrl}/api/checkout/payment/${payment.id}${query()}`;
    const tag = (await sendRequest(path)).headers.get('etag') ?? '';
    const ask = () => sendRequest(path, { headers: { 'if-none-match': tag } });
    // The first one learns the tag.
    await ask();
    const counts: number[] = [];
    for (let asked = 0; asked < 5; asked++) {
      sent.length = 0;
      expect((await ask()).status).toBe(304);
      counts.push(sent.length);
    }
    expect(Math.min(...counts)).toBe(1);
  });
});
