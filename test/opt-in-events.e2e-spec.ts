import { Draft } from '../src/platform/web/contract/read-contract.js';
import { STANDARD_EVENTS } from '../src/applications/event-types.pure.js';
import { PaymentsService } from '../src/payments/payments.service.js';
import { ApplicationsService } from '../src/applications/applications.service.js';
import { DeliveriesService } from '../src/webhooks/deliveries.service.js';
import { EventFeedRepository } from '../src/webhooks/events/event-feed.repository.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';

const ALL = [...STANDARD_EVENTS, 'payment.found', 'payment.cancelled'] as const;
let harness: WebhookHarness;
let merchant: Merchant;
let paymentId: string;

beforeAll(async () => {
  // A payment is first seen, and confirmed by the block after.
  harness = await WebhookHarness.start({ CHAIN_ETHEREUM_CONFIRMATIONS: '2' });
});
beforeEach(async () => {
  merchant = await harness.addMerchant({ events: [...ALL] });
  paymentId = await harness.addPayment(merchant);
});
afterEach(() => merchant.server.always({ status: 200 }));
afterAll(() => harness.stop());

/** What arrived; the endpoint has verified both signatures of each. */
const arrived = () => merchant.server.payloads().map(({ event, payment }) => `${event} ${payment.status}`);
const principal = () => ({ kind: 'user', userId: merchant.userId }) as const;
const feed = async () =>
  ((await harness.gateway.get(EventFeedRepository).read(principal() as never, 0n, 100)) ?? []).map(
    ({ type }) => type,
  );
const cancel = () =>
  harness.gateway.get(PaymentsService).cancel(principal() as never, paymentId, 'out of stock');
const pay = () => harness.pay(merchant, paymentId);

