import { ChangeStreams } from '../src/overview/changes/change-streams.service.js';
import { Cursors } from '../src/platform/web/cursors/cursors.service.js';
import { EventStreams } from '../src/webhooks/events/event-streams.service.js';
import { DOCUMENT } from './support/contract/document-schemas.js';
import { operationsOf, parametersOf } from './support/contract/operations.js';
import { EventReader } from './support/event-reader.js';
import { createOwner, type Owner } from './support/principals.js';
import type { TestGateway } from './support/test-gateway.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';

/** What the numbers over all merchants begin with here: it is found wherever one of them is shown. */
const CANARY = '77700';
const START = { feed: 7_770_001_110_000n, changes: 7_770_002_220_000n, audit: 7_770_003_330_000n };

interface Party extends Owner {
  merchant: Merchant;
  paymentId: string;
}
interface Answer {
  path: string;
  status: number;
  text: string;
}

let harness: WebhookHarness;
let alice: Party;
let bob: Party;
const readers: EventReader[] = [];

const get = async (
  path: string,
  { accessToken }: Owner,
  gateway: TestGateway = harness.gateway,
): Promise<Answer> => {
  const response = await fetch(gateway.baseUrl + path, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  const headers = JSON.stringify([...response.headers].filter(([name]) => name !== 'date'));
  return { path, status: response.status, text: `${await response.text()}\n${headers}` };
};
const cursorOf = ({ text }: Answer): string =>
  (JSON.parse(text.split('\n')[0] ?? '') as { meta: { cursor: { next: string } } }).meta.cursor.next;

async function pay(party: Party): Promise<void> {
  party.paymentId = await harness.addPayment(party.merchant);
  await harness.pay(party.merchant, party.paymentId);
  await harness.drain();
}

async function join(): Promise<Party> {
  const owner = await createOwner(harness.gateway);
  const party = { ...owner, merchant: await harness.addMerchant({}, owner.userId), paymentId: '' };
  await pay(party);
  return party;
}

/** What the streams of somebody say at the moment. */
async function streamed(party: Owner): Promise<Answer[]> {
  const paths = ['/api/events/stream', '/api/changes'];
  const opened = await Promise.all(
    paths.map((path) => EventReader.open(harness.gateway.baseUrl + path, party.accessToken)),
  );
  readers.push(...opened);
  while (await harness.gateway.get(EventStreams).runOnce()) continue;
  await harness.gateway.get(ChangeStreams).runOnce();
  for (const reader of opened) await reader.until(() => /^id: .*\ndata: /m.test(reader.text));
  return opened.map(({ text }, i) => ({ path: paths[i] ?? '', status: 200, text }));
}

/** Paths of every GET that takes `after`, with the ids of somebody. */
function listsOf(party: Party): string[] {
  const lists = operationsOf(DOCUMENT).filter(
    ({ method, path, operation }) =>
      method === 'get' &&
      !path.startsWith('/api/admin') &&
      parametersOf(DOCUMENT, operation, 'query').some(({ name }) => name === 'after'),
  );
  return [...new Set(lists.map(({ path }) => filled(path, party)))];
}

function filled(path: string, { merchant, paymentId }: Party): string {
  const id = path.startsWith('/api/payment-applications/') ? merchant.applicationId : paymentId;
  return path.replace('{paymentId}', paymentId).replace('{id}', id).replace('{clientId}', 'none');
}

beforeAll(async () => {
  harness = await WebhookHarness.start();
  await harness.sql.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `update event_feed set last_position = $1, lineage = database_lineage('event_feed'::regclass)`,
      [START.feed],
    );
    await tx.query('update audit_head set seq = $1', [START.audit]);
    await tx.query(`select setval('changes_seq_seq', $1)`, [START.changes]);
  });
  [alice, bob] = [await join(), await join()];
});
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.leave();
});
afterAll(() => harness.stop());

it('every number over all merchants is known here', async () => {
  const sequences = await harness.sql.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public' order by name`,
  );
  expect(sequences.map(({ name }) => name)).toEqual([
    'changes_seq_seq',
    'migrations_id_seq',
    // Rows that wait for seconds to be added up.
    'payment_count_changes_seq_seq',
    'webhook_delivery_count_changes_seq_seq',
  ]);
  const [last] = await harness.sql.query<Record<string, string>>(
    `select (select last_position from event_feed) as feed, (select seq from audit_head) as audit,
       (select last_value from changes_seq_seq) as changes`,
  );
  for (const value of Object.values(last ?? {})) expect(value).toMatch(new RegExp(`^${CANARY}`));
});

