import { BlockedDeliveries } from '../src/webhooks/blocked-deliveries.service.js';
import { ApplicationsService } from '../src/applications/applications.service.js';
import { WebhookEndpointService } from '../src/webhooks/webhook-endpoint.service.js';
import { toIsoSeconds } from '../src/platform/kernel/clock.pure.js';
import { blockRow } from './support/blocked-table.js';
import { verifyWebhook } from './support/webhook-verifiers.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';
import { Draft } from '../src/platform/web/contract/read-contract.js';

const HOUR = 3_600;
let harness: WebhookHarness;
let merchant: Merchant;

beforeAll(async () => {
  harness = await WebhookHarness.start();
});
beforeEach(async () => {
  merchant = await harness.addMerchant();
});
afterAll(() => harness.stop());

const change = (fields: object) =>
  harness.gateway.get(ApplicationsService).update(merchant.userId, merchant.applicationId, Draft.of(fields));
/** A fully paid payment whose events have not been delivered yet. */
async function paidPayment(): Promise<string> {
  const paymentId = await harness.addPayment(merchant);
  await harness.pay(merchant, paymentId);
  return paymentId;
}

describe('webhooks of a paid payment', () => {
  it('carry two valid signatures, and a 2xx confirms the payment', async () => {
    const paymentId = await paidPayment();
    expect(await harness.status(paymentId)).toBe('RECEIVED');

    await harness.drain();

    const payloads = merchant.server.requests.map((request) =>
      verifyWebhook(request, merchant.secret, { clock: harness.clock }),
    );
    expect(payloads.map(({ event, payment }) => [event, payment.id, payment.status])).toEqual([
      ['payment.received', paymentId, 'RECEIVED'],
      ['payment.completed', paymentId, 'CONFIRMED'],
    ]);
    expect(await harness.status(paymentId)).toBe('CONFIRMED');
    expect(await harness.delivery(paymentId, 'payment.received')).toMatchObject({
      state: 'succeeded',
      attempts: 1,
      log: [{ number: 1, url: merchant.server.url, http_status: 200, error: null, response_body: 'ok' }],
    });
  });

  it('are retried without a 2xx, and the payment stays RECEIVED until one', async () => {
    merchant.server.always({ status: 500 });
    const paymentId = await paidPayment();
    await harness.drain();
    expect(await harness.status(paymentId)).toBe('RECEIVED');
    expect(merchant.server.payloads().map(({ event }) => event)).toEqual(['payment.received']);

    merchant.server.always({ status: 204 });
    await harness.pass(6);
    expect(await harness.status(paymentId)).toBe('CONFIRMED');
    expect(merchant.server.payloads().map(({ event }) => event)).toEqual([
      'payment.received',
      'payment.received',
      'payment.completed',
    ]);
  });
});

describe('the webhook body', () => {
  it('is the stored text byte for byte on every attempt', async () => {
    merchant.server.plan({ status: 500 });
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.drain();
    await harness.pass(6);
    const [row] = await harness.sql.query<{ body: string }>('select body from payment_events where id = $1', [
      eventId,
    ]);
    expect(merchant.server.requests.map(({ body }) => body.toString('utf8'))).toEqual([row?.body, row?.body]);
    expect(row?.body).toContain('100000000000000000001,  "text":"Größe 🎉"');
  });

  it('keeps its event id while each attempt has a new timestamp and signature', async () => {
    merchant.server.plan({ status: 500 });
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.drain();
    await harness.pass(6);
    const [first, second] = merchant.server.requests.map(({ headers }) => headers);
    expect([first?.['webhook-id'], second?.['webhook-id']]).toEqual([eventId, eventId]);
    expect(Number(second?.['webhook-timestamp']) - Number(first?.['webhook-timestamp'])).toBe(6);
    expect(second?.['webhook-signature']).not.toBe(first?.['webhook-signature']);
  });
});

