/**
 * @inOrder One account, whose payments are listed as they are made and paid.
 */
import { ChangeStreams } from '../src/overview/changes/change-streams.service.js';
import { LIFETIME_MS } from '../src/platform/web/http/server-sent-events.js';
import { type Change, Gateway, GatewayError } from '../sdk/src/index.js';
import { FailingProxy } from './support/failing-proxy.js';
import { fetchAccessToken } from './support/principals.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

/** What a dashboard shows, by the client package, against a real gateway and a real chain. */
describe('the overview by the client package', () => {
  let shop: Shop;
  let application: ShopApplication;
  let proxy: FailingProxy;
  let gateway: Gateway;
  let paid: CreatedPayment;
  let open: CreatedPayment;

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application();
    proxy = await FailingProxy.start(shop.gateway.baseUrl);
    gateway = new Gateway({
      baseUrl: proxy.url,
      token: () => fetchAccessToken(shop.gateway, shop.owner.clientId, shop.owner.clientSecret),
      retries: 0,
    });
    paid = await shop.createPayment(application);
    await shop.send(await shop.instructions(paid));
    await shop.mine(CONFIRMATIONS);
    open = await shop.createPayment(application);
    const asked = await shop.instructions(open);
    await shop.send(asked, BigInt(asked.amount.amount) / 2n);
    await shop.mine(CONFIRMATIONS);
  });
  afterAll(async () => {
    await proxy?.stop();
    await shop?.close();
  });

  const all = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
    const items: T[] = [];
    for await (const item of list) items.push(item);
    return items;
  };

  it('lists payments page by page or one by one, with filters', async () => {
    const list = gateway.overview.payments({ limit: 1 });
    const first = await list.page();
    expect(first.items.map(({ id }) => id)).toEqual([open.id]);
    expect(first.cursor.hasMore).toBe(true);
    expect((await list.page(first.cursor.next)).items.map(({ id }) => id)).toEqual([paid.id]);
    expect((await all(list)).map(({ id }) => id)).toEqual([open.id, paid.id]);
    const filter = { status: ['UNDERPAID' as const], dateFrom: new Date(0) };
    expect((await all(gateway.overview.payments(filter))).map(({ id }) => id)).toEqual([open.id]);
  });

  it('lists and counts what needs attention, refunds and deliveries', async () => {
    const { overview, payments } = gateway;
    const refund = await payments.refunds.create(paid.id);
    const items = await all(overview.attention({ kind: ['underpaid'] }));
    expect(items.map(({ payment }) => payment?.id)).toEqual([open.id]);
    const counts = await overview.attentionCounts({ paymentApplicationId: [application.id] });
    expect(counts).toContainEqual({ kind: 'underpaid', count: 1 });
    expect((await all(overview.refunds())).map(({ id }) => id)).toEqual([refund.id]);
    const deliveries = await all(overview.deliveries({ paymentId: paid.id }));
    expect(deliveries.map(({ event }) => event).toSorted()).toEqual([
      'payment.completed',
      'payment.received',
    ]);
  });

  it('tells the timeline of a payment and reports', async () => {
    const { overview } = gateway;
    expect((await overview.timeline(paid.id)).map(({ kind }) => kind)).toContain('transfer');
    const now = shop.gateway.clock.now().getTime();
    const span = {
      from: new Date(now - 86_400_000),
      to: new Date(now + 86_400_000),
      interval: 'total' as const,
    };
    expect((await overview.received(span)).length).toBeGreaterThan(0);
    expect((await overview.times(span)).length).toBeGreaterThan(0);
    expect((await overview.rates(span)).length).toBeGreaterThan(0);
  });

  it('follows changes through an end of the stream and a broken connection, and misses none', async () => {
    const abort = new AbortController();
    const seen: Change[] = [];
    const connections: boolean[] = [];
    let waiting: (() => void)[] = [];
    const wake = () => {
      for (const resolve of waiting) resolve();
      waiting = [];
    };
    const until = async (isSo: () => boolean) => {
      while (!isSo()) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          setImmediate(resolve);
        });
        await shop.gateway.get(ChangeStreams).runOnce();
      }
    };
    const onConnection = (isOpen: boolean) => {
      if (connections.at(-1) !== isOpen) connections.push(isOpen);
      wake();
    };
    const following = (async () => {
      for await (const change of gateway.overview.changes({ signal: abort.signal, onConnection })) {
        seen.push(change);
        wake();
      }
    })().catch((reason: unknown) => reason);
    const has = (id: string) => () => seen.some((change) => change.id === id);

    const first = await shop.createPayment(application);
    await until(has(first.id));
    proxy.troubles.push({ status: 503, headers: { 'retry-after': '0' }, body: '' });
    shop.gateway.clock.advanceSeconds(LIFETIME_MS / 1000);
    await shop.gateway.get(ChangeStreams).runOnce();
    await until(() => connections.includes(false));
    const missed = await shop.createPayment(application);
    await until(has(missed.id));
    expect(seen.map(({ type }) => type)).not.toContain('everything');
    expect(connections.slice(0, 2)).toEqual([true, false]);
    expect(connections.at(-1)).toBe(true);
    abort.abort(new Error('enough'));
    expect(await following).toEqual(new Error('enough'));
  });

  it('fails at once when the token is refused', async () => {
    const stranger = new Gateway({ baseUrl: proxy.url, token: 'pct_nobody' });
    const error: unknown = await stranger.overview
      .changes()
      .next()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ status: 401 });
  });
});
