import type { Checkout, CreateCheckout, Operations, Payment, PaymentStatus } from './api-types.js';
import { GatewayError } from './errors.js';
import {
  type CallOptions,
  delay,
  type Http,
  isTransient,
  readCount,
  segment,
  type WriteOptions,
} from './http.js';
import { PaymentList, type PaymentFilter, sourceOf } from './payment-list.js';
import { Refunds } from './refunds.js';

/** Where payments of the ordinary course end; nothing is worth waiting for afterwards. */
export const TERMINAL_STATUSES: readonly PaymentStatus[] = ['CONFIRMED', 'CANCELLED', 'ERROR', 'REFUND'];

export interface WaitOptions extends CallOptions {
  /** The statuses to wait for, or a test of your own; default: {@link TERMINAL_STATUSES}. */
  until?: readonly PaymentStatus[] | ((payment: Payment) => boolean);
  /** Milliseconds; default one hour. */
  timeoutMs?: number;
  /** Milliseconds between looks; default and recommended: 5,000. */
  pollMs?: number;
}

const POLL_MS = 5_000;
const WAIT_MS = 3_600_000;
/** No way leads out of these. */
const FINAL: readonly PaymentStatus[] = ['CANCELLED', 'ERROR', 'REFUND'];

/** `/api/payment…` */
export class Payments {
  /** Money that goes back. */
  readonly refunds: Refunds;

  constructor(private readonly http: Http) {
    this.refunds = new Refunds(http);
  }

  /** Creates a payment; `checkoutUrl` is where the customer pays. Scope `payments.create`. */
  async create(payment: CreateCheckout, options: WriteOptions = {}): Promise<Checkout> {
    const { data } = await this.http.write<Operations['createCheckout']['answer']>(
      '/api/payment/checkout',
      payment,
      options,
    );
    return data;
  }

  /** Scope `payments.get`. */
  async get(paymentId: string, { signal }: CallOptions = {}): Promise<Payment> {
    const path = `/api/payment/${segment('paymentId', paymentId)}`;
    const { data } = await this.http.call<{ data: Payment }>({
      method: 'GET',
      path,
      signal,
    });
    return data;
  }

  /**
   * Looks at a payment until it is where you want it, or where nothing more can come (CANCELLED, ERROR, REFUND):
   * read `status` of the answer. Outages of the gateway are waited out. For many payments at once use webhooks.
   * @throws GatewayError `wait_timeout`
   */
  async waitFor(paymentId: string, options: WaitOptions = {}): Promise<Payment> {
    const { until = TERMINAL_STATUSES, signal } = options;
    const timeoutMs = readCount('timeoutMs', options.timeoutMs ?? WAIT_MS, 1);
    const pollMs = readCount('pollMs', options.pollMs ?? POLL_MS, 1);
    const isDone = typeof until === 'function' ? until : ({ status }: Payment) => until.includes(status);
    const deadline = AbortSignal.timeout(timeoutMs);
    const either = signal ? AbortSignal.any([deadline, signal]) : deadline;
    let last = 'nothing was seen';
    try {
      for (;;) {
        const payment = await this.look(paymentId, either);
        if (payment && (isDone(payment) || FINAL.includes(payment.status))) return payment;
        if (payment) last = `it is ${payment.status}`;
        await delay(pollMs, either);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!deadline.aborted || error !== deadline.reason) throw error;
      throw new GatewayError('wait_timeout', `payment ${paymentId}: waited ${timeoutMs} ms, ${last}`);
    }
  }

  /** Null when the gateway cannot be asked just now. */
  private async look(paymentId: string, signal: AbortSignal): Promise<Payment | null> {
    try {
      return await this.get(paymentId, { signal });
    } catch (error) {
      if (!(error instanceof GatewayError) || !isTransient(error)) throw error;
      // The retries of one call are over; somebody who waits has time.
      await delay((error.retryAfter ?? 0) * 1000, signal);
      return null;
    }
  }

  /** Every payment that fits, newest first unless sorted otherwise; page by page as you go. OAuth2 token only. */
  list(filter: PaymentFilter = {}, options: CallOptions = {}): PaymentList {
    return new PaymentList(this.http, sourceOf(filter), options);
  }

  /** The payments of a reference of yours, newest first: usually one. With a client token too; scope `payments.get`. */
  byReference(reference: string, options: CallOptions = {}): PaymentList {
    return new PaymentList(this.http, { path: '/api/payment/by-reference', query: { reference } }, options);
  }

  /** Only an OPEN payment for which nothing was seen on chain; repeating it is harmless. Scope `*`. */
  async cancel(
    paymentId: string,
    { reason, ...options }: CallOptions & { reason?: string } = {},
  ): Promise<Payment> {
    const path = `/api/payment/${segment('paymentId', paymentId)}/cancel`;
    const body = reason === undefined ? {} : { reason };
    const { data } = await this.http.write<{ data: Payment }>(path, body, options);
    return data;
  }

  /**
   * Takes an UNDERPAID or overpaid payment as it is, or a RECEIVED one whose webhook failed; or, with `transferId`,
   * funds that came on another network or in another coin (an `acceptable` entry of `transactions`), which then count
   * at the rate of now. Scope `*`.
   */
  async accept(
    paymentId: string,
    { transferId, ...options }: WriteOptions & { transferId?: string } = {},
  ): Promise<Payment> {
    const path = `/api/payment/${segment('paymentId', paymentId)}/accept`;
    const body = transferId === undefined ? {} : { transferId };
    const { data } = await this.http.write<{ data: Payment }>(path, body, options);
    return data;
  }
}
