import type { AmountContract } from '../../money/amount.contract.js';
import type { OtherTransactionsContract, TransactionContract } from '../../payments/payment.contract.js';
import type { SentRefund } from '../../refunds/sent-refunds.service.js';
import type { ShopLink } from '../page/shop-link.js';
import type { ReceiptRate } from './receipt-rates.pure.js';
import type { ReceiptVerdict } from './receipt-verdict.pure.js';

/** A blockchain as a receipt names it. */
export interface ReceiptNetwork {
  name: string;
  isTestnet: boolean;
}

/** Everything that a receipt shows. */
export interface ReceiptView {
  verdict: ReceiptVerdict;
  paymentId: string;
  shop: { title: string; link: ShopLink | null };
  reference: string;
  referenceLabel: string;
  createdAt: string;
  /** When the payment was received; null: it is not, or no longer. */
  receivedAt: string | null;
  /** When this page was made, which is when all of it was true. */
  asOf: string;
  price: AmountContract;
  /** Confirmed funds. */
  received: AmountContract;
  overpaid: AmountContract | null;
  underpaid: AmountContract | null;
  /** The sum of the completed refunds; null: none. */
  refunded: AmountContract | null;
  transfers: { transaction: TransactionContract; network: ReceiptNetwork }[];
  /** Those that are not listed, added up. */
  otherTransfers: OtherTransactionsContract[];
  rates: ReceiptRate[];
  refunds: (SentRefund & { network: ReceiptNetwork })[];
}
