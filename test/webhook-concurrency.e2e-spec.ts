import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { type Attempt, type Claimed, DeliveriesService } from '../src/webhooks/deliveries.service.js';
import { WebhookDispatcher } from '../src/webhooks/webhook-dispatcher.service.js';
import { verifyWebhook } from './support/webhook-verifiers.js';
import { WebhookHarness } from './support/webhook-harness.js';

let harness: WebhookHarness;

beforeEach(async () => {
  // Long, so that nothing here can pass by waiting for a deadline.
  harness = await WebhookHarness.start({ WEBHOOK_TIMEOUT_MS: '60000' });
});
afterEach(() => harness.stop());

const endLeases = () =>
  harness.sql.query(`update webhook_deliveries set lease_until = clock_timestamp() - interval '1 second'`);

const isSomebodyWaiting = async () =>
  (await harness.sql.query('select from pg_locks where not granted')).length > 0;

describe('a hanging endpoint', () => {
  it('delays nobody else', async () => {
    const [dead, healthy] = [await harness.addMerchant(), await harness.addMerchant()];
    dead.server.always('hang');
    // The dead one's events are older, and more than one claim takes.
    for (let i = 0; i < 80; i++) await harness.addPaymentEvent(dead);
    for (let i = 0; i < 20; i++) await harness.addPaymentEvent(healthy);

    while (healthy.server.requests.length < 20) await harness.dispatcher.poll();
    for (const request of healthy.server.requests) verifyWebhook(request, healthy.secret);
    expect(dead.server.requests.length).toBe(4);
    const [row] = await harness.sql.query<{ leased: string }>(
      `select count(*) as leased from webhook_deliveries where application_id = $1 and lease_until is not null`,
      [dead.applicationId],
    );
    expect(row?.leased).toBe('4');
  });

  it('leaves the gateway free to take more from it once it answers again', async () => {
    const slow = await harness.addMerchant();
    let letGo = (): void => undefined;
    slow.server.always({ status: 200, after: new Promise<void>((resolve) => (letGo = resolve)) });
    for (let i = 0; i < 9; i++) await harness.addPaymentEvent(slow);
    await harness.dispatcher.poll();
    await slow.server.received(4);
    expect(await harness.dispatcher.poll()).toBe(false);
    letGo();
    await harness.drain();
    expect(new Set(slow.server.payloads().map(({ id }) => id)).size).toBe(9);
    expect(slow.server.requests).toHaveLength(9);
  });
});

/** Deliveries that some gateway holds. */
async function held(applicationId?: string): Promise<number> {
  const [row] = await harness.sql.query<{ held: number }>(
    `select count(*)::int as held from webhook_deliveries
     where lease_until > clock_timestamp() and ($1::uuid is null or application_id = $1)`,
    [applicationId ?? null],
  );
  return row?.held ?? 0;
}

/** Endpoints that take what they are sent and answer when they are let go. */
function heldAnswer(status: number): {
  answer: { status: number; after: Promise<unknown> };
  letGo: () => void;
} {
  let letGo = (): void => undefined;
  const after = new Promise<void>((resolve) => (letGo = resolve));
  return { answer: { status, after }, letGo: () => letGo() };
}

