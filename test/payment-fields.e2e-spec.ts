import { stringifyExact } from '../src/platform/kernel/exact-json.pure.js';
import { type Answer, CONFIRMATIONS, type PaymentDto, Shop, type ShopApplication } from './support/shop.js';
import { Gateway } from '../sdk/src/index.js';
import { createOwner } from './support/principals.js';
import { sealPlanted } from './support/seal-planted.js';

interface Listed {
  data: Record<string, unknown>[];
  meta: { pagination: Record<string, number> };
}

const BIG = '1500000000000000001';

let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  shop = await Shop.open();
  application = await shop.application();
});
afterAll(() => shop.close());

const body = (changes: Record<string, unknown> = {}) => ({
  amount: 10_000,
  currencyCode: 'USD',
  reference: 'ORDER-1',
  referenceLabel: 'Order #1',
  clientId: application.clientId,
  ...changes,
});
const post = (fields: unknown): Promise<Answer<{ id: string; checkoutUrl: string }>> =>
  shop.call('POST', '/api/payment/checkout', application.clientToken, fields);
const read = async (id: string) =>
  (await shop.call<PaymentDto>('GET', `/api/payment/${id}`, application.clientToken)).body.data;

describe('metadata', () => {
  it('is returned with the payment and in its events, and nowhere else', async () => {
    const metadata = {
      cartId: 'c-17',
      note: 'Größe 42 – 日本 🎉 "quoted" \\ back\nline',
      constructor: 'a name that objects have',
      '10': 'ten',
      '2': 'two',
      empty: '',
    };
    const payment = await shop.createPayment(application, { metadata });
    expect((await shop.payment(payment)).metadata).toEqual(metadata);
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
    for (const event of shop.webhooks(payment)) expect(event.payment['metadata']).toEqual(metadata);

    const list = await shop.call<object[]>('GET', '/api/payment', shop.owner.accessToken);
    expect(stringifyExact(list.body.data)).not.toContain('c-17');
    for (const path of [`payment/${payment.id}`, `${payment.id}/payment-methods`])
      expect(stringifyExact((await shop.checkout(payment, path)).body)).not.toContain('c-17');
    const { pathname, search } = new URL(payment.checkoutUrl);
    const page = await fetch(shop.gateway.baseUrl + pathname + search);
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain('c-17');
  });

  it.each([
    ['absent', {}],
    ['null', { metadata: null }],
    ['empty', { metadata: {} }],
  ])('that is %s is stored as an empty object', async (_what, fields) => {
    expect((await read((await post(body(fields))).body.data.id)).metadata).toEqual({});
  });

  it('accepts 50 entries of 4,096 bytes, and no byte more', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `k${String(i).padStart(2, '0')}`);
    const frame = JSON.stringify(Object.fromEntries(names.map((name) => [name, '']))).length;
    const rest = 4_096 - frame;
    const metadata = Object.fromEntries(
      names.map((name, i) => [name, 'x'.repeat(Math.floor((rest + i) / 50))]),
    );
    expect(JSON.stringify(metadata)).toHaveLength(4_096);
    const { status, body: created } = await post(body({ metadata }));
    expect(status).toBe(201);
    expect((await read(created.data.id)).metadata).toEqual(metadata);
    const one = { ...metadata, k00: `${metadata['k00']}x` };
    expect(await post(body({ metadata: one }))).toMatchObject({
      status: 422,
      body: { errors: { metadata: ['The metadata field must not be greater than 4096 bytes as JSON.'] } },
    });
  });

  it('is measured with escapes, as in the database: a value of 500 control characters and 40 quotes', async () => {
    const metadata = { a: '\u0001'.repeat(500), b: '"\\'.repeat(20), ['"'.repeat(40)]: '\u007f\u2028' };
    const { status, body: created } = await post(body({ metadata }));
    expect(status).toBe(201);
    expect((await read(created.data.id)).metadata).toEqual(metadata);
  });

  it.each([
    ['a list', [], 'metadata'],
    ['a text', 'cart', 'metadata'],
    ['a number', { a: 1 }, 'metadata.a'],
    ['an object inside', { a: { b: 'c' } }, 'metadata.a'],
    ['null inside', { a: null }, 'metadata.a'],
    ['a value that is too long', { a: 'x'.repeat(501) }, 'metadata.a'],
    ['a name that is too long', { ['n'.repeat(41)]: 'x' }, 'metadata'],
    ['an empty name', { '': 'x' }, 'metadata'],
    ['51 entries', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'x'])), 'metadata'],
    ['NUL', { a: 'x\u0000' }, 'metadata.a'],
    ['half a surrogate pair', { a: '\ud800' }, 'metadata.a'],
  ])('with %s is refused with an error on the field', async (_what, metadata, field) => {
    const answer = await post(body({ metadata }));
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
  });

  it.each([
    ['a repeated name', '{"a":"1","a":"2"}'],
    ['a name of prototypes', '{"__proto__":"x"}'],
  ])('with %s is refused, because parsers disagree about it', async (_what, metadata) => {
    const text = JSON.stringify(body({ metadata: 'HERE' })).replace('"HERE"', metadata);
    expect(await post(text)).toMatchObject({ status: 400, body: { code: 'malformed_json' } });
  });
});

