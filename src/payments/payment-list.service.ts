import { Injectable } from '@nestjs/common';
import { ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { Page, type PageQuery } from '../platform/web/http/pagination.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import type { ListFilters } from './payment-filters.js';
import {
  type Listed,
  type PaymentFilter,
  PaymentListRepository,
  type Refusal,
  type WaitingPayment,
} from './payment-list.repository.js';
import { MAX_READ } from './payment-pages.repository.js';
import type { ListPaymentsQuery, PaymentsByReferenceQuery } from './payment-requests.contract.js';
import type { PaymentSummary } from './payment.pure.js';

export type { WaitingPayment } from './payment-list.repository.js';

/** The merchant's lists of payments (specification/payments.md#list). */
@Injectable()
export class PaymentListService {
  constructor(private readonly payments: PaymentListRepository) {}

  /**
   * Payments of deleted applications are included; an unknown application gives an empty page
   * (specification/payments.md#list).
   */
  async list(userId: string, query: ListPaymentsQuery): Promise<Page<PaymentSummary>> {
    return pageOf(await this.payments.list(filterOf(userId, query), query.sort, query), query);
  }

  /** Payments with a reference, which need not be unique; newest first. A client token sees its application's only. */
  async listByReference(
    principal: Principal,
    query: PaymentsByReferenceQuery,
  ): Promise<Page<PaymentSummary>> {
    const { userId } = principal;
    const applicationId = principal.kind === 'client' ? principal.applicationId : null;
    const filter = { ...filterOf(userId, { reference: query.reference }), applicationId };
    return pageOf(await this.payments.list(filter, '-date', query), query);
  }

  /** Those of the payments that are the user's, in no order. */
  listByIds(userId: string, ids: readonly string[]): Promise<PaymentSummary[]> {
    return this.payments.listByIds(userId, ids);
  }

  /** Payments in RECEIVED that the application's endpoint has not acknowledged, the longest waiting first. */
  async listUnacknowledged(
    userId: string,
    applicationId: string,
    page: PageQuery,
  ): Promise<Page<WaitingPayment>> {
    return pageOf(await this.payments.listUnacknowledged({ userId, applicationId }, page), page);
  }
}

/** Why a list is refused, on the field of that name (specification/payments.md#list). */
const REFUSALS: Record<Refusal, string> = {
  search: `The search field fits more than ${MAX_READ} payments: write more of what you look for.`,
  reference: `The reference field fits more than ${MAX_READ} payments, which are too many to list.`,
  unmatchedFunds: `The unmatchedFunds field is about more than ${MAX_READ} payments with such funds: accept or refund those funds first.`,
  sort:
    `The sort field must be date or status with these filters: sorted by amount, a list with filters can have at most ` +
    `${MAX_READ} payments between dateFrom and dateTo.`,
  page: `The page field leads beyond the first ${MAX_READ} payments, where a list sorted by amount ends: sort by date, or reverse the order.`,
};

/** @throws ValidationError */
function pageOf<Item>(listed: Listed<Item> | Refusal, query: PageQuery): Page<Item> {
  if (typeof listed === 'string') throw ValidationError.of(listed, REFUSALS[listed]);
  return Page.of(listed.items, listed.total, query);
}

function filterOf(userId: string, query: ListFilters): PaymentFilter {
  return {
    userId,
    applicationId: query.paymentApplicationId ?? null,
    statuses: query.status ?? null,
    reference: query.reference ?? null,
    currencyCode: query.currencyCode ?? null,
    dateFrom: query.dateFrom ?? null,
    dateTo: query.dateTo ?? null,
    search: query.search ?? null,
    hasUnmatchedFunds: query.unmatchedFunds ?? null,
  };
}
