import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PaymentPresenter } from '../payments/payment-presenter.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { stringifyExact } from '../platform/kernel/exact-json.pure.js';
import { Clock, toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { newId } from '../platform/kernel/ids.pure.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { RefundPresenter } from '../refunds/refund-presenter.service.js';
import type { PaymentRefundRequestedEvent } from '../refunds/refund-requested-event.contract.js';
import type { Refund } from '../refunds/refund.pure.js';
import { RefundsService } from '../refunds/refunds.service.js';
import { ApplicationEventRepository } from './events/application-event.repository.js';

/** Writes `payment.refund_requested` when a customer has asked for money back, in the transaction of the address. */
@Injectable()
export class RefundNotices implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly refunds: RefundsService,
    private readonly refundPresenter: RefundPresenter,
    private readonly payments: PaymentsService,
    private readonly paymentPresenter: PaymentPresenter,
    private readonly events: ApplicationEventRepository,
    private readonly loops: PollingLoops,
  ) {}

  onModuleInit(): void {
    this.refunds.onRequested((refund) => this.write(refund));
  }

  private async write(refund: Refund): Promise<void> {
    const state = await this.payments.get(refund.paymentId);
    const type = 'payment.refund_requested';
    const [applicationId] = await this.events.listListening([state.payment.applicationId], type);
    if (applicationId === undefined) return;
    const at = this.clock.now();
    const id = newId(at);
    const payment = this.paymentPresenter.payment(state);
    const body: PaymentRefundRequestedEvent = {
      id,
      event: type,
      createdAt: toIsoSeconds(at),
      livemode: payment.livemode,
      payment,
      refund: this.refundPresenter.refund(refund),
    };
    await this.events.insert({ id, applicationId, type, body: stringifyExact(body), createdAt: at });
    this.loops.wake(LoopName.ApplicationEvents);
  }
}
