import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

/** What POST /api/payment/checkout answers to the mistakes that integrators make: how to go on, and all at once. */
describe('mistakes in the body of a payment', () => {
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application();
  });
  afterAll(() => shop.close());

  const post = (body: unknown, token: string | null = application.clientToken) =>
    shop.call<CreatedPayment>('POST', '/api/payment/checkout', token, body);

  it('are named in one answer, whoever finds them', async () => {
    const answer = await post({
      amount: 10n ** 11n + 1n,
      currencyCode: 'USD',
      reference: '',
      clientId: 'a'.repeat(32),
      blockchainSlug: 'peercoin',
      settlementCurrencyCode: 'XXX',
      redirectUrl: '/thanks',
      productId: 'x',
      expiresAt: '2020-01-01T00:00:00Z',
    });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors ?? {}).toSorted()).toEqual([
      'amount',
      'blockchainSlug',
      'clientId',
      'expiresAt',
      'productId',
      'redirectUrl',
      'reference',
      'referenceLabel',
      'settlementCurrencyCode',
    ]);
    expect(answer.body.message).toMatch(/ \(and 8 more errors\)$/);
  });
});
