import { randomUUID } from 'node:crypto';
import { REPLAY_BATCH } from '../src/webhooks/webhook-log.service.js';
import { type Answer, APPLICATIONS, ApplicationsApi } from './support/applications-api.js';
import { createOwner, type Owner } from './support/principals.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';

let harness: WebhookHarness;
let owner: Owner;
let merchant: Merchant;

beforeAll(async () => {
  harness = await WebhookHarness.start({ WEBHOOK_RETRY_SCHEDULE: '0,5,30' });
  owner = await createOwner(harness.gateway);
});
beforeEach(async () => {
  merchant = await harness.addMerchant({}, owner.userId);
});
afterAll(() => harness.stop());

const call = <T>(method: string, path: string, body?: object): Promise<Answer<T>> =>
  new ApplicationsApi(harness.gateway, owner).call<T>(
    method,
    `${APPLICATIONS}/${merchant.applicationId}/${path}`,
    body,
  );
const sent = () => merchant.server.payloads().map(({ id }) => id);
const now = () => harness.clock.now().toISOString();

/** A payment with `count` events whose deliveries are exhausted. */
async function exhausted(count = 1): Promise<{ paymentId: string; events: string[] }> {
  const paymentId = await harness.addPayment(merchant);
  const events: string[] = [];
  for (let i = 0; i < count; i++) events.push(await harness.addEvent(merchant, paymentId, 2 + i));
  merchant.server.always({ status: 500 });
  for (let i = 0; i < 3 * count; i++) await harness.pass(40);
  for (const event of events) expect(await harness.delivery(event)).toMatchObject({ state: 'exhausted' });
  merchant.server.always({ status: 200 });
  merchant.server.requests.length = 0;
  return { paymentId, events };
}

interface AttemptDto {
  attempt: number;
  httpStatus: number | null;
  startedAt: string;
  requestHeaders: Record<string, string>;
}

describe('the attempts of a delivery', () => {
  it('are listed with what was sent and received', async () => {
    merchant.server.plan({ status: 500, body: 'x'.repeat(10_000) }, 'close', { status: 204 });
    const eventId = await harness.addPaymentEvent(merchant);
    for (let i = 0; i < 3; i++) await harness.pass(40);
    const { id } = await harness.delivery(eventId);
    const answer = await call<AttemptDto[]>('GET', `webhook-deliveries/${id}/attempts`);
    const common = {
      url: merchant.server.url,
      requestBody: merchant.server.requests[0]?.body.toString('utf8'),
      connectMs: expect.any(Number),
      firstByteMs: expect.any(Number),
      durationMs: expect.any(Number),
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      requestHeaders: expect.any(Object),
    };
    expect(answer.data).toEqual([
      { ...common, attempt: 3, httpStatus: 204, errorMessage: null, responseBody: '' },
      {
        ...common,
        attempt: 2,
        httpStatus: null,
        errorMessage: 'connection closed',
        responseBody: null,
        firstByteMs: null,
      },
      { ...common, attempt: 1, httpStatus: 500, errorMessage: null, responseBody: 'x'.repeat(4_096) },
    ]);
    for (const [index, { requestHeaders }] of answer.data.toReversed().entries())
      expect(merchant.server.requests[index]?.headers).toMatchObject(
        Object.fromEntries(
          Object.entries(requestHeaders).map(([name, value]) => [name.toLowerCase(), value]),
        ),
      );
    const second = await call<AttemptDto[]>('GET', `webhook-deliveries/${id}/attempts?per_page=1&page=2`);
    expect(second.data.map(({ attempt }) => attempt)).toEqual([2]);
    expect(second.meta?.pagination).toMatchObject({ total: 3, total_pages: 3 });
    const behind = await call<AttemptDto[]>('GET', `webhook-deliveries/${id}/attempts?page=9`);
    expect([behind.data, behind.meta?.pagination.total]).toEqual([[], 3]);
  });

  it('are a 404 for an unknown delivery', async () => {
    const answer = await call('GET', `webhook-deliveries/${randomUUID()}/attempts`);
    expect([answer.status, answer.error.code]).toEqual([404, 'not_found']);
  });
});

interface ReplayDto {
  count: number;
  lastDeliveryId: string | null;
  hasMore: boolean;
}
const replay = (body: object) => call<ReplayDto>('POST', 'webhook-deliveries/replay', body);