describe('amountAtomic', () => {
  it('is the amount with all its digits', async () => {
    const { amount: _without, ...rest } = body({ currencyCode: 'ETH', amountAtomic: BIG });
    const { status, body: created } = await post(rest);
    expect(status).toBe(201);
    expect((await read(created.data.id)).amount).toMatchObject({ amount: BigInt(BIG), atomic: BIG });
  });

  it('can be sent with an amount of null', async () => {
    const { id } = (await post(body({ amount: null, amountAtomic: '2500' }))).body.data;
    expect((await read(id)).amount).toMatchObject({ atomic: '2500', formatted: '$25.00' });
  });

  const FORM = 'The amountAtomic field must be a string of digits without leading zeros, e.g. "2500".';
  it.each([
    [
      'both',
      { amountAtomic: '10000' },
      { amountAtomic: ['The amountAtomic field must not be sent together with amount.'] },
    ],
    [
      'neither',
      { amount: undefined },
      { amount: ['The amount field is required when amountAtomic is not present.'] },
    ],
    ['a number', { amount: undefined, amountAtomic: 2500 }, { amountAtomic: [FORM] }],
    ['a decimal', { amount: undefined, amountAtomic: '25.00' }, { amountAtomic: [FORM] }],
    [
      'more than the currency allows',
      { amount: undefined, amountAtomic: '1000000000000000' },
      {
        amountAtomic: [
          'The amountAtomic field must be between 1 and 999999999999999, in the smallest unit of USD ($0.01 to $9,999,999,999,999.99).',
        ],
      },
    ],
  ])('%s is refused', async (_what, changes, errors) => {
    expect(await post(body(changes))).toMatchObject({ status: 422, body: { errors } });
  });
});

describe('livemode', () => {
  it('is false when every network is a test network, in payment and events', async () => {
    const payment = await shop.createPayment(application);
    expect((await shop.payment(payment)).livemode).toBe(false);
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    expect(shop.webhooks(payment)).toMatchObject([
      { livemode: false, payment: { livemode: false } },
      { livemode: false, payment: { livemode: false } },
    ]);
  });

  describe('on a gateway with a main network beside it', () => {
    let mixed: Shop;
    let own: ShopApplication;

    beforeAll(async () => {
      // Polygon's own chain id: a main network. No node responds there.
      mixed = await Shop.open({ CHAIN_POLYGON_RPC_URL: 'http://127.0.0.1:9' });
      own = await mixed.application();
    });
    afterAll(() => mixed.close());

    const livemode = async (fields: Record<string, unknown>, by = own) =>
      (await mixed.payment(await mixed.createPayment(by, fields))).livemode;

    it.each([
      ['without a restriction', {}, true],
      ['on the main network only', { blockchainSlug: 'polygon' }, true],
      ['on the test network only', { blockchainSlug: 'ethereum' }, false],
    ])('%s', async (_what, fields, expected) => expect(await livemode(fields)).toBe(expected));

    it('depends on the whitelist', async () => {
      expect(await livemode({}, await mixed.application({ currencyWhitelist: ['ETH'] }))).toBe(false);
      expect(await livemode({}, await mixed.application({ currencyWhitelist: ['ETH', 'POL'] }))).toBe(true);
    });

    it('that is false stays false, and such a payment is never offered on a main network', async () => {
      const growing = await mixed.application({ currencyWhitelist: ['ETH'] });
      const payment = await mixed.createPayment(growing);
      const path = `/api/payment-applications/${growing.id}`;
      await mixed.call('PUT', path, mixed.owner.accessToken, { currencyWhitelist: ['ETH', 'POL'] });
      expect((await mixed.payment(payment)).livemode).toBe(false);
      const methods = await mixed.checkout<{ provider: string }[]>(payment, `${payment.id}/payment-methods`);
      expect(methods.body.data.map(({ provider }) => provider)).toEqual(['ethereum']);
      expect(
        await mixed.checkout(payment, `payment/${payment.id}/provider/polygon/method/pol`),
      ).toMatchObject({
        status: 422,
        body: { errors: { method: [expect.any(String)] } },
      });
    });

    it('of a payment from an older release depends on the watched networks', async () => {
      const payment = await mixed.createPayment(own, { blockchainSlug: 'ethereum' });
      await mixed.gateway.sql.transaction(async (tx) => {
        await tx.query('alter table payments disable trigger payments_keep_extras');
        await tx.query(`set local gateway.resealing = 'on'`);
        await tx.query('update payments set livemode = null, mac = null where id = $1', [payment.id]);
        await tx.query('alter table payments enable trigger payments_keep_extras');
      });
      await sealPlanted(mixed.gateway);
      expect((await mixed.payment(payment)).livemode).toBe(true);
    });
  });
});