describe('a signing secret', () => {
  it.each([
    ['of the form whsec_<base64>', `whsec_${Buffer.from('0123456789abcdef0123456789').toString('base64')}`],
    ['beyond ASCII', 'señal-€-🎉'],
  ])('%s signs webhooks that verifiers accept', async (_name, secret) => {
    const other = await harness.addMerchant({ secret });
    await harness.addPaymentEvent(other);
    await harness.drain();
    expect(other.server.requests).toHaveLength(1);
    for (const request of other.server.requests) verifyWebhook(request, secret, { clock: harness.clock });
  });

  it('keeps signing beside its replacement for 24 hours', async () => {
    await change({ secret: 'the new secret' });
    merchant.server.trust('the new secret', harness.clock);
    // From the first to the last moment of the 24 hours.
    for (const seconds of [0, 24 * HOUR - 1]) {
      harness.clock.advanceSeconds(seconds);
      await harness.addPaymentEvent(merchant);
      await harness.drain();
      const [during] = merchant.server.requests.splice(0);
      verifyWebhook(during!, merchant.secret, { clock: harness.clock });
      verifyWebhook(during!, 'the new secret', { clock: harness.clock, isOther: true });
    }

    harness.clock.advanceSeconds(1);
    await harness.addPaymentEvent(merchant);
    await harness.drain();
    const [later] = merchant.server.requests;
    verifyWebhook(later!, 'the new secret', { clock: harness.clock });
    expect(() => verifyWebhook(later!, merchant.secret, { clock: harness.clock, isOther: true })).toThrow(
      'No matching signature found',
    );
    expect(later?.headers).not.toHaveProperty('x-paymentservice-signature-previous');
  });

  it('that the server refuses is followed by the other one at once, in the same attempt', async () => {
    await change({ secret: 'the newest secret' });
    merchant.server.trust('the newest secret', harness.clock);
    merchant.server.plan({ status: 400 });
    await harness.addPaymentEvent(merchant);
    await harness.drain();
    const [first, second, ...more] = merchant.server.requests;
    expect(more).toEqual([]);
    verifyWebhook(first!, merchant.secret, { clock: harness.clock });
    verifyWebhook(second!, 'the newest secret', { clock: harness.clock });
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  });

  it('is not replaced again before the previous one ends, by time or by its owner', async () => {
    const { userId, applicationId, server } = merchant;
    const endpoints = harness.gateway.get(WebhookEndpointService);
    const state = async () => (await endpoints.get(userId, applicationId)).previousSecretUntil;
    const until = toIsoSeconds(new Date(harness.clock.now().getTime() + 24 * HOUR * 1_000));
    expect(await state()).toBeNull();
    await change({ secret: 'the second secret' });
    expect(await state()).toBe(until);
    await expect(change({ secret: 'a third secret' })).rejects.toMatchObject({
      code: 'secret_change_pending',
      message: expect.stringContaining(until),
    });
    // The same again is no change.
    await change({ secret: 'the second secret' });
    server.trust('the second secret', harness.clock);
    await harness.addPaymentEvent(merchant);
    await harness.drain();
    verifyWebhook(server.requests.splice(0)[0]!, merchant.secret, { clock: harness.clock });

    for (let time = 0; time < 2; time++)
      expect(await endpoints.endPreviousSecret(userId, applicationId)).toMatchObject({
        previousSecretUntil: null,
      });
    await harness.addPaymentEvent(merchant);
    await harness.drain();
    expect(server.requests[0]?.headers).not.toHaveProperty('x-paymentservice-signature-previous');
    await change({ secret: 'a third secret' });
    harness.clock.advanceSeconds(24 * HOUR);
    await change({ secret: 'a fourth secret' });
  });

  it('that cannot be decrypted blocks the delivery until it can', async () => {
    const paymentId = await paidPayment();
    const [stored] = await harness.sql.query<{ sealed: string }>(
      `update payment_applications set sealed_secret = 'v1.t1.broken' where id = $1
       returning (select sealed_secret from payment_applications where id = $1) as sealed`,
      [merchant.applicationId],
    );
    await harness.drain();
    await harness.pass(80 * HOUR);
    expect(merchant.server.requests).toHaveLength(0);
    expect(await harness.delivery(paymentId, 'payment.received')).toMatchObject({
      state: 'blocked',
      attempts: 0,
      next_attempt_at: null,
      lease_until: null,
      log: [],
      last_error: 'the signing secret cannot be decrypted',
    });

    await harness.gateway.get(BlockedDeliveries).runOnce();
    expect(await harness.delivery(paymentId, 'payment.received')).toMatchObject({ state: 'blocked' });

    await harness.sql.query('update payment_applications set sealed_secret = $2 where id = $1', [
      merchant.applicationId,
      stored?.sealed,
    ]);
    await harness.gateway.get(BlockedDeliveries).runOnce();
    await harness.drain();
    expect(await harness.status(paymentId)).toBe('CONFIRMED');
  });

  it('that cannot be decrypted does not block a payment without an endpoint', async () => {
    const paymentId = await paidPayment();
    await harness.sql.query(`update payment_applications set sealed_secret = 'v1.t1.broken' where id = $1`, [
      merchant.applicationId,
    ]);
    await harness.drain();
    await change({ callbackUrl: null });
    await harness.gateway.get(BlockedDeliveries).runOnce();
    await harness.drain();
    expect(await harness.status(paymentId)).toBe('CONFIRMED');
    expect(await harness.delivery(paymentId, 'payment.received')).toMatchObject({ state: 'skipped' });
    expect(merchant.server.requests).toHaveLength(0);
  });

  it('that cannot be decrypted holds back the later events of the payment', async () => {
    const paymentId = await harness.addPayment(merchant);
    const first = await harness.addEvent(merchant, paymentId, 2);
    await harness.sql.query(`update payment_applications set sealed_secret = 'v1.t1.broken' where id = $1`, [
      merchant.applicationId,
    ]);
    await harness.drain();
    await change({ secret: 'a readable secret' });
    merchant.server.trust('a readable secret', harness.clock);
    const second = await harness.addEvent(merchant, paymentId, 3);
    await harness.drain();
    expect(merchant.server.requests).toHaveLength(0);

    await harness.gateway.get(BlockedDeliveries).runOnce();
    await harness.drain();
    expect(merchant.server.payloads().map(({ id }) => id)).toEqual([first, second]);
  });
});

