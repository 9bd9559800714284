import type { PaymentStatus } from './payment-status.pure.js';
import type { Payment, Quote, ReviewReason, Transfer } from './payment.pure.js';

/** Rows as the driver answers them: numeric and bigint as text, timestamptz as Date. */
export interface PaymentRow {
  id: string;
  user_id: string;
  application_id: string;
  status: PaymentStatus;
  status_seq: number;
  reference: string;
  reference_label: string;
  currency_code: string;
  settlement_currency_code: string;
  amount: string;
  redirect_url: string | null;
  blockchain_slug: string | null;
  product_id: string | null;
  callback_url: string | null;
  metadata: Record<string, string>;
  livemode: boolean | null;
  expires_at: Date;
  created_at: Date;
  selected_provider: string | null;
  selected_method: string | null;
  received_amount: string;
  overpaid_amount: string | null;
  underpaid_amount: string | null;
  settled_amount: string | null;
  refunded_amount: string;
  found_at: Date | null;
  received_at: Date | null;
  confirmed_at: Date | null;
  cancelled_at: Date | null;
  cancel_reason: string | null;
  error_reason: string | null;
  review_reason: ReviewReason | null;
  acknowledged_at: Date | null;
  underpay_accepted_at: Date | null;
  underpay_accepted_amount: string | null;
  overpay_accepted_at: Date | null;
}

export interface QuoteRow {
  id: string;
  payment_id: string;
  chain: string;
  asset: string;
  currency_code: string;
  asset_decimals: number;
  asset_amount: string;
  rate: string;
  rate_source: string;
  settlement_rate: string | null;
  is_late: boolean;
  accepted_transfer_id: string | null;
  locked_at: Date;
  expires_at: Date;
}

export interface TransferRow {
  id: string;
  payment_id: string;
  chain: string;
  tx_hash: string;
  ordinal: string;
  asset: string;
  currency_code: string;
  asset_decimals: number;
  amount: string;
  state: Transfer['state'];
  block_height: string | null;
  confirmations_required: number;
  quote_id: string | null;
  is_matched: boolean;
  is_late: boolean;
  seen_at: Date;
  confirmed_at: Date | null;
  confirmations: string;
}

const toBigint = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

export function toPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    userId: row.user_id,
    applicationId: row.application_id,
    status: row.status,
    statusSeq: row.status_seq,
    reference: row.reference,
    referenceLabel: row.reference_label,
    currencyCode: row.currency_code,
    settlementCurrencyCode: row.settlement_currency_code,
    amount: BigInt(row.amount),
    redirectUrl: row.redirect_url,
    blockchainSlug: row.blockchain_slug,
    productId: row.product_id,
    callbackUrl: row.callback_url,
    metadata: row.metadata,
    livemode: row.livemode,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    selectedProvider: row.selected_provider,
    selectedMethod: row.selected_method,
    receivedAmount: BigInt(row.received_amount),
    overpaidAmount: toBigint(row.overpaid_amount),
    underpaidAmount: toBigint(row.underpaid_amount),
    settledAmount: toBigint(row.settled_amount),
    refundedAmount: BigInt(row.refunded_amount),
    foundAt: row.found_at,
    receivedAt: row.received_at,
    confirmedAt: row.confirmed_at,
    cancelledAt: row.cancelled_at,
    cancelReason: row.cancel_reason,
    errorReason: row.error_reason,
    reviewReason: row.review_reason,
    acknowledgedAt: row.acknowledged_at,
    underpayAcceptedAt: row.underpay_accepted_at,
    underpayAcceptedAmount: toBigint(row.underpay_accepted_amount),
    overpayAcceptedAt: row.overpay_accepted_at,
  };
}

export function toQuote(row: QuoteRow): Quote {
  return {
    id: row.id,
    chain: row.chain,
    asset: row.asset,
    currencyCode: row.currency_code,
    assetDecimals: row.asset_decimals,
    assetAmount: BigInt(row.asset_amount),
    rate: row.rate,
    rateSource: row.rate_source,
    settlementRate: row.settlement_rate,
    isLate: row.is_late,
    acceptedTransferId: row.accepted_transfer_id,
    lockedAt: row.locked_at,
    expiresAt: row.expires_at,
  };
}

export function toTransfer(row: TransferRow): Transfer {
  return {
    id: row.id,
    chain: row.chain,
    txHash: row.tx_hash,
    ordinal: row.ordinal,
    asset: row.asset,
    currencyCode: row.currency_code,
    assetDecimals: row.asset_decimals,
    amount: BigInt(row.amount),
    state: row.state,
    blockHeight: row.block_height === null ? null : Number(row.block_height),
    confirmationsRequired: row.confirmations_required,
    quoteId: row.quote_id,
    isMatched: row.is_matched,
    isLate: row.is_late,
    seenAt: row.seen_at,
    confirmedAt: row.confirmed_at,
    confirmations: Number(row.confirmations),
  };
}