describe('payment.found', () => {
  it('is sent when the payment is seen, before the events that follow', async () => {
    await pay();
    await harness.drain();
    expect(arrived()).toEqual(['payment.found FOUND']);
    await harness.mine();
    await harness.drain();
    expect(arrived()).toEqual([
      'payment.found FOUND',
      'payment.received RECEIVED',
      'payment.completed CONFIRMED',
    ]);
    expect(await feed()).toEqual(['payment.found', 'payment.received', 'payment.completed']);
  });

  it('is not sent to an application that does not list it', async () => {
    merchant = await harness.addMerchant();
    paymentId = await harness.addPayment(merchant);
    await pay();
    await harness.drain();
    expect(arrived()).toEqual([]);
    await harness.mine();
    await harness.drain();
    expect(arrived()).toEqual(['payment.received RECEIVED', 'payment.completed CONFIRMED']);
    expect(await feed()).toEqual(['payment.received', 'payment.completed']);
  });

  it('is sent again when funds return after a reorg', async () => {
    await pay();
    await harness.drain();
    await harness.reorganize();
    expect(await harness.status(paymentId)).toBe('OPEN');
    await pay();
    await harness.drain();
    expect(arrived()).toEqual(['payment.found FOUND', 'payment.found FOUND']);
    const ids = merchant.server.payloads().map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  it('is superseded when a fork removes the funds before it was delivered', async () => {
    merchant.server.always({ status: 500 });
    await pay();
    await harness.drain();
    await harness.reorganize();
    merchant.server.always({ status: 200 });
    await harness.pass(3 * 86_400);
    expect(arrived()).toEqual(['payment.found FOUND']);
    expect(await harness.delivery(paymentId, 'payment.found')).toMatchObject({
      state: 'superseded',
      attempts: 1,
    });
    // It could be read there before the fork.
    expect(await feed()).toEqual(['payment.found']);
  });

  it('is in no feed when a fork removes the funds before it was dispatched', async () => {
    await pay();
    await harness.reorganize();
    await harness.drain();
    expect(arrived()).toEqual([]);
    expect(await feed()).toEqual([]);
  });
});

describe('the feed', () => {
  it('keeps what was delivered, byte for byte, when a fork takes it back', async () => {
    await pay();
    await harness.drain();
    await harness.mine();
    await harness.dispatcher.runOnce();
    const read = () => harness.gateway.get(EventFeedRepository).read(principal() as never, 0n, 100);
    const before = await read();
    expect(before?.map(({ type }) => type)).toEqual(['payment.found', 'payment.received']);
    await harness.reorganize();
    await pay();
    await harness.mine();
    await harness.drain();
    const after = (await read()) ?? [];
    expect(after.slice(0, 2)).toEqual(before);
  });
});

describe('payment.received', () => {
  it('does not wait for a payment.found that the endpoint refuses', async () => {
    merchant.server.plan({ status: 500 });
    await pay();
    await harness.drain();
    expect(await harness.delivery(paymentId, 'payment.found')).toMatchObject({
      state: 'pending',
      attempts: 1,
    });
    await harness.mine();
    // No time passes: the next attempt of payment.found would be due in five seconds.
    await harness.drain();
    expect(arrived()).toEqual([
      'payment.found FOUND',
      'payment.received RECEIVED',
      'payment.completed CONFIRMED',
    ]);
    expect(await harness.delivery(paymentId, 'payment.found')).toMatchObject({
      state: 'superseded',
      attempts: 1,
      next_attempt_at: null,
      last_error: 'the payment has moved on',
    });
    await harness.pass(3 * 86_400);
    expect(arrived()).toHaveLength(3);
    // The feed has all of them.
    expect(await feed()).toEqual(['payment.found', 'payment.received', 'payment.completed']);
  });

  it('waits for an attempt of payment.found that is under way, and for no later one', async () => {
    let answer = () => {};
    merchant.server.plan({ status: 500, after: new Promise<void>((resolve) => (answer = resolve)) });
    await pay();
    await harness.dispatcher.poll();
    await merchant.server.received(1);
    await harness.mine();
    await harness.dispatcher.poll();
    await harness.dispatcher.poll();
    expect(arrived()).toEqual(['payment.found FOUND']);
    answer();
    await harness.drain();
    expect(arrived()).toEqual([
      'payment.found FOUND',
      'payment.received RECEIVED',
      'payment.completed CONFIRMED',
    ]);
    expect(await harness.delivery(paymentId, 'payment.found')).toMatchObject({
      state: 'superseded',
      attempts: 1,
    });
  });

  it('is sent once the lease of a process that died while sending payment.found has expired', async () => {
    await pay();
    const bounds = {
      limit: 9,
      perEndpoint: 9,
      perOwner: 9,
      endpoints: { ids: [], slots: [] },
      owners: { ids: [], slots: [] },
    };
    const { claimed } = await harness.gateway.get(DeliveriesService).dispatchEvents(bounds);
    expect(claimed.map(({ type }) => type)).toEqual(['payment.found']);
    await harness.mine();
    await harness.drain();
    expect(arrived()).toEqual([]);
    await harness.sql.query('update webhook_deliveries set lease_until = now() where payment_id = $1', [
      paymentId,
    ]);
    await harness.drain();
    expect(arrived()).toEqual(['payment.received RECEIVED', 'payment.completed CONFIRMED']);
    expect(await harness.delivery(paymentId, 'payment.found')).toMatchObject({
      state: 'superseded',
      attempts: 0,
    });
  });

  it('replaces a payment.found that was not sent yet, which stays in the feed', async () => {
    await pay();
    await harness.mine();
    await harness.drain();
    expect(arrived()).toEqual(['payment.received RECEIVED', 'payment.completed CONFIRMED']);
    await expect(harness.delivery(paymentId, 'payment.found')).rejects.toThrow('no delivery');
    expect(await feed()).toEqual(['payment.found', 'payment.received', 'payment.completed']);
  });

  it('does not wait for an earlier payment.found after the application removed it from its list', async () => {
    merchant.server.always({ status: 503 });
    await pay();
    await harness.drain();
    await harness.gateway
      .get(ApplicationsService)
      .update(merchant.userId, merchant.applicationId, Draft.of({ events: [...STANDARD_EVENTS] }));
    merchant.server.always({ status: 200 });
    await harness.mine();
    await harness.drain();
    expect(arrived()).toEqual([
      'payment.found FOUND',
      'payment.received RECEIVED',
      'payment.completed CONFIRMED',
    ]);
  });
});

describe('an unanswered payment.underpaid', () => {
  const part = async (percent: bigint) => {
    await harness.pay(merchant, paymentId, percent);
    await harness.mine();
  };
  const underpaid = () => harness.delivery(paymentId, 'payment.underpaid');
  beforeEach(async () => {
    merchant = await harness.addMerchant();
    paymentId = await harness.addPayment(merchant);
    await part(40n);
  });

  it('that the endpoint refuses is overtaken by payment.received', async () => {
    merchant.server.plan({ status: 422 });
    await harness.drain();
    await part(60n);
    // No time passes.
    await harness.drain();
    expect(arrived()).toEqual([
      'payment.underpaid UNDERPAID',
      'payment.received RECEIVED',
      'payment.completed CONFIRMED',
    ]);
    expect(await underpaid()).toMatchObject({ state: 'superseded', attempts: 1 });
    await harness.pass(3 * 86_400);
    expect(arrived()).toHaveLength(3);
    expect(await feed()).toEqual(['payment.underpaid', 'payment.received', 'payment.completed']);
  });

  it.each([
    [200, 'succeeded'],
    [410, 'exhausted'],
    [500, 'superseded'],
  ])('that is answered %i later ends as %s, and decides nothing', async (status, state) => {
    let answer = () => {};
    merchant.server.plan({ status, after: new Promise<void>((resolve) => (answer = resolve)) });
    await harness.dispatcher.poll();
    await merchant.server.received(1);
    await part(60n);
    await harness.dispatcher.poll();
    expect(arrived()).toEqual(['payment.underpaid UNDERPAID']);
    expect(await harness.status(paymentId)).toBe('RECEIVED');
    merchant.server.always({ status: 503 });
    answer();
    await harness.drain();
    expect(await underpaid()).toMatchObject({ state, attempts: 1 });
    expect(await harness.status(paymentId)).toBe('RECEIVED');
  });

  it('waits as before while nothing later is known', async () => {
    merchant.server.plan({ status: 500 });
    await harness.drain();
    await part(10n);
    await harness.pass(6);
    expect(arrived()).toEqual(['payment.underpaid UNDERPAID', 'payment.underpaid UNDERPAID']);
    expect(await underpaid()).toMatchObject({ state: 'succeeded', attempts: 2 });
  });
});

describe('payment.cancelled', () => {
  it('is sent once when the merchant cancels repeatedly', async () => {
    await cancel();
    await cancel();
    await harness.drain();
    expect(arrived()).toEqual(['payment.cancelled CANCELLED']);
    const [payload] = merchant.server.payloads();
    expect(payload?.payment['cancelledAt']).toMatch(/Z$/);
    expect(payload?.payment['cancelReason']).toBe('out of stock');
    expect(await feed()).toEqual(['payment.cancelled']);
  });

  it('is not sent to an application that does not list it', async () => {
    merchant = await harness.addMerchant();
    paymentId = await harness.addPayment(merchant);
    await cancel();
    await harness.drain();
    expect(arrived()).toEqual([]);
    expect(await feed()).toEqual([]);
  });
});
