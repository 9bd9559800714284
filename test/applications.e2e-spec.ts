import { randomUUID } from 'node:crypto';
import { UnsealError } from '../src/common/keyring.js';
import { ApplicationsService } from '../src/applications/applications.service.js';
import { createOwner, type Owner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

interface ApplicationDto {
  id: string;
  name: string;
  clientId: string;
  userId: string;
  currencyWhitelist: string[];
  site: {
    id: string;
    title: string;
    url: string | null;
    callbackUrl: string | null;
    setting: { id: string; title: string; allowOverpay: boolean; allowUnderpay: boolean };
  };
  paymentAppImage: null;
  createdAt: string;
  deletedAt: string | null;
}

interface ErrorBody {
  message: string;
  code: string;
  errors?: Record<string, string[]>;
}

interface Answer<T> {
  status: number;
  text: string;
  data: T;
  error: ErrorBody;
  meta?: { pagination: Record<string, number> };
}

const PATH = '/api/payment-applications';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ISO_SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const SECRET = 'whsec_c2VjcmV0LWNhbmFyeS0wMDAxLTAwMDE=';
const NOT_FOUND = {
  status: 404,
  error: { code: 'payment_application_not_found', message: 'Payment application not found' },
};

describe('payment applications', () => {
  let gateway: TestGateway;
  let owner: Owner;
  let stranger: Owner;

  beforeAll(async () => {
    gateway = await startTestGateway();
    [owner, stranger] = await Promise.all([createOwner(gateway), createOwner(gateway)]);
  });

  afterAll(() => gateway.close());

  async function call<T = ApplicationDto>(
    who: Owner | null,
    method: string,
    path: string,
    body?: unknown,
    at: TestGateway = gateway,
  ): Promise<Answer<T>> {
    const response = await fetch(`${at.baseUrl}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(who && { authorization: `Bearer ${who.accessToken}` }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = JSON.parse(text) as { data: T; meta?: Answer<T>['meta'] } & ErrorBody;
    return {
      status: response.status,
      text,
      data: parsed.data,
      error: parsed,
      ...(parsed.meta && { meta: parsed.meta }),
    };
  }

  async function create(fields: object = {}, who = owner): Promise<ApplicationDto> {
    const { status, data, text } = await call(who, 'POST', PATH, {
      name: 'My Store',
      secret: SECRET,
      ...fields,
    });
    if (status !== 201) throw new Error(`not created: ${status} ${text}`);
    return data;
  }

  const put = (id: string, changes: unknown, who = owner) => call(who, 'PUT', `${PATH}/${id}`, changes);
  const get = (id: string, who = owner) => call(who, 'GET', `${PATH}/${id}`);
  const names = async (query: string, who: Owner) =>
    (await call<ApplicationDto[]>(who, 'GET', `${PATH}${query}`)).data.map(({ name }) => name);

  describe('create', () => {
    it('answers 201 with everything but the secret', async () => {
      const { status, data, text } = await call(owner, 'POST', PATH, {
        name: 'My Store',
        secret: SECRET,
        url: 'https://mystore.example',
        callbackUrl: 'https://mystore.example/webhook?x=1',
        currencyWhitelist: ['BTC', 'ETH', 'USDT'],
        allowUnderpay: true,
        allowOverpay: false,
      });
      expect(status).toBe(201);
      expect(data).toEqual({
        id: expect.stringMatching(UUID),
        name: 'My Store',
        clientId: expect.stringMatching(/^[a-z0-9]{32}$/),
        userId: owner.userId,
        currencyWhitelist: ['BTC', 'ETH', 'USDT'],
        site: {
          id: expect.stringMatching(UUID),
          title: 'My Store',
          url: 'https://mystore.example',
          callbackUrl: 'https://mystore.example/webhook?x=1',
          setting: {
            id: expect.stringMatching(UUID),
            title: 'Default Settings',
            allowOverpay: false,
            allowUnderpay: true,
          },
        },
        paymentAppImage: null,
        createdAt: expect.stringMatching(ISO_SECONDS),
        deletedAt: null,
      });
      expect(new Set([data.id, data.site.id, data.site.setting.id]).size).toBe(3);
      expect(text).not.toContain(SECRET);
    });

    it('has defaults: all currencies, overpay taken, underpay not, no addresses', async () => {
      const { currencyWhitelist, site } = await create();
      expect(currencyWhitelist).toEqual([]);
      expect(site).toMatchObject({ url: null, callbackUrl: null });
      expect(site.setting).toMatchObject({ allowOverpay: true, allowUnderpay: false });
    });

    it('takes null for the addresses, an empty whitelist for "all", and ignores what it does not know', async () => {
      const created = await create({
        url: null,
        callbackUrl: null,
        currencyWhitelist: [],
        clientId: 'a'.repeat(32),
        userId: stranger.userId,
        surprise: { deep: [1] },
      });
      expect(created).toMatchObject({ userId: owner.userId, currencyWhitelist: [], site: { url: null } });
      expect(created.clientId).not.toBe('a'.repeat(32));
      expect(created).not.toHaveProperty('surprise');
    });

    it('takes http and loopback addresses in the development profile', async () => {
      const { site } = await create({
        url: 'http://localhost:8080',
        callbackUrl: 'http://127.0.0.1:3999/hook',
      });
      expect(site).toMatchObject({ url: 'http://localhost:8080', callbackUrl: 'http://127.0.0.1:3999/hook' });
    });

    it.each([
      ['3 characters', 'abc'],
      ['255 characters', 'n'.repeat(255)],
      ['255 emoji', '😀'.repeat(255)],
      ['3 Chinese characters', '小商店'],
      ['spaces around, kept as they are', '  My Store  '],
      ['markup, kept as it is', `<script>alert("1")</script> '; drop table users --`],
    ])('takes a name of %s', async (_what, name) => {
      const created = await create({ name });
      expect(created.name).toBe(name);
      expect((await get(created.id)).data).toEqual(created);
    });

    it('does not ask for unique names', async () => {
      const [first, second] = [await create({ name: 'Twin' }), await create({ name: 'Twin' })];
      expect(first.clientId).not.toBe(second.clientId);
    });

    it.each([
      ['one character', 'x'],
      ['255 characters', 's'.repeat(255)],
      ['characters of every kind', ' ключ🔑\n\t"\\ '],
    ])('takes a secret of %s and signs with exactly that', async (_what, secret) => {
      const { id } = await create({ secret });
      expect(await gateway.get(ApplicationsService).getSigningSecrets(id)).toEqual({
        current: secret,
        previous: null,
      });
    });
  });

  const NAME_LENGTH = 'The name field must be between 3 and 255 characters.';
  const BAD_URL = 'The url field must be a valid URL.';
  const BAD_CALLBACK = 'The callbackUrl field must be a valid URL.';
  const INVALID = 'must not contain invalid characters.';
  const WRONG_VALUES: [string, unknown, string, string][] = [
    ['name', null, 'name', 'The name field is required.'],
    ['name', '', 'name', 'The name field is required.'],
    ['name', 'ab', 'name', NAME_LENGTH],
    ['name', '😀😀', 'name', NAME_LENGTH],
    ['name', 'n'.repeat(256), 'name', NAME_LENGTH],
    ['name', '   ', 'name', 'The name field must not be blank.'],
    ['name', 'a\u0000bc', 'name', `The name field ${INVALID}`],
    ['name', 'abc\ud800', 'name', `The name field ${INVALID}`],
    ['name', 123, 'name', 'The name field must be a string.'],
    ['name', ['My Store'], 'name', 'The name field must be a string.'],
    ['name', { $ne: '' }, 'name', 'The name field must be a string.'],
    ['secret', null, 'secret', 'The secret field is required.'],
    ['secret', '', 'secret', 'The secret field is required.'],
    ['secret', ' \t', 'secret', 'The secret field must not be blank.'],
    ['secret', 's'.repeat(256), 'secret', 'The secret field must not be greater than 255 characters.'],
    ['secret', 's\u0000', 'secret', `The secret field ${INVALID}`],
    ['secret', 12345678, 'secret', 'The secret field must be a string.'],
    ['url', 'mystore.example', 'url', BAD_URL],
    ['url', '//mystore.example', 'url', BAD_URL],
    ['url', '/shop', 'url', BAD_URL],
    ['url', 'ftp://mystore.example', 'url', BAD_URL],
    ['url', 'javascript:alert(1)', 'url', BAD_URL],
    ['url', 'https://', 'url', BAD_URL],
    ['url', 'https://my store.example', 'url', BAD_URL],
    ['url', ' https://mystore.example', 'url', BAD_URL],
    ['url', '', 'url', BAD_URL],
    ['url', 'https://a.example/\u0000', 'url', `The url field ${INVALID}`],
    [
      'url',
      `https://a.example/${'u'.repeat(2031)}`,
      'url',
      'The url field must not be greater than 2048 characters.',
    ],
    ['url', 5, 'url', 'The url field must be a string.'],
    ['callbackUrl', 'https://user:pass@a.example/', 'callbackUrl', BAD_CALLBACK],
    ['callbackUrl', 'https:\\\\a.example', 'callbackUrl', BAD_CALLBACK],
    ['callbackUrl', 'https://a.example:99999/', 'callbackUrl', BAD_CALLBACK],
    ['callbackUrl', 'https://a.example/\n', 'callbackUrl', BAD_CALLBACK],
    ['callbackUrl', {}, 'callbackUrl', 'The callbackUrl field must be a string.'],
    ['currencyWhitelist', null, 'currencyWhitelist', 'The currencyWhitelist field is required.'],
    ['currencyWhitelist', 'BTC', 'currencyWhitelist', 'The currencyWhitelist field must be an array.'],
    ['currencyWhitelist', { 0: 'BTC' }, 'currencyWhitelist', 'The currencyWhitelist field must be an array.'],
    [
      'currencyWhitelist',
      ['BTC', 'XYZ'],
      'currencyWhitelist.1',
      'The selected currencyWhitelist.1 is invalid.',
    ],
    ['currencyWhitelist', ['btc'], 'currencyWhitelist.0', 'The selected currencyWhitelist.0 is invalid.'],
    ['currencyWhitelist', ['USD'], 'currencyWhitelist.0', 'The selected currencyWhitelist.0 is invalid.'],
    [
      'currencyWhitelist',
      ['ETH', 7],
      'currencyWhitelist.1',
      'The currencyWhitelist.1 field must be a string.',
    ],
    ['currencyWhitelist', [null], 'currencyWhitelist.0', 'The currencyWhitelist.0 field is required.'],
    ['currencyWhitelist', ['B\u0000TC'], 'currencyWhitelist.0', `The currencyWhitelist.0 field ${INVALID}`],
    [
      'currencyWhitelist',
      ['BTC', 'ETH', 'BTC'],
      'currencyWhitelist.2',
      'The currencyWhitelist.2 field has a duplicate value.',
    ],
    [
      'currencyWhitelist',
      Array.from({ length: 101 }, () => 'BTC'),
      'currencyWhitelist',
      'The currencyWhitelist field must not have more than 100 items.',
    ],
    ['allowUnderpay', 'true', 'allowUnderpay', 'The allowUnderpay field must be true or false.'],
    ['allowUnderpay', 1, 'allowUnderpay', 'The allowUnderpay field must be true or false.'],
    ['allowOverpay', null, 'allowOverpay', 'The allowOverpay field is required.'],
    ['allowOverpay', [], 'allowOverpay', 'The allowOverpay field must be true or false.'],
  ];

  describe.each(['POST', 'PUT'])('%s refuses', (method) => {
    let target: ApplicationDto;
    beforeAll(async () => {
      target = await create({ name: 'Untouched' });
    });

    it.each(WRONG_VALUES)('%s: %j', async (field, value, path, message) => {
      const body = { ...(method === 'POST' && { name: 'My Store', secret: SECRET }), [field]: value };
      const before = await names('?trashed=with', owner);
      const answer = await call(owner, method, method === 'POST' ? PATH : `${PATH}/${target.id}`, body);
      expect(answer).toMatchObject({
        status: 422,
        error: { code: 'validation_failed', message, errors: { [path]: [message] } },
      });
      expect(await names('?trashed=with', owner)).toEqual(before);
      expect((await get(target.id)).data).toEqual(target);
    });
  });

  it('names every wrong field at once', async () => {
    const { status, error } = await call(owner, 'POST', PATH, {
      url: 'x',
      currencyWhitelist: ['A', 'BTC', 'B'],
    });
    expect(status).toBe(422);
    expect(Object.keys(error.errors ?? {}).toSorted()).toEqual([
      'currencyWhitelist.0',
      'currencyWhitelist.2',
      'name',
      'secret',
      'url',
    ]);
    expect(error.message).toMatch(/ \(and 4 more errors\)$/);
  });

  it.each(['[]', '"text"', '17', 'null'])('refuses the body %s', async (body) => {
    expect(await call(owner, 'POST', PATH, body)).toMatchObject({
      status: 422,
      error: { code: 'validation_failed' },
    });
  });

  it('refuses a body that is not JSON', async () => {
    expect(await call(owner, 'POST', PATH, '{"name":')).toMatchObject({
      status: 400,
      error: { code: 'malformed_json' },
    });
  });

  describe('list', () => {
    let merchant: Owner;
    beforeAll(async () => {
      merchant = await createOwner(gateway);
      for (let n = 1; n <= 25; n++) {
        const { id } = await create({ name: `Store ${n}` }, merchant);
        if (n % 5 === 0) await call(merchant, 'DELETE', `${PATH}/${id}`);
        gateway.clock.advanceSeconds(1);
      }
    });
    const stores = (...numbers: number[]) => numbers.map((n) => `Store ${n}`);

    it('gives all active ones, newest first, without paging', async () => {
      const { status, data, meta } = await call<ApplicationDto[]>(merchant, 'GET', PATH);
      expect(status).toBe(200);
      expect(meta).toBeUndefined();
      expect(data).toHaveLength(20);
      expect(data.map(({ name }) => name).slice(0, 5)).toEqual(stores(24, 23, 22, 21, 19));
      const [first] = data;
      expect(first).toEqual((await get(first!.id, merchant)).data);
    });

    it('gives deleted ones on demand', async () => {
      expect(await names('?trashed=only', merchant)).toEqual(stores(25, 20, 15, 10, 5));
      expect(await names('?trashed=with', merchant)).toHaveLength(25);
    });

    it('pages when asked to', async () => {
      const answer = await call<ApplicationDto[]>(merchant, 'GET', `${PATH}?page=2&per_page=3&trashed=with`);
      expect(answer.data.map(({ name }) => name)).toEqual(stores(22, 21, 20));
      expect(answer.meta?.pagination).toEqual({
        total: 25,
        count: 3,
        per_page: 3,
        current_page: 2,
        total_pages: 9,
      });
      const defaults = await call<ApplicationDto[]>(merchant, 'GET', `${PATH}?page=1`);
      expect(defaults.meta?.pagination).toMatchObject({ total: 20, per_page: 20, total_pages: 1 });
      const beyond = await call<ApplicationDto[]>(merchant, 'GET', `${PATH}?page=99&perPage=10`);
      expect(beyond).toMatchObject({
        status: 200,
        data: [],
        meta: { pagination: { count: 0, current_page: 99 } },
      });
    });

    it.each([
      'trashed=yes',
      'trashed=',
      'trashed=with&trashed=only',
      'page=0',
      'per_page=101',
      'page=x',
      'page[]=1',
    ])('refuses ?%s', async (query) => {
      const field = query.split(/[=[]/)[0] ?? '';
      const { status, error } = await call(merchant, 'GET', `${PATH}?${query}`);
      expect(status).toBe(422);
      expect(Object.keys(error.errors ?? {})).toEqual([field]);
    });

    it('shows a stranger nothing', async () => {
      expect(await names('?trashed=with', await createOwner(gateway))).toEqual([]);
    });
  });

  describe('update', () => {
    it('changes what is given and nothing else', async () => {
      const created = await create({ url: 'https://a.example', callbackUrl: 'https://a.example/hook' });
      const steps: [object, (expected: ApplicationDto) => void][] = [
        [{}, () => undefined],
        [{ allowUnderpay: true }, (e) => (e.site.setting.allowUnderpay = true)],
        [{ allowOverpay: false }, (e) => (e.site.setting.allowOverpay = false)],
        [{ currencyWhitelist: ['ETH', 'BTC'] }, (e) => (e.currencyWhitelist = ['ETH', 'BTC'])],
        [{ url: 'https://b.example' }, (e) => (e.site.url = 'https://b.example')],
        [{ callbackUrl: null }, (e) => (e.site.callbackUrl = null)],
        [
          { url: null, callbackUrl: 'https://c.example' },
          (e) => Object.assign(e.site, { url: null, callbackUrl: 'https://c.example' }),
        ],
        [{ currencyWhitelist: [] }, (e) => (e.currencyWhitelist = [])],
        [{ secret: 'another secret' }, () => undefined],
        [
          { clientId: 'b'.repeat(32), id: randomUUID(), userId: stranger.userId, deletedAt: 'now' },
          () => undefined,
        ],
      ];
      const expected = structuredClone(created);
      for (const [changes, apply] of steps) {
        apply(expected);
        expect(await put(created.id, changes)).toMatchObject({ status: 200, data: expected });
      }
      expect((await get(created.id)).data).toEqual(expected);
    });

    it('lets the title of the site follow the name while the two are equal', async () => {
      const { id } = await create({ name: 'First name' });
      const renamed = await put(id, { name: 'Second name' });
      expect(renamed.data).toMatchObject({ name: 'Second name', site: { title: 'Second name' } });
      await gateway.sql.query('update sites set title = $2 where application_id = $1', [id, 'Own title']);
      expect((await put(id, { name: 'Third name' })).data).toMatchObject({
        name: 'Third name',
        site: { title: 'Own title' },
      });
    });

    it('loses no change of parallel requests', async () => {
      const { id } = await create();
      await Promise.all([
        put(id, { name: 'Parallel' }),
        put(id, { url: 'https://p.example' }),
        put(id, { allowUnderpay: true }),
        put(id, { currencyWhitelist: ['SOL'] }),
      ]);
      expect((await get(id)).data).toMatchObject({
        name: 'Parallel',
        currencyWhitelist: ['SOL'],
        site: { title: 'Parallel', url: 'https://p.example', setting: { allowUnderpay: true } },
      });
    });

    it('wakes a paused webhook endpoint when its address is saved, also the same one', async () => {
      const { id } = await create({ callbackUrl: 'https://a.example/hook' });
      const isPaused = async () =>
        (await gateway.sql.query('select from webhook_endpoints where application_id = $1', [id])).length ===
        1;
      await gateway.sql.query(
        `insert into webhook_endpoints (application_id, paused_at, reason) values ($1, now(), '410')`,
        [id],
      );
      await put(id, { name: 'Something else' });
      expect(await isPaused()).toBe(true);
      await put(id, { callbackUrl: 'https://a.example/hook' });
      expect(await isPaused()).toBe(false);
    });
  });

  describe('the webhook secret', () => {
    const secrets = (id: string) => gateway.get(ApplicationsService).getSigningSecrets(id);

    it('signs beside the one before it for 24 h', async () => {
      const { id } = await create({ secret: 'first secret' });
      await put(id, { secret: 'second secret' });
      expect(await secrets(id)).toEqual({ current: 'second secret', previous: 'first secret' });

      gateway.clock.advanceSeconds(86_399);
      // Clients that always send everything change nothing by it.
      await put(id, { secret: 'second secret', name: 'Renamed' });
      expect(await secrets(id)).toEqual({ current: 'second secret', previous: 'first secret' });

      gateway.clock.advanceSeconds(1);
      expect(await secrets(id)).toEqual({ current: 'second secret', previous: null });
    });

    it('keeps only the last one before', async () => {
      const { id } = await create({ secret: 'first secret' });
      await put(id, { secret: 'second secret' });
      await put(id, { secret: 'third secret' });
      expect(await secrets(id)).toEqual({ current: 'third secret', previous: 'second secret' });
    });

    it('is in no answer and in no table in the clear', async () => {
      const canary = 'canary-5f2d9c-secret';
      const next = 'canary-77aa10-secret';
      const { id } = await create({ secret: canary });
      const answers = [
        await put(id, { secret: next }),
        await get(id),
        await call(owner, 'GET', PATH),
        await put(id, { secret: next, name: '' }),
        await call(owner, 'POST', PATH, { name: 'x', secret: canary }),
        await call(owner, 'DELETE', `${PATH}/${id}`),
        await put(id, { secret: canary }),
        await call(owner, 'POST', `${PATH}/${id}/restore`),
      ];
      const rows = await gateway.sql.query<{ line: string }>(
        `select row_to_json(a)::text as line from payment_applications a
         union all select row_to_json(s)::text from sites s`,
      );
      const everything = [...answers.map(({ text }) => text), ...rows.map(({ line }) => line)].join('\n');
      expect(rows.length).toBeGreaterThan(2);
      expect(everything).toContain(id);
      expect(everything).not.toContain(canary);
      expect(everything).not.toContain(next);
    });

    it('does not open in another row, and a new one replaces what cannot be opened', async () => {
      const [a, b] = [await create({ secret: 'secret of a' }), await create({ secret: 'secret of b' })];
      await gateway.sql.query(
        `update payment_applications set sealed_secret = (select sealed_secret from payment_applications where id = $2)
         where id = $1`,
        [a.id, b.id],
      );
      await expect(secrets(a.id)).rejects.toThrow(UnsealError);
      expect((await get(a.id)).status).toBe(200);
      expect((await put(a.id, { secret: 'new secret' })).status).toBe(200);
      expect(await secrets(a.id)).toEqual({ current: 'new secret', previous: null });
    });

    it('of nobody is not found', async () => {
      await expect(secrets(randomUUID())).rejects.toMatchObject({ code: 'payment_application_not_found' });
    });
  });

  describe('delete and restore', () => {
    it('is soft, can be repeated, and can be undone', async () => {
      const created = await create({ callbackUrl: 'https://a.example/hook' });
      const deletedAt = gateway.clock.now().toISOString().replace('.000Z', 'Z');
      const deleted = { ...created, deletedAt };
      const remove = () => call(owner, 'DELETE', `${PATH}/${created.id}`);
      const restore = () => call(owner, 'POST', `${PATH}/${created.id}/restore`);

      expect(await remove()).toMatchObject({ status: 200, data: deleted });
      gateway.clock.advanceSeconds(60);
      expect(await remove()).toMatchObject({ status: 200, data: deleted });
      expect(await get(created.id)).toMatchObject({ status: 200, data: deleted });
      expect(await put(created.id, { name: 'New name' })).toMatchObject({
        status: 409,
        error: { code: 'application_deleted' },
      });

      expect(await restore()).toMatchObject({ status: 200, data: created });
      expect(await restore()).toMatchObject({ status: 200, data: created });
      expect(await get(created.id)).toMatchObject({ status: 200, data: created });
      expect(await put(created.id, { name: 'New name' })).toMatchObject({ status: 200 });
    });
  });

  describe('an application that is not there', () => {
    const ways: [string, string, unknown?][] = [
      ['GET', ''],
      ['PUT', '', { name: 'Stolen' }],
      ['DELETE', ''],
      ['POST', '/restore'],
    ];
    const ids: [string, () => Promise<string> | string][] = [
      ['of another user', async () => (await create({ name: 'Mine' }, stranger)).id],
      ['unknown', () => randomUUID()],
      ['not a UUID', () => 'abc'],
      ['with NUL', () => '%00'],
      ['in upper case', async () => (await create()).id.toUpperCase()],
      ['with SQL', () => encodeURIComponent(`' or 1=1 --`)],
    ];
    const cases = ways.flatMap(([method, rest, body]) =>
      ids.map(([what, makeId]) => ({ what, method, rest, body, makeId })),
    );

    it.each(cases)('$what: $method {id}$rest is 404', async ({ method, rest, body, makeId }) => {
      const id = await makeId();
      expect(await call(owner, method, `${PATH}/${id}${rest}`, body)).toMatchObject(NOT_FOUND);
    });

    it('stays as it was for its owner', async () => {
      const theirs = await create({ name: 'Theirs' }, stranger);
      for (const [method, rest, body] of ways) await call(owner, method, `${PATH}/${theirs.id}${rest}`, body);
      expect((await get(theirs.id, stranger)).data).toEqual(theirs);
      expect(await names('?trashed=with', owner)).not.toContain('Theirs');
    });
  });

  it.each([
    ['GET', PATH],
    ['POST', PATH],
    ['GET', `${PATH}/${randomUUID()}`],
    ['PUT', `${PATH}/${randomUUID()}`],
    ['DELETE', `${PATH}/${randomUUID()}`],
    ['POST', `${PATH}/${randomUUID()}/restore`],
    ['GET', '/api/sites'],
    ['GET', `/api/sites/${randomUUID()}`],
  ])('needs a token: %s %s', async (method, path) => {
    const wrong = { userId: owner.userId, accessToken: 'wrong' };
    for (const who of [null, wrong])
      expect(await call(who, method, path)).toMatchObject({
        status: 401,
        error: { message: 'Unauthenticated' },
      });
  });

  describe('sites', () => {
    it('can be read, with their application', async () => {
      const { id, site } = await create({ name: 'With a site', url: 'https://s.example' });
      const expected = { ...site, paymentApplicationId: id };
      expect(await call(owner, 'GET', `/api/sites/${site.id}`)).toMatchObject({
        status: 200,
        data: expected,
      });
      const { data } = await call<object[]>(owner, 'GET', '/api/sites');
      expect(data).toContainEqual(expected);
      const paged = await call<object[]>(owner, 'GET', '/api/sites?per_page=1');
      expect(paged).toMatchObject({ data: [expect.any(Object)], meta: { pagination: { count: 1 } } });
    });

    it('of others, unknown or malformed are 404', async () => {
      const { id, site } = await create({}, stranger);
      for (const siteId of [site.id, id, randomUUID(), 'abc', '%00'])
        expect(await call(owner, 'GET', `/api/sites/${siteId}`)).toMatchObject({
          status: 404,
          error: { code: 'not_found' },
        });
    });
  });

  it('finds applications for the other rooms by each of the three identifiers', async () => {
    const service = gateway.get(ApplicationsService);
    const { id, clientId, site } = await create({ name: 'Findable', currencyWhitelist: ['ETH'] });
    await call(owner, 'DELETE', `${PATH}/${id}`);
    const view = await service.getOwned(owner.userId, id);
    expect(view).toEqual({
      id,
      userId: owner.userId,
      name: 'Findable',
      clientId,
      currencyWhitelist: ['ETH'],
      createdAt: expect.any(Date),
      deletedAt: expect.any(Date),
      site: {
        id: site.id,
        title: 'Findable',
        url: null,
        callbackUrl: null,
        settingId: site.setting.id,
        settingTitle: 'Default Settings',
        allowOverpay: true,
        allowUnderpay: false,
      },
    });
    expect(await service.findByClientId(clientId)).toEqual(view);
    expect(await service.findBySiteId(site.id)).toEqual(view);
    expect(await service.getById(id)).toEqual(view);
    expect(await service.findByClientId('0'.repeat(32))).toBeNull();
    expect(await service.findBySiteId(id)).toBeNull();
    await expect(service.getById(site.id)).rejects.toMatchObject({ code: 'payment_application_not_found' });
  });
});

