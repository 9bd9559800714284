import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { Clock, toIsoSeconds, toIsoSecondsOrNull } from '../platform/kernel/clock.pure.js';
import { Page, type PageQuery } from '../platform/web/http/pagination.js';
import { PaymentPresenter } from '../payments/payment-presenter.service.js';
import { PaymentListService, type WaitingPayment } from '../payments/payment-list.service.js';
import type { UnacknowledgedPaymentContract } from './unacknowledged-payment.contract.js';
import { type NewestDelivery, WebhookLogRepository } from './webhook-log.repository.js';

/**
 * Payments that are RECEIVED and not acknowledged by the merchant's endpoint
 * (specification/payment-states.md#confirmed).
 */
@Injectable()
export class UnacknowledgedPaymentsService {
  constructor(
    private readonly log: WebhookLogRepository,
    private readonly clock: Clock,
    private readonly payments: PaymentListService,
    private readonly applications: ApplicationsService,
    private readonly presenter: PaymentPresenter,
  ) {}

  /** Longest waiting first. @throws NotFoundError for a foreign application */
  async list(
    userId: string,
    applicationId: string,
    page: PageQuery,
  ): Promise<Page<UnacknowledgedPaymentContract>> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const waiting = await this.payments.listUnacknowledged(userId, id, page);
    const ids = waiting.items.map((payment) => payment.id);
    const deliveries = await this.log.newestOfReceivedPayments(ids);
    const deliveryOf = new Map(deliveries.map((delivery) => [delivery.paymentId, delivery]));
    const items = waiting.items.map((payment) => this.present(payment, deliveryOf.get(payment.id) ?? null));
    return new Page(items, waiting.pagination);
  }

  private present(payment: WaitingPayment, delivery: NewestDelivery | null): UnacknowledgedPaymentContract {
    const { receivedAt } = payment;
    if (!receivedAt) throw new Error(`payment ${payment.id} is RECEIVED without a time`);
    const waitedMs = this.clock.now().getTime() - receivedAt.getTime();
    return {
      payment: this.presenter.listItem(payment),
      receivedAt: toIsoSeconds(receivedAt),
      waitingSeconds: Math.max(0, Math.floor(waitedMs / 1000)),
      deliveryId: delivery?.deliveryId ?? null,
      deliveryStatus: delivery?.deliveryStatus ?? null,
      attempt: delivery?.attempt ?? 0,
      lastAttemptAt: toIsoSecondsOrNull(delivery?.lastAttemptAt ?? null),
      httpStatus: delivery?.httpStatus ?? null,
      errorMessage: delivery?.errorMessage ?? null,
      nextAttemptAt: toIsoSecondsOrNull(delivery?.nextAttemptAt ?? null),
    };
  }
}
