import { runCli } from '../src/cli.js';
import { Cursors } from '../src/platform/web/cursors/cursors.service.js';
import { EventStreams } from '../src/webhooks/events/event-streams.service.js';
import { WebhookDispatcher } from '../src/webhooks/webhook-dispatcher.service.js';
import { createClientToken } from './support/client-tokens.js';
import { EventReader } from './support/event-reader.js';
import { createOwner } from './support/principals.js';
import { createTestDatabase, type TestGateway } from './support/test-gateway.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';

interface Page {
  data: { event: string; payment: { id: string } }[];
  meta: { cursor: { next: string; hasMore: boolean } };
}

/** What a reader had before the disaster: where the backup ends, and two payments' events that it does not have. */
const cursors = { start: '', ofBackup: '', lostToo: '', lost: '' };
let origin: WebhookHarness;
let merchant: Merchant;
let token: string;
let backup: string;
let ofBackup: string[];
/** What the test at hand has open. */
const harnesses: WebhookHarness[] = [];
const readers: EventReader[] = [];

const ask = (query: string, { baseUrl }: TestGateway) =>
  fetch(`${baseUrl}/api/events${query}`, { headers: { authorization: `Bearer ${token}` } });

async function read(after: string, { gateway }: { gateway: TestGateway }): Promise<Page> {
  const response = await ask(after && `?after=${after}`, gateway);
  expect(response.status).toBe(200);
  return (await response.json()) as Page;
}

const summaries = ({ data }: Page) => data.map(({ payment, event }) => `${payment.id} ${event}`);
const next = async (harness: WebhookHarness) => (await read('', harness)).meta.cursor.next;

/** Makes payments CONFIRMED; returns their events in the feed. */
async function emit(count: number, harness: WebhookHarness): Promise<string[]> {
  const events = [];
  for (let i = 0; i < count; i++) {
    const id = await harness.addPayment(merchant);
    await harness.pay(merchant, id);
    await harness.drain();
    events.push(`${id} payment.received`, `${id} payment.completed`);
  }
  return events;
}

async function goOn(databaseUrl: string): Promise<WebhookHarness> {
  const harness = await WebhookHarness.goOn(databaseUrl, origin.clock);
  harnesses.push(harness);
  return harness;
}

async function stop(): Promise<void> {
  for (const reader of readers.splice(0)) await reader.leave();
  for (const harness of harnesses.splice(0)) await harness.stop();
}

/** The backup in a new database, as after a disaster. */
const restore = async () => goOn(await createTestDatabase(backup));

/** Like a copy of the disk: nothing in it shows that it is a copy. */
async function restoreUnnoticed(): Promise<WebhookHarness> {
  const harness = await restore();
  await harness.sql.query(`update event_feed set lineage = database_lineage('event_feed'::regclass)`);
  return harness;
}

async function follow(harness: WebhookHarness, query: string, headers = {}): Promise<EventReader> {
  const reader = await EventReader.open(
    `${harness.gateway.baseUrl}/api/events/stream${query}`,
    token,
    headers,
  );
  readers.push(reader);
  return reader;
}

async function look({ gateway }: WebhookHarness): Promise<void> {
  while (await gateway.get(EventStreams).runOnce()) continue;
}

const streamed = ({ events }: EventReader) =>
  events.map(({ data }) => {
    const { payment, event } = JSON.parse(data) as Page['data'][number];
    return `${payment.id} ${event}`;
  });

beforeAll(async () => {
  origin = await WebhookHarness.start();
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
}, 300_000);
afterEach(stop);
afterAll(() => merchant.server.down());

