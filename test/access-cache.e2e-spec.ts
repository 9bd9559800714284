import { jest } from '@jest/globals';
import { sendRequest } from './support/api-request.js';
import { Shop, type ShopApplication } from './support/shop.js';
import type { TestGateway } from './support/test-gateway.js';

/** Milliseconds: within so long every process follows (specification/authentication.md#client-tokens). */
const WITHIN = 1_000;

describe('what a process remembers of a token and its application', () => {
  let shop: Shop;
  let other: TestGateway;
  let application: ShopApplication;
  /** Milliseconds, which only the test moves. */
  let now = performance.now();

  beforeAll(async () => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    shop = await Shop.open({ ACCESS_CACHE_MS: String(WITHIN) });
    other = await shop.gateway.another();
  });
  afterAll(async () => {
    await other.close();
    await shop.close();
    jest.restoreAllMocks();
  });
  beforeEach(async () => {
    application = await shop.application();
  });

  /** Creates a payment with the client token. @returns the status of the response */
  const create = async (at: TestGateway, currencyCode = 'USD'): Promise<number> => {
    const { clientId, clientToken: token } = application;
    const fields = { amount: 1, currencyCode, reference: 'r', referenceLabel: 'l', clientId };
    return (await sendRequest(`${at.baseUrl}/api/payment/checkout`, { token, body: fields })).status;
  };
  const path = () => `/api/payment-applications/${application.id}`;
  const ask = (method: string, target: string, body?: unknown) =>
    shop.call<{ id: string }[]>(method, target, shop.owner.accessToken, body);

  it('ends with a revocation: at once where it was made, within a second elsewhere', async () => {
    expect([await create(shop.gateway), await create(other)]).toEqual([201, 201]);
    const tokens = await ask('GET', `${path()}/client-tokens`);
    expect((await ask('DELETE', `${path()}/client-tokens/${tokens.body.data[0]?.id}`)).status).toBe(204);
    expect(await create(shop.gateway)).toBe(401);
    expect(await create(other)).toBe(201);
    now += WITHIN;
    expect(await create(other)).toBe(401);
  });

  it('ends with the deletion of the application: at once where it was made, within a second elsewhere', async () => {
    expect([await create(shop.gateway), await create(other)]).toEqual([201, 201]);
    expect((await ask('DELETE', path())).status).toBe(200);
    expect(await create(shop.gateway)).toBe(401);
    expect(await create(other)).toBe(201);
    now += WITHIN;
    expect(await create(other)).toBe(401);
  });

  it('ends with a change of the settings: at once where it was made, within a second elsewhere', async () => {
    const payment = await shop.createPayment(application);
    const methods = async (at: TestGateway) => {
      const query = new URL(payment.checkoutUrl).search;
      const { text } = await sendRequest(`${at.baseUrl}/api/checkout/${payment.id}/payment-methods${query}`);
      return (JSON.parse(text) as { data: { method: string }[] }).data.map(({ method }) => method);
    };
    expect((await methods(shop.gateway)).length).toBe((await methods(other)).length);
    expect((await ask('PUT', path(), { currencyWhitelist: ['USDT'] })).status).toBe(200);
    expect(await methods(shop.gateway)).toEqual(['usdt']);
    expect((await methods(other)).length).toBeGreaterThan(1);
    now += WITHIN;
    expect(await methods(other)).toEqual(['usdt']);
  });
});
