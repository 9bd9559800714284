import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { type Claimed, DeliveriesService } from '../src/webhooks/deliveries.service.js';
import type { Attempt } from '../src/webhooks/signed-sender.service.js';
import { WebhookDispatcher } from '../src/webhooks/webhook-dispatcher.service.js';
import { verifyWebhook } from './support/webhook-verifiers.js';
import { WebhookHarness } from './support/webhook-harness.js';

let harness: WebhookHarness;

beforeEach(async () => {
  // Long, so that no test can pass by waiting for the timeout.
  harness = await WebhookHarness.start({ WEBHOOK_TIMEOUT_MS: '60000' });
});
afterEach(() => harness.stop());

const endLeases = () =>
  harness.sql.query(`update webhook_deliveries set lease_until = clock_timestamp() - interval '1 second'`);

const isLockAwaited = async () =>
  (await harness.sql.query('select from pg_locks where not granted')).length > 0;

describe('a hanging endpoint', () => {
  it('does not delay other endpoints', async () => {
    const [dead, healthy] = [await harness.addMerchant(), await harness.addMerchant()];
    dead.server.always('hang');
    // The hanging endpoint's events are older, and more than one claim takes.
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

  it('gets its remaining events once it responds again', async () => {
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

/** Number of claimed deliveries. */
async function held(applicationId?: string): Promise<number> {
  const [row] = await harness.sql.query<{ held: number }>(
    `select count(*)::int as held from webhook_deliveries
     where lease_until > clock_timestamp() and ($1::uuid is null or application_id = $1)`,
    [applicationId ?? null],
  );
  return row?.held ?? 0;
}

/** A response that the endpoint holds back until it is released. */
function heldAnswer(status: number): {
  answer: { status: number; after: Promise<unknown> };
  letGo: () => void;
} {
  let letGo = (): void => undefined;
  const after = new Promise<void>((resolve) => (letGo = resolve));
  return { answer: { status, after }, letGo: () => letGo() };
}

describe('an endpoint that keeps failing', () => {
  it('is probed by one attempt at a time until one succeeds', async () => {
    const merchant = await harness.addMerchant();
    merchant.server.always({ status: 500 });
    for (let i = 0; i < 5; i++) await harness.addPaymentEvent(merchant);
    await harness.drain();
    expect(merchant.server.requests).toHaveLength(5);

    const [failing, working] = [heldAnswer(500), heldAnswer(200)];
    merchant.server.plan(failing.answer, working.answer);
    for (let i = 0; i < 8; i++) await harness.addPaymentEvent(merchant);
    for (let poll = 0; poll < 3; poll++) await harness.dispatcher.poll();
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

  it('does not change the retry schedule of its events', async () => {
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

it('many hanging endpoints of one user leave capacity for other users', async () => {
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
  it('is claimed by the statement that creates its delivery', async () => {
    const merchant = await harness.addMerchant();
    const { answer, letGo } = heldAnswer(200);
    merchant.server.always(answer);
    const other = (await harness.addGateway()).get(WebhookDispatcher);
    const claim = jest.spyOn(harness.gateway.get(DeliveriesService), 'claimFromAll');
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

  it('is sent by another gateway if the one that claimed it crashed before sending', async () => {
    const merchant = await harness.addMerchant();
    const capacity = { ids: [], slots: [] };
    const paymentId = await harness.addPayment(merchant);
    const [first, second] = [
      await harness.addEvent(merchant, paymentId, 2),
      await harness.addEvent(merchant, paymentId, 3),
    ];
    const died = await harness.gateway
      .get(DeliveriesService)
      .dispatchEvents({ limit: 9, perEndpoint: 4, endpoints: capacity, perOwner: 9, owners: capacity });
    expect(died.claimed.map(({ eventId }) => eventId)).toEqual([first]);

    const other = (await harness.addGateway()).get(WebhookDispatcher);
    while (await other.runOnce()) continue;
    expect(merchant.server.requests).toHaveLength(0);
    await endLeases();
    while (await other.runOnce()) continue;
    expect(merchant.server.payloads().map(({ id }) => id)).toEqual([first, second]);
  });

  it('is not claimed while its endpoint is paused', async () => {
    const merchant = await harness.addMerchant();
    merchant.server.always({ status: 410 });
    await harness.addPaymentEvent(merchant);
    await harness.drain();
    await harness.addPaymentEvent(merchant);
    await harness.drain();
    expect([merchant.server.requests.length, await held()]).toEqual([1, 0]);
  });
});

it('responses that arrive together are recorded together, and each payment is confirmed', async () => {
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
  // One lease is lost meanwhile, which must not affect the others.
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
  // At least once: the event whose lease was lost was sent again.
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
  // Deliveries that one gateway skipped because the other had them locked.
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
  it('between the 2xx and the commit sends the same event again after the lease has expired', async () => {
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

    // Leases use the database's clock, so advancing ours must not release them.
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

  it('that was only a slow attempt does not overwrite the result of the next lease holder', async () => {
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

  it('in one delivery does not stop the others', async () => {
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

it('results of attempts are recorded despite a deadlock', async () => {
  const merchant = await harness.addMerchant();
  for (let i = 0; i < 2; i++) await harness.addPaymentEvent(merchant);
  const deliveries = harness.gateway.get(DeliveriesService);
  const none = { ids: [], slots: [] };
  const capacity = { limit: 2, perEndpoint: 2, endpoints: none, perOwner: 2, owners: none };
  const { claimed } = await deliveries.dispatchEvents(capacity);
  const [first = '', second = ''] = claimed.map(({ id }) => id).sort();
  const timing = { connectMs: 0, firstByteMs: 1, durationMs: 1 };
  const attempt = (): Attempt => ({
    url: merchant.server.url,
    startedAt: harness.clock.now(),
    result: { kind: 'response', status: 200, retryAfter: null, body: '', timing },
  });
  // Groups are written outside of the transaction below, in which they are added.
  const recordAll = () =>
    Promise.all(
      claimed.toReversed().map((delivery) => deliveries.recordAttempt(delivery, attempt(), 'succeeded')),
    );
  const [ends] = await harness.sql.transaction(async (tx) => {
    // Makes the gateway the deadlock's victim.
    await tx.query(`set local deadlock_timeout = '1min'`);
    await tx.query('select from webhook_deliveries where id = $1 for update', [second]);
    const written = recordAll();
    while (!(await isLockAwaited())) continue;
    // Held by the gateway, which waits for the other one: the lock is granted once the gateway is rolled back.
    await tx.query('select from webhook_deliveries where id = $1 for update', [first]);
    return [written];
  });
  expect(await ends).toEqual([true, true]);
  const log = await harness.sql.query('select from webhook_attempts');
  expect(log).toHaveLength(2);
});

it('a graceful shutdown waits for attempts in flight and records them', async () => {
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
