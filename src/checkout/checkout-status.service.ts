import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { Clock, toIsoSeconds } from '../platform/runtime/clock.pure.js';
import { PaymentStateMachine } from '../payments/payment-state-machine.service.js';
import { PaymentPresenter, priced } from '../payments/payment-presenter.service.js';
import type { PaymentAggregate } from '../payments/payment.pure.js';
import { unitsOf } from '../payments/settlement.pure.js';
import { isUnmatched } from '../payments/transfer-acceptance.pure.js';
import { ConfirmationProgress } from './confirmation-progress.service.js';
import { followedAsset } from './followed-asset.js';
import { describeUnmatched } from './unmatched-funds.js';

/**
 * What a customer may see of a payment (specification/checkout.md#status); never the owner, the callback URL or the
 * client id.
 */
@Injectable()
export class CheckoutStatusService {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly chains: ChainsService,
    private readonly mover: PaymentStateMachine,
    private readonly presenter: PaymentPresenter,
    private readonly progress: ConfirmationProgress,
    private readonly clock: Clock,
  ) {}

  async describe(state: PaymentAggregate) {
    const { payment } = state;
    const { site, currencyWhitelist } = await this.applications.getById(payment.applicationId);
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
      ...this.unmatched(state),
      confirmations: await this.confirmationsOf(state),
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

  /**
   * Funds on the wrong network or in the wrong coin, which the status does not show
   * (specification/payment-states.md#unmatched-funds).
   */
  private unmatched(state: PaymentAggregate) {
    const sentence = describeUnmatched(state, (slug) => this.chains.find(slug)?.name ?? slug);
    return {
      unmatchedTransactions: state.transfers
        .filter(isUnmatched)
        .map((transfer) => this.presenter.transaction(state, transfer)),
      warnings: sentence === null ? [] : [sentence],
    };
  }

  private async confirmationsOf(state: PaymentAggregate) {
    const followed = followedAsset(state);
    const chain = followed && this.chains.find(followed.chain);
    return chain ? this.progress.describe(state, chain, followed.asset) : null;
  }
}

/** The result of {@link CheckoutStatusService.describe}. */
export type CheckoutStatus = Awaited<ReturnType<CheckoutStatusService['describe']>>;
