import { authenticateEvents } from './support/authenticate-events.js';
import { jest } from '@jest/globals';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Sql } from '../src/platform/database/sql.js';
import { Cursors } from '../src/platform/web/cursors/cursors.service.js';
import { EventStreams } from '../src/webhooks/events/event-streams.service.js';
import { HEARTBEAT_MS, LIFETIME_MS, PATIENCE_MS } from '../src/platform/web/http/server-sent-events.js';
import { TOKEN_CHECK_MS } from '../src/webhooks/events/event-stream.js';
import { createClientToken, tokensPath } from './support/client-tokens.js';
import { EventReader } from './support/event-reader.js';
import { createOwner, type Owner } from './support/principals.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';

let harness: WebhookHarness;
let owner: Owner;
let merchant: Merchant;
let token: string;
const open = new Set<EventReader>();

beforeAll(async () => {
  harness = await WebhookHarness.start({ EVENT_STREAMS: '6', EVENT_STREAMS_PER_USER: '4' });
});
beforeEach(async () => {
  owner = await createOwner(harness.gateway);
  merchant = await harness.addMerchant({}, owner.userId);
  ({ token } = await createClientToken(harness.gateway, owner, merchant.applicationId));
});
afterEach(async () => {
  for (const reader of open) await reader.leave();
  open.clear();
});
afterAll(() => harness.stop());

const streams = () => harness.gateway.get(EventStreams);
const look = async () => {
  while (await streams().runOnce()) continue;
};

const STREAM = '/api/events/stream';
const follow = async (bearer = token, query = '', headers: Record<string, string> = {}) => {
  const reader = await EventReader.open(`${harness.gateway.baseUrl}${STREAM}${query}`, bearer, headers);
  open.add(reader);
  return reader;
};
const sent = ({ server } = merchant) => server.requests.map(({ body }) => body.toString('utf8'));
const emit = async (count = 1, by = merchant) => {
  for (let i = 0; i < count; i++) await harness.addPaymentEvent(by);
  await harness.drain();
};
/** Events of 60 KB that have their place in the feed. */
const addLarge = async (paymentId: string, count: number) => {
  await harness.sql.transaction(async (tx) => {
    await tx.query(`set local session_replication_role = replica`);
    await tx.query(
      `insert into payment_events (id, payment_id, user_id, application_id, seq, type, body, created_at, dispatched_at,
         position)
       select gen_random_uuid(), $1, $2, $3, n + 1 + (select count(*) from payment_events where payment_id = $1),
         'payment.underpaid', '"' || repeat('x', 60000) || '"', now(), now(), last_position + n
       from event_feed, generate_series(1, $4::integer) n`,
      [paymentId, owner.userId, merchant.applicationId, count],
    );
    await tx.query('update event_feed set last_position = last_position + $1', [count]);
  });
  await authenticateEvents(harness.gateway);
};
/** Leaving is noticed when the connection's end arrives. */
const gone = async (size: number) => {
  while (streams().size > size) await new Promise((resolve) => setImmediate(resolve));
};

