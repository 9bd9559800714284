import { Injectable } from '@nestjs/common';
import { ChainsService } from '../../chains/chains.service.js';
import { PaymentPresenter, priced } from '../../payments/payment-presenter.service.js';
import { awaitsRate } from '../../payments/transfers/transfer-state.pure.js';
import type { PaymentAggregate } from '../../payments/payment.pure.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import { CheckoutStatusService } from '../checkout-status.service.js';
import { TransactionReports } from '../transaction-reports.service.js';
import { unmatchedFunds } from '../unmatched-funds.pure.js';
import { pageLink, type PageQuery } from './page-query.js';
import type { PaymentView } from './screen.js';
import { shopLink } from './shop-link.js';

/** The query of the page's URL, and its language. */
export type LocalizedQuery = PageQuery & { texts: Texts };

/** Prepares a payment for the screens of the hosted page. */
@Injectable()
export class PaymentViews {
  constructor(
    private readonly status: CheckoutStatusService,
    private readonly presenter: PaymentPresenter,
    private readonly chains: ChainsService,
    private readonly reports: TransactionReports,
  ) {}

  async viewOf(state: PaymentAggregate, page: LocalizedQuery): Promise<PaymentView> {
    const { payment } = state;
    const status = await this.status.describe(state);
    const inPrice = (amount: bigint | null) => (amount === null ? null : priced(payment, amount));
    const shown = new Set(status.unmatchedTransactions.map(({ id }) => id));
    const transfers = state.transfers.filter(({ id, sumOf }) => sumOf !== null || shown.has(id));
    const isPricing = state.transfers.some(awaitsRate);
    return {
      texts: page.texts,
      status,
      shop: shopLink({ redirectUrl: status.redirectUrl, siteUrl: status.merchantSettings.url }, payment),
      ...this.presenter.transactions(state),
      unmatched: unmatchedFunds(
        { transfers, quotes: state.quotes },
        (slug) => this.chains.find(slug)?.name ?? slug,
      ),
      isShort: status.remainingAmount.amount > 0n && !isPricing,
      isPricing,
      overpaid: inPrice(payment.overpaidAmount),
      underpaid: inPrice(payment.underpaidAmount),
      report: { networks: this.reports.networks(state), paid: page.paid },
      link: (parameters) => pageLink(page, parameters),
    };
  }
}
