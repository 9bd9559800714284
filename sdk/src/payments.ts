import type {
  Checkout,
  CreateCheckout,
  DepositAddress,
  MerchantPaymentInstructions,
  Operations,
  Payment,
  PaymentExportRow,
  PaymentMethod,
  PaymentStatus,
} from './api-types.js';
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

/** The statuses in which ordinary payments end, so waiting for another one is pointless. */
export const TERMINAL_STATUSES: readonly PaymentStatus[] = ['CONFIRMED', 'CANCELLED', 'ERROR', 'REFUND'];

export interface WaitOptions extends CallOptions {
  /** The statuses to wait for, or a test of your own; default: {@link TERMINAL_STATUSES}. */
  until?: readonly PaymentStatus[] | ((payment: Payment) => boolean);
  /** Milliseconds; default one hour. */
  timeoutMs?: number;
  /** Milliseconds between requests; default and recommended: 5,000. */
  pollMs?: number;
}

const POLL_MS = 5_000;
const WAIT_MS = 3_600_000;
/** These statuses are final. */
const FINAL: readonly PaymentStatus[] = ['CANCELLED', 'ERROR', 'REFUND'];

/** `/api/payment…` */
export class Payments {
  /** Refunds of payments. */
  readonly refunds: Refunds;

  constructor(private readonly http: Http) {
    this.refunds = new Refunds(http);
  }

  /** Creates a payment; `checkoutUrl` is where the customer pays. Scope `payments.create`. */
  async create(payment: CreateCheckout, options: WriteOptions = {}): Promise<Checkout> {
    const { data } = await this.http.write<Operations['createCheckout']['response']>(
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
   * What the customer is asked to pay by one method; locks a rate for 15 minutes. Pass it to `verifyInstructions`.
   * Scope `payments.user-instructions.get`.
   */
  async instructions(
    paymentId: string,
    { provider, method }: Pick<PaymentMethod, 'provider' | 'method'>,
    { signal }: CallOptions = {},
  ): Promise<MerchantPaymentInstructions> {
    const choice = `provider/${segment('provider', provider)}/method/${segment('method', method)}`;
    const path = `/api/payment/${segment('paymentId', paymentId)}/${choice}`;
    const { data } = await this.http.call<Operations['getPaymentInstructions']['response']>({
      method: 'GET',
      path,
      signal,
    });
    return data;
  }

  /** Every address that customers can have been shown. Scope `payments.get`. */
  async depositAddresses(paymentId: string, { signal }: CallOptions = {}): Promise<DepositAddress[]> {
    const path = `/api/payment/${segment('paymentId', paymentId)}/deposit-addresses`;
    const { data } = await this.http.call<Operations['listDepositAddresses']['response']>({
      method: 'GET',
      path,
      signal,
    });
    return data;
  }

  /**
   * Polls a payment until it has the status that you wait for, or a final one (CANCELLED, ERROR, REFUND): read the
   * `status` of the result. Outages of the gateway are waited out. For many payments at once use webhooks.
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

  /** Null while the gateway is unavailable. */
  private async look(paymentId: string, signal: AbortSignal): Promise<Payment | null> {
    try {
      return await this.get(paymentId, { signal });
    } catch (error) {
      if (!(error instanceof GatewayError) || !isTransient(error)) throw error;
      // The retries of this call are used up; the next poll tries again.
      await delay((error.retryAfter ?? 0) * 1000, signal);
      return null;
    }
  }

  /** Every payment that matches, newest first unless sorted otherwise; pages are loaded as you iterate. OAuth2 token only. */
  list(filter: PaymentFilter = {}, options: CallOptions = {}): PaymentList {
    return new PaymentList(this.http, sourceOf(filter), options);
  }

  /**
   * Every payment that matches with its amounts and times, newest first, as one response that is read while it arrives:
   * for books and reports of any length. OAuth2 token only.
   * @param filter with `by: 'paid'`, dates and order are those of the first confirmed funds
   */
  export(
    { by, ...filter }: Omit<PaymentFilter, 'sort' | 'perPage'> & { by?: 'created' | 'paid' } = {},
    { signal }: CallOptions = {},
  ): AsyncIterable<PaymentExportRow> {
    const { query } = sourceOf(filter);
    const all = { ...query, by, format: 'jsonl' };
    return this.http.lines({ path: '/api/payment/export', query: all, signal });
  }

  /** The payments with a reference of yours, newest first; usually one. Scope `payments.get`. */
  byReference(reference: string, options: CallOptions = {}): PaymentList {
    return new PaymentList(this.http, { path: '/api/payment/by-reference', query: { reference } }, options);
  }

  /** Cancels an OPEN payment for which nothing was seen on chain; repeating it is harmless. Scope `*`. */
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
   * Accepts an UNDERPAID or overpaid payment, or a RECEIVED one whose webhook failed; or, with `transferId`, funds that
   * arrived on another network or in another coin (an `acceptable` entry of `transactions`), which then count at the
   * current rate. Scope `*`.
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

  /**
   * Keeps what is too much: the excess, a second paid payment of one order, what came after the end, tokens that are
   * not listed. With `amount`, in the smallest unit of the currency of the payment, only if the excess is that. Scope `*`.
   */
  async keep(
    paymentId: string,
    { amount, ...options }: WriteOptions & { amount?: bigint } = {},
  ): Promise<Payment> {
    const path = `/api/payment/${segment('paymentId', paymentId)}/keep`;
    const body = amount === undefined ? {} : { amount };
    const { data } = await this.http.write<{ data: Payment }>(path, body, options);
    return data;
  }
}
