import { DeliveriesService } from '../src/webhooks/deliveries.service.js';
import { WebhookRetention } from '../src/webhooks/webhook-retention.service.js';
import { type Answer, APPLICATIONS, ApplicationsApi } from './support/applications-api.js';
import { createOwner, type Owner } from './support/principals.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';

interface DeliveryDto {
  id: string;
  eventId: string;
  event: string;
  paymentId: string;
  status: string;
  attempt: number;
  nextAttemptAt: string | null;
}

let harness: WebhookHarness;
let owner: Owner;
let stranger: Owner;
let merchant: Merchant;

beforeAll(async () => {
  // Three attempts within a minute, because the default schedule outlasts an access token.
  harness = await WebhookHarness.start({ WEBHOOK_RETRY_SCHEDULE: '0,5,30' });
  [owner, stranger] = [await createOwner(harness.gateway), await createOwner(harness.gateway)];
});
beforeEach(async () => {
  merchant = await harness.addMerchant({}, owner.userId);
});
afterAll(() => harness.stop());

const call = <T>(method: string, path = '', as: Owner | null = owner): Promise<Answer<T>> =>
  new ApplicationsApi(harness.gateway, as).call<T>(
    method,
    `${APPLICATIONS}/${merchant.applicationId}/webhook-deliveries${path}`,
  );
const list = async (query = '') => (await call<DeliveryDto[]>('GET', query)).data;
const redeliver = (id: string) => call<DeliveryDto>('POST', `/${id}/redeliver`);

describe('the delivery log', () => {
  it('shows a delivery with its newest attempt and the exact body', async () => {
    merchant.server.plan({ status: 500, body: 'oops' });
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.drain();
    const [item] = await list();
    expect(item).toEqual({
      id: (await harness.delivery(eventId)).id,
      eventId,
      event: 'payment.underpaid',
      paymentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      attempt: 1,
      url: merchant.server.url,
      status: 'FAILED',
      httpStatus: 500,
      errorMessage: 'HTTP 500',
      requestBody: merchant.server.requests[0]?.body.toString('utf8'),
      responseBody: 'oops',
      durationMs: expect.any(Number),
      nextAttemptAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      createdAt: expect.stringMatching(/Z$/),
      test: false,
    });
    expect((await call<DeliveryDto>('GET', `/${item?.id}`)).data).toEqual(item);
  });

  it('filters by payment, event and status, and pages newest first', async () => {
    merchant.server.plan({ status: 200 }, { status: 410 });
    const first = await harness.addPaymentEvent(merchant);
    await harness.drain();
    harness.clock.advanceSeconds(1);
    const second = await harness.addPaymentEvent(merchant);
    await harness.drain();
    harness.clock.advanceSeconds(1);
    const paymentId = await harness.addPayment(merchant);
    const third = await harness.addEvent(merchant, paymentId, 2, 'payment.refund');
    await harness.drain();

    const ids = async (query: string) => (await list(query)).map(({ eventId }) => eventId);
    expect(await ids('')).toEqual([third, second, first]);
    expect(await ids('?status=SUCCEEDED')).toEqual([first]);
    expect(await ids('?status=EXHAUSTED')).toEqual([second]);
    expect(await ids('?status=PENDING')).toEqual([third]);
    expect(await ids('?event=payment.refund')).toEqual([third]);
    expect(await ids(`?paymentId=${paymentId}`)).toEqual([third]);
    expect(await ids('?event=payment.refund&status=SUCCEEDED')).toEqual([]);
    const page = await call<DeliveryDto[]>('GET', '?page=2&per_page=2');
    expect(page.data.map(({ eventId }) => eventId)).toEqual([first]);
    expect(page.meta?.pagination).toMatchObject({ total: 3, count: 1, per_page: 2, current_page: 2 });
  });

  it.each([
    ['paymentId', 'nonsense'],
    ['event', 'payment.lost'],
    ['status', 'succeeded'],
    ['page', '0'],
  ])('refuses an invalid %s and names the field', async (field, value) => {
    const answer = await call('GET', `?${field}=${value}`);
    expect([answer.status, Object.keys(answer.error.errors ?? {})]).toEqual([422, [field]]);
  });

  it('is not found by another user', async () => {
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.drain();
    const { id } = await harness.delivery(eventId);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', `/${id}`],
      ['POST', `/${id}/redeliver`],
    ] as const) {
      const answer = await call(method, path, stranger);
      expect([answer.status, answer.error.code]).toEqual([404, 'payment_application_not_found']);
      expect((await call(method, path, null)).status).toBe(401);
    }
    const other = await harness.addMerchant({}, owner.userId);
    const path = `${APPLICATIONS}/${other.applicationId}/webhook-deliveries/${id}`;
    expect((await new ApplicationsApi(harness.gateway, owner).call('GET', path)).error.code).toBe(
      'not_found',
    );
    await harness.drain();
    expect(merchant.server.requests).toHaveLength(1);
  });

  it.each(['nonsense', '00000000-0000-7000-8000-000000000000', '%00'])('does not find "%s"', async (id) => {
    expect((await call('GET', `/${id}`)).status).toBe(404);
    expect((await redeliver(id)).status).toBe(404);
  });
});

