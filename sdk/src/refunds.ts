import type { CreateRefund, Operations, Pagination, Refund } from './api-types.js';
import { type CallOptions, type Http, segment, type WriteOptions } from './http.js';

export interface RefundPage {
  items: Refund[];
  pagination: Pagination;
}

export interface RefundListOptions extends CallOptions {
  /** Counted from 1; default 1. */
  page?: number;
  /** Refunds per page, 1 to 100; default 100. */
  perPage?: number;
}

const PER_PAGE = 100;

/** `/api/payment/{paymentId}/refunds…`: you pay from your own wallet, the gateway verifies. Scope `*`. */
export class Refunds {
  constructor(private readonly http: Http) {}

  /** Creates a refund: by default of the whole remainder, to the address that the customer enters at `claimUrl`. */
  create(paymentId: string, refund: CreateRefund = {}, options: WriteOptions = {}): Promise<Refund> {
    return this.post(refundsPath(paymentId), refund, options);
  }

  async get(paymentId: string, refundId: string, { signal }: CallOptions = {}): Promise<Refund> {
    const path = refundPath(paymentId, refundId);
    const { data } = await this.http.call<Operations['getRefund']['response']>({
      method: 'GET',
      path,
      signal,
    });
    return data;
  }

  /** One page of the refunds of a payment, newest first; empty past the end. */
  async list(
    paymentId: string,
    { page = 1, perPage = PER_PAGE, signal }: RefundListOptions = {},
  ): Promise<RefundPage> {
    const { data, meta } = await this.http.call<Operations['listRefunds']['response']>({
      method: 'GET',
      path: refundsPath(paymentId),
      query: { page, per_page: perPage },
      signal,
    });
    return { items: data, pagination: meta.pagination };
  }

  /** Sets or corrects the address, before you send the funds. */
  setAddress(
    paymentId: string,
    refundId: string,
    address: string,
    options: WriteOptions = {},
  ): Promise<Refund> {
    return this.post(`${refundPath(paymentId, refundId)}/address`, { address }, options);
  }

  /** Records the transaction that you have sent. It is verified on chain, and the refund becomes COMPLETED or FAILED. */
  complete(paymentId: string, refundId: string, txHash: string, options: WriteOptions = {}): Promise<Refund> {
    return this.post(`${refundPath(paymentId, refundId)}/complete`, { txHash }, options);
  }

  /** Possible before a transaction is recorded, or after it failed; repeating it is harmless. */
  cancel(paymentId: string, refundId: string, options: WriteOptions = {}): Promise<Refund> {
    return this.post(`${refundPath(paymentId, refundId)}/cancel`, {}, options);
  }

  private async post(path: string, body: unknown, options: WriteOptions): Promise<Refund> {
    const { data } = await this.http.write<{ data: Refund }>(path, body, options);
    return data;
  }
}

function refundsPath(paymentId: string): string {
  return `/api/payment/${segment('paymentId', paymentId)}/refunds`;
}

function refundPath(paymentId: string, refundId: string): string {
  return `${refundsPath(paymentId)}/${segment('refundId', refundId)}`;
}
