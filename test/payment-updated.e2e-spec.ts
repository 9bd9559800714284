import { STANDARD_EVENTS } from '../src/applications/event-types.pure.js';
import { PaymentsService } from '../src/payments/payments.service.js';
import { EventFeedRepository } from '../src/webhooks/events/event-feed.repository.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';

let harness: WebhookHarness;
let merchant: Merchant;
let paymentId: string;

beforeAll(async () => {
  harness = await WebhookHarness.start({ CHAIN_ETHEREUM_CONFIRMATIONS: '2' });
});
beforeEach(async () => {
  merchant = await harness.addMerchant({ events: [...STANDARD_EVENTS, 'payment.updated'] });
  paymentId = await harness.addPayment(merchant);
});
afterEach(() => merchant.server.always({ status: 200 }));
afterAll(() => harness.stop());

interface Update {
  event: string;
  payment: { status: string };
  change?: {
    reason: string;
    before: { receivedAmount: { atomic: string } };
    after: { receivedAmount: { atomic: string }; reviewReason: string | null };
  };
}
/** What arrived; of an update why, and the sums in cents. */
const arrived = () =>
  (merchant.server.payloads() as unknown as Update[]).map(({ event, payment, change }) =>
    change
      ? `${payment.status} ${change.reason} ${change.before.receivedAmount.atomic}>${change.after.receivedAmount.atomic}`
      : event,
  );
const principal = () => ({ kind: 'user', userId: merchant.userId }) as never;
const feed = async () =>
  ((await harness.gateway.get(EventFeedRepository).read(principal(), 0n, 100)) ?? []).map(({ type }) => type);
const updates = async () =>
  (
    await harness.sql.query<{ place: number; state: string | null }>(
      `select e.place, d.state from payment_events e left join webhook_deliveries d on d.event_id = e.id
       where e.payment_id = $1 and e.type = 'payment.updated' order by e.place`,
      [paymentId],
    )
  ).map(({ place, state }) => `${place} ${state ?? 'none'}`);
/** Confirmed by the block after. */
const pay = async (percent: bigint) => {
  await harness.pay(merchant, paymentId, percent);
  await harness.mine();
};
const STORY = ['payment.received', 'payment.completed'];

describe('payment.updated', () => {
  it('tells what comes after the last event, in order', async () => {
    await pay(100n);
    await harness.drain();
    await pay(50n);
    await harness.drain();
    await pay(50n);
    await harness.drain();
    expect(arrived()).toEqual([
      ...STORY,
      'CONFIRMED funds_received 10000>15000',
      'CONFIRMED funds_received 15000>20000',
    ]);
    expect(await feed()).toEqual([...STORY, 'payment.updated', 'payment.updated']);
  });

  it('tells of money for a payment that was cancelled', async () => {
    await harness.gateway.get(PaymentsService).cancel(principal(), paymentId, null);
    await pay(100n);
    await harness.drain();
    expect(arrived()).toEqual(['CANCELLED funds_received 0>10000']);
    const [{ change } = {}] = merchant.server.payloads() as unknown as Update[];
    expect(change?.after.reviewReason).toBe('funds_after_cancel');
  });

  it('tells of more that is still too little', async () => {
    await pay(40n);
    await pay(10n);
    await harness.drain();
    expect(arrived()).toEqual(['payment.underpaid', 'UNDERPAID funds_received 4000>5000']);
  });

  it('answers an event that a reorganization took back', async () => {
    merchant.server.plan({ status: 500 });
    await pay(100n);
    await harness.drain();
    await harness.reorganize();
    await harness.drain();
    expect(arrived()).toEqual(['payment.received', 'OPEN funds_removed 10000>0']);
    expect(await feed()).toEqual(['payment.received', 'payment.updated']);
    await pay(100n);
    await harness.drain();
    expect(arrived().slice(2)).toEqual(STORY);
  });

  it('tells that a confirmed payment has lost its funds', async () => {
    await pay(100n);
    await harness.drain();
    await harness.reorganize();
    await harness.drain();
    expect(arrived()).toEqual([...STORY, 'CONFIRMED funds_removed 10000>0']);
  });

  it('is not sent where a standard event says it', async () => {
    await pay(120n);
    await harness.drain();
    expect(arrived()).toEqual(STORY);
    expect(await updates()).toEqual([]);
  });

  it('is not sent to an application that does not list it', async () => {
    merchant = await harness.addMerchant();
    paymentId = await harness.addPayment(merchant);
    await pay(100n);
    await pay(100n);
    await harness.drain();
    expect(arrived()).toEqual(STORY);
  });

  it('is replaced by the next one while it waits, and never delays a standard event', async () => {
    merchant.server.plan({ status: 200 }, { status: 500 });
    await pay(40n);
    await harness.drain();
    await pay(10n);
    await harness.drain();
    await pay(10n);
    await harness.drain();
    expect(await updates()).toEqual(['3001 superseded', '3002 succeeded']);
    merchant.server.plan({ status: 500 });
    await pay(5n);
    await harness.drain();
    await pay(35n);
    // No time passes.
    await harness.drain();
    expect(arrived()).toEqual([
      'payment.underpaid',
      'UNDERPAID funds_received 4000>5000',
      'UNDERPAID funds_received 5000>6000',
      'UNDERPAID funds_received 6000>6500',
      ...STORY,
    ]);
    expect(await updates()).toEqual(['3001 superseded', '3002 succeeded', '3003 superseded']);
  });

  it('waits for the standard event before it', async () => {
    merchant.server.plan({ status: 500 });
    await pay(100n);
    await harness.drain();
    await pay(100n);
    await harness.drain();
    expect(arrived()).toEqual(['payment.received']);
    expect(await harness.status(paymentId)).toBe('RECEIVED');
    await harness.pass(6);
    expect(arrived()).toEqual(['payment.received', ...STORY]);
  });

  it('lets a standard event wait for an attempt that is under way only', async () => {
    await pay(40n);
    await harness.drain();
    let answer = () => {};
    merchant.server.plan({ status: 500, after: new Promise<void>((resolve) => (answer = resolve)) });
    await pay(10n);
    await harness.dispatcher.poll();
    await merchant.server.received(2);
    await pay(50n);
    await harness.dispatcher.poll();
    expect(arrived()).toHaveLength(2);
    answer();
    await harness.drain();
    expect(arrived().slice(2)).toEqual(STORY);
  });

  it('is bounded, whatever strangers send', async () => {
    await pay(100n);
    await harness.drain();
    for (let n = 0; n < 60; n += 1) await harness.pay(merchant, paymentId, 1n);
    await harness.mine();
    await harness.drain();
    expect((await updates()).length).toBeLessThan(35);
    const told = (await updates()).length;
    await pay(10_000n);
    expect((await updates()).length).toBe(told + 1);
  });
});