describe('redelivery', () => {
  it('of an exhausted payment.received confirms the payment', async () => {
    await merchant.server.down();
    const paymentId = await harness.addPayment(merchant);
    await harness.pay(merchant, paymentId);
    for (let i = 0; i < 3; i++) await harness.pass(40);
    const [exhausted] = await list(`?paymentId=${paymentId}`);
    expect(exhausted).toMatchObject({ status: 'EXHAUSTED', attempt: 3, nextAttemptAt: null });

    await merchant.server.up();
    expect(await redeliver(exhausted!.id)).toMatchObject({
      status: 202,
      data: { status: 'FAILED', attempt: 3 },
    });
    await harness.drain();
    expect(await harness.status(paymentId)).toBe('CONFIRMED');
    expect(merchant.server.payloads().map(({ event }) => event)).toEqual([
      'payment.received',
      'payment.completed',
    ]);
  });

  it('of an exhausted delivery leaves it exhausted if it fails again', async () => {
    merchant.server.always({ status: 500 });
    const eventId = await harness.addPaymentEvent(merchant);
    for (let i = 0; i < 4; i++) await harness.pass(40);
    await redeliver((await harness.delivery(eventId)).id);
    await harness.drain();
    expect(await harness.delivery(eventId)).toMatchObject({ state: 'exhausted', attempts: 4 });
  });

  it('of a succeeded delivery sends the same event again', async () => {
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.drain();
    await redeliver((await harness.delivery(eventId)).id);
    await harness.drain();
    expect(merchant.server.payloads().map(({ id }) => id)).toEqual([eventId, eventId]);
    expect(await harness.delivery(eventId)).toMatchObject({ state: 'succeeded', attempts: 2 });
  });

  it('of a delivery that waits for its retry sends it at once', async () => {
    merchant.server.plan({ status: 503, headers: { 'retry-after': '3600' } });
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.drain();
    await redeliver((await harness.delivery(eventId)).id);
    await harness.drain();
    expect(await harness.delivery(eventId)).toMatchObject({ state: 'succeeded' });
  });

  it('of an event superseded by a reorg is refused', async () => {
    merchant.server.always({ status: 500 });
    const paymentId = await harness.addPayment(merchant);
    await harness.pay(merchant, paymentId);
    await harness.drain();
    await harness.reorganize();
    await harness.pass(6);
    const { id } = await harness.delivery(paymentId, 'payment.received');
    const answer = await redeliver(id);
    expect([answer.status, answer.error.code]).toEqual([409, 'invalid_state_transition']);
    await harness.drain();
    expect(merchant.server.requests).toHaveLength(1);
  });
});

describe('log retention after 30 days', () => {
  const DAY = 24 * 3_600;
  const left = async () => {
    while (await harness.gateway.get(WebhookRetention).runOnce()) continue;
    const rows = await harness.sql.query<{ event_id: string }>(
      'select event_id from webhook_deliveries where application_id = $1 order by id',
      [merchant.applicationId],
    );
    return rows.map((row) => row.event_id);
  };

  it('deletes ended deliveries but keeps exhausted ones of unacknowledged payments', async () => {
    const delivered = await harness.addPaymentEvent(merchant);
    await harness.drain();
    merchant.server.always({ status: 500 });
    const paymentId = await harness.addPayment(merchant);
    await harness.pay(merchant, paymentId);
    const undelivered = await harness.addPaymentEvent(merchant);
    for (let i = 0; i < 3; i++) await harness.pass(40);
    const { id: unacknowledged } = await harness.delivery(paymentId, 'payment.received');
    expect(await left()).toHaveLength(3);

    await harness.pass(30 * DAY - 130);
    expect(await left()).toHaveLength(3);
    await harness.pass(131);
    const [kept, ...others] = await left();
    expect(others).toEqual([]);
    expect((await harness.delivery(kept ?? '')).id).toBe(unacknowledged);
    expect(await harness.delivery(kept ?? '')).toMatchObject({ state: 'exhausted' });
    for (const eventId of [delivered, undelivered])
      expect(await harness.sql.query('select id from payment_events where id = $1', [eventId])).toHaveLength(
        1,
      );
  });

  it('keeps pending deliveries, which are still sent', async () => {
    const eventId = await harness.addPaymentEvent(merchant);
    await harness.gateway.get(DeliveriesService).dispatchEvents();
    harness.clock.advanceSeconds(31 * DAY);
    expect(await left()).toEqual([eventId]);
    await harness.drain();
    expect(merchant.server.payloads().map(({ id }) => id)).toEqual([eventId]);
    expect(await left()).toEqual([]);
  });
});
