import { STANDARD_EVENTS } from '../src/applications/event-types.pure.js';
import { EXPIRY_GRACE_SECONDS } from '../src/payments/payment-expiry.pure.js';
import { PaymentExpiryRepository } from '../src/payments/payment-expiry.repository.js';
import { PaymentExpiry } from '../src/payments/payment-expiry.service.js';
import { EventStreams } from '../src/webhooks/events/event-streams.service.js';
import { blockUpdates } from './support/blocked-table.js';
import { EventReader } from './support/event-reader.js';
import { createOwnerWithClient } from './support/principals.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

const OPT_IN = [...STANDARD_EVENTS, 'payment.found', 'payment.expired'];
/** Seconds until a link of these tests ends, and until its end may be announced. */
const [LINK, EXPIRED] = [120, 181];
let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  shop = await Shop.open();
});
beforeEach(async () => {
  // Time passes in these tests, and tokens end.
  shop.owner = await createOwnerWithClient(shop.gateway);
  application = await shop.application({ events: OPT_IN });
});
afterAll(() => shop.close());

const open = (by = application) => {
  const expiresAt = new Date(shop.gateway.clock.now().getTime() + LINK * 1_000).toISOString();
  return shop.createPayment(by, { expiresAt });
};
const look = (gateway = shop.gateway) => gateway.get(PaymentExpiry).runOnce();
/** The loop, and whatever webhooks that gives; the watcher stands still. */
async function sweep(): Promise<void> {
  while (await look()) continue;
  await shop.deliver();
}
/** Time passes, and blocks come. */
async function pass(seconds: number): Promise<void> {
  await shop.wait(seconds);
  await shop.mine();
}
const change = (events: readonly string[], by = application) =>
  shop.call('PUT', `/api/payment-applications/${by.id}`, shop.owner.accessToken, { events });
const expiries = async (...payments: CreatedPayment[]) => {
  const rows = await shop.gateway.sql.query<{ id: string }>(
    `select payment_id as id from payment_events where type = 'payment.expired' and payment_id = any($1)`,
    [payments.map(({ id }) => id)],
  );
  return rows.length;
};

describe('payment.expired', () => {
  it('is announced once for an unpaid link by webhook, feed and stream with the same bytes', async () => {
    const payment = await open();
    const { clientToken } = application;
    const url = `${shop.gateway.baseUrl}/api/events`;
    await pass(LINK);
    await sweep();
    expect(shop.events(payment)).toEqual([]);
    await pass(EXPIRED - LINK);
    await sweep();
    await pass(3_600);
    await sweep();

    const [event, ...more] = shop.webhooks(payment);
    expect(more).toEqual([]);
    expect([event?.event, event?.payment.status, event?.payment['expired']]).toEqual([
      'payment.expired',
      'OPEN',
      true,
    ]);
    expect(await shop.payment(payment)).toMatchObject({ status: 'OPEN', expired: true });
    const body = shop.merchant.requests.at(-1)?.body.toString('utf8');
    const feed = await fetch(url, { headers: { authorization: `Bearer ${clientToken}` } });
    expect(await feed.text()).toContain(`{"data":[${body}],`);
    const stream = await EventReader.open(`${url}/stream`, clientToken);
    while (await shop.gateway.get(EventStreams).runOnce()) continue;
    expect((await stream.has(1)).map(({ data }) => data)).toEqual([body]);
    await stream.leave();
  });

  it('is not announced to an application that does not list it', async () => {
    const silent = await shop.application();
    const payment = await open(silent);
    await pass(EXPIRED);
    await sweep();
    await change(OPT_IN, silent);
    await pass(EXPIRED);
    await sweep();
    expect(await expiries(payment)).toBe(0);
  });

  it('is announced for links that expire after the application listed it, not for earlier ones', async () => {
    const late = await shop.application();
    const before = await open(late);
    await pass(LINK + 1);
    const after = await open(late);
    // The first link has ended, and was not checked yet.
    await change(OPT_IN, late);
    await pass(EXPIRED);
    await sweep();
    expect([await expiries(before), await expiries(after)]).toEqual([0, 1]);
  });

  it('is not announced for a link that expired while the application did not list it', async () => {
    const first = await open();
    await change(STANDARD_EVENTS);
    await pass(LINK + 1);
    const second = await open();
    await change(OPT_IN);
    await change([...OPT_IN, 'payment.cancelled']);
    await pass(EXPIRED);
    await sweep();
    expect([await expiries(first), await expiries(second)]).toEqual([0, 1]);
  });

  it('is followed by payment.found and payment.received when the customer pays after all', async () => {
    const payment = await open();
    const instructions = await shop.instructions(payment);
    await pass(EXPIRED);
    await sweep();
    await shop.send(instructions);
    await shop.mine();
    await sweep();
    await shop.mine(12);
    await sweep();
    expect(shop.events(payment)).toEqual([
      'payment.expired',
      'payment.found',
      'payment.received',
      'payment.completed',
    ]);
  });

  it('is announced once when a payment loses its funds after its link expired', async () => {
    const payment = await open();
    const instructions = await shop.instructions(payment);
    await shop.send(instructions);
    await shop.mine();
    expect(await shop.status(payment)).toBe('FOUND');
    await shop.wait(EXPIRED);
    await sweep();
    expect(await expiries(payment)).toBe(0);
    await shop.chain.reorg(1);
    await shop.mine();
    await pass(EXPIRED);
    expect(await shop.status(payment)).toBe('OPEN');
    await sweep();
    await sweep();
    expect(await expiries(payment)).toBe(1);
    expect(shop.events(payment)).toEqual(['payment.found', 'payment.expired']);
  });
});

