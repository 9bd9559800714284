import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Hex, TestChain } from '../support/anvil.js';
import { type CreatedPayment, checkoutBody } from '../support/merchant-api.js';
import type { ApiClient } from './api-client.js';

/** A payment as its merchant knows it. */
export interface Order {
  /** The Idempotency-Key of its creation, and its reference. */
  key: string;
  id: string;
  /** Null: no instructions were requested. */
  address: Hex | null;
  /** Wei that were sent to the address; null: it is not paid. */
  paid: bigint | null;
}

/** Customers who order and pay one after the other, until the load is closed. */
export class OrderLoad {
  readonly orders: Order[] = [];
  private isOpen = false;
  private workers: Promise<void>[] = [];
  private readonly failures: unknown[] = [];

  private constructor(
    private readonly client: ApiClient,
    private readonly clientId: string,
    private readonly chain: TestChain,
  ) {}

  /** Creates the application. @param client signed in */
  static async create(client: ApiClient, chain: TestChain, callbackUrl: string): Promise<OrderLoad> {
    return new OrderLoad(client, await client.api.createApplication({ callbackUrl }), chain);
  }

  /** The same application on another gateway, which knows these orders. */
  at(client: ApiClient, orders: readonly Order[]): OrderLoad {
    const load = new OrderLoad(client, this.clientId, this.chain);
    load.orders.push(...orders);
    return load;
  }

  /** @param customers at a time, each with a pause between two orders */
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

  /** Waits for the orders in progress. @throws Error when one never succeeded */
  async close(): Promise<void> {
    this.isOpen = false;
    await Promise.all(this.workers);
    if (this.failures.length > 0) throw new Error(this.failures.map(String).join('\n'));
  }

  /** A payment whose link no customer has opened. */
  async orderWithoutAddress(): Promise<CreatedPayment> {
    const key = randomUUID();
    const created = await this.client.api.createPayment(this.clientId, key, key);
    this.orders.push({ key, id: created.id, address: null, paid: null });
    return created;
  }

  /** One payment, from its creation to the customer's transfer. */
  async order(isPaid: boolean): Promise<Order> {
    const key = randomUUID();
    const created = await this.client.api.createPayment(this.clientId, key, key);
    const { address, amount } = await this.client.api.instructions(created, 'eth');
    const order: Order = { key, id: created.id, address: address as Hex, paid: null };
    this.orders.push(order);
    if (isPaid) {
      order.paid = amount;
      await this.chain.sendEth({ to: order.address as Hex, value: amount });
    }
    return order;
  }

  /** Repeats every creation with its key. @returns those that do not return the stored response */
  async findWrongReplays(): Promise<string[]> {
    const found: string[] = [];
    for (const { key, id } of this.orders) {
      const body = checkoutBody(this.clientId, key);
      const { text, isReplayed } = await this.client.api.call('/api/payment/checkout', { body, key });
      if (!isReplayed || !text.includes(`"${id}"`)) found.push(`payment ${id}: its key returns ${text}`);
    }
    return found;
  }
}
