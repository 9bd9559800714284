import type { SettlementQuote, SettlementTransfer } from './settlement.pure.js';
import type { EventType } from '../applications/event-types.pure.js';
import type { PaymentStatus } from './payment-status.pure.js';

/** What was asked, and what the facts made of it. Amounts are in the smallest unit of `currencyCode`. */
export interface Payment {
  id: string;
  userId: string;
  applicationId: string;
  status: PaymentStatus;
  statusSeq: number;
  reference: string;
  referenceLabel: string;
  currencyCode: string;
  settlementCurrencyCode: string;
  amount: bigint;
  redirectUrl: string | null;
  blockchainSlug: string | null;
  productId: string | null;
  /** Where its events go instead of to the application's URL; null: there. */
  callbackUrl: string | null;
  /** The shop's own. */
  metadata: Readonly<Record<string, string>>;
  /** False: it can be paid on test networks only; null: made by a release that did not ask. */
  livemode: boolean | null;
  expiresAt: Date;
  createdAt: Date;
  selectedProvider: string | null;
  selectedMethod: string | null;
  receivedAmount: bigint;
  overpaidAmount: bigint | null;
  underpaidAmount: bigint | null;
  /** Smallest unit of `settlementCurrencyCode`. */
  settledAmount: bigint | null;
  /** Sum of the completed refunds. */
  refundedAmount: bigint;
  foundAt: Date | null;
  receivedAt: Date | null;
  confirmedAt: Date | null;
  cancelledAt: Date | null;
  /** What the merchant gave as the reason. */
  cancelReason: string | null;
  errorReason: string | null;
  reviewReason: ReviewReason | null;
  acknowledgedAt: Date | null;
  underpayAcceptedAt: Date | null;
  /** What was confirmed then; less than that undoes the acceptance. Null exactly where the time is. */
  underpayAcceptedAmount: bigint | null;
  overpayAcceptedAt: Date | null;
}

/** Why a payment needs manual review (specification/payment-states.md#review-reasons). */
export type ReviewReason = 'overpaid' | 'reorg' | 'funds_after_cancel';

/** A rate lock: `assetAmount` units of the asset pay the payment in full until `expiresAt`. */
export interface Quote extends SettlementQuote {
  chain: string;
  /** 'native' or the token contract in lower case. */
  asset: string;
  currencyCode: string;
  assetDecimals: number;
  /** Pricing currency for one whole coin, decimal text. */
  rate: string;
  rateSource: string;
  settlementRate: string | null;
  isLate: boolean;
  /** The one transfer that it values, which the merchant accepted at `lockedAt`; null: a rate lock like any other. */
  acceptedTransferId: string | null;
  lockedAt: Date;
  expiresAt: Date;
}

/** One movement of funds to a deposit address of the payment. */
export interface Transfer extends SettlementTransfer {
  id: string;
  chain: string;
  txHash: string;
  ordinal: string;
  asset: string;
  currencyCode: string;
  assetDecimals: number;
  blockHeight: number | null;
  confirmationsRequired: number;
  isLate: boolean;
  seenAt: Date;
  confirmedAt: Date | null;
  /** Blocks on the canonical chain counting its own; derived when read, 0 while unmined. */
  confirmations: number;
}

/** A payment with all facts about it and the settings of its site. */
export interface PaymentAggregate {
  payment: Payment;
  quotes: Quote[];
  transfers: Transfer[];
  site: {
    allowOverpay: boolean;
    allowUnderpay: boolean;
    /** There is a URL for the payment's webhooks, its own or the application's. */
    hasCallback: boolean;
    /** What the application is told of. */
    events: readonly EventType[];
    /** Blocks that the application asks for, by chain; see required-confirmations.pure.ts. */
    confirmations: Readonly<Record<string, number>>;
  };
}

/** All that a list shows of a payment (specification/payments.md#list). */
export type PaymentSummary = Pick<
  Payment,
  'id' | 'status' | 'reference' | 'referenceLabel' | 'currencyCode' | 'amount' | 'createdAt'
>;
