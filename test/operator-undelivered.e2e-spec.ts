import { UNDELIVERED } from '../src/operations/metrics/metrics.repository.js';
import { plantDeliveries } from './support/planted-deliveries.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';

const METRICS_TOKEN = 'a-metrics-token-that-is-long-enough';
const HOUR = 3_600;

let harness: WebhookHarness;

beforeEach(async () => {
  harness = await WebhookHarness.start({ METRICS_TOKEN, WEBHOOK_RETRY_SCHEDULE: '0,86400' });
});
afterEach(() => harness.stop());

/** Reads all metrics, and finds the value of one. */
async function readMetrics(): Promise<(name: string) => number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${harness.gateway.baseUrl}/metrics`, { headers })).text();
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** What the metrics say of events that wait: how long in seconds, and what waits for paused endpoints. */
async function waiting(): Promise<{ age: number; pausedAge: number; paused: number }> {
  const valueOf = await readMetrics();
  return {
    age: valueOf('gateway_oldest_undelivered_event_age_seconds'),
    pausedAge: valueOf('gateway_oldest_paused_event_age_seconds'),
    paused: valueOf('gateway_webhook_deliveries_paused'),
  };
}

const NOTHING = { age: 0, pausedAge: 0, paused: 0 };
const pause = (merchant: Merchant) =>
  harness.sql.query(
    `insert into webhook_endpoints (application_id, paused_at, reason, paused_by) values ($1, $2, 'moving', 'merchant')`,
    [merchant.applicationId, harness.clock.now()],
  );

/** Whose endpoint fails, or is good. */
async function addMerchant(status: number): Promise<Merchant> {
  const merchant = await harness.addMerchant();
  merchant.server.always({ status });
  return merchant;
}

describe('the age of the oldest undelivered event', () => {
  it('is that of the merchant who has waited longest, without paused endpoints', async () => {
    const [moving, failing, good] = [await addMerchant(200), await addMerchant(500), await addMerchant(200)];
    await pause(moving);
    for (let i = 0; i < 3; i++) await harness.addPaymentEvent(moving);
    await harness.pass(HOUR);
    expect(await waiting()).toEqual({ age: 0, pausedAge: HOUR, paused: 3 });

    await harness.addPaymentEvent(good);
    await harness.addPaymentEvent(failing);
    await harness.pass(HOUR / 2);
    await harness.addPaymentEvent(failing);
    await harness.pass(60);
    expect(await waiting()).toEqual({ age: HOUR / 2 + 60, pausedAge: 1.5 * HOUR + 60, paused: 3 });

    await harness.sql.query('delete from webhook_endpoints');
    expect(await waiting()).toEqual({ age: 1.5 * HOUR + 60, pausedAge: 0, paused: 0 });
    await harness.drain();
    expect(await waiting()).toEqual({ ...NOTHING, age: HOUR / 2 + 60 });
  });

  it('counts events that have no delivery yet, also of a paused endpoint, since the pause does not cause that', async () => {
    const merchant = await addMerchant(200);
    await pause(merchant);
    await harness.addPaymentEvent(merchant);
    harness.clock.advanceSeconds(60);
    expect(await waiting()).toEqual({ ...NOTHING, age: 60 });
    await harness.drain();
    expect(await waiting()).toEqual({ age: 0, pausedAge: 60, paused: 1 });
  });

  it('counts an event whose signing secret cannot be decrypted', async () => {
    const merchant = await addMerchant(200);
    await harness.sql.query(`update payment_applications set sealed_secret = 'v1.t1.broken' where id = $1`, [
      merchant.applicationId,
    ]);
    const event = await harness.addPaymentEvent(merchant);
    await harness.pass(HOUR);
    expect(await harness.delivery(event)).toMatchObject({ state: 'blocked' });
    expect(await waiting()).toEqual({ ...NOTHING, age: HOUR });
    expect((await readMetrics())('gateway_webhook_deliveries_blocked')).toBe(1);
    await pause(merchant);
    expect(await waiting()).toEqual({ age: 0, pausedAge: HOUR, paused: 1 });
  });

  it('excludes given-up deliveries and redeliveries to a receiver that has the event', async () => {
    const merchant = await addMerchant(200);
    const event = await harness.addPaymentEvent(merchant);
    await harness.drain();
    merchant.server.always({ status: 500 });
    const lost = await harness.addPaymentEvent(merchant);
    await harness.drain();
    await harness.pass(2 * 24 * HOUR);
    expect(await harness.delivery(lost)).toMatchObject({ state: 'exhausted' });
    await harness.sql.query(
      `update webhook_deliveries set state = 'pending', next_attempt_at = $2 where event_id = $1`,
      [event, harness.clock.now()],
    );
    expect(await waiting()).toEqual(NOTHING);
  });

  it('is read without scanning the backlog', async () => {
    const COPIES = 5_000;
    const [failing, moving] = [await addMerchant(500), await addMerchant(200)];
    await pause(moving);
    for (const merchant of [failing, moving]) await harness.addPaymentEvent(merchant);
    await harness.drain();
    await harness.sql.query('analyze');
    await plantDeliveries(harness, COPIES);
    expect(await waiting()).toMatchObject({ paused: COPIES + 1 });
    const [read] = await harness.sql.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${UNDELIVERED.replaceAll('$1', '10')}`,
    );
    const { Plan: plan } = read?.['QUERY PLAN'][0] ?? { Plan: {} };
    // A few probes of indexes. All of the events, or all of the deliveries, are some 200 pages and more.
    expect(plan['Shared Hit Blocks']).toBeGreaterThan(0);
    expect((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)).toBeLessThan(100);
  });
});