it('no answer to a merchant shows one of them, plainly or encoded', async () => {
  const paths = operationsOf(DOCUMENT)
    .filter(
      ({ method, path }) =>
        method === 'get' && path.startsWith('/api/') && !/stream|changes|oauth/.test(path),
    )
    .map(({ path }) => filled(path, alice))
    .filter((path) => !path.includes('{'));
  const answers: Answer[] = [];
  for (const path of new Set(paths)) answers.push(await get(path, alice));
  answers.push(...(await streamed(alice)));
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(35);
  const leaks = answers.flatMap(({ path, text }) => {
    const words = text.match(/[A-Za-z0-9_-]{6,}/g) ?? [];
    const decoded = words.map((word) => Buffer.from(word, 'base64url').toString('latin1'));
    return [...words, ...decoded].filter((word) => word.includes(CANARY)).map((word) => `${path}: ${word}`);
  });
  expect(leaks).toEqual([]);
});

it('every list with a cursor in the document has one that is opaque, of one length and its reader’s own', async () => {
  const paths = listsOf(alice);
  expect(paths.length).toBeGreaterThan(7);
  const found = paths.includes('/api/events/stream') ? await streamed(alice) : [];
  for (const path of paths.filter((one) => !one.endsWith('/stream'))) {
    const answer = await get(path, alice);
    expect([path, answer.status]).toEqual([path, 200]);
    const cursor = cursorOf(answer);
    const bytes = Buffer.from(cursor, 'base64url');
    expect([path, bytes.length % 24]).toEqual([path, 16]);
    expect(bytes.every((byte) => byte >= 0x20 && byte < 0x7f)).toBe(false);
    expect((await get(`${path}?after=${cursor}`, alice)).status).toBe(200);
    // The same position is the same answer.
    expect((await get(path, alice)).text.split('\n')[0]).toBe(answer.text.split('\n')[0]);
  }
  for (const { text } of found) {
    const [, id = ''] = /^id: (.*)$/m.exec(text) ?? [];
    expect([40, 64]).toContain(Buffer.from(id, 'base64url').length);
  }
});

it('a cursor of somebody else, a changed one and what it is made of are refused alike', async () => {
  for (const path of listsOf(alice)) {
    const isStream = path.endsWith('/stream');
    const [own, theirs] = [alice, bob].map(({ userId }) => harness.gateway.get(Cursors).seal('e1', userId));
    const changed = (own ?? '').replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const cursor of [theirs, changed, 'e1', 'ZTE', '1', 'a1', 'nonsense', `${own}A`]) {
      const { status, text } = await get(`${path}?after=${cursor}`, alice);
      expect([path, cursor, status]).toEqual([path, cursor, 422]);
      expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
        errors: { after: ['The after field must be a cursor that this endpoint returned.'] },
      });
    }
    if (!isStream) continue;
    for (const stream of [path, '/api/changes']) {
      const reader = await EventReader.open(harness.gateway.baseUrl + stream, alice.accessToken, {
        'last-event-id': theirs ?? '',
      });
      readers.push(reader);
      await reader.over();
      expect([stream, reader.response.statusCode]).toEqual([stream, 422]);
      expect(reader.text).toContain('The Last-Event-ID header must be an id of this stream.');
    }
  }
});

/** What a merchant sees between two own payments, with what nobody can read anything from replaced by its length. */
async function storyWith(between: () => Promise<void>): Promise<string[]> {
  const reader = await join();
  const first = [
    await get('/api/events', reader),
    await get('/api/audit', reader),
    ...(await streamed(reader)),
  ];
  await between();
  await pay(reader);
  const then = [
    await get('/api/events', reader),
    await get('/api/audit', reader),
    ...(await streamed(reader)),
  ];
  return [...first, ...then].map(({ text }) =>
    text
      .replace(/[A-Za-z0-9_-]{40,}/g, ({ length }) => `opaque ${length}`)
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
      .replace(/(version":")\d+/g, '$1microseconds')
      .replace(/"x-request-id[^\]]*\]|"(ratelimit|content-length)[^\]]*\]/g, '')
      .replace(/owner-\w{12}|127\.0\.0\.1:\d+|expires=\d+/g, 'own'),
  );
}

it('what a merchant sees is the same whether others sold nothing or much meanwhile', async () => {
  const quiet = await storyWith(async () => undefined);
  const busy = await storyWith(async () => {
    for (let i = 0; i < 10; i++) await pay(bob);
  });
  expect(busy).toEqual(quiet);
});

it('cursors are read by every process, and one whose key is destroyed is refused without stopping the gateway', async () => {
  const cursor = cursorOf(await get('/api/events', alice));
  expect((await get(`/api/events?after=${cursor}`, alice, await harness.addGateway())).status).toBe(200);
  await harness.sql.query(`update cursor_keys set sealed_key = 'v1.x.y.z'`);
  const later = await harness.addGateway();
  expect((await get(`/api/events?after=${cursor}`, alice, later)).status).toBe(422);
  const fresh = cursorOf(await get('/api/events', alice, later));
  expect((await get(`/api/events?after=${fresh}`, alice, later)).status).toBe(200);
  expect((await get(`/api/events?after=${fresh}`, alice, await harness.addGateway())).status).toBe(200);
});
