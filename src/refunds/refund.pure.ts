import type { FailureReason, RefundStatus, RefundType } from './refund-status.pure.js';

/** What is owed back, to whom, and the transaction that paid it. */
export interface Refund {
  id: string;
  paymentId: string;
  userId: string;
  type: RefundType;
  status: RefundStatus;
  statusSeq: number;
  /** The payment's; `amount` is in its smallest unit. */
  currencyCode: string;
  amount: bigint;
  chain: string;
  /** 'native' or the token contract in lower case. */
  asset: string;
  payoutCurrencyCode: string;
  /** Of the asset on its chain; `payoutAmount` is in that unit. */
  payoutDecimals: number;
  payoutAmount: bigint;
  /** Pricing currency for one whole coin; null when the merchant named the payout amount. */
  rate: string | null;
  rateLockedAt: Date | null;
  confirmationsRequired: number;
  address: string | null;
  addressKey: Buffer | null;
  addressSetBy: 'merchant' | 'customer' | null;
  txHash: string | null;
  txRecordedAt: Date | null;
  /** When a node last knew the transaction. */
  txSeenAt: Date | null;
  confirmations: number;
  /** While PROCESSING. */
  nextCheckAt: Date | null;
  reason: string | null;
  note: string | null;
  requestedBy: string;
  createdAt: Date;
  /** Until then the customer can name an address. */
  expiresAt: Date;
  completedAt: Date | null;
  failureReason: FailureReason | null;
}