describe('an endpoint that only fails', () => {
  it('is probed by one try at a time, until one succeeds', async () => {
    const merchant = await harness.addMerchant();
    merchant.server.always({ status: 500 });
    for (let i = 0; i < 5; i++) await harness.addPaymentEvent(merchant);
    await harness.drain();
    expect(merchant.server.requests).toHaveLength(5);

    const [failing, working] = [heldAnswer(500), heldAnswer(200)];
    merchant.server.plan(failing.answer, working.answer);
    for (let i = 0; i < 8; i++) await harness.addPaymentEvent(merchant);
    for (let turn = 0; turn < 3; turn++) await harness.dispatcher.poll();
    expect(await held()).toBe(1);
    failing.letGo();
    while (merchant.server.requests.length < 7) await harness.dispatcher.poll();
    expect(await held()).toBe(1);

    const full = heldAnswer(200);
    merchant.server.always(full.answer);
    working.letGo();
    while (merchant.server.requests.length < 11) await harness.dispatcher.poll();
    expect(await held()).toBe(4);
    full.letGo();
    merchant.server.always({ status: 200 });
    await harness.drain();
    expect(new Set(merchant.server.payloads().map(({ id }) => id)).size).toBe(13);
  });

  it('keeps the schedule of every event', async () => {
    const merchant = await harness.addMerchant();
    harness.dispatcher.random = () => 0.5;
    merchant.server.always({ status: 500 });
    const events: string[] = [];
    for (let i = 0; i < 7; i++) events.push(await harness.addPaymentEvent(merchant));
    await harness.drain();
    await harness.pass(4);
    expect(merchant.server.requests).toHaveLength(7);
    await harness.pass(1);
    for (const eventId of events) expect(await harness.delivery(eventId)).toMatchObject({ attempts: 2 });
  });
});

it('one user with many hanging endpoints leaves room for the others', async () => {
  const owner = randomUUID();
  for (let i = 0; i < 33; i++) {
    const merchant = await harness.addMerchant({}, owner);
    merchant.server.always('hang');
    for (let k = 0; k < 4; k++) await harness.addPaymentEvent(merchant);
  }
  while (await harness.dispatcher.poll()) continue;
  expect(await held()).toBe(128);
  const other = await harness.addMerchant();
  await harness.addPaymentEvent(other);
  await harness.dispatcher.poll();
  await other.server.received(1);
});

describe('a new event', () => {
  it('is claimed by the statement that makes its delivery, and by nobody else', async () => {
    const merchant = await harness.addMerchant();
    const { answer, letGo } = heldAnswer(200);
    merchant.server.always(answer);
    const other = (await harness.addGateway()).get(WebhookDispatcher);
    const claim = jest.spyOn(harness.gateway.get(DeliveriesService), 'claimRing');
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.dispatcher.poll();
    const looked = (await claim.mock.results[0]?.value) as Claimed | undefined;
    expect(looked?.deliveries).toEqual([]);
    await merchant.server.received(1);
    await other.poll();
    letGo();
    await harness.drain();
    expect(merchant.server.requests).toHaveLength(1);
    expect(await harness.delivery(eventId)).toMatchObject({ state: 'succeeded', attempts: 1 });
  });

  it('is sent by another gateway when the one that claimed it died before it sent', async () => {
    const merchant = await harness.addMerchant();
    const room = { ids: [], slots: [] };
    const paymentId = await harness.addPayment(merchant);
    const [first, second] = [
      await harness.addEvent(merchant, paymentId, 2),
      await harness.addEvent(merchant, paymentId, 3),
    ];
    const died = await harness.gateway
      .get(DeliveriesService)
      .dispatchEvents({ limit: 9, perEndpoint: 4, endpoints: room, perOwner: 9, owners: room });
    expect(died.claimed.map(({ eventId }) => eventId)).toEqual([first]);

    const other = (await harness.addGateway()).get(WebhookDispatcher);
    while (await other.runOnce()) continue;
    expect(merchant.server.requests).toHaveLength(0);
    await endLeases();
    while (await other.runOnce()) continue;
    expect(merchant.server.payloads().map(({ id }) => id)).toEqual([first, second]);
  });

  it('of a paused endpoint is not claimed', async () => {
    const merchant = await harness.addMerchant();
    merchant.server.always({ status: 410 });
    await harness.addPaymentEvent(merchant);
    await harness.drain();
    await harness.addPaymentEvent(merchant);
    await harness.drain();
    expect([merchant.server.requests.length, await held()]).toEqual([1, 0]);
  });
});

