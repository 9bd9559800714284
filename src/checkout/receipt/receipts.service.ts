import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../../applications/applications.service.js';
import { ChainsService } from '../../chains/chains.service.js';
import { PaymentPresenter, priced } from '../../payments/payment-presenter.service.js';
import { PaymentsService } from '../../payments/payments.service.js';
import { QuotesService } from '../../payments/quotes/quotes.service.js';
import { Clock, toIsoSeconds, toIsoSecondsOrNull } from '../../platform/kernel/clock.pure.js';
import { SentRefunds } from '../../refunds/sent-refunds.service.js';
import { shopLink } from '../page/shop-link.js';
import { usedRates } from './receipt-rates.pure.js';
import { receiptVerdict } from './receipt-verdict.pure.js';
import type { ReceiptNetwork, ReceiptView } from './receipt-view.js';

/** Puts together what a receipt says, from the facts as they are now (specification/receipts.md). */
@Injectable()
export class ReceiptsService {
  constructor(
    private readonly payments: PaymentsService,
    private readonly presenter: PaymentPresenter,
    private readonly quotes: QuotesService,
    private readonly refunds: SentRefunds,
    private readonly applications: ApplicationsService,
    private readonly chains: ChainsService,
    private readonly clock: Clock,
  ) {}

  /** @param paymentId of a link whose signature was verified. @throws NotFoundError */
  async describe(paymentId: string): Promise<ReceiptView> {
    const state = await this.payments.get(paymentId);
    const { payment, transfers } = state;
    const [{ site, isSiteAuthentic }, prices, refunds] = await Promise.all([
      this.applications.getById(payment.applicationId),
      this.quotes.listPrices(paymentId),
      this.refunds.list(paymentId),
    ]);
    const { transactions, otherTransactions } = this.presenter.transactions(state);
    const inPrice = (amount: bigint | null) => (amount === null ? null : priced(payment, amount));
    return {
      verdict: receiptVerdict(payment, transfers),
      paymentId,
      shop: {
        title: site.title,
        link: isSiteAuthentic ? shopLink({ redirectUrl: null, siteUrl: site.url }, payment) : null,
      },
      reference: payment.reference,
      referenceLabel: payment.referenceLabel,
      createdAt: toIsoSeconds(payment.createdAt),
      receivedAt: toIsoSecondsOrNull(payment.receivedAt),
      asOf: toIsoSeconds(this.clock.now()),
      price: priced(payment, payment.amount),
      received: priced(payment, payment.receivedAmount),
      overpaid: inPrice(payment.overpaidAmount),
      underpaid: inPrice(payment.underpaidAmount),
      refunded: payment.refundedAmount === 0n ? null : priced(payment, payment.refundedAmount),
      transfers: transactions.map((transaction) => ({
        transaction,
        network: this.networkOf(transaction.blockchain),
      })),
      otherTransfers: otherTransactions,
      rates: usedRates(state, prices),
      refunds: refunds.map((refund) => ({ ...refund, network: this.networkOf(refund.chain) })),
    };
  }

  /** A chain that is no longer configured has only its slug. */
  private networkOf(slug: string): ReceiptNetwork {
    const chain = this.chains.find(slug);
    return { name: chain?.name ?? slug, isTestnet: chain?.testnet ?? false };
  }
}