describe('payment applications of a bounded owner', () => {
  it('are at most as many as the operator allows, also when asked for in parallel', async () => {
    const gateway = await startTestGateway({ MAX_APPLICATIONS_PER_USER: '3' });
    try {
      const { accessToken } = await createOwner(gateway);
      const send = async (method: string, path: string, body: object = {}) => {
        const response = await fetch(`${gateway.baseUrl}${PATH}${path}`, {
          method,
          headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        return { status: response.status, body: (await response.json()) as { data: { id: string } } };
      };
      const fields = { name: 'One of many', secret: 'secret' };
      const answers = await Promise.all(Array.from({ length: 6 }, () => send('POST', '', fields)));
      const made = answers.filter(({ status }) => status === 201);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 422, 422, 422]);
      expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
        errors: {
          application: ['You already have 3 payment applications, which is the limit. Delete one first.'],
        },
      });

      const first = made[0]?.body.data.id;
      await send('DELETE', `/${first}`);
      const { body: replacement } = await send('POST', '', fields);
      expect((await send('POST', `/${first}/restore`)).status).toBe(422);
      await send('DELETE', `/${replacement.data.id}`);
      expect((await send('POST', `/${first}/restore`)).status).toBe(200);
    } finally {
      await gateway.close();
    }
  });
});

describe('payment applications in the production profile', () => {
  it('call merchants back by https alone', async () => {
    const gateway = await startTestGateway({
      NODE_ENV: 'production',
      BASE_URL: 'https://pay.example',
      CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:1',
    });
    try {
      const { accessToken } = await createOwner(gateway);
      const send = async (callbackUrl: string) => {
        const response = await fetch(`${gateway.baseUrl}${PATH}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'Shop', secret: 'secret', callbackUrl }),
        });
        return { status: response.status, body: (await response.json()) as ErrorBody };
      };
      expect(await send('http://shop.example/hook')).toMatchObject({
        status: 422,
        body: { errors: { callbackUrl: ['The callbackUrl field must be a valid https URL.'] } },
      });
      expect(await send('https://shop.example:25/hook')).toMatchObject({
        status: 422,
        body: { errors: { callbackUrl: ['The callbackUrl field must use port 443 or a port from 1024.'] } },
      });
      expect((await send('https://shop.example/hook')).status).toBe(201);
    } finally {
      await gateway.close();
    }
  });
});
