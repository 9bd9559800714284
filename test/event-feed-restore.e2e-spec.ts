import { runCli } from '../src/cli.js';
import { formatEventCursor } from '../src/webhooks/event-cursor.js';
import { EventStreams } from '../src/webhooks/event-streams.service.js';
import { WebhookDispatcher } from '../src/webhooks/webhook-dispatcher.service.js';
import { createClientToken } from './support/client-tokens.js';
import { EventReader } from './support/event-reader.js';
import { createOwner } from './support/principals.js';
import { createTestDatabase, type TestGateway } from './support/test-gateway.js';
import { type Merchant, WebhookWorld } from './support/webhook-world.js';

interface Page {
  data: { event: string; payment: { id: string } }[];
  meta: { cursor: { next: string; hasMore: boolean } };
}

/** What a reader had before the disaster: where the backup ends, and two payments' events that it does not have. */
const cursors = { start: '', ofBackup: '', lostToo: '', lost: '' };
let origin: WebhookWorld;
let merchant: Merchant;
let token: string;
let backup: string;
let ofBackup: string[];
/** What the test at hand has open. */
const worlds: WebhookWorld[] = [];
const readers: EventReader[] = [];

const ask = (query: string, { baseUrl }: TestGateway) =>
  fetch(`${baseUrl}/api/events${query}`, { headers: { authorization: `Bearer ${token}` } });

async function read(after: string, { gateway }: { gateway: TestGateway }): Promise<Page> {
  const response = await ask(after && `?after=${after}`, gateway);
  expect(response.status).toBe(200);
  return (await response.json()) as Page;
}

const told = ({ data }: Page) => data.map(({ payment, event }) => `${payment.id} ${event}`);
const next = async (world: WebhookWorld) => (await read('', world)).meta.cursor.next;

/** Payments that become CONFIRMED; answers what the feed tells of them. */
async function emit(count: number, world: WebhookWorld): Promise<string[]> {
  const events = [];
  for (let i = 0; i < count; i++) {
    const id = await world.addPayment(merchant);
    await world.pay(merchant, id);
    await world.drain();
    events.push(`${id} payment.received`, `${id} payment.completed`);
  }
  return events;
}

async function goOn(databaseUrl: string): Promise<WebhookWorld> {
  const world = await WebhookWorld.goOn(databaseUrl, origin.clock);
  worlds.push(world);
  return world;
}

async function stop(): Promise<void> {
  for (const reader of readers.splice(0)) await reader.leave();
  for (const world of worlds.splice(0)) await world.stop();
}

/** The backup in a new database, as after a disaster. */
const restore = async () => goOn(await createTestDatabase(backup));

/** The same as a copy of the disk would be: nothing in it tells that it is one. */
async function restoreUnnoticed(): Promise<WebhookWorld> {
  const world = await restore();
  await world.sql.query(`update event_feed set lineage = database_lineage('event_feed'::regclass)`);
  return world;
}

async function follow(world: WebhookWorld, query: string, headers = {}): Promise<EventReader> {
  const reader = await EventReader.open(`${world.gateway.baseUrl}/api/events/stream${query}`, token, headers);
  readers.push(reader);
  return reader;
}

async function look({ gateway }: WebhookWorld): Promise<void> {
  while (await gateway.get(EventStreams).runOnce()) continue;
}

const streamed = ({ events }: EventReader) =>
  events.map(({ data }) => {
    const { payment, event } = JSON.parse(data) as Page['data'][number];
    return `${payment.id} ${event}`;
  });

beforeAll(async () => {
  origin = await WebhookWorld.start();
  const owner = await createOwner(origin.gateway);
  merchant = await origin.addMerchant({}, owner.userId);
  ({ token } = await createClientToken(origin.gateway, owner, merchant.applicationId));
  cursors.start = await next(origin);
  ofBackup = await emit(1, origin);
  cursors.ofBackup = await next(origin);
  await origin.gateway.close();
  backup = await createTestDatabase(origin.gateway.databaseUrl);
  const later = await goOn(origin.gateway.databaseUrl);
  await emit(1, later);
  cursors.lostToo = await next(later);
  await emit(1, later);
  cursors.lost = await next(later);
  await stop();
}, 60_000);
afterEach(stop);
afterAll(() => merchant.server.down());

