import { createOwner } from './support/principals.js';
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

  it('are all named in one response', async () => {
    const answer = await post({
      amount: 10n ** 15n,
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

  const body = (changes: Record<string, unknown> = {}) => ({
    amount: 10_000,
    currencyCode: 'USD',
    reference: 'ORDER-1',
    referenceLabel: 'Order #1',
    clientId: application.clientId,
    ...changes,
  });
  const said = async (changes: Record<string, unknown>, token?: string) => {
    const { status, body: answer } = await post(body(changes), token);
    expect(status).toBe(422);
    return Object.values(answer.errors ?? {}).flat();
  };

  const CODES = 'It must be an upper-case currency code, as GET /api/currencies lists them.';
  const AMOUNT = 'The amount field must be an integer in the smallest unit of';
  it.each<[Record<string, unknown>, string]>([
    [{ currencyCode: 'usd' }, `The selected currencyCode is invalid. Did you mean USD? ${CODES}`],
    [{ currencyCode: 'ethereum' }, `The selected currencyCode is invalid. Did you mean ETH? ${CODES}`],
    [
      { currencyCode: 'BTC' },
      'The selected currencyCode is known, but not enabled on this gateway; enabled: ETH, USDT, USDC.',
    ],
    [{ currencyCode: 'XXX' }, `The selected currencyCode is invalid. ${CODES}`],
    [
      { settlementCurrencyCode: 'Euro' },
      `The selected settlementCurrencyCode is invalid. Did you mean EUR? ${CODES}`,
    ],
    [
      { blockchainSlug: 'ETH' },
      'The selected blockchainSlug is invalid. Did you mean ethereum? It must be ethereum.',
    ],
    [
      { blockchainSlug: 'BTC' },
      'The selected blockchainSlug is invalid. It must be ethereum. (bitcoin is known, but not enabled on this gateway.)',
    ],
    [
      { blockchainSlug: 'bitcoin' },
      'The selected blockchainSlug is known, but not enabled on this gateway; enabled: ethereum.',
    ],
    [{ amount: '25.00' }, `${AMOUNT} USD, digits only: 2500 for 25.00 USD.`],
    [{ amount: '2500' }, `${AMOUNT} USD, digits only and without quotes: 2500. Text goes into amountAtomic.`],
    [{ amount: 19.9 }, `${AMOUNT} USD, digits only: 1990 for 19.90 USD.`],
    [
      { amount: '1.5', currencyCode: 'ETH' },
      `${AMOUNT} ETH, digits only: 1500000000000000000 for 1.500000000000000000 ETH.`,
    ],
    ...[0, -1, 10n ** 15n].map((amount): [Record<string, unknown>, string] => [
      { amount },
      'The amount field must be between 1 and 999999999999999, in the smallest unit of USD ($0.01 to $9,999,999,999,999.99).',
    ]),
    [{ amount: undefined }, 'The amount field is required when amountAtomic is not present.'],
    [
      { siteId: '0190a000-0000-7000-8000-000000000000' },
      'The siteId field must be the site of the payment application that clientId names. Send one of the two.',
    ],
  ])('%j', async (changes, message) => {
    expect(await said(changes)).toEqual([message]);
  });

  it('1e3 is explained in the currency that was sent', async () => {
    const text = JSON.stringify(body()).replace('"amount":10000', '"amount":1e3');
    const answer = await post(text);
    expect(answer.body.errors).toEqual({ amount: [`${AMOUNT} USD, digits only: 2500 for 25.00 USD.`] });
  });

  describe('that confuse the ids', () => {
    const owner = () => shop.owner.accessToken;
    it('are recognized when the caller owns the application', async () => {
      const { id, clientId, site } = application;
      const { clientId: _none, ...siteOnly } = body({ siteId: id });
      expect(await said({ clientId: id }, owner())).toEqual([
        expect.stringContaining(`This is the id of your payment application; its clientId is ${clientId}.`),
      ]);
      expect(await said({ clientId: site.id }, owner())).toEqual([
        expect.stringContaining(
          `This is the siteId of your payment application; its clientId is ${clientId}.`,
        ),
      ]);
      expect((await post(siteOnly, owner())).body.message).toContain(
        `This is the id of your payment application; its siteId is ${site.id}.`,
      );
      expect((await post({ ...siteOnly, siteId: clientId }, owner())).body.message).toContain(
        'This looks like the clientId of a payment application.',
      );
      expect(await said({ clientId: id })).toEqual([
        `The selected clientId is invalid. This is the id of your payment application. A client token acts for its own payment application only, whose clientId is ${clientId}.`,
      ]);
    });

    it('reveal nothing about objects of other users', async () => {
      const stranger = await createOwner(shop.gateway);
      const made = await shop.call<ShopApplication>(
        'POST',
        '/api/payment-applications',
        stranger.accessToken,
        {
          name: 'Foreign shop',
          secret: 'x',
        },
      );
      const foreign = made.body.data;
      const missing = '0190a000-0000-7000-8000-000000000000';
      for (const token of [application.clientToken, owner()]) {
        const unknown = await said({ clientId: missing }, token);
        expect(await said({ clientId: foreign.id }, token)).toEqual(unknown);
        expect(await said({ clientId: foreign.site.id }, token)).toEqual(unknown);
        expect(await said({ clientId: undefined, siteId: foreign.id }, token)).toEqual(
          await said({ clientId: undefined, siteId: missing }, token),
        );
      }
    });

    it('say that a client token was sent in the wrong field, without repeating it', async () => {
      const [message] = await said({ clientId: application.clientToken });
      expect(message).toContain('This looks like a client token');
      expect(message).not.toContain(application.clientToken);
    });

    it('say that an application was deleted, and how to restore it', async () => {
      const gone = await shop.application();
      await shop.call('DELETE', `/api/payment-applications/${gone.id}`, owner());
      expect(await said({ clientId: gone.clientId }, owner())).toEqual([
        `The selected clientId is invalid. This payment application was deleted; restore it with POST /api/payment-applications/${gone.id}/restore, or use another one.`,
      ]);
    });
  });
});
