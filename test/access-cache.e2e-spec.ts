import { sendRequest } from './support/api-request.js';
import { Shop, type ShopApplication } from './support/shop.js';
import type { TestGateway } from './support/test-gateway.js';

/** Milliseconds: within so long every process follows (specification/authentication.md#client-tokens). */
const WITHIN = 1_000;

describe('what a process remembers of a token and its application', () => {
  let shop: Shop;
  let other: TestGateway;
  let application: ShopApplication;

  beforeAll(async () => {
    shop = await Shop.open({ ACCESS_CACHE_MS: String(WITHIN) });
    other = await shop.gateway.another();
  });
  afterAll(async () => {
    await other.close();
    await shop.close();
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
  /**
   * Keeps asking a process, so that it always remembers, until it follows.
   * @returns after how many milliseconds the last one was sent that it did not follow in: an answer may take longer
   */
  const lagOf = async (isFollowed: () => Promise<boolean>): Promise<number> => {
    const begun = performance.now();
    let last = begun;
    for (let sent = begun; !(await isFollowed()); sent = performance.now()) {
      if (sent - begun > 10 * WITHIN) return Infinity;
      last = sent;
    }
    return last - begun;
  };
  const isRefused = async () => (await create(other)) === 401;
  const inTime = (): number => WITHIN + 500;

  it('ends with a revocation: at once where it was made, within a second elsewhere', async () => {
    expect([await create(shop.gateway), await create(other)]).toEqual([201, 201]);
    const tokens = await ask('GET', `${path()}/client-tokens`);
    expect((await ask('DELETE', `${path()}/client-tokens/${tokens.body.data[0]?.id}`)).status).toBe(204);
    expect(await create(shop.gateway)).toBe(401);
    expect(await lagOf(isRefused)).toBeLessThan(inTime());
  });

  it('ends with the deletion of the application: at once where it was made, within a second elsewhere', async () => {
    expect([await create(shop.gateway), await create(other)]).toEqual([201, 201]);
    expect((await ask('DELETE', path())).status).toBe(200);
    expect(await create(shop.gateway)).toBe(401);
    expect(await lagOf(isRefused)).toBeLessThan(inTime());
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
    expect(await lagOf(async () => (await methods(other)).length === 1)).toBeLessThan(inTime());
    expect(await methods(other)).toEqual(['usdt']);
  });
});