describe('a replay', () => {
  it('sends failed and exhausted deliveries since a time, in order per payment', async () => {
    const before = await exhausted();
    harness.clock.advanceSeconds(60);
    const since = now();
    const { events } = await exhausted(3);
    const done = await harness.addPaymentEvent(merchant);
    await harness.drain();
    merchant.server.plan({ status: 503, headers: { 'retry-after': '3600' } });
    const failed = await harness.addPaymentEvent(merchant);
    await harness.drain();
    merchant.server.requests.length = 0;

    const answer = await replay({ since });
    const { id: lastDeliveryId } = await harness.delivery(failed);
    expect([answer.status, answer.data]).toEqual([202, { count: 4, lastDeliveryId, hasMore: false }]);
    await harness.drain();
    expect(sent().filter((id) => events.includes(id))).toEqual(events);
    expect(sent().toSorted()).toEqual([...events, failed].toSorted());
    expect(sent()).not.toContain(done);
    expect(await harness.delivery(before.events[0]!)).toMatchObject({ state: 'exhausted' });
    expect((await replay({ since })).data).toEqual({ count: 0, lastDeliveryId: null, hasMore: false });
  });

  it('is limited to the given status and end time', async () => {
    const start = now();
    const { events } = await exhausted();
    const until = now();
    harness.clock.advanceSeconds(60);
    const later = await exhausted();
    expect((await replay({ since: start, until, status: 'FAILED' })).data.count).toBe(0);
    expect((await replay({ since: start, until, status: 'EXHAUSTED' })).data.count).toBe(1);
    await harness.drain();
    expect(sent()).toEqual(events);
    expect(await harness.delivery(later.events[0]!)).toMatchObject({ state: 'exhausted' });
  });

  it('does not send events superseded by a reorg', async () => {
    const since = now();
    merchant.server.always({ status: 500 });
    const paymentId = await harness.addPayment(merchant);
    await harness.pay(merchant, paymentId);
    for (let i = 0; i < 3; i++) await harness.pass(40);
    expect(await harness.delivery(paymentId, 'payment.received')).toMatchObject({ state: 'exhausted' });
    await harness.reorganize();
    merchant.server.requests.length = 0;
    expect((await replay({ since })).data.count).toBe(0);
    await harness.drain();
    expect(merchant.server.requests).toEqual([]);
  });

  it('of many deliveries continues where the previous batch ended, with no delivery twice', async () => {
    const since = now();
    const { events } = await exhausted();
    // Copies, each with a payment, its history, an event and an exhausted delivery.
    const copies = REPLAY_BATCH + 5;
    await harness.sql.transaction(async (tx) => {
      await tx.query(`set local session_replication_role = replica`);
      await tx.query(
        `insert into payment_events
         select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'payment_id', gen_random_uuid(),
           'position', null))).*
         from payment_events e, generate_series(1, $2) where e.id = $1`,
        [events[0], copies],
      );
      await tx.query(
        `insert into webhook_deliveries
         select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'event_id', e.id,
           'payment_id', e.payment_id))).*
         from webhook_deliveries d, payment_events e
         where d.event_id = $1 and e.application_id = d.application_id and e.id <> $1`,
        [events[0]],
      );
    });
    const first = (await replay({ since })).data;
    expect([first.count, first.hasMore]).toEqual([REPLAY_BATCH, true]);
    const second = (await replay({ since, after: first.lastDeliveryId })).data;
    expect([second.count, second.hasMore]).toEqual([6, false]);
    expect((await replay({ since, after: second.lastDeliveryId })).data.count).toBe(0);
    const [due] = await harness.sql.query<{ count: number }>(
      `select count(*)::int as count from webhook_deliveries where application_id = $1 and state = 'pending'`,
      [merchant.applicationId],
    );
    expect(due?.count).toBe(copies + 1);
    // Inserted directly: they are never sent.
    await call('POST', 'webhook-endpoint/pause');
  });

  it.each([
    [{}, 'since'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }, 'until'],
    [{ since: '2026-01-02T00:00:00Z', status: 'SUCCEEDED' }, 'status'],
    [{ since: '2026-01-02T00:00:00Z', after: randomUUID() }, 'after'],
  ])('with the body %j is refused, and the error names the field', async (body, field) => {
    const { status, error } = await replay(body);
    expect([status, Object.keys(error.errors ?? {})]).toEqual([422, [field]]);
  });
});

interface EndpointDto {
  paused: boolean;
  pausedBy: string | null;
  pauseReason: string | null;
  waiting: number;
  consecutiveFailures: number;
}
const endpoint = async () => (await call<EndpointDto>('GET', 'webhook-endpoint')).data;

