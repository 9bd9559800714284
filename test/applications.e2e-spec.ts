import { EVENT_TYPES, STANDARD_EVENTS } from '../src/applications/event-types.pure.js';
import { randomUUID } from 'node:crypto';
import { ApplicationsService } from '../src/applications/applications.service.js';
import { SigningSecretsService } from '../src/applications/signing-secrets.service.js';
import { changeSite } from './support/change-site.js';
import { type ApplicationDto, APPLICATIONS, ApplicationsApi } from './support/applications-api.js';
import { createOwner, type Owner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SECRET = 'whsec_c2VjcmV0LWNhbmFyeS0wMDAyLTAwMDI=';
/** Chains that whitelists may contain; no node responds there. */
const CHAINS = {
  CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
  CHAIN_BITCOIN_RPC_URL: 'http://127.0.0.1:9',
};
const ISO_SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe('payment applications', () => {
  let gateway: TestGateway;
  let owner: Owner;
  let api: ApplicationsApi;

  beforeAll(async () => {
    gateway = await startTestGateway(CHAINS);
    owner = await createOwner(gateway);
    api = new ApplicationsApi(gateway, owner);
  });

  afterAll(() => gateway.close());

  describe('create', () => {
    it('returns 201 with every field but the secret', async () => {
      const { status, data, text } = await api.call('POST', APPLICATIONS, {
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
        events: [...STANDARD_EVENTS],
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
            underpayLeastShareBps: 9_500,
            underpayToleranceBps: 0,
            confirmations: {},
          },
        },
        accent: null,
        supportUrl: null,
        defaultLanguage: null,
        paymentAppImage: null,
        createdAt: expect.stringMatching(ISO_SECONDS),
        deletedAt: null,
      });
      expect(new Set([data.id, data.site.id, data.site.setting.id]).size).toBe(3);
      expect(text).not.toContain(SECRET);
    });

    it('has defaults: all currencies, overpayments allowed, underpayments not, no URLs', async () => {
      const { currencyWhitelist, site } = await api.create();
      expect(currencyWhitelist).toEqual([]);
      expect(site).toMatchObject({ url: null, callbackUrl: null });
      expect(site.setting).toMatchObject({ allowOverpay: true, allowUnderpay: false });
    });

    it('accepts null URLs, treats an empty whitelist as "all", and ignores unknown fields', async () => {
      const created = await api.create({
        url: null,
        callbackUrl: null,
        currencyWhitelist: [],
        clientId: 'a'.repeat(32),
        userId: randomUUID(),
        surprise: { deep: [1] },
      });
      expect(created).toMatchObject({ userId: owner.userId, currencyWhitelist: [], site: { url: null } });
      expect(created.clientId).not.toBe('a'.repeat(32));
      expect(created).not.toHaveProperty('surprise');
    });

    it('accepts http and loopback URLs in the development profile', async () => {
      const { site } = await api.create({
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
    ])('accepts a name of %s', async (_what, name) => {
      const created = await api.create({ name });
      expect(created.name).toBe(name);
      expect((await api.get(created.id)).data).toEqual(created);
    });

    it('accepts two applications with the same name', async () => {
      const [first, second] = [await api.create({ name: 'Twin' }), await api.create({ name: 'Twin' })];
      expect(first.clientId).not.toBe(second.clientId);
    });

    it.each([
      ['one character', 'x'],
      ['255 characters', 's'.repeat(255)],
      ['characters of every kind', ' ключ🔑\n\t"\\ '],
    ])('accepts a secret of %s and signs with exactly that', async (_what, secret) => {
      const { id } = await api.create({ secret });
      expect(await gateway.get(SigningSecretsService).get(id)).toEqual({
        current: secret,
        previous: null,
      });
    });
  });

  describe('list', () => {
    let merchant: ApplicationsApi;
    beforeAll(async () => {
      merchant = new ApplicationsApi(gateway, await createOwner(gateway));
      for (let n = 1; n <= 25; n++) {
        const { id } = await merchant.create({ name: `Store ${n}` });
        if (n % 5 === 0) await merchant.delete(id);
        gateway.clock.advanceSeconds(1);
      }
    });
    const stores = (...numbers: number[]) => numbers.map((n) => `Store ${n}`);

    it('returns all active ones, newest first, without pages', async () => {
      const { status, data, meta } = await merchant.list();
      expect(status).toBe(200);
      expect(meta).toBeUndefined();
      expect(data).toHaveLength(20);
      expect(data.map(({ name }) => name).slice(0, 5)).toEqual(stores(24, 23, 22, 21, 19));
      const [first] = data;
      expect(first).toEqual((await merchant.get(first!.id)).data);
    });

    it('returns deleted ones on request', async () => {
      expect(await merchant.names('?trashed=only')).toEqual(stores(25, 20, 15, 10, 5));
      expect(await merchant.names('?trashed=with')).toHaveLength(25);
    });

    it('returns pages when a page is requested', async () => {
      const answer = await merchant.list('?page=2&per_page=3&trashed=with');
      expect(answer.data.map(({ name }) => name)).toEqual(stores(22, 21, 20));
      expect(answer.meta?.pagination).toEqual({
        total: 25,
        count: 3,
        per_page: 3,
        current_page: 2,
        total_pages: 9,
      });
      const defaults = await merchant.list('?page=1');
      expect(defaults.meta?.pagination).toMatchObject({ total: 20, per_page: 20, total_pages: 1 });
      const beyond = await merchant.list('?page=99&perPage=10');
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
      const { status, error } = await merchant.list(`?${query}`);
      expect(status).toBe(422);
      expect(Object.keys(error.errors ?? {})).toEqual([field]);
    });

    it('is empty for another user', async () => {
      const stranger = new ApplicationsApi(gateway, await createOwner(gateway));
      expect(await stranger.names('?trashed=with')).toEqual([]);
    });
  });

  describe('update', () => {
    it('changes only the given fields', async () => {
      const created = await api.create({ url: 'https://a.example', callbackUrl: 'https://a.example/hook' });
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
        [
          { events: ['payment.expired', ...STANDARD_EVENTS] },
          (e) => (e.events = ['payment.expired', ...STANDARD_EVENTS]),
        ],
        [{ allowOverpay: true }, (e) => (e.site.setting.allowOverpay = true)],
        [{ events: [...EVENT_TYPES] }, (e) => (e.events = [...EVENT_TYPES])],
        [{ events: [...STANDARD_EVENTS] }, (e) => (e.events = [...STANDARD_EVENTS])],
        [{ secret: 'another secret' }, () => undefined],
        [
          { clientId: 'b'.repeat(32), id: randomUUID(), userId: randomUUID(), deletedAt: 'now' },
          () => undefined,
        ],
      ];
      const expected = structuredClone(created);
      for (const [changes, apply] of steps) {
        apply(expected);
        expect(await api.put(created.id, changes)).toMatchObject({ status: 200, data: expected });
      }
      expect((await api.get(created.id)).data).toEqual(expected);
    });

    it('changes the title of the site with the name while the two are equal', async () => {
      const { id } = await api.create({ name: 'First name' });
      const renamed = await api.put(id, { name: 'Second name' });
      expect(renamed.data).toMatchObject({ name: 'Second name', site: { title: 'Second name' } });
      await changeSite(gateway, id, 'title = $2', 'Own title');
      expect((await api.put(id, { name: 'Third name' })).data).toMatchObject({
        name: 'Third name',
        site: { title: 'Own title' },
      });
    });

    it('keeps the changes of all concurrent requests', async () => {
      const { id } = await api.create();
      await Promise.all([
        api.put(id, { name: 'Parallel' }),
        api.put(id, { url: 'https://p.example' }),
        api.put(id, { allowUnderpay: true }),
        api.put(id, { currencyWhitelist: ['USDC'] }),
      ]);
      expect((await api.get(id)).data).toMatchObject({
        name: 'Parallel',
        currencyWhitelist: ['USDC'],
        site: { title: 'Parallel', url: 'https://p.example', setting: { allowUnderpay: true } },
      });
    });

    it('resumes a paused webhook endpoint when its URL is saved, even unchanged', async () => {
      const { id } = await api.create({ callbackUrl: 'https://a.example/hook' });
      const isPaused = async () =>
        (await gateway.sql.query('select from webhook_endpoints where application_id = $1', [id])).length ===
        1;
      await gateway.sql.query(
        `insert into webhook_endpoints (application_id, paused_at, reason) values ($1, now(), '410')`,
        [id],
      );
      await api.put(id, { name: 'Something else' });
      expect(await isPaused()).toBe(true);
      await api.put(id, { callbackUrl: 'https://a.example/hook' });
      expect(await isPaused()).toBe(false);
    });
  });

  describe('delete and restore', () => {
    it('deletes softly and idempotently, and restores', async () => {
      const created = await api.create({ callbackUrl: 'https://a.example/hook' });
      const deletedAt = gateway.clock.now().toISOString().replace('.000Z', 'Z');
      const deleted = { ...created, deletedAt };

      expect(await api.delete(created.id)).toMatchObject({ status: 200, data: deleted });
      gateway.clock.advanceSeconds(60);
      expect(await api.delete(created.id)).toMatchObject({ status: 200, data: deleted });
      expect(await api.get(created.id)).toMatchObject({ status: 200, data: deleted });
      expect(await api.put(created.id, { name: 'New name' })).toMatchObject({
        status: 409,
        error: { code: 'application_deleted' },
      });

      expect(await api.restore(created.id)).toMatchObject({ status: 200, data: created });
      expect(await api.restore(created.id)).toMatchObject({ status: 200, data: created });
      expect(await api.get(created.id)).toMatchObject({ status: 200, data: created });
      expect(await api.put(created.id, { name: 'New name' })).toMatchObject({ status: 200 });
    });
  });

  describe('sites', () => {
    it('are returned with their application', async () => {
      const { id, site } = await api.create({ name: 'With a site', url: 'https://s.example' });
      const expected = { ...site, paymentApplicationId: id };
      expect(await api.call('GET', `/api/sites/${site.id}`)).toMatchObject({
        status: 200,
        data: expected,
      });
      const { data } = await api.call<object[]>('GET', '/api/sites');
      expect(data).toContainEqual(expected);
      const paged = await api.call<object[]>('GET', '/api/sites?per_page=1');
      expect(paged).toMatchObject({ data: [expect.any(Object)], meta: { pagination: { count: 1 } } });
    });

    it('return 404 for sites of others and unknown or malformed ids', async () => {
      const stranger = new ApplicationsApi(gateway, await createOwner(gateway));
      const { id, site } = await stranger.create();
      for (const siteId of [site.id, id, randomUUID(), 'abc', '%00'])
        expect(await api.call('GET', `/api/sites/${siteId}`)).toMatchObject({
          status: 404,
          error: { code: 'not_found' },
        });
    });
  });

  it('finds applications for other modules by each of the three identifiers', async () => {
    const service = gateway.get(ApplicationsService);
    const { id, clientId, site } = await api.create({ name: 'Findable', currencyWhitelist: ['ETH'] });
    await api.delete(id);
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
        underpayLeastShareBps: 9_500,
        underpayToleranceBps: 0,
        confirmations: {},
        events: [...STANDARD_EVENTS],
        accent: null,
        supportUrl: null,
        defaultLanguage: null,
        logoId: null,
        logoHash: null,
      },
      isSiteAuthentic: true,
    });
    expect(await service.findByClientId(clientId)).toEqual(view);
    expect(await service.findBySiteId(site.id)).toEqual(view);
    expect(await service.getById(id)).toEqual(view);
    expect(await service.findByClientId('0'.repeat(32))).toBeNull();
    expect(await service.findBySiteId(id)).toBeNull();
    await expect(service.getById(site.id)).rejects.toMatchObject({ code: 'payment_application_not_found' });
  });
});
