import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { Clock, toIsoSeconds } from '../common/clock.js';
import { PaymentMover } from '../payments/payment-mover.service.js';
import { PaymentPresenter, priced } from '../payments/payment-presenter.service.js';
import type { PaymentState } from '../payments/payment.js';
import { unitsOf } from '../payments/settlement.js';
import { confirmationsOf } from './confirmations.js';

/** What a customer may know of a payment (api.md D3); never the owner, the callback or the client id. */
@Injectable()
export class CheckoutStatusService {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly chains: ChainsService,
    private readonly mover: PaymentMover,
    private readonly presenter: PaymentPresenter,
    private readonly clock: Clock,
  ) {}

  async describe(state: PaymentState) {
    const { payment } = state;
    const { site, currencyWhitelist } = await this.applications.getById(payment.applicationId);
    const chain = payment.selectedProvider === null ? null : this.chains.find(payment.selectedProvider);
    return {
      id: payment.id,
      status: payment.status,
      reference: payment.reference,
      referenceLabel: payment.referenceLabel,
      currencyCode: payment.currencyCode,
      amount: priced(payment, payment.amount),
      receivedAmount: priced(payment, payment.receivedAmount),
      remainingAmount: priced(payment, unitsOf(this.mover.fundsOf(state).remaining, payment.amount)),
      expiresAt: toIsoSeconds(payment.expiresAt),
      expired: this.presenter.isExpired(payment),
      redirectUrl: payment.redirectUrl,
      serverTime: toIsoSeconds(this.clock.now()),
      selectedMethod:
        payment.selectedProvider === null
          ? null
          : { provider: payment.selectedProvider, method: payment.selectedMethod },
      confirmations: chain && confirmationsOf(state, chain.slug, chain.confirmationsRequired),
      merchantSettings: {
        title: site.title,
        url: site.url,
        image: null,
        allowOverpay: site.allowOverpay,
        allowUnderpay: site.allowUnderpay,
        currencyWhitelist,
      },
    };
  }
}

/** What {@link CheckoutStatusService.describe} answers. */
export type CheckoutStatus = Awaited<ReturnType<CheckoutStatusService['describe']>>;