describe('the webhook endpoint', () => {
  it('shows its failures, its last success and waiting deliveries', async () => {
    const quiet = {
      callbackUrl: merchant.server.url,
      paused: false,
      pausedAt: null,
      pausedBy: null,
      pauseReason: null,
      waiting: 0,
      consecutiveFailures: 0,
      lastFailureAt: null,
      lastError: null,
      lastSuccessAt: null,
      previousSecretUntil: null,
    };
    expect(await endpoint()).toEqual(quiet);
    await exhausted();
    merchant.server.plan({ status: 200 }, { status: 503 }, 'close');
    await harness.addPaymentEvent(merchant);
    await harness.pass(1);
    for (let i = 0; i < 2; i++) await harness.addPaymentEvent(merchant);
    await harness.pass(1);
    const second = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(await endpoint()).toEqual({
      ...quiet,
      waiting: 2,
      consecutiveFailures: 2,
      lastFailureAt: second,
      lastError: expect.stringMatching(/^(HTTP 503|connection closed)$/),
      lastSuccessAt: second,
      previousSecretUntil: null,
    });
  });

  it('gets nothing while the merchant pauses it, even after saving its URL, and everything in order once resumed', async () => {
    const paused = await call<EndpointDto>('POST', 'webhook-endpoint/pause', { reason: 'The shop moves' });
    expect([paused.status, paused.data]).toEqual([
      200,
      expect.objectContaining({ paused: true, pausedBy: 'MERCHANT', pauseReason: 'The shop moves' }),
    ]);
    const paymentId = await harness.addPayment(merchant);
    const events = [
      await harness.addEvent(merchant, paymentId, 2),
      await harness.addEvent(merchant, paymentId, 3, 'payment.refund'),
    ];
    await harness.pass(60);
    await call('PUT', '', { callbackUrl: merchant.server.url });
    await harness.pass(60);
    expect(merchant.server.requests).toEqual([]);
    // Paused again without a reason: the earlier one stays.
    const again = await call<EndpointDto>('POST', 'webhook-endpoint/pause');
    expect(again.data).toMatchObject({ paused: true, pauseReason: 'The shop moves', waiting: 2 });
    const resumed = await call<EndpointDto>('POST', 'webhook-endpoint/resume');
    expect([resumed.status, resumed.data]).toEqual([
      200,
      expect.objectContaining({ paused: false, pausedBy: null, pauseReason: null }),
    ]);
    await harness.drain();
    expect(sent()).toEqual(events);
    expect((await call('POST', 'webhook-endpoint/resume')).status).toBe(200);
  });

  it('shows that a 410 paused it, and continues when resumed', async () => {
    merchant.server.plan({ status: 410 });
    await harness.addPaymentEvent(merchant);
    await harness.drain();
    const next = await harness.addPaymentEvent(merchant);
    await harness.drain();
    expect(await endpoint()).toMatchObject({
      pausedBy: 'GONE',
      pauseReason: 'the endpoint returned 410 Gone',
    });
    await call('POST', 'webhook-endpoint/resume');
    await harness.drain();
    expect(sent().slice(1)).toEqual([next]);
  });

  it.each([[{ reason: '' }], [{ reason: 'x'.repeat(256) }], [{ reason: ' ' }], [{ reason: 7 }]])(
    'cannot be paused with %j',
    async (body) => {
      const { status, error } = await call('POST', 'webhook-endpoint/pause', body);
      expect([status, Object.keys(error.errors ?? {})]).toEqual([422, ['reason']]);
    },
  );
});

describe('unacknowledged payments', () => {
  const list = async () =>
    (await call<{ payment: { id: string; status: string } }[]>('GET', 'unacknowledged-payments')).data;

  it('are listed with their last attempt, longest waiting first, until acknowledged', async () => {
    const [first, second] = [await harness.addPayment(merchant), await harness.addPayment(merchant)];
    await harness.addPayment(merchant);
    await harness.pay(merchant, first);
    expect(await list()).toMatchObject([
      { payment: { id: first }, deliveryId: null, deliveryStatus: null, attempt: 0 },
    ]);
    merchant.server.always({ status: 500 });
    await harness.drain();
    harness.clock.advanceSeconds(2);
    await harness.pay(merchant, second);
    await harness.drain();
    const { id: deliveryId } = await harness.delivery(first, 'payment.received');
    const items = await list();
    expect(items.map(({ payment }) => payment.id)).toEqual([first, second]);
    expect(items[0]).toEqual({
      payment: expect.objectContaining({ id: first, status: 'RECEIVED', reference: 'ORDER-1' }),
      receivedAt: expect.stringMatching(/Z$/),
      waitingSeconds: 2,
      deliveryId,
      deliveryStatus: 'FAILED',
      attempt: 1,
      lastAttemptAt: expect.stringMatching(/Z$/),
      httpStatus: 500,
      errorMessage: 'HTTP 500',
      nextAttemptAt: expect.stringMatching(/Z$/),
    });
    merchant.server.always({ status: 200 });
    await harness.pass(60);
    expect(await list()).toEqual([]);
  });
});
