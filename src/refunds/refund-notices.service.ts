import { Injectable } from '@nestjs/common';
import { Outbox } from '../payments/outbox.service.js';
import { PaymentPresenter } from '../payments/payment-presenter.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import type { AuditAction, AuditActor, AuditDetail } from '../platform/kernel/audit-actions.pure.js';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { Hook } from '../platform/kernel/hook.js';
import { newId } from '../platform/kernel/ids.pure.js';
import { RefundPresenter } from './refund-presenter.service.js';
import type { Refund } from './refund.pure.js';

/** Reports changes of refunds, in their transaction: to the merchant's server, and to the audit log. */
@Injectable()
export class RefundNotices {
  /** A customer has asked for money back and named the address. */
  readonly requested = new Hook<{
    refundId: string;
    paymentId: string;
    applicationId: string;
    userId: string;
  }>();

  constructor(
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    private readonly refundPresenter: RefundPresenter,
    private readonly payments: PaymentsService,
    private readonly paymentPresenter: PaymentPresenter,
    private readonly outbox: Outbox,
  ) {}

  /** A customer who asked for money back has named the address: `payment.refund_requested`. */
  async announceRequest(refund: Refund): Promise<void> {
    const state = await this.payments.get(refund.paymentId);
    const { id: refundId, paymentId, userId } = refund;
    await this.requested.call({ refundId, paymentId, userId, applicationId: state.payment.applicationId });
    const type = 'payment.refund_requested';
    const [applicationId] = await this.outbox.listListening([state.payment.applicationId], type);
    if (applicationId === undefined) return;
    const at = this.clock.now();
    const id = newId(at);
    await this.outbox.announce({
      id,
      userId,
      applicationId,
      type,
      body: this.paymentPresenter.event({ id, type, createdAt: at }, state, {
        refund: this.refundPresenter.refund(refund),
      }),
      createdAt: at,
    });
  }

  /** Must be the last statement of its transaction, see {@link AuditLog.record}. */
  record(
    act: AuditAction,
    { id, userId, paymentId }: Refund,
    details: Record<string, AuditDetail> = {},
    actor?: AuditActor,
  ): Promise<void> {
    return this.audit.record({
      act,
      userId,
      target: { kind: 'refund', id },
      details: { paymentId, ...details },
      ...(actor && { actor }),
    });
  }
}
