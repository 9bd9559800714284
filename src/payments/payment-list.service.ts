import { Injectable } from '@nestjs/common';
import { Page, type PageQuery } from '../platform/http/pagination.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import type { Principal } from '../platform/security/auth.js';
import { conditionsOf, type PaymentFilters } from './payment-filters.js';
import {
  type Listed,
  type PaymentFilter,
  PaymentListRepository,
  type WaitingPayment,
} from './payment-list.repository.js';
import type { ListPaymentsQuery, PaymentsByReferenceQuery } from './payment-requests.contract.js';
import type { PaymentSummary } from './payment.pure.js';

export type { WaitingPayment } from './payment-list.repository.js';

/** The merchant's lists of payments (specification/payments.md#list). */
@Injectable()
export class PaymentListService {
  constructor(
    private readonly payments: PaymentListRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Payments of deleted applications are included; an unknown application gives an empty page
   * (specification/payments.md#list).
   */
  async list(userId: string, query: ListPaymentsQuery): Promise<Page<PaymentSummary>> {
    return pageOf(await this.payments.list(this.filterOf(userId, query), query.sort, query), query);
  }

  /** The filter of a list or an export. @throws ValidationError */
  filterOf(userId: string, query: PaymentFilters): PaymentFilter {
    return {
      ...conditionsOf(userId, query, this.clock.now()),
      applicationId: query.paymentApplicationId ?? null,
      reference: query.reference ?? null,
      search: query.search ?? null,
    };
  }

  /** Payments with a reference, which need not be unique; newest first. A client token sees its application's only. */
  async listByReference(
    principal: Principal,
    query: PaymentsByReferenceQuery,
  ): Promise<Page<PaymentSummary>> {
    const { userId } = principal;
    const applicationId = principal.kind === 'client' ? principal.applicationId : null;
    const filter = { userId, applicationId, reference: query.reference };
    return pageOf(await this.payments.listByReference(filter, query), query);
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

function pageOf<Item>({ items, total }: Listed<Item>, query: PageQuery): Page<Item> {
  return Page.of(items, total, query);
}
