import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { LOOK_SECONDS } from '../src/checkout/page/page-access.pure.js';
import { CheckoutStreams, REFRESH_MS } from '../src/checkout/checkout-streams.service.js';
import { hashedName, webAsset } from '../src/platform/web/html/web-asset.js';
import { HEARTBEAT_MS, LIFETIME_MS } from '../src/platform/web/http/server-sent-events.js';
import { Sql } from '../src/platform/database/sql.js';
import { EventReader } from './support/event-reader.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

const PER_PAYMENT = 10;

let shop: Shop;
let application: ShopApplication;
const open = new Set<EventReader>();

beforeAll(async () => {
  shop = await Shop.open({
    CHECKOUT_STREAMS: '16',
    CHECKOUT_STREAMS_PER_ADDRESS: '14',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  application = await shop.application();
});
afterEach(async () => {
  for (const reader of open) await reader.leave();
  open.clear();
  await gone();
});
afterAll(() => shop.close());

const create = (fields: Record<string, unknown> = {}) => shop.createPayment(application, fields);
/** Its link ends in a minute. */
const createShort = () =>
  create({ expiresAt: new Date(shop.gateway.clock.now().getTime() + 60_000).toISOString() });
const streams = () => shop.gateway.get(CheckoutStreams);
const linkOf = ({ checkoutUrl }: CreatedPayment) => new URL(checkoutUrl).search;
const urlOf = (payment: CreatedPayment, what: 'events' | 'part', on = shop.gateway.baseUrl) =>
  `${on}/checkout/${payment.id}/${what}${linkOf(payment)}`;
const follow = async (
  payment: CreatedPayment,
  headers: Record<string, string> = {},
  on = shop.gateway.baseUrl,
): Promise<EventReader> => {
  const reader = await EventReader.open(urlOf(payment, 'events', on), null, headers);
  open.add(reader);
  return reader;
};
/** The version of the payment's page now. */
const versionOf = async (payment: CreatedPayment) => {
  const response = await fetch(urlOf(payment, 'part'));
  expect(response.status).toBe(200);
  return (response.headers.get('etag') ?? '').replaceAll('"', '');
};
/** Leaving is noticed when the connection's end arrives. */
const gone = async (size = 0) => {
  while (streams().size > size) await new Promise((resolve) => setImmediate(resolve));
};
const changed = (id: string) => ({ id, data: 'changed' });

describe('GET /checkout/{paymentId}/events', () => {
  it('says the current version, each change in the next turn, and ends at a final status', async () => {
    const payment = await create();
    const instructions = await shop.instructions(payment);
    const first = await versionOf(payment);
    const reader = await follow(payment);
    expect(reader.response.statusCode).toBe(200);
    expect(reader.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(await reader.has(1)).toEqual([changed(first)]);
    expect(reader.text).toBe(`retry: 2000\n\nevent: payment\nid: ${first}\ndata: changed\n\n`);
    // Nothing has changed.
    await shop.tell();

    await shop.send(instructions);
    await shop.chain.mine(1);
    await shop.watch();
    await streams().runOnce();
    const seen = await versionOf(payment);
    expect(seen).not.toBe(first);
    expect(await reader.has(2)).toEqual([changed(first), changed(seen)]);

    // Each confirmation, and the end.
    await shop.mine();
    expect((await reader.has(3)).at(-1)).toEqual(changed(await versionOf(payment)));
    expect(reader.isOver).toBe(false);
    await shop.mine(CONFIRMATIONS);
    await reader.over();
    expect([await shop.status(payment), reader.response.complete, streams().size]).toEqual([
      'CONFIRMED',
      true,
      0,
    ]);
    const last = reader.events.at(-1);
    expect(last).toEqual(changed(await versionOf(payment)));

    // A page with the last event gets 204 and does not reconnect; one without it receives it once.
    const again = await follow(payment, { 'last-event-id': last?.id ?? '' });
    await again.over();
    expect([again.response.statusCode, again.text]).toEqual([204, '']);
    const late = await follow(payment);
    await late.over();
    expect(late.events).toEqual([last]);
  });

  it('continues after Last-Event-ID, and tells at once what was missed', async () => {
    const payment = await create();
    const version = await versionOf(payment);
    const upToDate = await follow(payment, { 'last-event-id': version });
    await shop.tell();
    await shop.call('POST', `/api/payment/${payment.id}/cancel`, application.clientToken);
    const behind = await follow(payment, { 'last-event-id': version });
    await behind.over();
    await shop.tell();
    await upToDate.over();
    const cancelled = changed(await versionOf(payment));
    expect([behind.events, upToDate.events]).toEqual([[cancelled], [cancelled]]);
  });

  it('tells what another process has done', async () => {
    const other = await shop.gateway.another();
    try {
      const payment = await create();
      const reader = await follow(payment, {}, other.baseUrl);
      await reader.has(1);
      await shop.send(await shop.instructions(payment));
      await shop.mine();
      await other.get(CheckoutStreams).runOnce();
      expect((await reader.has(2)).at(-1)).toEqual(changed(await versionOf(payment)));
    } finally {
      await other.close();
    }
  });

  it('reads one statement a turn while nothing changes, however many pages there are', async () => {
    for (const payment of [await create(), await create(), await create()]) await follow(payment);
    await shop.tell();
    const query = jest.spyOn(shop.gateway.get(Sql), 'query');
    try {
      await streams().runOnce();
      expect(query).toHaveBeenCalledTimes(1);
      // What depends on the time alone is looked at less often.
      shop.gateway.clock.advanceSeconds(REFRESH_MS / 1000);
      await streams().runOnce();
      expect(query.mock.calls.length).toBeGreaterThan(3);
    } finally {
      query.mockRestore();
    }
  });

  it('says in the next turn that the link has ended, and goes on for 14 days', async () => {
    const payment = await createShort();
    const from = Date.parse((await shop.payment(payment)).expiresAt) - 60_000;
    const reader = await follow(payment);
    await reader.has(1);
    const { clock } = shop.gateway;
    // The last second of the link is valid to its end.
    for (const passed of [59.9, 60, 60.5, 60.999]) {
      clock.advanceSeconds(passed - (clock.now().getTime() - from) / 1000);
      await streams().runOnce();
    }
    expect(reader.events).toHaveLength(1);
    clock.advanceSeconds(0.001);
    await streams().runOnce();
    const ended = (await fetch(urlOf(payment, 'part'))).headers.get('etag') ?? '';
    expect(await reader.has(2)).toEqual([expect.anything(), changed(ended.replaceAll('"', ''))]);
    expect(reader.isOver).toBe(false);
    await reader.leave();

    shop.gateway.clock.advanceSeconds(LOOK_SECONDS - 1);
    const last = await follow(payment);
    expect(last.response.statusCode).toBe(200);
    await last.leave();
    shop.gateway.clock.advanceSeconds(1);
    const refused = await follow(payment);
    await refused.over();
    expect([refused.response.statusCode, JSON.parse(refused.text)]).toEqual([
      403,
      expect.objectContaining({ code: 'link_expired' }),
    ]);
    expect(await (await fetch(urlOf(payment, 'part'))).text()).not.toMatch(/data-(part|events)/);
    await shop.watch();
  });

  it('is kept alive by comments, and ends after its lifetime', async () => {
    const reader = await follow(await create());
    await shop.tell();
    shop.gateway.clock.advanceSeconds(HEARTBEAT_MS / 1000 + 1);
    await shop.tell();
    await reader.until(() => reader.text.endsWith(':\n\n'));
    expect(reader.isOver).toBe(false);
    shop.gateway.clock.advanceSeconds(LIFETIME_MS / 1000);
    await shop.tell();
    await reader.over();
    expect(reader.response.complete).toBe(true);
  });

  it('takes the signed link of the payment only, and tells nothing without it', async () => {
    const [payment, other] = [await create(), await create()];
    const status = async (url: string) => {
      const response = await fetch(url);
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    const { baseUrl } = shop.gateway;
    expect(await status(`${baseUrl}/checkout/${payment.id}/events${linkOf(other)}`)).toEqual([
      403,
      'invalid_signature',
    ]);
    expect(await status(`${baseUrl}/checkout/${payment.id}/events`)).toEqual([403, 'invalid_signature']);
    expect(await status(`${baseUrl}/checkout/${randomUUID()}/events${linkOf(payment)}`)).toEqual([
      403,
      'invalid_signature',
    ]);
    expect(await status(`${baseUrl}/checkout/nothing/events`)).toEqual([404, 'payment_not_found']);
    expect(streams().size).toBe(0);
  });

  it('is refused above the limits per payment, per address and in total', async () => {
    const [payment, other] = [await create(), await create()];
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const outcome = async (of: CreatedPayment, address: string) => {
      const reader = await follow(of, from(address));
      if (reader.response.statusCode !== 200) await reader.over();
      return [reader.response.statusCode, reader.response.headers['retry-after'] ?? null];
    };
    for (let i = 0; i < PER_PAYMENT; i++) expect(await outcome(payment, '203.0.113.1')).toEqual([200, null]);
    expect(await outcome(payment, '203.0.113.1')).toEqual([429, '30']);
    for (let i = PER_PAYMENT; i < 14; i++) expect(await outcome(other, '203.0.113.1')).toEqual([200, null]);
    expect(await outcome(other, '203.0.113.1')).toEqual([429, '30']);
    for (let i = 14; i < 16; i++) expect(await outcome(payment, '203.0.113.2')).toEqual([200, null]);
    expect(await outcome(payment, '203.0.113.3')).toEqual([503, '30']);
    // The page polls meanwhile.
    expect((await fetch(urlOf(payment, 'part'))).status).toBe(200);
    for (const reader of open) await reader.leave();
    open.clear();
    await gone();
    expect(await outcome(payment, '203.0.113.1')).toEqual([200, null]);
  });

  it('responds to HEAD at once, and ends when the gateway stops', async () => {
    const payment = await create();
    const head = await fetch(urlOf(payment, 'events'), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const other = await shop.gateway.another();
    const reader = await follow(payment, {}, other.baseUrl);
    await other.close();
    await reader.over();
    expect(reader.response.complete).toBe(true);
  });
});

describe('GET /checkout/{paymentId}/part', () => {
  it('is the main element of the page, and 304 with the tag of its version until something changes', async () => {
    const payment = await create();
    const query = `${linkOf(payment)}&provider=ethereum&method=eth`;
    const url = `${shop.gateway.baseUrl}/checkout/${payment.id}/part${query}`;
    const part = await fetch(url);
    const text = await part.text();
    expect(Object.fromEntries(part.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
    });
    const tag = part.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(text).toMatch(/^<main [^]*<\/main>$/);
    expect(text).toContain(
      `data-version=${tag} data-part="${payment.id}/part" data-events="${payment.id}/events"`,
    );
    const page = await (await fetch(`${shop.gateway.baseUrl}/checkout/${payment.id}${query}`)).text();
    const [main = ''] = /<main [^]*<\/main>/.exec(page) ?? [];
    expect(withoutTime(main)).toBe(withoutTime(text));

    const known = () => fetch(url, { headers: { 'if-none-match': tag } });
    expect([(await known()).status, (await known()).headers.get('etag')]).toEqual([304, tag]);
    await shop.send(await shop.instructions(payment));
    await shop.mine();
    const next = await known();
    expect([next.status, next.headers.get('etag') === tag]).toEqual([200, false]);
    expect(await next.text()).toContain('data-screen="found"');
  });

  it('does not renew a price that has ended as long as nothing else has changed', async () => {
    const payment = await create();
    const before = await shop.instructions(payment);
    const tag = `"${await versionOf(payment)}"`;
    await shop.wait(16 * 60);
    expect((await fetch(urlOf(payment, 'part'), { headers: { 'if-none-match': tag } })).status).toBe(304);
    const [quotes] = await shop.gateway.sql.query<{ count: string }>(
      'select count(*) from quotes where payment_id = $1',
      [payment.id],
    );
    expect([quotes?.count, before.expiresAt]).toEqual(['1', before.expiresAt]);
  });

  it('is an error page without the signed link, and says when the link has expired', async () => {
    const payment = await createShort();
    const wrong = await fetch(`${shop.gateway.baseUrl}/checkout/${payment.id}/part?expires=1&signature=x`, {
      headers: { 'if-none-match': '"x"' },
    });
    expect([wrong.status, wrong.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(await wrong.text()).not.toContain('ORDER-1');
    const open = await fetch(urlOf(payment, 'part'));
    shop.gateway.clock.advanceSeconds(61);
    const before = { 'if-none-match': open.headers.get('etag') ?? '' };
    const expired = await fetch(urlOf(payment, 'part'), { headers: before });
    expect(expired.status).toBe(200);
    expect(await expired.text()).toContain('data-screen="expired"');
    const known = { 'if-none-match': expired.headers.get('etag') ?? '' };
    expect((await fetch(urlOf(payment, 'part'), { headers: known })).status).toBe(304);
  });
});

describe('GET /checkout/assets/{script}', () => {
  it('serves the script that the page names, for ever, and no other', async () => {
    const payment = await create();
    const { baseUrl } = shop.gateway;
    const url = `${baseUrl}/checkout/${payment.id}${linkOf(payment)}`;
    const page = await fetch(url);
    const [, source = ''] = /<script src="([^"]+)" defer><\/script>/.exec(await page.text()) ?? [];
    expect(source).toBe(`../checkout/assets/${hashedName('checkout.js')}`);
    const script = await fetch(new URL(source, url));
    expect(Object.fromEntries(script.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(await script.text()).toBe(webAsset('checkout.js'));
    for (const name of ['checkout.js', 'checkout.0000000000000000.js', 'page.css', '..%2Fpage.css'])
      expect((await fetch(`${baseUrl}/checkout/assets/${name}`)).status).toBe(404);
  });
});

const withoutTime = (html: string) => html.replace(/data-now="[^"]*"/, '');
