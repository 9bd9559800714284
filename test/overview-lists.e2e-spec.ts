/**
 * @inOrder The rows of one shop are counted while it is used, and each group adds to them.
 */
import type { TimelineEntryContract } from '../src/overview/timeline.contract.js';
import type { RefundContract } from '../src/refunds/refund.contract.js';
import type { DeliverySummaryContract } from '../src/webhooks/webhook-delivery.contract.js';
import { asOwner } from './support/as-owner.js';
import { createOwner } from './support/principals.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

interface Listed<Item> {
  status: number;
  items: Item[];
  cursor: { next: string; hasMore: boolean };
  errors: Record<string, string[]> | undefined;
}

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

let shop: Shop;
let first: ShopApplication;
let second: ShopApplication;
let payments: CreatedPayment[];

beforeAll(async () => {
  shop = await Shop.open();
  [first, second] = [await shop.application(), await shop.application()];
  payments = [await shop.createPayment(first), await shop.createPayment(second)];
  for (const payment of payments) await shop.send(await shop.instructions(payment));
  shop.merchant.plan({ status: 500 });
  await shop.mine(CONFIRMATIONS);
});
afterAll(() => shop.close());

async function list<Item>(path: string, query: Record<string, string> = {}, token = shop.owner.accessToken) {
  const answer = await shop.call<Item[]>(
    'GET',
    `/api/${path}?${new URLSearchParams(query).toString()}`,
    token,
  );
  const { meta } = answer.body as unknown as { meta?: { cursor: Listed<Item>['cursor'] } };
  const listed: Listed<Item> = {
    status: answer.status,
    items: answer.status === 200 ? answer.body.data : [],
    cursor: meta?.cursor ?? { next: '', hasMore: false },
    errors: answer.body.errors,
  };
  return listed;
}

/** Every item, read one at a time. */
async function walk<Item>(path: string): Promise<Item[]> {
  const items: Item[] = [];
  let page = await list<Item>(path, { limit: '1' });
  for (;;) {
    items.push(...page.items);
    if (!page.cursor.hasMore) return items;
    page = await list<Item>(path, { limit: '1', after: page.cursor.next });
  }
}

describe('GET /api/webhook-deliveries', () => {
  it('lists the deliveries of all applications without bodies, and no one else’s', async () => {
    const { items } = await list<DeliverySummaryContract>('webhook-deliveries');
    expect(items).toHaveLength(3);
    const applications = new Set(items.map(({ paymentApplicationId }) => paymentApplicationId));
    expect(applications).toEqual(new Set([first.id, second.id]));
    for (const item of items) expect(Object.keys(item)).not.toContain('requestBody');
    expect(await walk('webhook-deliveries')).toEqual(items);
    const stranger = await createOwner(shop.gateway);
    expect((await list('webhook-deliveries', {}, stranger.accessToken)).items).toEqual([]);
  });

  it('is restricted by status, application, payment, event and time', async () => {
    const failed = await list<DeliverySummaryContract>('webhook-deliveries', { status: 'FAILED' });
    expect(failed.items).toMatchObject([{ attempt: 1, httpStatus: 500, event: 'payment.received' }]);
    const [one] = failed.items;
    if (!one) throw new Error('no failed delivery');
    const { paymentId, paymentApplicationId, reference } = one;
    const now = shop.gateway.clock.now().getTime();
    const yesterday = new Date(now - 86_400_000).toISOString();
    const counted: [Record<string, string>, number][] = [
      [{ paymentId }, 1],
      [{ paymentId, reference }, 1],
      [{ reference: `${reference} and more` }, 0],
      [{ paymentApplicationId }, 1],
      [{ paymentApplicationId: `${first.id},${second.id}` }, 3],
      [{ event: 'payment.completed' }, 1],
      [{ from: yesterday }, 3],
      [{ to: yesterday }, 0],
      [{ status: 'SUCCEEDED', event: 'payment.received' }, 1],
    ];
    for (const [query, count] of counted)
      expect([query, (await list('webhook-deliveries', query)).items.length]).toEqual([query, count]);
  });
});

describe('GET /api/refunds', () => {
  it('lists the refunds of all payments, newest first, as the payment has them', async () => {
    expect((await list('refunds')).items).toEqual([]);
    const made: RefundContract[] = [];
    for (const [index, { id }] of payments.entries()) {
      const body = index === 0 ? {} : { address: ADDRESS };
      const path = `/api/payment/${id}/refunds`;
      const created = await shop.call<RefundContract>('POST', path, shop.owner.accessToken, body);
      expect(created.status).toBe(201);
      made.unshift(created.body.data);
    }
    expect((await list<RefundContract>('refunds')).items).toEqual(made);
    expect(await walk('refunds')).toEqual(made);
    const ids = async (query: Record<string, string>) =>
      (await list<RefundContract>('refunds', query)).items.map(({ id }) => id);
    const [waiting, claimed] = made;
    expect(await ids({ status: 'AWAITING_PAYMENT' })).toEqual([waiting?.id]);
    expect(await ids({ status: 'AWAITING_ADDRESS,FAILED' })).toEqual([claimed?.id]);
    expect(await ids({ paymentApplicationId: first.id })).toEqual([claimed?.id]);
    const stranger = await createOwner(shop.gateway);
    expect((await list('refunds', {}, stranger.accessToken)).items).toEqual([]);
  });
});