/** How many statements `work` runs outside of transactions. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(harness.gateway.get(Sql), 'query');
  try {
    await work();
    return query.mock.calls.length;
  } finally {
    query.mockRestore();
  }
}

describe('GET /api/events/stream', () => {
  it('sends past and new events, with the bytes of webhooks and the cursors of the feed', async () => {
    await emit(2);
    const reader = await follow();
    expect(reader.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    await look();
    await reader.has(2);
    await emit(3);
    await look();
    const events = await reader.has(5);
    expect(events.map(({ data }) => data).toSorted()).toEqual(sent().toSorted());
    const places = await harness.sql.query<{ position: string; body: string }>(
      'select position, body from payment_events where application_id = $1 order by position',
      [merchant.applicationId],
    );
    expect(events).toEqual(
      places.map(({ position, body }) => ({
        id: harness.gateway.get(Cursors).seal(`e${position}`, owner.userId),
        data: body,
      })),
    );
  });

  it('continues after Last-Event-ID, else after ?after, without repeating an event', async () => {
    await emit(4);
    const first = await follow();
    await look();
    const all = await first.has(4);
    const resumed = await follow(token, `?after=${all[0]?.id}`, { 'last-event-id': all[2]?.id ?? '' });
    const asked = await follow(token, `?after=${all[1]?.id}`, { 'last-event-id': '' });
    await look();
    await emit(1);
    await look();
    const last = (await first.has(5)).slice(-1);
    expect(await resumed.has(2)).toEqual([...all.slice(3), ...last]);
    expect(await asked.has(3)).toEqual([...all.slice(2), ...last]);
  });

  it.each([
    ['?after=nonsense', {}, 'after'],
    ['', { 'last-event-id': 'nonsense' }, 'Last-Event-ID'],
  ])('refuses a cursor that was never returned: %s %j', async (query, headers, field) => {
    const reader = await follow(token, query, headers);
    await reader.over();
    expect(reader.response.statusCode).toBe(422);
    expect(Object.keys((JSON.parse(reader.text) as { errors: object }).errors)).toEqual([field]);
  });

  it("sends a client token its application's events, a user those of all own applications, and no others", async () => {
    const other = await harness.addMerchant({}, owner.userId);
    const stranger = await createOwner(harness.gateway);
    const theirs = await harness.addMerchant({}, stranger.userId);
    const [mine, all, foreign] = [
      await follow(),
      await follow(owner.accessToken),
      await follow(stranger.accessToken),
    ];
    await look();
    for (const by of [merchant, other, theirs]) await emit(2, by);
    await look();
    const bodies = async (reader: EventReader, count: number) =>
      (await reader.has(count)).map(({ data }) => data).toSorted();
    expect(await bodies(mine, 2)).toEqual(sent().toSorted());
    expect(await bodies(all, 4)).toEqual([...sent(), ...sent(other)].toSorted());
    expect(await bodies(foreign, 2)).toEqual(sent(theirs).toSorted());
  });

  it('catches up page by page while other streams are live, and omits no event', async () => {
    const live = await follow();
    await look();
    await emit(70);
    const late = await follow();
    // Comes in between the pages of the one and the batch of the other.
    await streams().runOnce();
    await emit(5);
    await look();
    const wanted = (await live.has(75)).map(({ id }) => id);
    expect((await late.has(75)).map(({ id }) => id)).toEqual(wanted);
    expect(new Set(wanted).size).toBe(75);
  }, 300_000);

  it('reads new events once for all streams', async () => {
    const readers = [await follow(), await follow(), await follow()];
    await look();
    expect(await statementsOf(() => streams().runOnce())).toBe(1);
    await emit(1);
    expect(await statementsOf(() => streams().runOnce())).toBe(2);
    for (const reader of readers) await reader.has(1);
  });
});

describe('a stream', () => {
  it('is kept alive by comments, and ends after its maximum duration', async () => {
    const reader = await follow();
    await look();
    harness.clock.advanceSeconds(HEARTBEAT_MS / 1000);
    await look();
    await reader.until(() => reader.text.endsWith(':\n\n'));
    harness.clock.advanceSeconds((LIFETIME_MS - HEARTBEAT_MS) / 1000);
    await look();
    await reader.over();
    expect([reader.response.complete, streams().size]).toEqual([true, 0]);
  });

  it('ends when its token is revoked', async () => {
    const { id, token: other } = await createClientToken(harness.gateway, owner, merchant.applicationId);
    const [revoked, kept] = [await follow(other), await follow()];
    await fetch(`${harness.gateway.baseUrl}${tokensPath(merchant.applicationId)}/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${owner.accessToken}` },
    });
    await look();
    expect(revoked.isOver).toBe(false);
    harness.clock.advanceSeconds(TOKEN_CHECK_MS / 1000);
    await look();
    await revoked.over();
    expect([kept.isOver, streams().size]).toEqual([false, 1]);
  });

  it('is closed when its client does not read, without using memory', async () => {
    const reader = await follow();
    await look();
    reader.response.pause();
    // More than the buffers of two sockets hold.
    await addLarge(await harness.addPayment(merchant), 250);
    // Nothing of it is read any more: the reader is full, and stays so.
    for (let idle = 0; idle < 10;) {
      idle = (await statementsOf(look)) === 1 ? idle + 1 : 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    harness.clock.advanceSeconds(PATIENCE_MS / 1000);
    await look();
    await gone(0);
    reader.response.resume();
    await reader.over();
    expect(reader.response.complete).toBe(false);
    // Far less than the 15 MB in total; a client that reconnects gets the rest.
    expect(reader.events.length).toBeLessThan(180);
    const again = await follow(token, '', { 'last-event-id': reader.events.at(-1)?.id ?? '' });
    while (!again.isOver && again.events.length + reader.events.length < 250) {
      await look();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(again.events.length + reader.events.length).toBe(250);
  }, 300_000);

  it('is not written to after its end, and is cut when the client does not read the end', async () => {
    const server = harness.gateway.app.getHttpServer() as Server;
    const [reader, [, response]] = await Promise.all([
      follow(),
      once(server, 'request') as Promise<[unknown, ServerResponse]>,
    ]);
    await look();
    reader.response.pause();
    const paymentId = await harness.addPayment(merchant);
    // One event waits in the gateway, and there is space for another.
    while (response.writableLength === 0) {
      await addLarge(paymentId, 1);
      await look();
      await new Promise((resolve) => setImmediate(resolve));
    }
    harness.clock.advanceSeconds(LIFETIME_MS / 1000);
    await look();
    expect([response.writableEnded, response.closed]).toEqual([true, false]);
    await addLarge(paymentId, 1);
    await look();
    expect([response.errored, streams().size]).toEqual([null, 1]);
    harness.clock.advanceSeconds(PATIENCE_MS / 1000);
    await look();
    await gone(0);
  }, 300_000);

  it('is refused above the limits per user and in total', async () => {
    for (let i = 0; i < 4; i++) await follow();
    const fifth = await follow();
    await fifth.over();
    expect([fifth.response.statusCode, fifth.response.headers['retry-after']]).toEqual([429, '5']);
    const stranger = await createOwner(harness.gateway);
    for (let i = 0; i < 2; i++) expect((await follow(stranger.accessToken)).response.statusCode).toBe(200);
    const third = await follow(stranger.accessToken);
    await third.over();
    expect([third.response.statusCode, third.response.headers['retry-after']]).toEqual([503, '5']);
    for (const reader of open) await reader.leave();
    open.clear();
    await gone(0);
    expect((await follow()).response.statusCode).toBe(200);
  });

  it('responds to HEAD at once, and refuses other media types', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const head = await fetch(`${harness.gateway.baseUrl}${STREAM}`, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const wrong = await fetch(`${harness.gateway.baseUrl}${STREAM}`, {
      headers: { ...headers, accept: 'text/html' },
    });
    expect(wrong.status).toBe(406);
    await gone(0);
  });

  it('ends at once when the gateway stops', async () => {
    const other = await harness.addGateway();
    const response = await fetch(`${other.baseUrl}${STREAM}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = response.text();
    await other.close();
    expect(await text).toBe('retry: 2000\n\n');
  });
});
