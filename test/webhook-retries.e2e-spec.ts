import { ApplicationsService } from '../src/applications/applications.service.js';
import { type Answer, MerchantServer } from './support/merchant-server.js';
import { PATIENCE_MS, watchDeadlines } from './support/silence.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';
import { Draft } from '../src/platform/web/contract/read-contract.js';

const HOUR = 3_600;
/** Seconds since the first attempt (specification/webhooks.md#retries). */
const SCHEDULE = [0, 5, 30, 120, 600, 1_800].concat(
  [1, 2, 4, 12, 20, 28, 36, 44, 52, 60, 68].map((hours) => hours * HOUR),
);
const forgetDeadlines = watchDeadlines();
let harness: WebhookHarness;
let merchant: Merchant;

beforeAll(async () => {
  harness = await WebhookHarness.start({ WEBHOOK_TIMEOUT_MS: String(PATIENCE_MS) });
  // No jitter, so that the schedule can be read off the clock.
  harness.dispatcher.random = () => 0.5;
});
beforeEach(async () => {
  merchant = await harness.addMerchant();
});
afterAll(async () => {
  await harness.stop();
  forgetDeadlines();
});

/** Seconds from now until the delivery is due again. */
async function secondsToNext(eventId: string): Promise<number | null> {
  const { next_attempt_at: next } = await harness.delivery(eventId);
  return next && (next.getTime() - harness.clock.now().getTime()) / 1000;
}

describe('a dead endpoint', () => {
  it('is retried exactly on schedule until attempts are exhausted', async () => {
    await merchant.server.down();
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.drain();
    for (const [index, offset] of SCHEDULE.slice(1).entries()) {
      const gap = offset - (SCHEDULE[index] ?? 0);
      await harness.pass(gap - 1);
      expect(await harness.delivery(eventId)).toMatchObject({ state: 'pending', attempts: index + 1 });
      await harness.pass(1);
      expect((await harness.delivery(eventId)).attempts).toBe(index + 2);
    }
    const { state, next_attempt_at: next, last_error: lastError, log } = await harness.delivery(eventId);
    expect([state, next, lastError]).toEqual(['exhausted', null, 'connection refused']);
    expect(log.map(({ number, http_status: status, error }) => [number, status, error])).toEqual(
      SCHEDULE.map((_offset, index) => [index + 1, null, 'connection refused']),
    );

    await merchant.server.up();
    await harness.pass(100 * HOUR);
    expect(merchant.server.requests).toHaveLength(0);
  });

  it('gets the missed events when it recovers', async () => {
    await merchant.server.down();
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.drain();
    await merchant.server.up();
    await harness.pass(5);
    expect(merchant.server.payloads().map(({ id }) => id)).toEqual([eventId]);
    expect(await harness.delivery(eventId)).toMatchObject({
      state: 'succeeded',
      attempts: 2,
      last_error: null,
    });
  });
});