describe('a refund whose address somebody wrote into the database', () => {
  it.each(['nonsense', '0x', `${ADDRESS}00`, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'])(
    'as %j is left out, and leaves the list readable',
    async (address) => {
      const before = await list<RefundContract>('refunds');
      const [refund] = before.items;
      const { sql } = shop.gateway;
      const [saved] = await sql.query<{ address: string | null; status: string }>(
        'select address, status from refunds where id = $1',
        [refund?.id],
      );
      const write = (to: typeof saved) =>
        asOwner(shop.gateway, async (tx) => {
          await tx.query(`update refunds set address = $1, status = $2 where id = $3`, [
            to?.address,
            to?.status,
            refund?.id,
          ]);
        });
      await write({ address, status: 'AWAITING_PAYMENT' });
      const after = await list<RefundContract>('refunds');
      expect(after.items.map(({ id }) => id)).toEqual(before.items.slice(1).map(({ id }) => id));
      await write(saved);
      expect((await list<RefundContract>('refunds')).items).toEqual(before.items);
    },
  );
});

describe('GET /api/payment/{paymentId}/timeline', () => {
  const timeline = (id: string, token = shop.owner.accessToken) =>
    shop.call<TimelineEntryContract[]>('GET', `/api/payment/${id}/timeline`, token);
  const summaryOf = ({ kind, code, actor }: TimelineEntryContract) => [kind, code, actor];

  it('tells what happened in its order, and who did it', async () => {
    const payment = await shop.createPayment(first);
    const instructions = await shop.instructions(payment);
    const txHash = await shop.send(instructions, BigInt(instructions.amount.amount) / 2n);
    await shop.mine(CONFIRMATIONS);
    await shop.wait(1);
    expect(
      (await shop.call('POST', `/api/payment/${payment.id}/accept`, shop.owner.accessToken)).status,
    ).toBe(200);
    await shop.settle();
    await shop.wait(1);
    const refund = `/api/payment/${payment.id}/refunds`;
    await shop.call('POST', refund, first.clientToken, { address: ADDRESS });
    const { status, body } = await timeline(payment.id);
    expect(status).toBe(200);
    expect(body.data.map(summaryOf)).toEqual([
      ['status', 'OPEN', null],
      ['address', 'evm', null],
      ['quote', 'rate_locked', null],
      ['transfer', 'seen', null],
      ['transfer', 'confirmed', null],
      ['status', 'FOUND', null],
      ['status', 'UNDERPAID', null],
      ['event', 'payment.underpaid', null],
      ['act', 'payment.accepted', 'oauth_client'],
      ['status', 'RECEIVED', null],
      ['status', 'CONFIRMED', null],
      ['event', 'payment.received', null],
      ['event', 'payment.completed', null],
      ['act', 'refund.created', 'client_token'],
      ['refund', 'AWAITING_PAYMENT', null],
    ]);
    expect(body.data.find(({ code }) => code === 'seen')).toMatchObject({
      blockchain: 'ethereum',
      txHash,
      amount: { currency: { code: 'ETH' } },
    });
    expect(body.data.find(({ code }) => code === 'payment.received')).toMatchObject({
      deliveryStatus: 'SUCCEEDED',
      attempts: 1,
    });
  });

  it('says of an event that no endpoint got that it was not sent, while that is known', async () => {
    const payment = await shop.createPayment(await shop.application({ callbackUrl: null }));
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    const received = async () => {
      const { body } = await timeline(payment.id);
      return body.data.find(({ code }) => code === 'payment.received')?.deliveryStatus;
    };
    expect(await received()).toBe('SKIPPED');
    const { sql } = shop.gateway;
    await sql.query(
      `update payment_events set dispatched_at = dispatched_at - interval '31 days' where payment_id = $1`,
      [payment.id],
    );
    expect(await received()).toBeNull();
  });

  it('is not found for another user, or for what is no payment', async () => {
    const stranger = await createOwner(shop.gateway);
    const [payment] = payments;
    expect((await timeline(payment?.id ?? '', stranger.accessToken)).status).toBe(404);
    expect((await timeline('x')).status).toBe(404);
  });
});

describe('a wrong parameter', () => {
  it.each<[string, Record<string, string>, string]>([
    ['refunds', { status: 'OPEN' }, 'status'],
    ['refunds', { after: 'x' }, 'after'],
    ['refunds', { per_page: '5' }, 'per_page'],
    ['webhook-deliveries', { status: 'DONE' }, 'status'],
    ['webhook-deliveries', { from: '2026' }, 'from'],
    ['webhook-deliveries', { event: 'payment.created' }, 'event'],
    ['webhook-deliveries', { paymentId: '1' }, 'paymentId'],
    ['webhook-deliveries', { reference: '' }, 'reference'],
    ['webhook-deliveries', { limit: '1000' }, 'limit'],
  ])('of /api/%s: %p is refused on %s', async (path, query, field) => {
    const { status, errors } = await list(path, query);
    expect([status, Object.keys(errors ?? {})]).toEqual([422, [field]]);
  });
});