describe('the order of events', () => {
  it('is kept within a payment, and payments do not wait for each other', async () => {
    merchant.server.plan({ status: 500 });
    const [a, b] = [await harness.addPayment(merchant), await harness.addPayment(merchant)];
    const a2 = await harness.addEvent(merchant, a, 2);
    await harness.drain();
    const a3 = await harness.addEvent(merchant, a, 3);
    const a4 = await harness.addEvent(merchant, a, 4);
    const b2 = await harness.addEvent(merchant, b, 2);
    await harness.drain();
    expect(merchant.server.payloads().map(({ id }) => id)).toEqual([a2, b2]);
    await harness.pass(6);
    expect(merchant.server.payloads().map(({ id }) => id)).toEqual([a2, b2, a2, a3, a4]);
  });

  it('is kept without blocking when a clock was set back and later events have earlier times', async () => {
    const payments: string[] = [];
    // More than one dispatch takes.
    for (let i = 0; i < 70; i++) payments.push(await harness.addPayment(merchant));
    const expected = new Map<string, string[]>();
    harness.clock.advanceSeconds(60);
    for (const paymentId of payments)
      expected.set(paymentId, [await harness.addEvent(merchant, paymentId, 2)]);
    harness.clock.advanceSeconds(-60);
    for (const paymentId of payments)
      expected.get(paymentId)?.push(await harness.addEvent(merchant, paymentId, 3));
    harness.clock.advanceSeconds(60);
    await harness.drain();
    const heard = merchant.server.payloads().map(({ id }) => id);
    expect(heard).toHaveLength(140);
    for (const [first = '', second = ''] of expected.values())
      expect(heard.indexOf(first)).toBeLessThan(heard.indexOf(second));
  });

  it('is kept when a later event is dispatched before an earlier one', async () => {
    const paymentId = await harness.addPayment(merchant);
    const first = await harness.addEvent(merchant, paymentId, 2);
    const second = await harness.addEvent(merchant, paymentId, 3);
    // Another process has the first event locked, as its own dispatch would.
    const otherProcess = await blockRow(harness.gateway.databaseUrl, 'payment_events', first);
    await harness.drain();
    expect(merchant.server.requests).toHaveLength(0);
    await otherProcess.release();
    await harness.drain();
    expect(merchant.server.payloads().map(({ id }) => id)).toEqual([first, second]);
  });
});