it('answers that come together are recorded together, and each payment is confirmed', async () => {
  const merchants = [await harness.addMerchant(), await harness.addMerchant(), await harness.addMerchant()];
  const { answer, letGo } = heldAnswer(200);
  const payments: string[] = [];
  for (const merchant of merchants) {
    merchant.server.plan(answer, answer);
    for (let i = 0; i < 2; i++) {
      const paymentId = await harness.addPayment(merchant);
      await harness.pay(merchant, paymentId);
      payments.push(paymentId);
    }
  }
  await harness.dispatcher.poll();
  for (const { server } of merchants) await server.received(2);
  // One of them is lost meanwhile: the others must not be.
  await harness.sql.query(
    `update webhook_deliveries set lease_token = $2, lease_until = clock_timestamp() - interval '1 second' where payment_id = $1`,
    [payments[0], randomUUID()],
  );
  letGo();
  await harness.drain();
  for (const paymentId of payments) {
    expect(await harness.status(paymentId)).toBe('CONFIRMED');
    expect(await harness.delivery(paymentId, 'payment.received')).toMatchObject({
      state: 'succeeded',
      attempts: 1,
      log: [{ number: 1 }],
    });
  }
  const heard = merchants.flatMap(({ server }) => server.payloads());
  const received = heard.filter(({ event }) => event === 'payment.received');
  // At least once: the lost one was sent again.
  expect(received).toHaveLength(payments.length + 1);
  expect(heard.filter(({ event }) => event === 'payment.completed')).toHaveLength(payments.length);
});

it('two gateways on one database deliver each event once', async () => {
  const other = (await harness.addGateway({ WEBHOOK_TIMEOUT_MS: '60000' })).get(WebhookDispatcher);
  const merchants = [await harness.addMerchant(), await harness.addMerchant(), await harness.addMerchant()];
  const expected: string[][] = [];
  for (let i = 0; i < 60; i++) {
    const merchant = merchants[i % 3]!;
    const paymentId = await harness.addPayment(merchant);
    expected.push([
      await harness.addEvent(merchant, paymentId, 2),
      await harness.addEvent(merchant, paymentId, 3),
    ]);
  }
  const drain = async (dispatcher: WebhookDispatcher) => {
    while (await dispatcher.runOnce()) continue;
  };
  await Promise.all([drain(harness.dispatcher), drain(other)]);
  // What one skipped because the other held it at that moment.
  await harness.drain();

  const received = merchants.flatMap(({ server }) => server.payloads().map(({ id }) => id));
  expect(received).toHaveLength(120);
  expect(new Set(received)).toEqual(new Set(expected.flat()));
  for (const [first = '', second = ''] of expected) {
    expect(received.indexOf(first)).toBeLessThan(received.indexOf(second));
  }
  const open = await harness.sql.query(`select from webhook_deliveries where state <> 'succeeded'`);
  expect(open).toHaveLength(0);
});

