import {
  type Answer,
  CONFIRMATIONS,
  type CreatedPayment,
  type PaymentDto,
  Shop,
  type ShopApplication,
} from './support/shop.js';
import { createOwner } from './support/principals.js';

const MISSING = '0190a000-0000-7000-8000-000000000000';

describe('/api/payment', () => {
  let shop: Shop;
  let application: ShopApplication;
  let foreign: ShopApplication;

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application();
    const stranger = await createOwner(shop.gateway);
    const fields = { name: 'Foreign shop', secret: 'x' };
    const created = await shop.call<ShopApplication>(
      'POST',
      '/api/payment-applications',
      stranger.accessToken,
      fields,
    );
    foreign = created.body.data;
  });
  afterAll(() => shop.close());

  const post = (body: unknown, token: string | null = application.clientToken) =>
    shop.call<CreatedPayment>('POST', '/api/payment/checkout', token, body);
  const body = (changes: Record<string, unknown> = {}) => ({
    amount: 10_000,
    currencyCode: 'USD',
    reference: 'ORDER-1',
    referenceLabel: 'Order #1',
    clientId: application.clientId,
    ...changes,
  });
  const count = async () =>
    Number((await shop.gateway.sql.query<{ n: string }>('select count(*) as n from payments'))[0]?.n);

  describe('POST checkout', () => {
    it('returns 201 with the signed URL and the id, and nothing else', async () => {
      const { status, body: answer } = await post(body());
      expect(status).toBe(201);
      expect(Object.keys(answer)).toEqual(['data']);
      expect(Object.keys(answer.data).sort()).toEqual(['checkoutUrl', 'id']);
      const url = new URL(answer.data.checkoutUrl);
      expect(url.pathname).toBe(`/checkout/${answer.data.id}`);
      expect([...url.searchParams.keys()]).toEqual(['expires', 'signature']);
    });

    it('accepts every optional field and returns it', async () => {
      const expiresAt = new Date(shop.gateway.clock.now().getTime() + 3_600_000).toISOString();
      const optional = {
        siteId: application.site.id,
        redirectUrl: 'https://shop.example/thanks?x=1',
        blockchainSlug: 'ethereum',
        productId: '0190a000-0000-7000-8000-00000000abcd',
        settlementCurrencyCode: 'EUR',
        expiresAt,
      };
      const created = await post(body(optional));
      const { siteId: _notShown, ...shown } = optional;
      const read = await shop.call('GET', `/api/payment/${created.body.data.id}`, application.clientToken);
      expect(read.body.data).toMatchObject({
        ...shown,
        expiresAt: `${expiresAt.slice(0, 19)}Z`,
        expired: false,
      });
    });

    it('accepts the siteId alone, and an OAuth2 token', async () => {
      const { clientId: _without, ...siteOnly } = body({ siteId: application.site.id });
      expect((await post(siteOnly)).status).toBe(201);
      expect((await post(body(), shop.owner.accessToken)).status).toBe(201);
    });

    const wrong: [string, Record<string, unknown>, string][] = [
      ['no amount', { amount: undefined }, 'amount'],
      ['a text amount', { amount: '100' }, 'amount'],
      ['a zero amount', { amount: 0 }, 'amount'],
      ['a negative amount', { amount: -1 }, 'amount'],
      ['a fraction', { amount: 1.5 }, 'amount'],
      ['an array amount', { amount: [1] }, 'amount'],
      ['a true amount', { amount: true }, 'amount'],
      ['an amount above the bound', { amount: 10n ** 15n }, 'amount'],
      ['10^77', { amount: 10n ** 77n }, 'amount'],
      ['2^53 + 1 cents', { amount: 9_007_199_254_740_993n }, 'amount'],
      ['an unknown currency', { currencyCode: 'XXX' }, 'currencyCode'],
      ['a lower-case currency', { currencyCode: 'usd' }, 'currencyCode'],
      ['a NUL in the reference', { reference: 'a\u0000b' }, 'reference'],
      ['half a surrogate pair', { referenceLabel: 'a\ud800b' }, 'referenceLabel'],
      ['an empty reference', { reference: '' }, 'reference'],
      ['a long reference', { reference: 'x'.repeat(256) }, 'reference'],
      ['a number as reference', { reference: 1 }, 'reference'],
      ['no label', { referenceLabel: undefined }, 'referenceLabel'],
      ['no application', { clientId: undefined }, 'clientId'],
      ['an unknown application', { clientId: 'a'.repeat(32) }, 'clientId'],
      ['an application UUID as client id', { clientId: MISSING }, 'clientId'],
      ['an unknown site', { clientId: undefined, siteId: MISSING }, 'siteId'],
      ['a malformed site', { siteId: 'x' }, 'siteId'],
      ['a script as redirect', { redirectUrl: 'javascript:alert(1)' }, 'redirectUrl'],
      ['a relative redirect', { redirectUrl: '//evil.example' }, 'redirectUrl'],
      ['an unknown chain', { blockchainSlug: 'peercoin' }, 'blockchainSlug'],
      ['a malformed product', { productId: 'x' }, 'productId'],
      ['an unknown settlement currency', { settlementCurrencyCode: 'XXX' }, 'settlementCurrencyCode'],
      ['an expiry without zone', { expiresAt: '2030-01-01T00:00:00' }, 'expiresAt'],
      ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
      ['an expiry far away', { expiresAt: '2199-01-01T00:00:00Z' }, 'expiresAt'],
    ];
    it.each(wrong)('refuses %s and stores nothing', async (_name, changes, field) => {
      const before = await count();
      const answer = await post(body(changes));
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
      expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
      expect(answer.body.message).toContain(field);
      expect(await count()).toBe(before);
    });

    it.each(['10000.0', '1e4', '1E4', '0.1e6'])('refuses the number token %s', async (token) => {
      const text = JSON.stringify(body()).replace('"amount":10000', `"amount":${token}`);
      expect(await post(text)).toMatchObject({
        status: 422,
        body: { errors: { amount: expect.any(Array) } },
      });
    });

    it('accepts the largest amount of a currency', async () => {
      expect((await post(body({ amount: 10n ** 15n - 1n }))).status).toBe(201);
      expect((await post(body({ amount: 10n ** 27n, currencyCode: 'ETH' }))).status).toBe(201);
    });

    it("refuses another owner's application like an unknown one", async () => {
      for (const token of [application.clientToken, shop.owner.accessToken]) {
        const unknown = await post(body({ clientId: 'a'.repeat(32) }), token);
        const answer = await post(body({ clientId: foreign.clientId }), token);
        expect({ ...answer.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
      }
      const { clientId: _without, ...siteOnly } = body({ siteId: foreign.site.id });
      expect(await post(siteOnly)).toMatchObject({
        status: 422,
        body: { errors: { siteId: expect.any(Array) } },
      });
    });

    it("refuses an application that is the owner's but not the token's", async () => {
      const other = await shop.application();
      expect(await post(body({ clientId: other.clientId }))).toMatchObject({ status: 422 });
      expect((await post(body({ clientId: other.clientId }), shop.owner.accessToken)).status).toBe(201);
    });

    it('refuses a deleted application', async () => {
      const gone = await shop.application();
      await shop.call('DELETE', `/api/payment-applications/${gone.id}`, shop.owner.accessToken);
      const answer = await post(body({ clientId: gone.clientId }), shop.owner.accessToken);
      expect(answer).toMatchObject({ status: 422, body: { errors: { clientId: expect.any(Array) } } });
    });

    it('refuses a chain on which the whitelist allows nothing', async () => {
      const onlyBitcoin = await shop.application({ currencyWhitelist: ['ETH'] });
      // Set while another chain was watched, too: by the API it can no longer be.
      await shop.gateway.sql.query(
        `update payment_applications set currency_whitelist = '{BTC}' where id = $1`,
        [onlyBitcoin.id],
      );
      const answer = await post(
        body({ clientId: onlyBitcoin.clientId, blockchainSlug: 'ethereum' }),
        onlyBitcoin.clientToken,
      );
      expect(answer).toMatchObject({ status: 422, body: { errors: { blockchainSlug: expect.any(Array) } } });
    });

    it('ignores unknown fields', async () => {
      const created = await post(
        body({ status: 'CONFIRMED', userId: MISSING, receivedAmount: 1, id: MISSING }),
      );
      expect(created.status).toBe(201);
      const read = await shop.call<PaymentDto>(
        'GET',
        `/api/payment/${created.body.data.id}`,
        application.clientToken,
      );
      expect(read.body.data).toMatchObject({ status: 'OPEN', userId: shop.owner.userId });
    });
  });

  describe('GET one', () => {
    it.each([MISSING, 'x', MISSING.toUpperCase(), `${MISSING}x`, '%00'])('returns 404 for %s', async (id) => {
      const answer = await shop.call('GET', `/api/payment/${id}`, application.clientToken);
      expect(answer.status).toBe(404);
    });

    it('returns 404 to a client token of another application, and to other users', async () => {
      const other = await shop.application();
      const payment = await shop.createPayment(other);
      const missing = await shop.call('GET', `/api/payment/${MISSING}`, application.clientToken);
      const hidden = await shop.call('GET', `/api/payment/${payment.id}`, application.clientToken);
      expect({ ...hidden.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
      const stranger = await createOwner(shop.gateway);
      expect((await shop.call('GET', `/api/payment/${payment.id}`, stranger.accessToken)).status).toBe(404);
      expect((await shop.call('GET', `/api/payment/${payment.id}`, shop.owner.accessToken)).status).toBe(200);
    });
  });

  describe('GET list', () => {
    interface Listing {
      data: { id: string; amount: { amount: number }; reference: string }[];
      meta: { pagination: Record<string, number> };
    }
    let own: ShopApplication;
    let ids: string[];
    const list = async (query: string) => {
      const answer = (await shop.call('GET', `/api/payment?${query}`, shop.owner.accessToken)) as Answer;
      return { status: answer.status, ...(answer.body as unknown as Listing) };
    };

    beforeAll(async () => {
      own = await shop.application();
      ids = [];
      for (let i = 1; i <= 25; i++) {
        const fields = {
          amount: i * 100,
          reference: `LIST-${i}`,
          referenceLabel: i === 7 ? '100% wool_x' : 'Thing',
        };
        ids.push((await shop.createPayment(own, fields)).id);
      }
    });

    it('returns pages of 20, newest first, with exact totals', async () => {
      const first = await list(`paymentApplicationId=${own.id}`);
      expect(first.meta.pagination).toEqual({
        total: 25,
        count: 20,
        per_page: 20,
        current_page: 1,
        total_pages: 2,
      });
      const second = await list(`paymentApplicationId=${own.id}&page=2`);
      expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([...ids].reverse());
      expect(second.meta.pagination).toMatchObject({ count: 5, current_page: 2 });
    });

    it('returns exactly the seven fields', async () => {
      const { data } = await list(`paymentApplicationId=${own.id}&per_page=1`);
      expect(Object.keys(data[0] ?? {})).toEqual([
        'id',
        'status',
        'reference',
        'referenceLabel',
        'currencyCode',
        'amount',
        'date',
      ]);
    });

    it.each([
      ['reference=LIST-3', ['LIST-3']],
      ['search=100%25', ['LIST-7']],
      ['search=wool_', []],
      [
        'search=LIST-2&sort=date',
        ['LIST-2', 'LIST-20', 'LIST-21', 'LIST-22', 'LIST-23', 'LIST-24', 'LIST-25'],
      ],
      ['sort=amount&per_page=2', ['LIST-1', 'LIST-2']],
      ['sort=-amount&perPage=2', ['LIST-25', 'LIST-24']],
      ['status=OPEN,FOUND&sort=amount&per_page=1', ['LIST-1']],
      ['status=CONFIRMED', []],
      ['currencyCode=EUR', []],
      ['dateFrom=2999-01-01T00:00:00Z', []],
      ['dateTo=2001-01-01T00:00:00Z', []],
      ['page=9', []],
    ])('filters by %s', async (query, expected) => {
      const { status, data } = await list(`paymentApplicationId=${own.id}&${query}`);
      expect(status).toBe(200);
      expect(data.map(({ reference }) => reference)).toEqual(expected);
    });

    it('finds a payment by id, address and transaction hash', async () => {
      const payment = await shop.createPayment(application);
      const instructions = await shop.instructions(payment);
      const txHash = await shop.send(instructions);
      await shop.mine();
      for (const term of [payment.id, instructions.address, instructions.address.toLowerCase(), txHash]) {
        expect((await list(`search=${term}`)).data.map(({ id }) => id)).toEqual([payment.id]);
      }
    });

    it('returns an empty page for an unknown application and nothing of other users', async () => {
      const { data, meta } = await list(`paymentApplicationId=${MISSING}`);
      expect(data).toEqual([]);
      expect(meta.pagination).toEqual({ total: 0, count: 0, per_page: 20, current_page: 1, total_pages: 1 });
      expect((await list(`paymentApplicationId=${foreign.id}`)).data).toEqual([]);
    });

    it.each([
      'page=0',
      'page=-1',
      'page=x',
      'page=1e2',
      'page=1&page=2',
      'per_page=101',
      'per_page=0',
      'sort=foo',
      'status=open',
      'status=OPEN,',
      'currencyCode=usd',
      'paymentApplicationId=x',
      'dateFrom=today',
    ])('refuses %s', async (query) => {
      const answer = await list(query);
      expect(answer).toMatchObject({ status: 422 });
    });

    it('accepts OAuth2 tokens only', async () => {
      const answer = await shop.call('GET', '/api/payment', application.clientToken);
      expect(answer).toMatchObject({
        status: 401,
        body: { message: 'Unauthenticated', code: 'oauth_token_required' },
      });
    });
  });

  describe('cancel and accept', () => {
    const act = (payment: CreatedPayment, verb: string, fields?: unknown) =>
      shop.call<PaymentDto>('POST', `/api/payment/${payment.id}/${verb}`, application.clientToken, fields);

    it('cancels an open payment, repeatedly', async () => {
      const payment = await shop.createPayment(application);
      for (const _twice of [1, 2]) {
        const answer = await act(payment, 'cancel', { reason: 'changed my mind' });
        expect(answer).toMatchObject({ status: 200, body: { data: { status: 'CANCELLED' } } });
        expect(answer.body.data.cancelledAt).not.toBeNull();
        expect(answer.body.data.cancelReason).toBe('changed my mind');
      }
      expect(await shop.payment(payment)).toMatchObject({ cancelReason: 'changed my mind' });
      // The first reason stands.
      const other = await act(payment, 'cancel', { reason: 'another' });
      expect(other.body.data.cancelReason).toBe('changed my mind');
      await shop.settle();
      expect(shop.events(payment)).toEqual([]);
      const path = `payment/${payment.id}/provider/ethereum/method/eth`;
      expect(await shop.checkout(payment, path)).toMatchObject({
        status: 409,
        body: { code: 'payment_not_payable' },
      });
    });

    it('does not cancel a payment with funds', async () => {
      const payment = await shop.createPayment(application);
      await shop.send(await shop.instructions(payment));
      await shop.mine();
      expect(await act(payment, 'cancel')).toMatchObject({
        status: 409,
        body: { code: 'invalid_state_transition' },
      });
      await shop.mine(CONFIRMATIONS);
      expect(await act(payment, 'cancel')).toMatchObject({ status: 409 });
      expect(await act(payment, 'accept')).toMatchObject({ status: 409 });
    });

    it('does not accept an open payment', async () => {
      const payment = await shop.createPayment(application);
      expect(await act(payment, 'accept')).toMatchObject({
        status: 409,
        body: { code: 'invalid_state_transition' },
      });
    });

    it('accepting a payment acknowledges it for a merchant whose endpoint is dead', async () => {
      const payment = await shop.createPayment(application);
      await shop.send(await shop.instructions(payment));
      await shop.merchant.down();
      await shop.mine(CONFIRMATIONS);
      expect(await shop.status(payment)).toBe('RECEIVED');
      expect(await act(payment, 'accept')).toMatchObject({
        status: 200,
        body: { data: { status: 'CONFIRMED' } },
      });
      await shop.merchant.up();
    });
  });

  it('reports settlement in another currency at the rate of the quote', async () => {
    shop.rates.setPrice('BTC', 'USD', '60000');
    shop.rates.setPrice('BTC', 'EUR', '54000');
    const payment = await shop.createPayment(application, { settlementCurrencyCode: 'EUR' });
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      settledAmount: { amount: 9_000, formatted: '€90.00' },
    });
  });
});
