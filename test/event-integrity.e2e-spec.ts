import { BlockedDeliveries } from '../src/webhooks/blocked-deliveries.service.js';
import { DatabaseThief } from './support/database-thief.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';

const UNTRUSTED = 'the event was changed outside of the gateway';

let harness: WebhookHarness;
let merchant: Merchant;
let other: Merchant;
let event: string;

beforeAll(async () => {
  harness = await WebhookHarness.start();
});
beforeEach(async () => {
  merchant = await harness.addMerchant();
  other = await harness.addMerchant();
  merchant.server.plan({ status: 500 });
  event = await harness.addPaymentEvent(merchant);
  // Both ways to a claim: the delivery exists, and the next attempt takes it from there.
  await harness.drain();
});
afterAll(() => harness.stop());

const tamper = (statement: string, ...values: unknown[]) =>
  new DatabaseThief(harness.sql).tamper([[statement, [event, ...values]]]);

describe('what a writer of the database without APP_KEYS changes about an event is not signed', () => {
  it.each<[what: string, change: string, back: string]>([
    [
      'its body',
      `update payment_events set body = replace(body, 'Größe', 'Farbe') where id = $1`,
      `update payment_events set body = replace(body, 'Farbe', 'Größe') where id = $1`,
    ],
    [
      'its name',
      `update webhook_deliveries set type = 'payment.received' where event_id = $1`,
      `update webhook_deliveries set type = 'payment.underpaid' where event_id = $1`,
    ],
    [
      'its MAC',
      `update payment_events set mac = reverse(mac) where id = $1`,
      `update payment_events set mac = reverse(mac) where id = $1`,
    ],
    [
      'that it happened',
      `update webhook_deliveries set payment_id = null, seq = null, test_payment_id = payment_id,
         next_attempt_at = '-infinity' where event_id = $1`,
      `update webhook_deliveries d set payment_id = e.payment_id, seq = e.seq, test_payment_id = null
       from payment_events e where e.id = d.event_id and event_id = $1`,
    ],
  ])('%s; it is sent once that is mended', async (what, change, back) => {
    await tamper(change);
    await harness.pass(10);
    expect(merchant.server.requests).toHaveLength(1);
    expect(await harness.delivery(event)).toMatchObject({ state: 'blocked', last_error: UNTRUSTED });
    await harness.gateway.get(BlockedDeliveries).runOnce();
    await harness.drain();
    expect([what, merchant.server.requests.length]).toEqual([what, 1]);
    await tamper(back);
    await harness.gateway.get(BlockedDeliveries).runOnce();
    await harness.drain();
    expect(merchant.server.requests).toHaveLength(2);
    expect(await harness.delivery(event)).toMatchObject({ state: 'succeeded', attempts: 2 });
  });

  it('to whom it goes', async () => {
    await tamper(
      'update webhook_deliveries set application_id = $2 where event_id = $1',
      other.applicationId,
    );
    await harness.pass(10);
    expect(other.server.requests).toEqual([]);
    expect(await harness.delivery(event)).toMatchObject({ state: 'blocked', last_error: UNTRUSTED });
  });

  it('the payment that its 2xx acknowledges', async () => {
    const paymentId = await harness.addPayment(merchant);
    merchant.server.plan({ status: 500 });
    await harness.pay(merchant, paymentId);
    await harness.drain();
    const foreign = await harness.addPayment(merchant);
    await new DatabaseThief(harness.sql).tamper([
      ['update webhook_deliveries set payment_id = $2 where payment_id = $1', [paymentId, foreign]],
    ]);
    await harness.pass(10);
    expect([await harness.status(paymentId), await harness.status(foreign)]).toEqual(['RECEIVED', 'OPEN']);
  });

  it('that there is one: a row of his own', async () => {
    const paymentId = await harness.addPayment(merchant);
    const before = merchant.server.requests.length;
    await tamper(
      `insert into payment_events (id, payment_id, user_id, application_id, seq, type, body, created_at, mac)
       select $2::uuid, $2::uuid, user_id, application_id, 2, 'payment.received', body, created_at, mac
       from payment_events where id = $1`,
      paymentId,
    );
    await harness.drain();
    expect(merchant.server.requests).toHaveLength(before);
    expect(await harness.delivery(paymentId)).toMatchObject({ state: 'blocked', last_error: UNTRUSTED });
  });
});
