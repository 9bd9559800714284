import { APPLICATIONS } from './support/applications-api.js';
import { handlers } from './support/contract/registered-routes.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

const HEADER = 'x-ignored-fields';
const UNKNOWN_ID = '0190a000-0000-7000-8000-000000000000';
/** Libraries that stand in for EventSource add parameters of their own. */
const LENIENT = 'GET /api/events/stream';

describe('unknown input', () => {
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application();
  });
  afterAll(() => shop.close());

  const get = async (path: string, token: string | null = shop.owner.accessToken, method = 'GET') => {
    const response = await fetch(`${shop.gateway.baseUrl}${path}`, {
      method,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    });
    return {
      status: response.status,
      body: (await response.json()) as { errors?: Record<string, string[]> },
    };
  };
  const send = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${shop.gateway.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${shop.owner.accessToken}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as {
      data?: { site: { callbackUrl: string | null } };
      errors?: Record<string, string[]>;
      hint?: string;
    };
    return { status: response.status, header: response.headers.get(HEADER), answer };
  };

  it('is refused in the query of every list', async () => {
    const lists = handlers(shop.gateway).filter(({ query, key }) => query && key !== LENIENT);
    expect(lists.length).toBeGreaterThan(12);
    for (const { key, access } of lists) {
      if (access?.kind === 'operator') continue;
      const [method, template = ''] = key.split(' ');
      const path = template.replace('{}', application.id).replaceAll('{}', UNKNOWN_ID);
      const { status, body } = await get(`${path}?nonsense=1`, undefined, method);
      expect([key, status, body.errors?.['nonsense']]).toEqual([
        key,
        422,
        [
          expect.stringMatching(
            /^The nonsense parameter is not known by this list\. (Known are |It takes none)/,
          ),
        ],
      ]);
    }
  });

  it.each([
    ['perpage=5', 'perpage', 'per_page or perPage'],
    ['limit=5', 'limit', 'per_page'],
    ['page[size]=5', 'page[size]', 'per_page'],
    ['page%5Bnumber%5D=2', 'page[number]', 'page'],
    ['application_id=x', 'application_id', 'paymentApplicationId'],
    ['Status=OPEN', 'Status', 'status'],
  ])('is refused as %s in the list of payments, with a suggestion', async (query, name, meant) => {
    const { status, body } = await get(`/api/payment?${query}`);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [name]]);
    expect(body.errors?.[name]?.[0]).toContain(`Did you mean ${meant}?`);
  });

  it('stays allowed in signed links, which shops and mail programs extend', async () => {
    const payment = await shop.createPayment(application);
    const { pathname, search } = new URL(payment.checkoutUrl);
    for (const path of [`/api/checkout/payment/${payment.id}`, `/api/checkout/${payment.id}/payment-methods`])
      expect((await get(`${path}${search}&utm_source=mail&lang=de`, null)).status).toBe(200);
    const page = await fetch(`${shop.gateway.baseUrl}${pathname}${search}&utm_source=mail&lang=de`);
    expect(page.status).toBe(200);
  });

  it('is ignored in a body and named in a header', async () => {
    const made = await send('POST', APPLICATIONS, { name: 'My Store', secret: 's', color: 'red', 'x y': 1 });
    expect([made.status, made.header]).toEqual([201, 'color']);
    const known = await send('POST', APPLICATIONS, { name: 'My Store', secret: 's' });
    expect([known.status, known.header]).toEqual([201, null]);
  });

  it('is named in an error too, with the field that was probably meant', async () => {
    const { status, header, answer } = await send('POST', '/api/payment/checkout', {
      ammount: 5,
      currencyCode: 'USD',
      reference: 'A',
      referenceLabel: 'A',
      clientId: application.clientId,
    });
    expect([status, header, answer.errors]).toEqual([
      422,
      'ammount',
      { amount: ['The amount field is required when amountAtomic is not present.'] },
    ]);
    expect(answer.hint).toContain('is it meant to be amount?');
  });

  it('is named in a repeated response as in the first', async () => {
    const body = {
      amount: 100,
      currencyCode: 'USD',
      reference: 'A',
      referenceLabel: 'A',
      clientId: application.clientId,
      order: 7,
    };
    const key = { 'idempotency-key': 'unknown-fields-1' };
    const first = await send('POST', '/api/payment/checkout', body, key);
    const again = await send('POST', '/api/payment/checkout', body, key);
    expect([first.status, first.header]).toEqual([201, 'order']);
    expect(again).toEqual(first);
  });

  describe('below `site`', () => {
    it('is refused where a change would be lost, saying where the field goes', async () => {
      const callbackUrl = 'https://shop.example/new-hook';
      const lost = [
        'The site.callbackUrl field is not read here: send callbackUrl at the top level of the body.',
      ];
      const put = await send('PUT', `${APPLICATIONS}/${application.id}`, { site: { callbackUrl } });
      expect([put.status, put.answer.errors]).toEqual([422, { 'site.callbackUrl': lost }]);
      const made = await send('POST', APPLICATIONS, { name: 'My Store', secret: 's', site: { callbackUrl } });
      expect([made.status, made.answer.errors]).toEqual([422, { 'site.callbackUrl': lost }]);
    });

    it('is ignored when a response is sent back unchanged', async () => {
      const { data } = (await get(`${APPLICATIONS}/${application.id}`)).body as { data?: object };
      const back = await send('PUT', `${APPLICATIONS}/${application.id}`, data);
      expect(back.status).toBe(200);
      expect(back.header?.split(', ')).toContain('site');
    });
  });

  it('is not taken for a change: a body that is required and missing is refused', async () => {
    const paths = ['/api/account', `${APPLICATIONS}/${application.id}`];
    for (const path of paths) {
      const missing = await send('PUT', path, undefined);
      expect([path, missing.status, missing.answer.errors]).toEqual([
        path,
        422,
        { body: ['The request body is required.'] },
      ]);
      expect([path, (await send('PUT', path, {})).status]).toEqual([path, 200]);
    }
    const payment = await shop.createPayment(application);
    expect((await send('POST', `/api/payment/${payment.id}/cancel`, undefined)).status).toBe(200);
  });

  it('does not break a body that a route reads in any form', async () => {
    const { body } = await shop.call<CreatedPayment>(
      'POST',
      '/api/payment/checkout',
      application.clientToken,
      [],
    );
    expect(body).toMatchObject({ code: 'validation_failed', errors: { body: expect.any(Array) } });
  });
});