describe('an application without a callback URL', () => {
  it('gets no delivery, and its paid payment is confirmed at once', async () => {
    await change({ callbackUrl: null });
    const paymentId = await paidPayment();
    expect(await harness.status(paymentId)).toBe('CONFIRMED');
    await harness.drain();
    const deliveries = await harness.sql.query('select 1 from webhook_deliveries where payment_id = $1', [
      paymentId,
    ]);
    expect(deliveries).toHaveLength(0);
    const waiting = await harness.sql.query('select 1 from payment_events where dispatched_at is null', []);
    expect(waiting).toHaveLength(0);
  });

  it.each([
    ['before its delivery was created', false],
    ['after a failed attempt', true],
  ])('has its payment confirmed when the URL is removed %s', async (_name, isTriedFirst) => {
    merchant.server.always({ status: 500 });
    const paymentId = await paidPayment();
    if (isTriedFirst) await harness.drain();
    await change({ callbackUrl: null });
    await harness.pass(6);
    expect(await harness.status(paymentId)).toBe('CONFIRMED');
    expect(await harness.delivery(paymentId, 'payment.received')).toMatchObject({ state: 'skipped' });
    expect(merchant.server.requests).toHaveLength(isTriedFirst ? 1 : 0);
  });

  it.each([
    ['before its delivery was created', false],
    ['while its delivery waited', true],
  ])(
    'has its payment confirmed when the URL of a paused endpoint is removed %s',
    async (_name, isMadeFirst) => {
      await harness.gateway.get(WebhookEndpointService).pause(merchant.userId, merchant.applicationId, null);
      const paymentId = await paidPayment();
      if (isMadeFirst) await harness.drain();
      expect(await harness.status(paymentId)).toBe('RECEIVED');
      await change({ callbackUrl: null });
      await harness.pass(6);
      expect(await harness.status(paymentId)).toBe('CONFIRMED');
      expect(merchant.server.requests).toHaveLength(0);
    },
  );
});

describe('a reorg', () => {
  it.each([
    ['before its delivery was created', 0],
    ['after its delivery was created', 1],
  ])('supersedes a payment.received %s, which is then not sent', async (_name, attempts) => {
    merchant.server.always({ status: 500 });
    const paymentId = await paidPayment();
    if (attempts > 0) await harness.drain();
    await harness.reorganize();
    expect(await harness.status(paymentId)).toBe('OPEN');

    merchant.server.always({ status: 200 });
    await harness.pass(6);
    expect(merchant.server.requests).toHaveLength(attempts);
    expect(await harness.status(paymentId)).toBe('OPEN');
    const deliveries = await harness.sql.query(
      'select state, attempts from webhook_deliveries where payment_id = $1',
      [paymentId],
    );
    expect(deliveries).toEqual(attempts > 0 ? [{ state: 'superseded', attempts }] : []);
  });

  it('during an attempt keeps its 2xx from confirming the payment', async () => {
    let letGo = (): void => undefined;
    merchant.server.plan({ status: 200, after: new Promise<void>((resolve) => (letGo = resolve)) });
    const paymentId = await paidPayment();
    const isRunning = harness.dispatcher.runOnce();
    await merchant.server.received(1);
    await harness.reorganize();
    letGo();
    await isRunning;
    expect(await harness.status(paymentId)).toBe('OPEN');
    expect(await harness.delivery(paymentId, 'payment.received')).toMatchObject({ state: 'succeeded' });
  });
});
