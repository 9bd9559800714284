import { Injectable } from '@nestjs/common';
import type { PaymentStatus } from '../payments/payment-status.pure.js';
import { PaymentsService } from '../payments/payments.service.js';
import type { Refund } from './refund.pure.js';
import { RefundRepository } from './refund.repository.js';

/** A refund that was named, or that waits. */
export interface OwedRefund {
  id: string;
  /** Null: there is none, or it is stopped and says nothing that could be shown. */
  refund: Refund | null;
  /** It, or its payment, is not as the gateway wrote it. */
  isStopped: boolean;
  /** Of the payment; null without a refund. */
  paymentStatus: PaymentStatus | null;
}

/** Refunds of an application that the merchant may want to pay. */
@Injectable()
export class OwedRefunds {
  constructor(
    private readonly refunds: RefundRepository,
    private readonly payments: PaymentsService,
  ) {}

  /** In the order of the ids. @param owner whose application the caller has checked */
  async listNamed(
    owner: { userId: string; applicationId: string },
    refundIds: readonly string[],
  ): Promise<OwedRefund[]> {
    const rows = await this.withPayments(owner.userId, await this.refunds.listNamed(owner, refundIds));
    const found = new Map(rows.map((one) => [one.id, one]));
    return refundIds.map(
      (id) => found.get(id) ?? { id, refund: null, isStopped: false, paymentStatus: null },
    );
  }

  /** Those on a chain that wait to be paid and have not failed, the oldest first. */
  async listWaiting(
    owner: { userId: string; applicationId: string; chain: string },
    limit: number,
  ): Promise<OwedRefund[]> {
    return this.withPayments(owner.userId, await this.refunds.listWaiting(owner, limit));
  }

  private async withPayments(
    userId: string,
    rows: readonly { id: string; refund: Refund | null }[],
  ): Promise<OwedRefund[]> {
    const paymentIds = new Set(rows.flatMap(({ refund }) => refund?.paymentId ?? []));
    const standings = await this.payments.listStandings(userId, [...paymentIds]);
    const states = new Map(standings.map(({ state }) => [state.payment.id, state]));
    return rows.map(({ id, refund }) => {
      const state = refund && states.get(refund.paymentId);
      const isStopped = !state?.isAuthentic || state.payment.reviewReason === 'integrity';
      return { id, refund, isStopped, paymentStatus: state ? state.payment.status : null };
    });
  }
}
