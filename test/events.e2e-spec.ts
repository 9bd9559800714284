import { bulkInsert } from '../src/platform/database/entity-sql.js';
import { RowAuthenticator } from '../src/platform/integrity/row-authenticator.service.js';
import { PAYMENT_EVENTS, PaymentEventEntity } from '../src/payments/payment-event.entity.js';
import { parseExact } from '../src/platform/kernel/exact-json.pure.js';
import { DeliveriesService } from '../src/webhooks/deliveries.service.js';
import { ApplicationsApi } from './support/applications-api.js';
import { createOwner } from './support/principals.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

interface EventDto {
  id: string;
  event: string;
  payment: { id: string; status: string };
}

interface Feed {
  status: number;
  text: string;
  data: EventDto[];
  meta: { cursor: { next: string; hasMore: boolean } };
}

let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  shop = await Shop.open();
});
beforeEach(async () => {
  application = await shop.application();
});
afterAll(() => shop.close());

async function read(token: string, query = ''): Promise<Feed> {
  const response = await fetch(`${shop.gateway.baseUrl}/api/events${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  return { status: response.status, text, ...(parseExact(text) as Pick<Feed, 'data' | 'meta'>) };
}

/** A payment that ends CONFIRMED: two events. */
async function confirmed(by = application): Promise<CreatedPayment> {
  const payment = await shop.createPayment(by);
  await shop.send(await shop.instructions(payment));
  await shop.mine(12);
  expect(await shop.status(payment)).toBe('CONFIRMED');
  return payment;
}

const summaries = ({ data }: Feed) => data.map(({ payment, event }) => `${payment.id} ${event}`);
const both = ({ id }: CreatedPayment) => [`${id} payment.received`, `${id} payment.completed`];

describe('GET /api/events', () => {
  it('returns the bodies of the webhooks, byte for byte and in order', async () => {
    const first = await confirmed();
    const second = await confirmed();
    const feed = await read(application.clientToken);
    expect(feed.status).toBe(200);
    expect(summaries(feed)).toEqual([...both(first), ...both(second)]);
    const pushed = shop.merchant.requests
      .map(({ body }) => body.toString('utf8'))
      .filter((body) => body.includes(first.id) || body.includes(second.id));
    expect(pushed).toHaveLength(4);
    for (const body of pushed) expect(feed.text).toContain(body);
    expect(feed.text.startsWith(`{"data":[${pushed.join(',')}],`)).toBe(true);
  });

  it('continues after the given cursor without repeating an event', async () => {
    expect((await read(application.clientToken)).data).toEqual([]);
    const { next: start } = (await read(application.clientToken)).meta.cursor;
    const first = await confirmed();
    const one = await read(application.clientToken, `?after=${start}&limit=1`);
    expect(summaries(one)).toEqual(both(first).slice(0, 1));
    expect(one.meta.cursor.hasMore).toBe(true);
    const two = await read(application.clientToken, `?after=${one.meta.cursor.next}&limit=1`);
    expect(summaries(two)).toEqual(both(first).slice(1));
    expect(two.meta.cursor.hasMore).toBe(false);
    const end = await read(application.clientToken, `?after=${two.meta.cursor.next}`);
    expect([end.data, end.meta.cursor]).toEqual([[], { next: two.meta.cursor.next, hasMore: false }]);
    const second = await confirmed();
    expect(summaries(await read(application.clientToken, `?after=${end.meta.cursor.next}`))).toEqual(
      both(second),
    );
    expect(summaries(await read(application.clientToken, `?after=${start}`))).toEqual([
      ...both(first),
      ...both(second),
    ]);
  });

  it('returns events of applications without a webhook', async () => {
    const silent = await shop.application({ callbackUrl: undefined });
    const payment = await confirmed(silent);
    expect(summaries(await read(silent.clientToken))).toEqual(both(payment));
    expect(shop.events(payment)).toEqual([]);
  });

  it('returns to a client token only its application’s events, and to a user those of all their applications', async () => {
    const other = await shop.application();
    const [mine, theirs] = [await confirmed(), await confirmed(other)];
    expect(summaries(await read(application.clientToken))).toEqual(both(mine));
    expect(summaries(await read(other.clientToken))).toEqual(both(theirs));
    const all = summaries(await read(shop.owner.accessToken));
    expect(all).toEqual(expect.arrayContaining([...both(mine), ...both(theirs)]));
    const stranger = await createOwner(shop.gateway);
    await new ApplicationsApi(shop.gateway, stranger).create();
    expect((await read(stranger.accessToken)).data).toEqual([]);
  });

  it.each([
    ['after=12', 'after'],
    ['after=', 'after'],
    ['after=ZTE&after=ZTE', 'after'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
  ])('refuses ?%s and names the wrong parameter', async (query, field) => {
    const path = `/api/events?${query}`;
    const { status, body } = await shop.call('GET', path, application.clientToken);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
  });

  it('omits no event while two processes assign positions and a third one reads', async () => {
    const { sql } = shop.gateway;
    const payment = await confirmed();
    const deliveries = shop.gateway.get(DeliveriesService);
    const { next } = (await read(shop.owner.accessToken)).meta.cursor;
    const payments = Array.from({ length: 40 }, () => crypto.randomUUID());
    // Copies of a payment's history and events, which come in at once and in no order.
    for (const id of payments) {
      await sql.transaction(async (tx) => {
        await tx.query(`set local session_replication_role = replica`);
        await tx.query(
          `insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', $2::uuid))).*
          from payments p where p.id = $1`,
          [payment.id, id],
        );
        await tx.query(
          `insert into payment_status_history
          select (jsonb_populate_record(h, jsonb_build_object('payment_id', $2::uuid))).*
          from payment_status_history h where h.payment_id = $1`,
          [payment.id, id],
        );
      });
    }
    // Both at once, and the later one with the earlier time: a clock was set back.
    const authenticated = shop.gateway.get(RowAuthenticator).of(PAYMENT_EVENTS);
    const announce = async (id: string) => {
      const made = await sql.query<Omit<PaymentEventEntity, 'mac'>>(
        `select gen_random_uuid() as id, $2::uuid as "paymentId", user_id as "userId", application_id as "applicationId",
           n as seq, type, replace(body, $3, $4) as body, created_at - make_interval(secs => n) as "createdAt",
           null as "testPaymentId"
         from payment_events, generate_series(2, 3) n
         where payment_id = $1::uuid and type = 'payment.received'`,
        [payment.id, id, payment.id, id],
      );
      const insert = bulkInsert(PaymentEventEntity, [...PAYMENT_EVENTS.fields, 'mac']);
      const rows = made.map((event) => ({ ...event, mac: authenticated.mac(event) }));
      await sql.query(insert.text, insert.values(rows));
    };
    let [isOver, isDispatched] = [false, false];
    const seen: string[] = [];
    const follow = async () => {
      for (let after = next; ;) {
        const wasOver = isDispatched;
        const { data, meta } = await read(shop.owner.accessToken, `?after=${after}&limit=7`);
        seen.push(...data.map((event) => event.payment.id));
        after = meta.cursor.next;
        if (wasOver && data.length === 0) return;
      }
    };
    const reader = follow();
    const dispatch = async () => {
      while (!isOver || (await deliveries.dispatchEvents()).count > 0) await deliveries.dispatchEvents();
    };
    const dispatchers = [dispatch(), dispatch()];
    try {
      await Promise.all(payments.map(announce));
    } finally {
      isOver = true;
      await Promise.all(dispatchers);
      // Not before: a reader that has caught up with them would leave.
      isDispatched = true;
      await reader;
    }
    expect(seen.toSorted()).toEqual([...payments, ...payments].toSorted());
    const order = await sql.query<{ seq: number }>(
      `select seq from payment_events where payment_id = any($1) order by payment_id, position`,
      [payments],
    );
    expect(order.map(({ seq }) => seq)).toEqual(payments.flatMap(() => [2, 3]));
  });
});
