import type { ListableEvent } from '../applications/event-types.pure.js';
import type { PaymentTransferEntity } from './transfers/payment-transfer.entity.js';
import type { PaymentEntity } from './payment.entity.js';
import type { QuoteEntity } from './quotes/quote.entity.js';

export type { ReviewReason } from './payment.entity.js';

/** A payment as it is read, without the times at which it is checked again. */
export type Payment = Omit<
  PaymentEntity,
  'sharesReference' | 'stoppedAt' | 'recheckAt' | 'expiryCheckAt' | 'mac'
>;

/** A quote as it is read, without the record of how it was made. */
export type Quote = Omit<
  QuoteEntity,
  'paymentId' | 'userId' | 'pricedAmount' | 'rateInputs' | 'acceptedBy' | 'acceptedTokenId' | 'mac'
>;

/** A transfer as it is read. */
export type Transfer = Omit<
  PaymentTransferEntity,
  'paymentId' | 'userId' | 'depositAddressId' | 'blockHash' | 'inputs' | 'mac' | 'placeMac'
> & {
  /** Blocks on the canonical chain counting its own; derived when read, 0 while unmined. */
  confirmations: number;
  /**
   * How many small transfers of one kind are added up in this one, which has their amounts and no transaction of its own;
   * null: it is a single one. Only payments that are read to be shown have sums (transfer-listing.pure.ts).
   */
  sumOf: number | null;
  /** A UTXO chain's block made it, and no transaction before it. */
  isCoinbase: boolean;
};

/** A payment with all facts about it and the settings of its site. */
export interface PaymentAggregate {
  payment: Payment;
  /**
   * False: of the payment, its newest status, quotes and transfers, some row is not as the gateway wrote it. Then nothing
   * follows from them (docs/decisions/0870-who-acts-checks.md).
   */
  isAuthentic: boolean;
  quotes: Quote[];
  transfers: Transfer[];
  site: {
    allowOverpay: boolean;
    allowUnderpay: boolean;
    underpayLeastShareBps: number;
    underpayToleranceBps: number;
    /** There is a URL for the payment's webhooks, its own or the application's. */
    hasCallback: boolean;
    /** Events that the application receives. */
    events: readonly ListableEvent[];
    /** Confirmations that the application requires, by chain; see required-confirmations.pure.ts. */
    confirmations: Readonly<Record<string, number>>;
  };
}

/** Rows of payments as they are stored. */
export interface CheckedRows<Row> {
  rows: Row[];
  /** Ids of those that are not as the gateway wrote them; they were reported. */
  unauthentic: ReadonlySet<string>;
}

/** What lists show of a payment (specification/payments.md#list). */
export type PaymentSummary = Pick<
  Payment,
  'id' | 'status' | 'reference' | 'referenceLabel' | 'currencyCode' | 'amount' | 'createdAt'
>;
