import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Hex, TestChain } from '../support/anvil.js';
import type { ApiClient } from './api-client.js';
import type { MerchantEndpoint } from './merchant-endpoint.js';

/** 100.00 USD. */
const DUE = 10_000;

/** A payment as its merchant knows it. */
export interface Order {
  key: string;
  id: string;
  /** Null: the customer has not asked, as far as we know. */
  address: Hex | null;
  /** Wei that were sent to it; null: nobody pays. */
  paid: bigint | null;
}

interface Created {
  id: string;
  checkoutUrl: string;
}

interface Instructions {
  address: Hex;
  amount: { atomic: string };
}

/** A merchant's server with its customers, who open and pay payments as long as they are told to. */
export class Shop {
  readonly orders: Order[] = [];
  private isOpen = false;
  private workers: Promise<void>[] = [];
  private readonly failures: unknown[] = [];

  private constructor(
    readonly api: ApiClient,
    private readonly clientId: string,
    private readonly chain: TestChain,
  ) {}

  /** @param api signed in */
  static async found(api: ApiClient, chain: TestChain, callbackUrl: string): Promise<Shop> {
    const { clientId } = await api.data<{ clientId: string }>('POST', '/api/payment-applications', {
      name: 'Shop',
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      callbackUrl,
    });
    return new Shop(api, clientId, chain);
  }

  /** The same shop at another gateway, which knows of so much. */
  at(api: ApiClient, orders: readonly Order[]): Shop {
    const shop = new Shop(api, this.clientId, this.chain);
    shop.orders.push(...orders);
    return shop;
  }

  /** So many customers at a time, each with a pause between two orders. */
  open(customers: number, pauseMs: number): void {
    this.isOpen = true;
    this.workers = Array.from({ length: customers }, async () => {
      while (this.isOpen) {
        try {
          await this.order(this.orders.length % 2 === 0);
        } catch (error) {
          this.failures.push(error);
        }
        await delay(pauseMs);
      }
    });
  }

  /** A payment that no customer has looked at. */
  async openOnly(): Promise<Created> {
    const key = randomUUID();
    const created = await this.create(key);
    this.orders.push({ key, id: created.id, address: null, paid: null });
    return created;
  }

  /** Waits for the orders under way. @throws Error when one never succeeded */
  async close(): Promise<void> {
    this.isOpen = false;
    await Promise.all(this.workers);
    if (this.failures.length > 0) throw new Error(this.failures.map(String).join('\n'));
  }

  /** One payment from its creation to the customer's transfer. */
  async order(isPaid: boolean): Promise<Order> {
    const key = randomUUID();
    const created = await this.create(key);
    const { search } = new URL(created.checkoutUrl);
    const { address, amount } = await this.api.data<Instructions>(
      'GET',
      `/api/checkout/payment/${created.id}/provider/ethereum/method/eth${search}`,
    );
    const order: Order = { key, id: created.id, address, paid: null };
    this.orders.push(order);
    if (isPaid) {
      order.paid = BigInt(amount.atomic);
      await this.chain.sendEth({ to: address, value: order.paid });
    }
    return order;
  }

  private async create(key: string): Promise<Created> {
    return this.api.data<Created>('POST', '/api/payment/checkout', this.body(key), {
      'idempotency-key': key,
    });
  }

  /** Every create once more, with its key: the same payment, or nothing was kept. */
  async demandReplays(): Promise<string[]> {
    const findings: string[] = [];
    for (const { key, id } of this.orders) {
      const path = '/api/payment/checkout';
      const again = await this.api.until2xx('POST', path, this.body(key), { 'idempotency-key': key });
      const sameId = again.text.includes(`"${id}"`);
      if (!again.isReplayed || !sameId) findings.push(`payment ${id}: its key answers ${again.text}`);
    }
    return findings;
  }

  private body(reference: string) {
    return {
      amount: DUE,
      currencyCode: 'USD',
      reference,
      referenceLabel: reference,
      clientId: this.clientId,
    };
  }
}

interface BookedPayment {
  id: string;
  reference: string;
  status: string;
  transfers: string;
  received: string;
  addresses: string;
}

const BOOKED = `
  select p.id, p.reference, p.status,
    (select count(*) from payment_transfers t where t.payment_id = p.id) as transfers,
    (select coalesce(sum(t.amount), 0) from payment_transfers t where t.payment_id = p.id) as received,
    (select string_agg(lower(d.address), ',') from deposit_addresses d where d.payment_id = p.id) as addresses
  from payments p`;

/** What is missing, doubled or made up in the records and at the merchant's endpoint; empty when all is right. */
export async function findings(shop: Shop, db: pg.Pool, merchant: MerchantEndpoint): Promise<string[]> {
  const { rows } = await db.query<BookedPayment>(BOOKED);
  const found: string[] = [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  const references = new Set(rows.map(({ reference }) => reference));
  if (references.size !== rows.length)
    found.push(`${rows.length - references.size} payments were made twice`);
  if (rows.length !== shop.orders.length)
    found.push(`${rows.length} payments, but ${shop.orders.length} orders`);
  for (const order of shop.orders) {
    const row = byId.get(order.id);
    const expected = {
      status: order.paid === null ? 'OPEN' : 'CONFIRMED',
      transfers: order.paid === null ? '0' : '1',
      received: String(order.paid ?? 0n),
      ...(order.address && { addresses: order.address.toLowerCase() }),
    };
    for (const [name, value] of Object.entries(expected)) {
      const booked = row?.[name as keyof BookedPayment];
      if (booked !== value) found.push(`payment ${order.id}: ${name} is ${booked} and not ${value}`);
    }
    found.push(...heardOf(order, merchant));
  }
  return found;
}

/** At least once each, under one id each. */
function heardOf({ id, paid }: Order, { heard }: MerchantEndpoint): string[] {
  const mine = heard.filter(({ paymentId }) => paymentId === id);
  const events = new Set(mine.map(({ event }) => event));
  const ids = new Set(mine.map((event) => event.id));
  const expected = paid === null ? [] : ['payment.received', 'payment.completed'];
  const missing = expected.filter((event) => !events.has(event));
  const found = missing.map((event) => `payment ${id}: the merchant never heard ${event}`);
  if (missing.length === 0 && ids.size !== expected.length)
    found.push(`payment ${id}: ${ids.size} event ids where ${expected.length} are right`);
  return found;
}