describe('a crash', () => {
  it('after the 2xx and before the commit sends the same event again, once the lease has ended', async () => {
    const merchant = await harness.addMerchant();
    const paymentId = await harness.addPayment(merchant);
    await harness.pay(merchant, paymentId);
    const record = jest
      .spyOn(harness.gateway.get(DeliveriesService), 'recordAttempt')
      .mockRejectedValueOnce(new Error('the process died here'));
    await harness.drain();
    record.mockRestore();
    expect(merchant.server.requests).toHaveLength(1);
    expect(await harness.status(paymentId)).toBe('RECEIVED');

    // Leased on the database's clock: however far ours moves, nobody else may send.
    await harness.pass(3_600);
    expect(merchant.server.requests).toHaveLength(1);

    await endLeases();
    await harness.drain();
    const ids = merchant.server.payloads().map(({ event, id }) => `${event} ${id}`);
    expect(ids).toHaveLength(3);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toMatch(/^payment\.completed /);
    expect(await harness.status(paymentId)).toBe('CONFIRMED');
    expect(await harness.delivery(paymentId, 'payment.received')).toMatchObject({
      attempts: 1,
      log: [{ number: 1 }],
    });
  });

  it('of a holder that was only slow records nothing over its successor', async () => {
    const merchant = await harness.addMerchant();
    let letGo = (): void => undefined;
    merchant.server.plan({ status: 500, after: new Promise<void>((resolve) => (letGo = resolve)) });
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.dispatcher.poll();
    await merchant.server.received(1);
    await endLeases();
    const other = (await harness.addGateway()).get(WebhookDispatcher);
    await other.runOnce();
    letGo();
    await harness.drain();
    expect(merchant.server.requests).toHaveLength(2);
    expect(await harness.delivery(eventId)).toMatchObject({
      state: 'succeeded',
      attempts: 1,
      log: [{ http_status: 200 }],
    });
  });

  it('of one delivery does not stop the others', async () => {
    const merchant = await harness.addMerchant();
    for (let i = 0; i < 3; i++) await harness.addPaymentEvent(merchant);
    const record = jest
      .spyOn(harness.gateway.get(DeliveriesService), 'recordAttempt')
      .mockRejectedValueOnce(new Error('a bug'));
    await harness.drain();
    record.mockRestore();
    const states = await harness.sql.query<{ state: string }>(
      'select state from webhook_deliveries order by state',
    );
    expect(states.map(({ state }) => state)).toEqual(['pending', 'succeeded', 'succeeded']);
    await endLeases();
    await harness.drain();
    const open = await harness.sql.query(`select from webhook_deliveries where state <> 'succeeded'`);
    expect(open).toHaveLength(0);
  });
});

it('ends of deliveries are written all the same when they meet a deadlock', async () => {
  const merchant = await harness.addMerchant();
  for (let i = 0; i < 2; i++) await harness.addPaymentEvent(merchant);
  const deliveries = harness.gateway.get(DeliveriesService);
  const none = { ids: [], slots: [] };
  const room = { limit: 2, perEndpoint: 2, endpoints: none, perOwner: 2, owners: none };
  const { claimed } = await deliveries.dispatchEvents(room);
  const [first = '', second = ''] = claimed.map(({ id }) => id).sort();
  const timing = { connectMs: 0, firstByteMs: 1, durationMs: 1 };
  const attempt = (): Attempt => ({
    url: merchant.server.url,
    startedAt: harness.clock.now(),
    result: { kind: 'response', status: 200, retryAfter: null, body: '', timing },
  });
  const [ends] = await harness.sql.transaction(async (tx) => {
    // The gateway is the one that finds the deadlock, and gives way.
    await tx.query(`set local deadlock_timeout = '1min'`);
    await tx.query('select from webhook_deliveries where id = $1 for update', [second]);
    const written = Promise.all(
      claimed.toReversed().map((delivery) => deliveries.recordAttempt(delivery, attempt(), 'succeeded')),
    );
    while (!(await isSomebodyWaiting())) continue;
    // Held by the gateway, which waits for the other: there is an answer only once it gave way.
    await tx.query('select from webhook_deliveries where id = $1 for update', [first]);
    return [written];
  });
  expect(await ends).toEqual([true, true]);
  const log = await harness.sql.query('select from webhook_attempts');
  expect(log).toHaveLength(2);
});

it('a graceful stop lets what is under way end and records it', async () => {
  const merchant = await harness.addMerchant();
  let letGo = (): void => undefined;
  merchant.server.plan({ status: 200, after: new Promise<void>((resolve) => (letGo = resolve)) });
  const other = await harness.addGateway({ WEBHOOK_TIMEOUT_MS: '60000' });
  const paymentId = await harness.addPayment(merchant);
  await harness.pay(merchant, paymentId);
  await other.get(WebhookDispatcher).poll();
  await merchant.server.received(1);
  const isStopped = other.close();
  letGo();
  await isStopped;
  expect(await harness.status(paymentId)).toBe('CONFIRMED');
  expect(merchant.server.payloads().map(({ event }) => event)).toEqual(['payment.received']);
});