describe('the event feed after a restore from a backup', () => {
  it.each(['lost', 'lostToo', 'ofBackup'] as const)(
    'continues from a cursor from before the restore (%s) and omits no new event',
    async (which) => {
      const harness = await restore();
      const fresh = await emit(1, harness);
      expect(summaries(await read(cursors[which], harness))).toEqual(fresh);
      expect(summaries(await read(cursors.start, harness))).toEqual([...ofBackup, ...fresh]);
      expect(summaries(await read('', harness))).toEqual([...ofBackup, ...fresh]);
    },
  );

  it('accepts a cursor from before the restore while there are no new events', async () => {
    const harness = await restore();
    const { data, meta } = await read(cursors.lost, harness);
    expect([data, meta.cursor]).toEqual([[], { next: cursors.lost, hasMore: false }]);
    const fresh = await emit(1, harness);
    expect(summaries(await read(meta.cursor.next, harness))).toEqual(fresh);
  });

  it('lets an event stream continue from a cursor from before the restore', async () => {
    const harness = await restore();
    const byHeader = await follow(harness, '', { 'last-event-id': cursors.lost });
    const byQuery = await follow(harness, `?after=${cursors.lostToo}`);
    await look(harness);
    const fresh = await emit(2, harness);
    await look(harness);
    for (const reader of [byHeader, byQuery]) {
      await reader.has(fresh.length);
      expect(streamed(reader)).toEqual(fresh);
    }
  });

  it('omits no event when the same backup is restored a second time', async () => {
    const second = await restore();
    await emit(4, second);
    const cursor = await next(second);
    const third = await restore();
    const fresh = await emit(1, third);
    expect(summaries(await read(cursor, third))).toEqual(fresh);
    expect(summaries(await read(cursors.lost, third))).toEqual(fresh);
  });

  it('omits no event when the server’s clock is behind the last feed position', async () => {
    const harness = await restore();
    // A place of the year 2223.
    const place = 8_000_000_000_000_000n;
    await harness.sql.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query('update event_feed set last_position = $1', [place]);
    });
    const fresh = await emit(1, harness);
    const beyond = harness.gateway.get(Cursors).seal(`e${place + 1_000_000n}`, merchant.userId);
    expect(summaries(await read(beyond, harness))).toEqual(fresh);
  });

  it('returns each event once while several processes dispatch, and skips positions only once', async () => {
    const harness = await restore();
    const other = await harness.addGateway();
    const payments = [];
    for (let i = 0; i < 12; i++) {
      payments.push(await harness.addPayment(merchant));
      await harness.pay(merchant, payments.at(-1) ?? '');
    }
    const fresh = payments.flatMap((id) => [`${id} payment.received`, `${id} payment.completed`]);
    const followed = async (gateway: TestGateway) => {
      const seen: string[] = [];
      for (let after = cursors.lost; seen.length < fresh.length;) {
        const page = await read(after, { gateway });
        seen.push(...summaries(page));
        after = page.meta.cursor.next;
      }
      return seen;
    };
    const dispatcher = other.get(WebhookDispatcher);
    const drainOther = async () => {
      while (await dispatcher.runOnce()) continue;
    };
    const [one, two] = await Promise.all([
      followed(harness.gateway),
      followed(other),
      harness.drain(),
      drainOther(),
    ]);
    expect(one.toSorted()).toEqual(fresh.toSorted());
    expect(two).toEqual(one);
    const [span] = await harness.sql.query<{ places: string }>(
      `select max(position) - min(position) + 1 as places from payment_events where payment_id = any($1)`,
      [payments],
    );
    expect(span?.places).toBe(String(fresh.length));
  }, 300_000);
});

describe('a cursor beyond the end of the feed, after a restore without `after-restore`,', () => {
  it.each([
    ['', 'after'],
    ['/stream', 'after'],
    ['/stream', 'Last-Event-ID'],
  ])('is refused by GET /api/events%s as %s', async (path, name) => {
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

  it('does not affect cursors that the backup contains, which are accepted, as is the beginning', async () => {
    const harness = await restoreUnnoticed();
    expect(summaries(await read(cursors.ofBackup, harness))).toEqual([]);
    const fresh = await emit(1, harness);
    expect(summaries(await read(cursors.ofBackup, harness))).toEqual(fresh);
    expect(summaries(await read('', harness))).toEqual([...ofBackup, ...fresh]);
  });

  it('is accepted again after `after-restore`, both before and after a new event', async () => {
    const harness = await restoreUnnoticed();
    let printed = '';
    const write = (text: string) => void (printed += text);
    const { environment } = harness.gateway;
    const code = await runCli(['after-restore'], environment, {
      input: process.stdin,
      write,
      writeError: write,
    });
    expect([code, printed]).toEqual([
      0,
      expect.stringContaining('the event feed continues after every cursor\n'),
    ]);
    expect(summaries(await read(cursors.lostToo, harness))).toEqual([]);
    const fresh = await emit(1, harness);
    expect(summaries(await read(cursors.lost, harness))).toEqual(fresh);
  });

  it('ends an open stream that holds it, and is refused when the client reconnects', async () => {
    const harness = await restore();
    await emit(1, harness);
    const reader = await follow(harness, '');
    await look(harness);
    await reader.has(4);
    const { id = '' } = reader.events.at(-1) ?? {};
    // The database goes back beneath a process that lives on.
    await harness.sql.query('update event_feed set last_position = last_position - 1');
    await look(harness);
    await reader.over();
    expect(reader.response.complete).toBe(true);
    expect((await ask(`/stream?after=${id}`, harness.gateway)).status).toBe(422);
  });
});

it('the event feed accepts the cursor that it returned while it was empty', async () => {
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