describe('payment.expired while funds may exist', () => {
  it('waits until the chain is read beyond the end of the link, so that funds sent in time are found', async () => {
    const paid = await open();
    const unpaid = await open();
    const instructions = await shop.instructions(paid);
    await shop.instructions(unpaid);
    await shop.wait(LINK - 10);
    await shop.send(instructions);
    await shop.chain.mine(1);
    await shop.wait(600);
    await shop.chain.mine(1);
    // The watcher has seen nothing of it.
    await sweep();
    expect(await expiries(paid, unpaid)).toBe(0);
    await shop.watch();
    await shop.wait(600);
    await sweep();
    expect([await expiries(paid), await expiries(unpaid)]).toEqual([0, 1]);
    expect(await shop.status(paid)).toBe('FOUND');
  });

  it('is not looked for in every turn: later while it waits, and never again once it is announced', async () => {
    const listDue = () => {
      const cutoff = new Date(shop.gateway.clock.now().getTime() - EXPIRY_GRACE_SECONDS * 1_000);
      return shop.gateway.get(PaymentExpiryRepository).listDue(cutoff, 1_000);
    };
    const payment = await open();
    await shop.instructions(payment);
    await shop.wait(EXPIRED);
    expect(await listDue()).toContain(payment.id);
    await sweep();
    expect(await listDue()).not.toContain(payment.id);
    await pass(600);
    expect(await listDue()).toContain(payment.id);
    await sweep();
    expect(await expiries(payment)).toBe(1);
    await pass(86_400);
    expect(await listDue()).not.toContain(payment.id);
  });

  it('waits until the node has a block from after the expiry', async () => {
    const payment = await open();
    await shop.instructions(payment);
    shop.gateway.clock.advanceSeconds(3_600);
    await shop.watch();
    await sweep();
    expect(await expiries(payment)).toBe(0);
    await shop.chain.rpc('evm_increaseTime', [3_600]);
    await shop.mine();
    await shop.wait(600);
    await sweep();
    expect(await expiries(payment)).toBe(1);
  });

  it('waits while a chain is halted, unless the payment has no address on it', async () => {
    const halt = (at: string) =>
      shop.gateway.sql.query(`update chain_cursors set halted_at = ${at}, halt_reason = ${at}::text`);
    const payment = await open();
    await shop.instructions(payment);
    const addressless = await open();
    await pass(3_600);
    await halt('now()');
    await sweep();
    expect([await expiries(payment), await expiries(addressless)]).toEqual([0, 1]);
    await halt('null');
    await pass(600);
    await sweep();
    expect(await expiries(payment)).toBe(1);
  });

  it('is not announced while unmatched funds are pending', async () => {
    const payment = await open();
    const { address } = await shop.instructions(payment);
    await shop.chain.sendToken({ token: shop.tokens.USDC, to: address as `0x${string}`, value: 5_000_000n });
    await shop.mine();
    expect(await shop.status(payment)).toBe('OPEN');
    await pass(EXPIRED);
    await sweep();
    await pass(3_600);
    await sweep();
    expect(await expiries(payment)).toBe(0);
  });
});

describe('payment.expired with several or crashed processes', () => {
  it('is announced once for each of many payments by two concurrent processes', async () => {
    const other = await shop.gateway.another();
    const payments = await Promise.all(Array.from({ length: 120 }, () => open()));
    await pass(EXPIRED);
    const both = [look(), look(other), look(), look(other)];
    await Promise.all(both);
    await sweep();
    expect(await expiries(...payments)).toBe(120);
    expect(shop.merchant.payloads().filter(({ event }) => event === 'payment.expired').length).toBe(
      new Set(shop.merchant.payloads().map(({ id, event }) => (event === 'payment.expired' ? id : ''))).size -
        1,
    );
    await other.close();
  });

  it('is announced once when the process dies before the commit', async () => {
    const payment = await open();
    await pass(EXPIRED);
    // The event is written by then, the mark of the payment is not.
    const table = await blockUpdates(shop.gateway.databaseUrl, 'payments');
    const died = look().then(
      () => 'went well',
      () => 'died',
    );
    await table.untilWaiting(1);
    await table.killWaiting();
    expect(await died).toBe('died');
    expect(await expiries(payment)).toBe(0);
    await table.release();
    await sweep();
    await sweep();
    expect(shop.events(payment)).toEqual(['payment.expired']);
  });
});