describe('after a restore, a reader of the event feed', () => {
  it.each(['lost', 'lostToo', 'ofBackup'] as const)(
    'goes on from the cursor of before (%s), and misses nothing that is new',
    async (which) => {
      const world = await restore();
      const fresh = await emit(1, world);
      expect(told(await read(cursors[which], world))).toEqual(fresh);
      expect(told(await read(cursors.start, world))).toEqual([...ofBackup, ...fresh]);
      expect(told(await read('', world))).toEqual([...ofBackup, ...fresh]);
    },
  );

  it('may ask before anything is new', async () => {
    const world = await restore();
    const { data, meta } = await read(cursors.lost, world);
    expect([data, meta.cursor]).toEqual([[], { next: cursors.lost, hasMore: false }]);
    const fresh = await emit(1, world);
    expect(told(await read(meta.cursor.next, world))).toEqual(fresh);
  });

  it('goes on with the stream, too', async () => {
    const world = await restore();
    const byHeader = await follow(world, '', { 'last-event-id': cursors.lost });
    const byQuery = await follow(world, `?after=${cursors.lostToo}`);
    await look(world);
    const fresh = await emit(2, world);
    await look(world);
    for (const reader of [byHeader, byQuery]) {
      await reader.has(fresh.length);
      expect(streamed(reader)).toEqual(fresh);
    }
  });

  it('misses nothing either when the same backup is restored once more', async () => {
    const second = await restore();
    await emit(4, second);
    const cursor = await next(second);
    const third = await restore();
    const fresh = await emit(1, third);
    expect(told(await read(cursor, third))).toEqual(fresh);
    expect(told(await read(cursors.lost, third))).toEqual(fresh);
  });

  it('misses nothing either when the server’s clock is behind the feed', async () => {
    const world = await restore();
    // A place of the year 2223.
    const place = 8_000_000_000_000_000n;
    await world.sql.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query('update event_feed set last_position = $1', [place]);
    });
    const fresh = await emit(1, world);
    expect(told(await read(formatEventCursor(place + 1_000_000n), world))).toEqual(fresh);
  });

  it('sees each event once while several processes dispatch, and the feed skips once', async () => {
    const world = await restore();
    const other = await world.addGateway();
    const payments = [];
    for (let i = 0; i < 12; i++) {
      payments.push(await world.addPayment(merchant));
      await world.pay(merchant, payments.at(-1) ?? '');
    }
    const fresh = payments.flatMap((id) => [`${id} payment.received`, `${id} payment.completed`]);
    const followed = async (gateway: TestGateway) => {
      const seen: string[] = [];
      for (let after = cursors.lost; seen.length < fresh.length;) {
        const page = await read(after, { gateway });
        seen.push(...told(page));
        after = page.meta.cursor.next;
      }
      return seen;
    };
    const dispatcher = other.get(WebhookDispatcher);
    const drainOther = async () => {
      while (await dispatcher.runOnce()) continue;
    };
    const [one, two] = await Promise.all([
      followed(world.gateway),
      followed(other),
      world.drain(),
      drainOther(),
    ]);
    expect(one.toSorted()).toEqual(fresh.toSorted());
    expect(two).toEqual(one);
    const [span] = await world.sql.query<{ places: string }>(
      `select max(position) - min(position) + 1 as places from payment_events where payment_id = any($1)`,
      [payments],
    );
    expect(span?.places).toBe(String(fresh.length));
  }, 30_000);
});

describe('a cursor beyond the end of the feed, after a restore that nobody noticed,', () => {
  it.each([
    ['', 'after'],
    ['/stream', 'after'],
    ['/stream', 'Last-Event-ID'],
  ])('is refused: GET /api/events%s, %s', async (path, name) => {
    const { gateway } = await restoreUnnoticed();
    const query = name === 'after' ? `?after=${cursors.lost}` : '';
    const headers = { authorization: `Bearer ${token}`, ...(query === '' && { [name]: cursors.lost }) };
    const response = await fetch(`${gateway.baseUrl}/api/events${path}${query}`, { headers });
    const body = (await response.json()) as { code: string; errors: Record<string, string[]> };
    expect([response.status, body.code, Object.keys(body.errors)]).toEqual([
      422,
      'validation_failed',
      [name],
    ]);
    expect(body.errors[name]?.[0]).toContain('Read from the beginning');
    expect(gateway.get(EventStreams).size).toBe(0);
  });

  it('is none of those that the backup knows, and the beginning can be read', async () => {
    const world = await restoreUnnoticed();
    expect(told(await read(cursors.ofBackup, world))).toEqual([]);
    const fresh = await emit(1, world);
    expect(told(await read(cursors.ofBackup, world))).toEqual(fresh);
    expect(told(await read('', world))).toEqual([...ofBackup, ...fresh]);
  });

  it('is good again after `after-restore`, before and after something is new', async () => {
    const world = await restoreUnnoticed();
    let said = '';
    const write = (text: string) => void (said += text);
    const { appKeys, checkoutSigningKeys, databaseUrl } = world.gateway.config;
    const env = {
      APP_KEYS: appKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
      CHECKOUT_SIGNING_KEY: checkoutSigningKeys.join(','),
      DATABASE_URL: databaseUrl,
    };
    const code = await runCli(['after-restore'], env, { input: process.stdin, write, writeError: write });
    expect([code, said]).toEqual([
      0,
      expect.stringContaining('the event feed goes on behind every cursor\n'),
    ]);
    expect(told(await read(cursors.lostToo, world))).toEqual([]);
    const fresh = await emit(1, world);
    expect(told(await read(cursors.lost, world))).toEqual(fresh);
  });

  it('ends a stream that has it already: whoever comes back is told', async () => {
    const world = await restore();
    await emit(1, world);
    const reader = await follow(world, '');
    await look(world);
    await reader.has(4);
    const { id = '' } = reader.events.at(-1) ?? {};
    // The database goes back beneath a process that lives on.
    await world.sql.query('update event_feed set last_position = last_position - 1');
    await look(world);
    await reader.over();
    expect(reader.response.complete).toBe(true);
    expect((await ask(`/stream?after=${id}`, world.gateway)).status).toBe(422);
  });
});

it('the cursor of a feed without any event is good', async () => {
  const { gateway } = await restoreUnnoticed();
  await gateway.sql.query('update event_feed set last_position = 0');
  const stranger = await createOwner(gateway);
  const of = (query: string) =>
    fetch(`${gateway.baseUrl}/api/events${query}`, {
      headers: { authorization: `Bearer ${stranger.accessToken}` },
    });
  const first = (await (await of('')).json()) as Page;
  expect((await of(`?after=${first.meta.cursor.next}`)).status).toBe(200);
  expect((await of('?after=ZTE')).status).toBe(422);
});
