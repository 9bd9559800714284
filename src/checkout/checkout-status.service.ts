import { Inject, Injectable } from '@nestjs/common';
import { logoUrl } from '../applications/branding/logo-url.pure.js';
import type { ApplicationView } from '../applications/application-view.pure.js';
import { ApplicationsService } from '../applications/applications.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { Clock, toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { CONFIG, type Config } from '../config.js';
import { fundsOf } from '../payments/transfers/payment-funds.pure.js';
import { PaymentPresenter, priced } from '../payments/payment-presenter.service.js';
import type { Payment, PaymentAggregate, Transfer } from '../payments/payment.pure.js';
import { unitsOf } from '../payments/quotes/settlement.pure.js';
import { splitListed } from '../payments/transfers/transfer-listing.pure.js';
import { isUnmatched } from '../payments/transfers/transfer-acceptance.pure.js';
import { RefundRequests } from '../refunds/refund-requests.service.js';
import type {
  CheckoutStatusContract,
  MerchantSettingsContract,
  PaymentConfirmationsContract,
  SelectedMethodContract,
} from './checkout.contract.js';
import { ConfirmationProgress } from './confirmation-progress.service.js';
import { followedAsset } from './followed-asset.pure.js';
import { TransactionReports } from './transaction-reports.service.js';
import { describeUnmatched, unmatchedFunds } from './unmatched-funds.pure.js';

/** Presents the public part of a payment (specification/checkout.md#status). */
@Injectable()
export class CheckoutStatusService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly applications: ApplicationsService,
    private readonly chains: ChainsService,
    private readonly presenter: PaymentPresenter,
    private readonly progress: ConfirmationProgress,
    private readonly reports: TransactionReports,
    private readonly requests: RefundRequests,
    private readonly clock: Clock,
  ) {}

  async describe(state: PaymentAggregate): Promise<CheckoutStatusContract> {
    const { payment } = state;
    const application = await this.applications.getById(payment.applicationId);
    return {
      id: payment.id,
      status: payment.status,
      reference: payment.reference,
      referenceLabel: payment.referenceLabel,
      currencyCode: payment.currencyCode,
      amount: priced(payment, payment.amount),
      receivedAmount: priced(payment, payment.receivedAmount),
      remainingAmount: priced(payment, unitsOf(fundsOf(state).remaining, payment.amount)),
      expiresAt: toIsoSeconds(payment.expiresAt),
      expired: this.presenter.isExpired(payment),
      receiptUrl: this.presenter.receiptUrl(payment),
      redirectUrl: payment.redirectUrl,
      serverTime: toIsoSeconds(this.clock.now()),
      selectedMethod: selectedMethodOf(payment),
      ...(await this.extra(state)),
      reportedTransactions: await this.reports.list(payment.id),
      confirmations: await this.confirmationsOf(state),
      merchantSettings: this.settingsOf(application),
    };
  }

  /** The part of the status that is the application's. */
  settingsOf(application: ApplicationView): MerchantSettingsContract {
    const { site, currencyWhitelist, isSiteAuthentic } = application;
    return {
      title: site.title,
      url: isSiteAuthentic ? site.url : null,
      // Like the link: what somebody else wrote there is not shown to customers.
      image: isSiteAuthentic ? logoUrl(application, this.config.baseUrl) : null,
      supportUrl: isSiteAuthentic ? site.supportUrl : null,
      accent: isSiteAuthentic ? site.accent : null,
      allowOverpay: site.allowOverpay,
      allowUnderpay: site.allowUnderpay,
      currencyWhitelist,
    };
  }

  /** What the payment does not need, and funds that it did not ask for and that were not sent back. */
  private async extra(
    state: PaymentAggregate,
  ): Promise<Pick<CheckoutStatusContract, 'unmatchedTransactions' | 'warnings' | 'returnable'>> {
    const returnable = await this.requests.list(state);
    const isBack = ({ id }: Transfer) =>
      returnable.some(({ transferId, status }) => transferId === id && status === 'COMPLETED');
    const transfers = state.transfers.filter((transfer) => isUnmatched(transfer) && !isBack(transfer));
    const { quotes } = state;
    const funds = unmatchedFunds({ transfers, quotes }, (slug) => this.chains.find(slug)?.name ?? slug);
    return {
      unmatchedTransactions: splitListed(transfers).listed.map((transfer) =>
        this.presenter.transaction(state, transfer),
      ),
      warnings: funds ? [describeUnmatched(funds)] : [],
      returnable,
    };
  }

  private async confirmationsOf(state: PaymentAggregate): Promise<PaymentConfirmationsContract | null> {
    const followed = followedAsset(state);
    const chain = followed && this.chains.find(followed.chain);
    return chain ? this.progress.describe(state, chain, followed.asset) : null;
  }
}

function selectedMethodOf({ selectedProvider, selectedMethod }: Payment): SelectedMethodContract | null {
  return selectedProvider === null || selectedMethod === null
    ? null
    : { provider: selectedProvider, method: selectedMethod };
}