describe('GET /api/payment/by-reference', () => {
  const find = (query: Record<string, string>, token: string | null = application.clientToken) =>
    shop.call<Listed['data']>(
      'GET',
      `/api/payment/by-reference?${new URLSearchParams(query).toString()}`,
      token,
    ) as Promise<Answer<Listed['data']> & { body: Listed }>;

  it.each(['ORDER/2026/17', '../../payment', 'a b+c&d=e?#%41', 'Größe 日本 🎉', '%', 'checkout', 'o\'r"x'])(
    'finds a payment by %p',
    async (reference) => {
      const { id } = await shop.createPayment(application, { reference });
      const { status, body: found } = await find({ reference });
      expect(status).toBe(200);
      expect(found.data).toEqual([
        {
          id,
          status: 'OPEN',
          reference,
          referenceLabel: 'Order #1',
          currencyCode: 'USD',
          amount: expect.objectContaining({ atomic: '10000' }),
          date: expect.any(String),
        },
      ]);
      expect(found.meta.pagination).toMatchObject({ total: 1, count: 1, current_page: 1, total_pages: 1 });
    },
  );

  it('lists all payments of a reference, newest first, in pages', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.unshift((await shop.createPayment(application, { reference: 'TWICE' })).id);
      shop.gateway.clock.advanceSeconds(1);
    }
    const first = await find({ reference: 'TWICE', per_page: '2' });
    const second = await find({ reference: 'TWICE', per_page: '2', page: '2' });
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(ids);
    expect(first.body.meta.pagination).toMatchObject({ total: 3, count: 2, total_pages: 2 });
  });

  it('matches the whole reference exactly', async () => {
    await shop.createPayment(application, { reference: 'Case-1' });
    for (const reference of ['case-1', 'Case', 'Case-1 ', '%'])
      expect((await find({ reference: `${reference}?` })).body.data).toEqual([]);
    expect((await find({ reference: 'case-1' })).body.data).toEqual([]);
  });

  it('returns payments of its application to a client token, and of its user to an OAuth2 token', async () => {
    const sister = await shop.application();
    const reference = 'ACROSS';
    const mine = (await shop.createPayment(application, { reference })).id;
    shop.gateway.clock.advanceSeconds(1);
    const hers = (await shop.createPayment(sister, { reference })).id;
    const idsOf = async (token: string) => (await find({ reference }, token)).body.data.map(({ id }) => id);
    expect(await idsOf(application.clientToken)).toEqual([mine]);
    expect(await idsOf(sister.clientToken)).toEqual([hers]);
    expect(await idsOf(shop.owner.accessToken)).toEqual([hers, mine]);
    expect(await idsOf((await createOwner(shop.gateway)).accessToken)).toEqual([]);
  });

  it.each([
    ['no reference', {}, 'reference'],
    ['an empty one', { reference: '' }, 'reference'],
    ['one that is too long', { reference: 'x'.repeat(256) }, 'reference'],
    ['a page of 0', { reference: 'x', page: '0' }, 'page'],
  ])('refuses %s', async (_what, query, field) => {
    const answer = await find(query as Record<string, string>);
    expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });
});

describe('the client package', () => {
  it('creates a payment with these fields and finds it by its reference with a client token', async () => {
    const gateway = new Gateway({ baseUrl: shop.gateway.baseUrl, token: application.clientToken });
    const reference = 'ORDER/Größe 42?#& by the client';
    const metadata = { cart: 'c-17', constructor: 'x' };
    const { id } = await gateway.payments.create({
      amountAtomic: BIG,
      currencyCode: 'ETH',
      reference,
      referenceLabel: 'Order 42',
      clientId: application.clientId,
      metadata,
    });
    const found: string[] = [];
    for await (const payment of gateway.payments.byReference(reference)) found.push(payment.id);
    expect(found).toEqual([id]);
    expect(await gateway.payments.get(id)).toMatchObject({
      metadata,
      livemode: false,
      amount: { atomic: BIG, amount: BigInt(BIG) },
    });
    expect((await gateway.payments.byReference('nothing').page()).items).toEqual([]);
  });
});
