import { createHmac } from 'node:crypto';
import { ApplicationsService } from '../src/applications/applications.service.js';
import { Draft } from '../src/platform/web/contract/read-contract.js';
import { EVENT_TYPES } from '../src/applications/event-types.pure.js';
import { WebhookSender } from '../src/webhooks/webhook-sender.js';
import { WebhookDispatcher } from '../src/webhooks/webhook-dispatcher.service.js';
import { changeSite } from './support/change-site.js';
import { type Answer, APPLICATIONS, ApplicationsApi } from './support/applications-api.js';
import { blockWrites } from './support/blocked-table.js';
import { watchWebhook } from './support/contract/watch-contract.js';
import { verifyWebhook } from './support/webhook-verifiers.js';
import { createOwner, type Owner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';

let harness: WebhookHarness;
let owner: Owner;
let merchant: Merchant;

beforeAll(async () => {
  harness = await WebhookHarness.start();
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

describe('a test event', () => {
  interface DeliveryDto {
    id: string;
    paymentId: string;
    eventId: string;
    status: string;
  }
  const test = (event: string) => call<DeliveryDto>('POST', 'webhook-test', { event });
  const run = () => harness.gateway.get(WebhookDispatcher).runOnce();

  it.each(EVENT_TYPES)(
    '%s is signed and marked as a test, and is stored nowhere but in the log',
    async (event) => {
      const rows = () =>
        harness.sql.query<{
          payments: string;
          events: string;
          deliveries: string;
          history: string;
          head: string;
        }>(
          `select (select count(*) from payments) as payments, (select count(payment_id) from payment_events) as events,
           (select count(payment_id) from webhook_deliveries) as deliveries, (select count(*) from payment_status_history) as history,
           (select last_position from event_feed) as head`,
        );
      const before = await rows();
      const answer = await test(event);
      expect([answer.status, answer.data]).toEqual([
        202,
        expect.objectContaining({ event, test: true, status: 'PENDING', attempt: 0, url: null }),
      ]);
      await run();
      const [request] = merchant.server.requests;
      if (!request) throw new Error('nothing came');
      const payload = verifyWebhook(request, merchant.secret, { clock: harness.clock });
      expect(payload).toMatchObject({
        event,
        test: true,
        payment: { id: answer.data.paymentId, transactions: [] },
      });
      expect(payload.payment.reference).toBe(`webhook-test-${answer.data.paymentId}`);
      expect(request.headers['x-paymentservice-test']).toBe('true');
      watchWebhook(request);
      expect(await rows()).toEqual(before);
      expect((await fetch(`${harness.gateway.baseUrl}/api/payment/${answer.data.paymentId}`)).status).toBe(
        401,
      );
      const log = await call<DeliveryDto>('GET', `webhook-deliveries/${answer.data.id}`);
      expect(log.data).toMatchObject({
        id: answer.data.id,
        status: 'SUCCEEDED',
        httpStatus: 200,
        responseBody: 'ok',
        requestBody: request.body.toString('utf8'),
        test: true,
        nextAttemptAt: null,
      });
      expect((await call<object[]>('GET', 'webhook-deliveries')).data).toEqual([]);
      expect((await call<object[]>('GET', 'webhook-deliveries?test=true')).data).toEqual([log.data]);
      const attempts = await call<object[]>('GET', `webhook-deliveries/${answer.data.id}/attempts`);
      expect(attempts.data).toEqual([
        expect.objectContaining({
          attempt: 1,
          httpStatus: 200,
          requestHeaders: expect.objectContaining({
            'webhook-id': answer.data.eventId,
            'X-PaymentService-Test': 'true',
          }) as unknown,
        }),
      ]);
      const again = await call('POST', `webhook-deliveries/${answer.data.id}/redeliver`);
      expect([again.status, again.error.code]).toEqual([409, 'invalid_state_transition']);
    },
  );

  it('warns of a whsec_ secret that is not base64 and signs with its text', async () => {
    const fine = await test('payment.received');
    expect(fine.data).toMatchObject({ warnings: [] });
    // As it was stored before such secrets were refused: written directly, because the API refuses them now.
    const secret = 'whsec_of-enough-length-for-us';
    await harness.gateway
      .get(ApplicationsService)
      .update(owner.userId, merchant.applicationId, Draft.of({ secret }));
    const { status, data } = await test('payment.received');
    expect(status).toBe(202);
    const { warnings } = data as DeliveryDto & { warnings: string[] };
    expect(warnings).toEqual([
      expect.stringMatching(/begins with whsec_, but no padded standard base64 follows.*openssl rand/),
    ]);
    expect(JSON.stringify(data)).not.toContain('of-enough-length');
    while (await run()) continue;
    const request = merchant.server.requests.at(-1);
    const signedBy = (key: string) =>
      createHmac('sha256', key)
        .update(`${String(request?.headers['x-paymentservice-timestamp'])}.`)
        .update(request?.body ?? '')
        .digest('hex');
    // The secret has just been changed: the plain header is still the previous one's.
    expect(request?.headers).toMatchObject({
      'x-paymentservice-signature': signedBy(merchant.secret),
      'x-paymentservice-signature-previous': signedBy(secret),
    });
  });

  it('is attempted once, even while the endpoint is paused, and shows the failure', async () => {
    await call('POST', 'webhook-endpoint/pause');
    merchant.server.plan({ status: 500, body: 'oops' });
    const { id } = (await test('payment.received')).data;
    await run();
    harness.clock.advanceSeconds(120);
    await run();
    expect(merchant.server.requests).toHaveLength(1);
    expect((await call('GET', `webhook-deliveries/${id}`)).data).toMatchObject({
      status: 'EXHAUSTED',
      httpStatus: 500,
      errorMessage: 'HTTP 500',
      responseBody: 'oops',
    });
    const endpoint = await call('GET', 'webhook-endpoint');
    expect(endpoint.data).toMatchObject({ consecutiveFailures: 0, paused: true });
  });

  it('is refused for an address that webhooks may not reach', async () => {
    // Written directly, because saving it is refused.
    const url = 'http://169.254.169.254/latest';
    await changeSite(harness.gateway, merchant.applicationId, 'callback_url = $2', url);
    const { id } = (await test('payment.received')).data;
    await run();
    expect((await call('GET', `webhook-deliveries/${id}`)).data).toMatchObject({
      status: 'EXHAUSTED',
      errorMessage: 'refused: the address is not public (link-local)',
    });
  });

  it('is refused without a callbackUrl, and skipped if it is removed before sending', async () => {
    const { id } = (await test('payment.refund')).data;
    await call('PUT', '', { callbackUrl: null });
    await run();
    expect((await call('GET', `webhook-deliveries/${id}`)).data).toMatchObject({
      status: 'SKIPPED',
      attempt: 0,
    });
    expect((await call('GET', `webhook-deliveries/${id}/attempts`)).data).toEqual([]);
    const refused = await test('payment.refund');
    expect([refused.status, refused.error.code]).toEqual([409, 'invalid_state_transition']);
  });

  it('comes before all that waits for its endpoint, and does not wait for other endpoints', async () => {
    const other = await harness.addMerchant({}, owner.userId);
    merchant.server.always({ status: 500 });
    for (let i = 0; i < 6; i++) await harness.addPaymentEvent(merchant);
    await harness.drain();
    const before = merchant.server.requests.length;
    // All are due again, and the endpoint has failed too often: it is probed by one request at a time.
    harness.clock.advanceSeconds(60);
    let release = () => {};
    merchant.server.plan({ status: 200, after: new Promise<void>((resolve) => (release = resolve)) });
    await test('payment.received');
    await harness.dispatcher.poll();
    await merchant.server.received(before + 1);
    expect(merchant.server.requests.at(-1)?.headers['x-paymentservice-test']).toBe('true');
    const path = `${APPLICATIONS}/${other.applicationId}/webhook-test`;
    await new ApplicationsApi(harness.gateway, owner).call('POST', path, { event: 'payment.received' });
    await harness.dispatcher.poll();
    await other.server.received(1);
    expect(merchant.server.requests).toHaveLength(before + 1);
    release();
    await harness.drain();
    expect(merchant.server.requests.length).toBeGreaterThan(before + 1);
  });

  it('acknowledges nothing, even if it names a payment that waits', async () => {
    const paymentId = await harness.addPayment(merchant);
    merchant.server.plan({ status: 500 });
    await harness.pay(merchant, paymentId);
    await run();
    expect(await harness.status(paymentId)).toBe('RECEIVED');
    await test('payment.received');
    await run();
    expect(merchant.server.requests.at(-1)?.headers['x-paymentservice-test']).toBe('true');
    expect(await harness.status(paymentId)).toBe('RECEIVED');
  });

  describe('during a shutdown', () => {
    let other: TestGateway;
    /** Resolves when the shutdown hook of its dispatcher has run. */
    let stopped: Promise<void>;
    const poll = () => other.get(WebhookDispatcher).poll();
    const log = async (id: string) => (await call('GET', `webhook-deliveries/${id}`)).data;

    beforeEach(async () => {
      other = await startTestGateway({}, harness.clock, harness.gateway.databaseUrl);
      // Nest calls the hooks of a module in the order of its providers' dependencies: wait for the one under test.
      const sender = other.get(WebhookDispatcher);
      const stop = sender.beforeApplicationShutdown.bind(sender);
      stopped = new Promise((resolve) => {
        sender.beforeApplicationShutdown = () => {
          const done = stop();
          resolve();
          return done;
        };
      });
    });

    it('that is in flight still gets the response of a slow endpoint', async () => {
      let release = () => {};
      merchant.server.plan({ status: 200, after: new Promise<void>((resolve) => (release = resolve)) });
      const { id } = (await test('payment.received')).data;
      await poll();
      await merchant.server.received(1);
      const closed = other.close();
      await stopped;
      release();
      await closed;
      expect(await log(id)).toMatchObject({ status: 'SUCCEEDED', httpStatus: 200, errorMessage: null });
      const late = other.get(WebhookSender).post(merchant.server.url, {}, Buffer.from(''));
      expect(await late).toMatchObject({ kind: 'failure', error: 'UND_ERR_DESTROYED' });
    });

    it('is sent by a poll that started before, and by no later one', async () => {
      const { id } = (await test('payment.received')).data;
      const table = await blockWrites(harness.gateway.databaseUrl, 'webhook_deliveries');
      const started = poll();
      await table.untilWaiting(1);
      const closed = other.close();
      await stopped;
      const later = poll();
      await table.release();
      expect([await started, await later]).toEqual([true, false]);
      await closed;
      expect(await log(id)).toMatchObject({ status: 'SUCCEEDED', httpStatus: 200 });
      expect(merchant.server.requests).toHaveLength(1);
    });
  });

  it.each([[{}], [{ event: 'payment.lost' }], [{ event: 7 }]])(
    'is refused with the body %j',
    async (body) => {
      const { status, error } = await call('POST', 'webhook-test', body);
      expect([status, Object.keys(error.errors ?? {})]).toEqual([422, ['event']]);
    },
  );
});
