import type pg from 'pg';
import type { MerchantEndpoint } from './merchant-endpoint.js';
import type { Order } from './order-load.js';

interface RecordedPayment {
  id: string;
  reference: string;
  status: string;
  transfers: string;
  received: string;
  addresses: string;
}

const RECORDED = `
  select p.id, p.reference, p.status,
    (select count(*) from payment_transfers t where t.payment_id = p.id) as transfers,
    (select coalesce(sum(t.amount), 0) from payment_transfers t where t.payment_id = p.id) as received,
    (select string_agg(lower(d.address), ',') from deposit_addresses d where d.payment_id = p.id) as addresses
  from payments p where p.user_id is distinct from $1`;

/** What is missing, doubled or wrong in the database and at the merchant's endpoint; empty when all is right. @param exceptUser whose payments are no orders */
export async function findDiscrepancies(
  orders: readonly Order[],
  db: pg.Pool,
  merchant: MerchantEndpoint,
  exceptUser: string | null = null,
): Promise<string[]> {
  const { rows } = await db.query<RecordedPayment>(RECORDED, [exceptUser]);
  const found: string[] = [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  const references = new Set(rows.map(({ reference }) => reference));
  if (references.size !== rows.length)
    found.push(`${rows.length - references.size} payments were created twice`);
  if (rows.length !== orders.length) found.push(`${rows.length} payments, but ${orders.length} orders`);
  for (const order of orders) {
    const row = byId.get(order.id);
    const expected = {
      status: order.paid === null ? 'OPEN' : 'CONFIRMED',
      transfers: order.paid === null ? '0' : '1',
      received: String(order.paid ?? 0n),
      ...(order.address && { addresses: order.address.toLowerCase() }),
    };
    for (const [name, value] of Object.entries(expected)) {
      const recorded = row?.[name as keyof RecordedPayment];
      if (recorded !== value) found.push(`payment ${order.id}: ${name} is ${recorded} and not ${value}`);
    }
    found.push(...checkEvents(order, merchant));
  }
  return found;
}

/** Each event at least once, under one id. */
function checkEvents({ id, paid }: Order, { heard }: MerchantEndpoint): string[] {
  const own = heard.filter(({ paymentId }) => paymentId === id);
  const events = new Set(own.map(({ event }) => event));
  const ids = new Set(own.map((event) => event.id));
  const expected = paid === null ? [] : ['payment.received', 'payment.completed'];
  const missing = expected.filter((event) => !events.has(event));
  const found = missing.map((event) => `payment ${id}: the merchant did not receive ${event}`);
  if (missing.length === 0 && ids.size !== expected.length)
    found.push(`payment ${id}: ${ids.size} event ids, expected ${expected.length}`);
  return found;
}