describe('a response', () => {
  it.each<[string, Answer, object]>([
    [
      'an HTTP error',
      { status: 500, body: 'oops' },
      { http_status: 500, response_body: 'oops', error: null },
    ],
    ['a 401', { status: 401 }, { http_status: 401, response_body: '', error: null }],
    ['a closed connection', 'close', { http_status: null, response_body: null, error: 'connection closed' }],
    [
      'not sent before the timeout',
      'hang',
      { http_status: null, response_body: null, error: `no response within ${PATIENCE_MS} ms` },
    ],
    ['not HTTP', 'garbage', { http_status: null, response_body: null, error: 'malformed HTTP response' }],
  ])('that is %s is logged and retried', async (_name, answer, logged) => {
    merchant.server.plan(answer);
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.drain();
    expect(await harness.delivery(eventId)).toMatchObject({ state: 'pending', attempts: 1, log: [logged] });
    expect(await secondsToNext(eventId)).toBe(5);
    await harness.pass(5);
    expect(await harness.delivery(eventId)).toMatchObject({ state: 'succeeded', attempts: 2 });
  });

  it('that redirects is a failure, and the target is not called', async () => {
    const canary = await MerchantServer.start();
    merchant.server.plan({ status: 302, headers: { location: canary.url } });
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.drain();
    expect(await harness.delivery(eventId)).toMatchObject({ state: 'pending', last_error: 'HTTP 302' });
    expect(canary.connections).toBe(0);
    await canary.down();
  });

  it('with an endless body is truncated to 4 KiB and stored as text', async () => {
    merchant.server.plan('endless-body', { status: 200, body: Buffer.from([0x61, 0x00, 0xff, 0x62]) });
    const [first, second] = [
      await harness.addPaymentEvent(merchant),
      await harness.addPaymentEvent(merchant),
    ];
    await harness.drain();
    const bodies = [await harness.delivery(first), await harness.delivery(second)].map(
      ({ log }) => log[0]?.response_body,
    );
    expect(new Set(bodies)).toEqual(new Set(['a\uFFFD\uFFFDb', 'x'.repeat(4_096)]));
  });

  it.each([
    [429, '120', 120],
    [503, '120', 120],
    [503, '999999', 24 * HOUR],
    [429, '1', 5],
    [500, '120', 5],
  ])('%i with Retry-After %s waits %i seconds', async (status, retryAfter, expected) => {
    merchant.server.plan({ status, headers: { 'retry-after': retryAfter } });
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.drain();
    expect(await secondsToNext(eventId)).toBe(expected);
  });

  it('that always has Retry-After of a day still ends with the schedule, and the next event is sent', async () => {
    merchant.server.always({ status: 503, headers: { 'retry-after': '86400' } });
    const paymentId = await harness.addPayment(merchant);
    const first = await harness.addEvent(merchant, paymentId, 2);
    const second = await harness.addEvent(merchant, paymentId, 3);
    await harness.drain();
    for (const hours of [24, 24, 20]) {
      expect(await secondsToNext(first)).toBe(hours * HOUR);
      await harness.pass(hours * HOUR);
    }
    expect(await harness.delivery(first)).toMatchObject({ state: 'exhausted', attempts: 4 });
    expect(await harness.delivery(second)).toMatchObject({ state: 'pending', attempts: 1 });
    expect(merchant.server.payloads().map(({ id }) => id)).toEqual([first, first, first, first, second]);
  });

  it('410 ends the retries and pauses the endpoint until its URL is saved again', async () => {
    merchant.server.plan({ status: 410 });
    const gone = await harness.addPaymentEvent(merchant);
    await harness.drain();
    expect(await harness.delivery(gone)).toMatchObject({
      state: 'exhausted',
      attempts: 1,
      last_error: 'HTTP 410',
    });

    const parked = await harness.addPaymentEvent(merchant);
    const other = await harness.addMerchant();
    await harness.addPaymentEvent(other);
    await harness.pass(80 * HOUR);
    expect(merchant.server.requests).toHaveLength(1);
    expect(await harness.delivery(parked)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(other.server.requests).toHaveLength(1);

    await harness.gateway
      .get(ApplicationsService)
      .update(merchant.userId, merchant.applicationId, Draft.of({ callbackUrl: merchant.server.url }));
    await harness.drain();
    expect(merchant.server.payloads().map(({ id }) => id)).toEqual([gone, parked]);
  });

  it('410 of an old URL does not pause the new one', async () => {
    let letGo = (): void => undefined;
    merchant.server.plan({ status: 410, after: new Promise<void>((resolve) => (letGo = resolve)) });
    await harness.addPaymentEvent(merchant);
    const isRunning = harness.dispatcher.runOnce();
    await merchant.server.received(1);
    await harness.gateway
      .get(ApplicationsService)
      .update(
        merchant.userId,
        merchant.applicationId,
        Draft.of({ callbackUrl: `${merchant.server.url}&new=1` }),
      );
    letGo();
    await isRunning;
    const later = await harness.addPaymentEvent(merchant);
    await harness.drain();
    expect(await harness.delivery(later)).toMatchObject({ state: 'succeeded' });
  });
});

it('a retry goes to the currently saved URL', async () => {
  await merchant.server.down();
  const eventId = await harness.addPaymentEvent(merchant);
  await harness.drain();
  const moved = await MerchantServer.start();
  await harness.gateway
    .get(ApplicationsService)
    .update(merchant.userId, merchant.applicationId, Draft.of({ callbackUrl: moved.url }));
  await harness.pass(5);
  expect(moved.payloads().map(({ id }) => id)).toEqual([eventId]);
  await moved.down();
});

it('two days of downtime do not use up the rest of the retry schedule', async () => {
  await merchant.server.down();
  const eventId = await harness.addPaymentEvent(merchant);
  await harness.drain();
  await harness.pass(48 * HOUR);
  expect(await harness.delivery(eventId)).toMatchObject({ state: 'pending', attempts: 2 });
  expect(await secondsToNext(eventId)).toBe(20);
});
