// Written by `npm run sdk:types` from docs/openapi.json; a test compares the two. Do not edit.

/** What went wrong. Programs read `code`, people read `message`. Codes may be added: treat an unknown one like its status. */
export interface ErrorBody {
  /** For people; may change. */
  message: string;
  /** Stable, for programs; docs/errors.md says how to handle each. */
  code:
    | 'malformed_json'
    | 'bad_request'
    | 'unauthenticated'
    | 'oauth_token_required'
    | 'recent_sign_in_required'
    | 'operator_required'
    | 'role_insufficient'
    | 'insufficient_permissions'
    | 'invalid_signature'
    | 'link_expired'
    | 'not_found'
    | 'payment_not_found'
    | 'refund_not_found'
    | 'payment_application_not_found'
    | 'payment_method_not_found'
    | 'account_not_found'
    | 'user_not_found'
    | 'method_not_allowed'
    | 'not_acceptable'
    | 'request_timeout'
    | 'invalid_state_transition'
    | 'payment_not_payable'
    | 'wallet_integrity'
    | 'payment_integrity'
    | 'secret_change_pending'
    | 'settings_integrity'
    | 'idempotency_in_progress'
    | 'application_deleted'
    | 'two_factor_already_enabled'
    | 'two_factor_not_enabled'
    | 'payload_too_large'
    | 'uri_too_long'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'method_selection_required'
    | 'too_many_unpaid_payments'
    | 'no_payment_method'
    | 'idempotency_key_reused'
    | 'too_many_requests'
    | 'request_header_too_large'
    | 'server_error'
    | 'service_unavailable';
  /** With a 422, and with `payment_method_not_found`: the reasons by field, items by their index, e.g. `currencyWhitelist.0`. */
  errors?: Record<string, Array<string>> | undefined;
  /** How to correct the request, in one sentence; may change. */
  hint?: string | undefined;
  /** The `X-Request-Id` of the request that was refused first. */
  requestId: string;
}

/** A payment in an export. */
export interface PaymentExportRow {
  /** The payment. */
  id: string;
  /** When it was created. */
  createdAt: string;
  /** Its application. */
  paymentApplicationId: string;
  status: PaymentStatus;
  /** Your reference. */
  reference: string;
  /** The reference as customers see it. */
  referenceLabel: string;
  /** The currency of the amounts. */
  currencyCode: string;
  /** The amount in whole units, exact. */
  amount: string;
  /** The same in the smallest unit. */
  amountAtomic: string;
  /** Confirmed funds. */
  receivedAmount: string;
  /** The same in the smallest unit. */
  receivedAmountAtomic: string;
  /** The excess over the amount. */
  overpaidAmount: string | null;
  /** The same in the smallest unit. */
  overpaidAmountAtomic: string | null;
  /** The missing amount. */
  underpaidAmount: string | null;
  /** The same in the smallest unit. */
  underpaidAmountAtomic: string | null;
  /** The sum of completed refunds. */
  refundedAmount: string;
  /** The same in the smallest unit. */
  refundedAmountAtomic: string;
  /** When funds were first seen. */
  foundAt: string | null;
  /** When it became RECEIVED. */
  receivedAt: string | null;
  /** When it became CONFIRMED. */
  confirmedAt: string | null;
  /** When it was cancelled. */
  cancelledAt: string | null;
  /** When its link expires. */
  expiresAt: string;
  /** Why it needs a person’s attention, as in the payment. */
  reviewReason: 'overpaid' | 'reorg' | 'funds_after_cancel' | 'integrity' | null;
}

/** A movement of funds in an export. */
export interface TransferExportRow {
  /** The transfer. */
  id: string;
  /** When it was first seen. */
  seenAt: string;
  /** When it had enough blocks. */
  confirmedAt: string | null;
  /** As in the `transactions` of a payment. */
  status: 'PENDING' | 'CONFIRMED' | 'REPLACED' | 'ORPHANED';
  /** The payment. */
  paymentId: string;
  /** Its application. */
  paymentApplicationId: string;
  /** The reference of the payment. */
  reference: string;
  /** The slug of the blockchain. */
  blockchain: string;
  /** Of the transaction. */
  txHash: string;
  /** The received coin. */
  currencyCode: string;
  /** The received amount in whole coins, exact. */
  amount: string;
  /** The same in the smallest unit on this blockchain. */
  amountAtomic: string;
  /** The currency of the payment. */
  creditedCurrencyCode: string;
  /** The credited amount, in the currency of the payment. */
  creditedAmount: string;
  /** The same in the smallest unit. */
  creditedAmountAtomic: string;
  /** It counts, now or once it is confirmed. */
  matched: boolean;
  /** Seen after the rate lock and its grace. */
  late: boolean;
}

/** A new payment. Identify the application by `clientId`, by `siteId`, or by both. */
export interface CreateCheckout {
  /** In the smallest unit of `currencyCode`, as a JSON integer: neither a string nor `10.0` nor `1e3`. At most 15 digits, or one thousand million whole coins. Either this or `amountAtomic` is required, never both. */
  amount?: number | bigint | null | undefined;
  /** The same as `amount` in digits, for clients that cannot write large integers. */
  amountAtomic?: string | null | undefined;
  /** The currency of the amount, e.g. `USD`; case-sensitive. */
  currencyCode: string;
  /** Your reference, e.g. the order number. */
  reference: string;
  /** The reference as customers see it. */
  referenceLabel: string;
  /** The application, by its `clientId`. */
  clientId?: string | null | undefined;
  /** The application, by the id of its site. */
  siteId?: string | null | undefined;
  /** Where the customer returns to; `paymentId` and `reference` are appended, never a status. */
  redirectUrl?: string | null | undefined;
  /** The only blockchain to pay on. */
  blockchainSlug?: string | null | undefined;
  /** Your product; stored only. */
  productId?: string | null | undefined;
  /** The currency of `settledAmount`; `currencyCode`, unless set. */
  settlementCurrencyCode?: string | null | undefined;
  /** When the link expires, with a time zone: a minute to a year from now. 24 hours, unless set. */
  expiresAt?: string | null | undefined;
  /** Your own notes for your own programs, e.g. `{"cartId": "c-17"}`: strings by name, at most 50, names of 1 to 40 and values of up to 500 characters, 4,096 bytes as JSON in all. Shown to you with the payment and in its events, never to the customer. */
  metadata?: Record<string, string> | null | undefined;
  /** Where the webhooks of this payment go instead of to the application’s `callbackUrl`; on the host of the application’s `url` or `callbackUrl`; https in production. Signed with the application’s secret. */
  callbackUrl?: string | null | undefined;
}

export interface CheckoutData {
  data: Checkout;
}

export interface PaymentListItemPage {
  /** The items of this page. */
  data: Array<PaymentListItem>;
  meta: PageMeta;
}

export interface PaymentData {
  data: Payment;
}

export interface TransactionCursorPage {
  /** The items, in the order of the list. */
  data: Array<Transaction>;
  meta: CursorMeta;
}

/** An optional reason. */
export interface CancelPayment {
  /** Kept with the payment. */
  reason?: string | null | undefined;
}

/** Empty, for the payment as it is; or an unmatched transfer. */
export interface AcceptPayment {
  /** A transfer of the payment that is `acceptable`: on another network or in another coin than requested. It counts from now on, at the current rate. */
  transferId?: string | null | undefined;
}

/** Empty, for all that is too much; or the excess alone. */
export interface KeepPayment {
  /** The excess that you were shown, in the smallest unit of the currency of the payment. It alone is kept; 409 when it is another by now. Without it, a second payment of one reference and what came after the end are kept as well. */
  amount?: number | bigint | null | undefined;
}

export interface PaymentOverviewCursorPage {
  /** The items, in the order of the list. */
  data: Array<PaymentOverview>;
  meta: CursorMeta;
}

export interface MerchantPaymentInstructionsData {
  data: MerchantPaymentInstructions;
}

export interface DepositAddressList {
  /** The items. */
  data: Array<DepositAddress>;
}

export interface AttentionItemCursorPage {
  /** The items, in the order of the list. */
  data: Array<AttentionItem>;
  meta: CursorMeta;
}

export interface AttentionCountList {
  /** The items. */
  data: Array<AttentionCount>;
}

/** That something changed. */
export interface Change {
  /** `payment`: its status, amounts, transfers, confirmations or reported transactions. `refund` and `delivery`: their state. `application`: its settings, wallets or endpoint. `blockchain`: its `state`. `everything`: more than can be sent one by one, or a cursor that is too old. */
  type: 'payment' | 'refund' | 'delivery' | 'application' | 'blockchain' | 'everything';
  /** The id, or the slug of a blockchain; null for `everything`, for settings of all applications, and for several deliveries at once. */
  id: string | null;
  /** The id of the application; null where there is not one. */
  applicationId: string | null;
  /** The payment of a refund or of one delivery. */
  paymentId: string | null;
  /** Its time in microseconds: of two events about the same object the larger number is the later change. Null where nothing was stored: blocks confirm a transfer, or a network is not seen. */
  version: string | null;
}

export interface TimelineEntryList {
  /** The items. */
  data: Array<TimelineEntry>;
}

export interface ReceivedReportRowList {
  /** The items. */
  data: Array<ReceivedReportRow>;
}

export interface TimesReportRowList {
  /** The items. */
  data: Array<TimesReportRow>;
}

export interface RatesReportRowList {
  /** The items. */
  data: Array<RatesReportRow>;
}

/** A refund in an export. */
export interface RefundExportRow {
  /** The refund. */
  id: string;
  /** When it was created. */
  createdAt: string;
  /** As in the refund. */
  type: 'FULL' | 'PARTIAL' | 'OVERPAYMENT' | 'UNDERPAYMENT' | 'UNEXPECTED';
  status: RefundStatus;
  /** The payment. */
  paymentId: string;
  /** Its application. */
  paymentApplicationId: string;
  /** The reference of the payment. */
  reference: string;
  /** The currency of the payment. */
  currencyCode: string;
  /** The refunded amount in that currency, exact. */
  amount: string;
  /** The same in the smallest unit. */
  amountAtomic: string;
  /** The slug of the blockchain to pay out on. */
  blockchain: string;
  /** The coin. */
  payoutCurrencyCode: string;
  /** The amount to send in whole coins, exact. */
  payoutAmount: string;
  /** The same in the smallest unit on this blockchain. */
  payoutAmountAtomic: string;
  /** The payout address. */
  address: string | null;
  /** The transaction recorded as the payout. */
  txHash: string | null;
  /** When the payout had enough blocks. */
  completedAt: string | null;
  /** Why the transaction does not count, as in the refund. */
  failureReason: string | null;
  /** Yours. */
  reason: string | null;
  /** The unmatched transfer that it gives back. */
  transferId: string | null;
}

export interface RefundPage {
  /** The items of this page. */
  data: Array<Refund>;
  meta: PageMeta;
}

/** Everything is optional. */
export interface CreateRefund {
  /** In the smallest unit of the currency of the payment, as a JSON integer; the whole remainder, unless set. */
  amount?: number | bigint | null | undefined;
  /** The currency of `amount`; must be that of the payment. */
  currencyCode?: string | null | undefined;
  /** Why; kept with the refund. */
  reason?: string | null | undefined;
  /** For yourself; the customer never sees it. */
  note?: string | null | undefined;
  /** The coin to pay out; the one that most of the funds came in, unless set. */
  payoutCurrencyCode?: string | null | undefined;
  /** Its network; the one that was paid on, or the only one there is, unless set. */
  blockchainSlug?: string | null | undefined;
  /** In the smallest unit of the coin on its network, as a JSON integer, instead of `amount` at the rate that was paid. */
  payoutAmount?: number | bigint | null | undefined;
  /** Where to send it, if known; otherwise the customer enters it. */
  address?: string | null | undefined;
  /** Give back this transaction (`transactions[].id`), which is not `matched`, exactly as it came: without `amount`, `currencyCode`, `payoutCurrencyCode`, `blockchainSlug` and `payoutAmount`. */
  transferId?: string | null | undefined;
}

export interface RefundData {
  data: Refund;
}

/** The payout address. */
export interface RefundAddress {
  /** An address on the network of the refund: of a wallet, with a valid checksum, and none on which this gateway receives. */
  address: string;
}

/** The transaction that has paid. */
export interface CompleteRefund {
  /** Its hash. */
  txHash: string;
}

export interface RefundCursorPage {
  /** The items, in the order of the list. */
  data: Array<Refund>;
  meta: CursorMeta;
}

export interface CheckoutStatusData {
  data: CheckoutStatus;
}

/** A transaction that should have paid the payment. */
export interface ReportTransaction {
  /** The id of the transaction, or a link to it in a block explorer. */
  txHash: string;
  /** The slug of its blockchain. Without it, the selected one, or another on which the payment has an address if the id has the form of that one. */
  provider?: string | undefined;
}

export interface ReportedTransactionData {
  data: ReportedTransaction;
}

export interface PaymentMethodList {
  /** The items. */
  data: Array<PaymentMethod>;
}

export interface PaymentInstructionsData {
  data: PaymentInstructions;
}

/** One of the `returnable` funds of the payment. */
export interface RequestRefund {
  /** OVERPAYMENT: the excess over the amount. UNDERPAYMENT: all that was received, instead of paying the rest. UNEXPECTED: funds of a closed payment, or an unmatched transaction. */
  type: 'OVERPAYMENT' | 'UNDERPAYMENT' | 'UNEXPECTED';
  /** The unmatched transaction; for no other funds. */
  transferId?: string | null | undefined;
  /** The `payoutAmount.atomic` that the customer saw. If it is another by now, nothing is created (409), so that nobody asks for a sum that they have not seen. */
  payoutAmountAtomic?: string | null | undefined;
}

export interface ReturnableFundsData {
  data: ReturnableFunds;
}

export interface RefundClaimData {
  data: RefundClaim;
}

/** A webhook in an export, with its newest attempt. */
export interface DeliveryExportRow {
  /** The delivery. */
  id: string;
  /** When the event happened. */
  createdAt: string;
  /** The event. */
  eventId: string;
  /** Its name. */
  event:
    | 'payment.received'
    | 'payment.completed'
    | 'payment.underpaid'
    | 'payment.refund'
    | 'payment.found'
    | 'payment.expired'
    | 'payment.cancelled'
    | 'payment.updated';
  /** The payment that it is about. */
  paymentId: string;
  /** Its application. */
  paymentApplicationId: string;
  /** As in the delivery. */
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'EXHAUSTED' | 'BLOCKED' | 'SKIPPED' | 'SUPERSEDED';
  /** The number of attempts so far. */
  attempt: string;
  /** Where the newest attempt was sent; null: none was. */
  url: string | null;
  /** The status that your server returned. */
  httpStatus: string | null;
  /** Why the attempt failed. */
  errorMessage: string | null;
  /** Milliseconds that the attempt took. */
  durationMs: string | null;
  /** When an attempt first succeeded. */
  succeededAt: string | null;
  /** When the next attempt is due. */
  nextAttemptAt: string | null;
}

export interface WebhookDeliverySummaryCursorPage {
  /** The items, in the order of the list. */
  data: Array<WebhookDeliverySummary>;
  meta: CursorMeta;
}

/** The full amount is confirmed. */
export interface PaymentReceivedEvent {
  /** The event. Handle each once. */
  id: string;
  /** The name of the event. */
  event: 'payment.received';
  /** When it happened. */
  createdAt: string;
  /** As `livemode` of the payment: false when no real money is involved, and in test events. Absent in events from before this field existed. */
  livemode?: boolean | undefined;
  /** The payment as of the event. */
  payment: Payment;
  /** Only in a test event that you requested: nothing happened, and no one has paid. Do not act on it. */
  test?: true | undefined;
}

/** You have acknowledged the payment. */
export interface PaymentCompletedEvent {
  /** The event. Handle each once. */
  id: string;
  /** The name of the event. */
  event: 'payment.completed';
  /** When it happened. */
  createdAt: string;
  /** As `livemode` of the payment: false when no real money is involved, and in test events. Absent in events from before this field existed. */
  livemode?: boolean | undefined;
  /** The payment as of the event. */
  payment: Payment;
  /** Only in a test event that you requested: nothing happened, and no one has paid. Do not act on it. */
  test?: true | undefined;
}

/** Less than the amount is confirmed. */
export interface PaymentUnderpaidEvent {
  /** The event. Handle each once. */
  id: string;
  /** The name of the event. */
  event: 'payment.underpaid';
  /** When it happened. */
  createdAt: string;
  /** As `livemode` of the payment: false when no real money is involved, and in test events. Absent in events from before this field existed. */
  livemode?: boolean | undefined;
  /** The payment as of the event. */
  payment: Payment;
  /** Only in a test event that you requested: nothing happened, and no one has paid. Do not act on it. */
  test?: true | undefined;
}

/** The payment is refunded in full. */
export interface PaymentRefundEvent {
  /** The refund that completed it. */
  refund: Refund;
  /** The event. Handle each once. */
  id: string;
  /** The name of the event. */
  event: 'payment.refund';
  /** When it happened. */
  createdAt: string;
  /** As `livemode` of the payment: false when no real money is involved, and in test events. Absent in events from before this field existed. */
  livemode?: boolean | undefined;
  /** The payment as of the event. */
  payment: Payment;
  /** Only in a test event that you requested: nothing happened, and no one has paid. Do not act on it. */
  test?: true | undefined;
}

/** A transaction was seen. */
export interface PaymentFoundEvent {
  /** The event. Handle each once. */
  id: string;
  /** The name of the event. */
  event: 'payment.found';
  /** When it happened. */
  createdAt: string;
  /** As `livemode` of the payment: false when no real money is involved, and in test events. Absent in events from before this field existed. */
  livemode?: boolean | undefined;
  /** The payment as of the event. */
  payment: Payment;
  /** Only in a test event that you requested: nothing happened, and no one has paid. Do not act on it. */
  test?: true | undefined;
}

/** The link has expired without funds. */
export interface PaymentExpiredEvent {
  /** The event. Handle each once. */
  id: string;
  /** The name of the event. */
  event: 'payment.expired';
  /** When it happened. */
  createdAt: string;
  /** As `livemode` of the payment: false when no real money is involved, and in test events. Absent in events from before this field existed. */
  livemode?: boolean | undefined;
  /** The payment as of the event. */
  payment: Payment;
  /** Only in a test event that you requested: nothing happened, and no one has paid. Do not act on it. */
  test?: true | undefined;
}

/** You have cancelled the payment. */
export interface PaymentCancelledEvent {
  /** The event. Handle each once. */
  id: string;
  /** The name of the event. */
  event: 'payment.cancelled';
  /** When it happened. */
  createdAt: string;
  /** As `livemode` of the payment: false when no real money is involved, and in test events. Absent in events from before this field existed. */
  livemode?: boolean | undefined;
  /** The payment as of the event. */
  payment: Payment;
  /** Only in a test event that you requested: nothing happened, and no one has paid. Do not act on it. */
  test?: true | undefined;
}

/** The sums of the payment have changed, and no other event says so. */
export interface PaymentUpdatedEvent {
  change: PaymentChange;
  /** The event. Handle each once. */
  id: string;
  /** The name of the event. */
  event: 'payment.updated';
  /** When it happened. */
  createdAt: string;
  /** As `livemode` of the payment: false when no real money is involved, and in test events. Absent in events from before this field existed. */
  livemode?: boolean | undefined;
  /** The payment as of the event. */
  payment: Payment;
  /** Only in a test event that you requested: nothing happened, and no one has paid. Do not act on it. */
  test?: true | undefined;
}

/** The wallet that new addresses of the application come from is changed. */
export interface WalletChangedEvent {
  /** The event. Handle each once. */
  id: string;
  /** The name of the event. */
  event: 'wallet.changed';
  /** When it happened. */
  createdAt: string;
  /** The application that receives the event. */
  applicationId: string;
  /** What has changed, or will. */
  change: WalletChange;
}

/** The customer asks for money back, and has named an address. */
export interface PaymentRefundRequestedEvent {
  /** The refund that was asked for. */
  refund: Refund;
  /** The event. Handle each once. */
  id: string;
  /** The name of the event. */
  event: 'payment.refund_requested';
  /** When it happened. */
  createdAt: string;
  /** As `livemode` of the payment: false when no real money is involved, and in test events. Absent in events from before this field existed. */
  livemode?: boolean | undefined;
  /** The payment as of the event. */
  payment: Payment;
  /** Only in a test event that you requested: nothing happened, and no one has paid. Do not act on it. */
  test?: true | undefined;
}

/** OPEN: awaits payment. FOUND: funds seen, awaiting confirmations. UNDERPAID: less than the amount is confirmed. RECEIVED: the full amount is confirmed. CONFIRMED: and your webhook has responded with 2xx. CANCELLED: by you. ERROR: processing failed. REFUND: paid back in full. Stop polling at CONFIRMED, CANCELLED, ERROR and REFUND. */
export type PaymentStatus =
  'OPEN' | 'FOUND' | 'UNDERPAID' | 'RECEIVED' | 'CONFIRMED' | 'CANCELLED' | 'ERROR' | 'REFUND';

/** The new payment. */
export interface Checkout {
  /** The payment. */
  id: string;
  /** Where to send the customer. */
  checkoutUrl: string;
}

/** A payment as lists show it: these fields and no others. */
export interface PaymentListItem {
  /** The payment; `paymentId` in paths. */
  id: string;
  status: PaymentStatus;
  /** Your reference, e.g. the order number. Not unique. */
  reference: string;
  /** The reference as customers see it. */
  referenceLabel: string;
  /** The currency of the amount. */
  currencyCode: string;
  amount: Amount;
  /** When it was created. */
  date: string;
}

/** About the page. */
export interface PageMeta {
  pagination: Pagination;
}

/** A payment. */
export interface Payment {
  /** The owner. */
  userId: string;
  /** The currency of `settledAmount`; for reports, nothing is exchanged. */
  settlementCurrencyCode: string;
  /** Confirmed funds, in `currencyCode`. */
  receivedAmount: Amount;
  /** When it became CONFIRMED. */
  confirmedAt: string | null;
  /** When funds were first seen. */
  foundAt: string | null;
  /** The signed link of the hosted checkout page; the same at every call. A viewer of the account gets it without its signature. */
  checkoutUrl: string;
  /** The signed link of the receipt, for the customer; null before the payment is RECEIVED. It ends ten years after `date`. */
  receiptUrl: string | null;
  /** When the link expires. Funds that arrive later are recorded and credited all the same. */
  expiresAt: string;
  /** The link has expired. Not a status. */
  expired: boolean;
  /** Where the customer returns to. */
  redirectUrl: string | null;
  /** The only blockchain to pay on; null: any. */
  blockchainSlug: string | null;
  /** Your product; stored only. */
  productId: string | null;
  /** Where its webhooks go; null: to the application’s `callbackUrl`. */
  callbackUrl: string | null;
  /** The metadata that you set at creation; `{}` without. The order of the names is not kept. */
  metadata: Record<string, string>;
  /** False: it can be paid on test networks only, as in the development profile, so no real money is involved. Decided at creation, and kept. */
  livemode: boolean;
  /** In `settlementCurrencyCode`; null before RECEIVED. */
  settledAmount: Amount | null;
  /** The sum of completed refunds, in `currencyCode`; null: none. */
  refundedAmount: Amount | null;
  /** The excess over the amount; null: none. */
  overpaidAmount: Amount | null;
  /** The missing amount of a payment that is UNDERPAID or was accepted so. */
  underpaidAmount: Amount | null;
  /** When it was cancelled. */
  cancelledAt: string | null;
  /** The `reason` that you gave when you cancelled it. */
  cancelReason: string | null;
  /** Why the status is ERROR. */
  errorReason: string | null;
  /** Why it needs a person’s attention: more than the amount was received and awaits a decision, a reorganization removed funds, or a closed payment holds funds, requested or not. Null: nothing to do. `overpaid` ends when you accept the payment or refund the excess, `reorg` when the payment has its funds again. */
  reviewReason: 'overpaid' | 'reorg' | 'funds_after_cancel' | 'integrity' | null;
  /** Movements of funds to the payment, oldest first: all of them up to 25, otherwise the largest of each coin. The sums of the payment count all. */
  transactions: Array<Transaction>;
  /** Those that `transactions` leaves out, added up by coin and status, of at most 25 kinds those that count for most; empty: none. */
  otherTransactions: Array<OtherTransactions>;
  /** How many there are, listed or not. */
  transactionCount: number;
  /** All of them, page by page: `listPaymentTransactions`. */
  transactionsUrl: string;
  /** The payment; `paymentId` in paths. */
  id: string;
  status: PaymentStatus;
  /** Your reference, e.g. the order number. Not unique. */
  reference: string;
  /** The reference as customers see it. */
  referenceLabel: string;
  /** The currency of the amount. */
  currencyCode: string;
  amount: Amount;
  /** When it was created. */
  date: string;
}

/** A movement of funds on a blockchain. */
export interface Transaction {
  /** The transfer; `transferId` when you accept it. */
  id: string;
  /** Of the transaction. */
  txHash: string;
  /** The slug of the blockchain. */
  blockchain: string;
  /** The received coin. */
  currencyCode: string;
  /** The received amount. */
  amount: Amount;
  /** The credited amount, in the currency of the payment. */
  creditedAmount: Amount;
  /** Blocks so far. */
  confirmations: number;
  /** Blocks after which it counts, or usually counts where `finality` is set. */
  confirmationsRequired: number;
  finality: 'safe' | 'finalized' | null;
  /** PENDING: not enough blocks yet. CONFIRMED: counts. REPLACED: another transaction took its place, or it vanished. ORPHANED: its block is no longer part of the chain. */
  status: 'PENDING' | 'CONFIRMED' | 'REPLACED' | 'ORPHANED';
  /** Seen after the rate lock and its grace: credited at the rate of first sight. */
  late: boolean;
  /** It counts, now or once it is confirmed. False: it arrived on another network or in another coin than requested, and you have not accepted it. */
  matched: boolean;
  /** You can make it count: accept the payment with the `transferId` of this transfer. */
  acceptable: boolean;
  /** When you accepted it, which is the time of its rate; null: not accepted, or no need to. */
  acceptedAt: string | null;
  /** When it was first seen. */
  seenAt: string;
  /** When it had enough blocks. */
  confirmedAt: string | null;
  /** The transaction in a block explorer; null: no explorer is known. */
  explorerUrl: string | null;
}

/** About the list. */
export interface CursorMeta {
  cursor: Cursor;
}

/** A payment as a dashboard lists it. */
export interface PaymentOverview {
  /** Its application. */
  paymentApplicationId: string;
  /** The network that the customer chose last; null: none. */
  blockchain: string | null;
  /** The coin that the customer chose last; null: none. */
  coin: string | null;
  /** What the customer was last asked to pay on `blockchain`, in `coin`; null: nothing yet. Its price may have ended. */
  askedAmount: Amount | null;
  /** Confirmed funds, in `currencyCode`. */
  receivedAmount: Amount;
  /** What is missing; null: nothing. */
  underpaidAmount: Amount | null;
  /** The excess over the amount; null: none. */
  overpaidAmount: Amount | null;
  /** What of the excess you owe the customer: neither refunded, nor promised by a refund, nor kept; null: nothing. */
  owedAmount: Amount | null;
  /** What of the excess you keep; null: nothing, or you have not decided. */
  keptAmount: Amount | null;
  /** When its first money came, if that was after the end of its link and made it paid; it stays when you keep that. */
  paidLateAt: string | null;
  /** The sum of completed refunds; null: none. */
  refundedAmount: Amount | null;
  /** Of the funds that wait for the most blocks; null: none wait. */
  confirmations: Confirmations | null;
  /** What it waits for, or how it ended. */
  happens: PaymentSituation;
  /** Why it needs you, worst first; empty: it does not. */
  attention: Array<PaymentAttention>;
  /** Whether your server knows. */
  told: ShopTold;
  /** As in the payment. */
  reviewReason: 'overpaid' | 'reorg' | 'funds_after_cancel' | 'integrity' | null;
  /** When the link expires. */
  expiresAt: string;
  /** The link has expired. */
  expired: boolean;
  /** The payment; `paymentId` in paths. */
  id: string;
  status: PaymentStatus;
  /** Your reference, e.g. the order number. Not unique. */
  reference: string;
  /** The reference as customers see it. */
  referenceLabel: string;
  /** The currency of the amount. */
  currencyCode: string;
  amount: Amount;
  /** When it was created. */
  date: string;
}

/** Payment instructions, with the derivation of the address. */
export interface MerchantPaymentInstructions {
  /** Verify with it, offline, that the address is of your own key. */
  derivation: Derivation;
  /** The payment. */
  paymentId: string;
  status: PaymentStatus;
  /** The kind of instructions. */
  type: 'crypto_address';
  /** The slug of the blockchain. */
  provider: string;
  /** The code of the cryptocurrency in lower case. */
  method: string;
  blockchain: Blockchain;
  /** Null for the native coin. */
  token: Token | null;
  /** The address to send to. Each payment has one for each kind of blockchain, and it is never used for another payment. */
  address: string;
  /** The memo or tag to send with the address, on blockchains that need one. */
  memo: string | null;
  /** The name of `memo` on that blockchain. */
  memoType: string | null;
  /** The amount that pays the payment in full at the locked rate. */
  amount: Amount;
  /** Confirmed funds in this cryptocurrency. */
  receivedAmount: Amount;
  /** The amount still to send. */
  remainingAmount: Amount;
  /** Seen and not yet confirmed. */
  pendingAmount: Amount;
  /** The smallest amount that the blockchain transfers. A smaller remainder cannot be sent, and is not requested. */
  minAmount: Amount;
  /** The link that wallets open (EIP-681, BIP 21), with the amount still to send. Null on Tron, and where that amount is less than `minAmount`: then show `warnings` instead. Never put the one of a token into a QR code or behind a button: several wallets send the money to the contract of the token, where it is lost. Show `qrCode`. */
  paymentUri: string | null;
  qrCode: QrCode;
  rate: LockedRate;
  /** When the rate lock ends. Request the instructions again for a new rate at the same address. */
  expiresAt: string;
  /** Seconds until `expiresAt`. */
  secondsRemaining: number;
  /** When the checkout link expires. */
  checkoutExpiresAt: string;
  /** The current time of the gateway. */
  serverTime: string;
  confirmations: PaymentConfirmations;
  /** Movements of funds to the payment: all of them up to 25, otherwise the largest of each coin. */
  transactions: Array<Transaction>;
  /** Those that `transactions` leaves out, added up by coin and status, of at most 25 kinds those that count for most; empty: none. */
  otherTransactions: Array<OtherTransactions>;
  /** How many there are, listed or not. */
  transactionCount: number;
  /** Warnings to show to the customer; in English. */
  warnings: Array<string>;
  /** Signatures over payment, blockchain, asset, address, amount and `expiresAt`: compact JWS (RFC 7515) with Ed25519, one by each key of `/api/instruction-keys`. Verify them on your server with a pinned key. */
  signatures: Array<string>;
}

/** An address that was allocated to a payment. */
export interface DepositAddress {
  /** The payment. */
  paymentId: string;
  /** The kind of blockchains: one address serves them all. */
  family: string;
  /** The address. */
  address: string;
  /** Verify with it, offline, that the address is of your own key. */
  derivation: Derivation;
  /** Signatures over the three fields above `derivation`, as those of instructions. */
  signatures: Array<string>;
}

/** Something that needs you. */
export interface AttentionItem {
  /** Why. */
  kind: AttentionKind;
  /** Since when, as far as is known. */
  since: string;
  /** Its application; null: it is about a network, or a key of the whole account. */
  paymentApplicationId: string | null;
  /** The payment; null: it is about a network, a key or an endpoint. */
  payment: PaymentListItem | null;
  /** Of `paid_twice`, the other payment of the same reference, which is paid as well. */
  otherPaymentId: string | null;
  /** Of `paid_late`, when the link had ended: the order is of `payment.date`, and its money came at `since`. */
  endedAt: string | null;
  /** The refund of `refund_failed` and `refund_waits`. */
  refundId: string | null;
  /** The network of `chain_halted` and `traces_unread`. */
  blockchain: string | null;
  /** What was asked, what came, and what is too much; null: it is not about a payment, or its records cannot be trusted. */
  sums: AttentionSums | null;
  /** Of `unlisted_token`, at most ten: those that the customer has named. Your own wallet holds them. */
  tokens: Array<UnlistedToken>;
  /** Of `key_shared`, the newest ten. Whoever was paid there is somebody else, or you by another program: no payment is credited. */
  strays: Array<StrayReceipt>;
  /** Of `gap_limit`, the key; `PUT …/wallets/{family}/gap-limit` settles it. */
  wallet: AttentionWallet | null;
  /** What you can do, the right one first. */
  actions: Array<AttentionAction>;
}

/** How much of one kind needs you. */
export interface AttentionCount {
  /** Why. */
  kind: AttentionKind;
  /** How many; it stops at 1,000. */
  count: number;
}

/** Something that happened to a payment. */
export interface TimelineEntry {
  /** What kind of thing. */
  kind: TimelineKind;
  /** When it happened. */
  at: string;
  /** Of a status or refund, the new status; of an event, its name; of an act, its name in the audit log; of a quote, rate_locked or late_rate; of a transfer, seen or confirmed; of an address, its family. */
  code: string;
  /** The status before, of a status or refund. */
  previous: string | null;
  /** Of a status or refund, why; of a quote, the rate; of a transfer, unmatched or late; of an event, the last error. */
  reason: string | null;
  /** The kind of who did it; null: the gateway, by its rules. */
  actor: string | null;
  /** The id of who did it. */
  actorId: string | null;
  /** The network of a quote, transfer or refund. */
  blockchain: string | null;
  /** Of a quote, transfer or refund, in the coin. */
  amount: Amount | null;
  /** The transaction of a transfer or refund. */
  txHash: string | null;
  /** The id of the address, quote, transfer, refund or delivery. */
  objectId: string | null;
  /** Of an event, the status of its delivery as in the delivery log; SKIPPED also if there was no callback URL to make one for. Null: no event, or one whose delivery is not kept any more. */
  deliveryStatus: string | null;
  /** Of an event, the number of attempts. */
  attempts: number | null;
}

/** What was received. */
export interface ReceivedReportRow {
  /** The currency of the payments. */
  currencyCode: string;
  /** Payments that received something. */
  payments: number;
  /** Transfers that count. */
  transfers: number;
  /** The exact sum of their `creditedAmount`. */
  credited: Amount;
  /** The exact sum in the coin, with `groupBy=blockchain`, which has a row for each coin; else null. */
  received: Amount | null;
  /** The day, in `timeZone`; null with `interval=total`. */
  day: string | null;
  /** With `groupBy=application`; else null. */
  paymentApplicationId: string | null;
  /** The slug of the blockchain, with `groupBy=blockchain`; else null, also where none was chosen. */
  blockchain: string | null;
}

/** How long payments took. */
export interface TimesReportRow {
  /** Payments for which funds were seen. */
  seen: number;
  /** From the creation of the payment until funds were first seen; null: none were. */
  secondsToSeen: ReportQuantiles | null;
  /** Payments whose full amount was confirmed. */
  final: number;
  /** From then until the full amount was confirmed; null: of none. */
  secondsToFinal: ReportQuantiles | null;
  /** The currency of the payments, with `groupBy=currency`; else null. */
  currencyCode: string | null;
  /** The day, in `timeZone`; null with `interval=total`. */
  day: string | null;
  /** With `groupBy=application`; else null. */
  paymentApplicationId: string | null;
  /** The slug of the blockchain, with `groupBy=blockchain`; else null, also where none was chosen. */
  blockchain: string | null;
}

/** What became of the payments that were created. */
export interface RatesReportRow {
  /** All payments that were created. */
  payments: number;
  counts: ReportOutcomes;
  shares: ReportShares;
  /** The currency of the payments, with `groupBy=currency`; else null. */
  currencyCode: string | null;
  /** The day, in `timeZone`; null with `interval=total`. */
  day: string | null;
  /** With `groupBy=application`; else null. */
  paymentApplicationId: string | null;
  /** The slug of the blockchain, with `groupBy=blockchain`; else null, also where none was chosen. */
  blockchain: string | null;
}

/** AWAITING_ADDRESS: the customer has to enter an address. AWAITING_PAYMENT: send `payoutAmount` to `address`. PROCESSING: a transaction is recorded and being verified. COMPLETED: it has paid. CANCELLED: by you. FAILED: it has not paid; record another one, or cancel. EXPIRED: no address was entered in time. */
export type RefundStatus =
  'AWAITING_ADDRESS' | 'AWAITING_PAYMENT' | 'PROCESSING' | 'COMPLETED' | 'CANCELLED' | 'FAILED' | 'EXPIRED';

/** A refund: the amount owed, the payout address, and the transaction that paid it. */
export interface Refund {
  /** The refund; `refundId` in paths. */
  id: string;
  /** The payment. */
  paymentId: string;
  /** Your reference of the order. */
  reference: string;
  /** The application of the payment. */
  paymentApplicationId: string;
  /** FULL: everything received. PARTIAL: a part of it. OVERPAYMENT: the excess over the amount. UNDERPAYMENT: of a payment that is UNDERPAID. UNEXPECTED: funds of a closed payment, or an unmatched transaction. */
  type: 'FULL' | 'PARTIAL' | 'OVERPAYMENT' | 'UNDERPAYMENT' | 'UNEXPECTED';
  status: RefundStatus;
  /** The unmatched transaction that is given back; null: the refund is of what the payment received. */
  transferId: string | null;
  /** The rate that was paid; null when you set `payoutAmount` or `transferId`. */
  rate: RefundRate | null;
  /** The slug of the blockchain to pay out on. */
  blockchain: string;
  /** Who entered the address; null: not entered yet. */
  addressSetBy: 'merchant' | 'customer' | null;
  /** The page where the customer enters an address; the same at every call. A viewer of the account gets it without its signature. */
  claimUrl: string;
  /** The link for your wallet (EIP-681, BIP 21); null while there is nothing to send, and always on Tron. For a token, compare the recipient in your wallet with `address`: several wallets send to the contract of the token instead. */
  paymentUri: string | null;
  /** Yours. */
  reason: string | null;
  /** Yours. */
  note: string | null;
  /** Who created it: you, or the customer, who has asked for the money on the page of the payment. Pay it, or cancel it. */
  createdBy: 'merchant' | 'customer';
  /** The user who created it; `customer` if the customer did. */
  requestedBy: string;
  /** When it was created. */
  createdAt: string;
  /** Why the transaction does not count: transaction_not_found: no node has seen it for 24 hours; transaction_failed: it was reverted; address_not_paid: it paid nothing to the address; wrong_asset: it paid the address something else; amount_too_low: it paid the address less than `payoutAmount`, or nothing beside what other refunds of it have taken. Null unless FAILED. */
  failureReason:
    | 'transaction_not_found'
    | 'transaction_failed'
    | 'address_not_paid'
    | 'wrong_asset'
    | 'amount_too_low'
    | null;
  /** The refunded amount, in the currency of the payment; zero if an unmatched transaction is given back. */
  amount: Amount;
  /** The amount to send, in the coin. */
  payoutAmount: Amount;
  /** Null for the native coin. */
  token: Token | null;
  /** The payout address; null: the customer has to enter it. */
  address: string | null;
  /** The memo or tag to send with the address, on blockchains that need one. */
  memo: string | null;
  /** The transaction recorded as the payout. */
  txHash: string | null;
  /** The transaction in a block explorer; null: no explorer is known. */
  explorerUrl: string | null;
  /** Of that transaction. */
  confirmations: Confirmations;
  /** When the payout had enough blocks. */
  completedAt: string | null;
  /** Until then the customer can enter an address: 30 days. */
  expiresAt: string;
}

/** The public part of a payment. */
export interface CheckoutStatus {
  /** The payment. */
  id: string;
  status: PaymentStatus;
  /** The reference of the shop. */
  reference: string;
  /** The reference as customers see it. */
  referenceLabel: string;
  /** The currency of the amounts. */
  currencyCode: string;
  amount: Amount;
  /** Confirmed funds. */
  receivedAmount: Amount;
  /** The amount still to pay; unconfirmed funds count as paid. */
  remainingAmount: Amount;
  /** When the link expires. */
  expiresAt: string;
  /** The link has expired. */
  expired: boolean;
  /** The signed link of the printable receipt; null before the payment is RECEIVED. */
  receiptUrl: string | null;
  /** Where the customer returns to. */
  redirectUrl: string | null;
  /** The current time of the gateway; not part of the `ETag`. */
  serverTime: string;
  /** The method that the customer chose last; null: none yet. */
  selectedMethod: SelectedMethod | null;
  /** Funds on another network or in another coin than requested, which do not count unless the shop accepts them. */
  unmatchedTransactions: Array<Transaction>;
  /** Transactions that the customer reported as sent, oldest first; at most 10. */
  reportedTransactions: Array<ReportedTransaction>;
  /** What the customer can ask back by `POST /api/checkout/payment/{paymentId}/refund-request`, and what became of it: never the price of the payment. */
  returnable: Array<ReturnableFunds>;
  /** Warnings to show to the customer, e.g. about unmatched funds; in English. */
  warnings: Array<string>;
  /** On the blockchain where the funds are, or else on the selected one; null: none is selected. */
  confirmations: PaymentConfirmations | null;
  merchantSettings: MerchantSettings;
}

/** A transaction that the customer reported as sent. */
export interface ReportedTransaction {
  /** The slug of the blockchain. */
  provider: string;
  /** The id of the transaction, as its blockchain spells it. */
  txHash: string;
  /** `SEARCHING`: not asked for yet. `UNKNOWN`: the blockchain does not know it, and is asked again for a day. `WAITING`: known, and recorded once its block has been read. `FOUND`: recorded for this payment. `FAILED`: it transferred nothing. `OTHER_ADDRESS`: it pays nothing to the address of this payment. `UNLISTED_TOKEN`: it sent a token that the gateway does not list to it. `NOT_FOUND`: the search has ended. */
  state:
    | 'SEARCHING'
    | 'UNKNOWN'
    | 'WAITING'
    | 'FOUND'
    | 'FAILED'
    | 'OTHER_ADDRESS'
    | 'UNLISTED_TOKEN'
    | 'NOT_FOUND';
  /** When it was reported last. */
  reportedAt: string;
}

/** One cryptocurrency on one blockchain. Estimates lock nothing. */
export interface PaymentMethod {
  /** The slug of the blockchain; `provider` in paths. */
  provider: string;
  /** The code of the cryptocurrency in lower case; `method` in paths. */
  method: string;
  /** The kind of method. */
  type: 'crypto';
  /** Its display name. */
  label: string;
  /** The customer chose it last. */
  selected: boolean;
  currency: MethodCurrency;
  blockchain: Blockchain;
  /** Null for the native coin. */
  token: Token | null;
  /** It can be used now. */
  available: boolean;
  /** Why it cannot be used now; null: it can. `below_minimum`: the amount still to pay is less than `minAmount`. */
  unavailableReason:
    | 'rate_unavailable'
    | 'below_minimum'
    | 'node_unavailable'
    | 'not_traceable'
    | 'wallet_not_configured'
    | null;
  /** The current price of the payment; null without a rate. */
  estimatedAmount: Amount | null;
  /** The rate of the estimate. */
  estimatedRate: EstimatedRate | null;
  /** The smallest amount that can be requested: on some blockchains, wallets refuse to send less. */
  minAmount: Amount;
  /** Blocks after which funds count; more for large amounts. */
  confirmationsRequired: number;
  /** Estimated seconds until that many blocks. */
  estimatedConfirmationSeconds: number;
}

/** Where, how much and until when to pay. */
export interface PaymentInstructions {
  /** The payment. */
  paymentId: string;
  status: PaymentStatus;
  /** The kind of instructions. */
  type: 'crypto_address';
  /** The slug of the blockchain. */
  provider: string;
  /** The code of the cryptocurrency in lower case. */
  method: string;
  blockchain: Blockchain;
  /** Null for the native coin. */
  token: Token | null;
  /** The address to send to. Each payment has one for each kind of blockchain, and it is never used for another payment. */
  address: string;
  /** The memo or tag to send with the address, on blockchains that need one. */
  memo: string | null;
  /** The name of `memo` on that blockchain. */
  memoType: string | null;
  /** The amount that pays the payment in full at the locked rate. */
  amount: Amount;
  /** Confirmed funds in this cryptocurrency. */
  receivedAmount: Amount;
  /** The amount still to send. */
  remainingAmount: Amount;
  /** Seen and not yet confirmed. */
  pendingAmount: Amount;
  /** The smallest amount that the blockchain transfers. A smaller remainder cannot be sent, and is not requested. */
  minAmount: Amount;
  /** The link that wallets open (EIP-681, BIP 21), with the amount still to send. Null on Tron, and where that amount is less than `minAmount`: then show `warnings` instead. Never put the one of a token into a QR code or behind a button: several wallets send the money to the contract of the token, where it is lost. Show `qrCode`. */
  paymentUri: string | null;
  qrCode: QrCode;
  rate: LockedRate;
  /** When the rate lock ends. Request the instructions again for a new rate at the same address. */
  expiresAt: string;
  /** Seconds until `expiresAt`. */
  secondsRemaining: number;
  /** When the checkout link expires. */
  checkoutExpiresAt: string;
  /** The current time of the gateway. */
  serverTime: string;
  confirmations: PaymentConfirmations;
  /** Movements of funds to the payment: all of them up to 25, otherwise the largest of each coin. */
  transactions: Array<Transaction>;
  /** Those that `transactions` leaves out, added up by coin and status, of at most 25 kinds those that count for most; empty: none. */
  otherTransactions: Array<OtherTransactions>;
  /** How many there are, listed or not. */
  transactionCount: number;
  /** Warnings to show to the customer; in English. */
  warnings: Array<string>;
  /** Signatures over payment, blockchain, asset, address, amount and `expiresAt`: compact JWS (RFC 7515) with Ed25519, one by each key of `/api/instruction-keys`. Verify them on your server with a pinned key. */
  signatures: Array<string>;
}

/** Funds that the customer can ask back, or has asked for. */
export interface ReturnableFunds {
  /** OVERPAYMENT: the excess over the amount. UNDERPAYMENT: all that was received, instead of paying the rest. UNEXPECTED: funds of a closed payment, or an unmatched transaction. */
  type: 'OVERPAYMENT' | 'UNDERPAYMENT' | 'UNEXPECTED';
  /** The unmatched transaction; null: funds that the payment has received. */
  transferId: string | null;
  /** What the shop would send. */
  payoutAmount: Amount;
  blockchain: RefundBlockchain;
  status:
    | 'AWAITING_ADDRESS'
    | 'AWAITING_PAYMENT'
    | 'PROCESSING'
    | 'COMPLETED'
    | 'CANCELLED'
    | 'FAILED'
    | 'EXPIRED'
    | null;
  /** The page of the refund, where the customer enters an address; null: not asked for by the customer. */
  claimUrl: string | null;
}

/** The public part of a refund. */
export interface RefundClaim {
  /** The refund. */
  id: string;
  status: RefundStatus;
  /** The unmatched transaction that is given back; null: the refund is of what the payment received. */
  transferId: string | null;
  /** The reference of the shop. */
  reference: string;
  /** The reference as customers see it. */
  referenceLabel: string;
  blockchain: RefundBlockchain;
  /** The current time of the gateway. */
  serverTime: string;
  merchantSettings: RefundMerchant;
  /** The refunded amount, in the currency of the payment; zero if an unmatched transaction is given back. */
  amount: Amount;
  /** The amount to send, in the coin. */
  payoutAmount: Amount;
  /** Null for the native coin. */
  token: Token | null;
  /** The payout address; null: the customer has to enter it. */
  address: string | null;
  /** The memo or tag to send with the address, on blockchains that need one. */
  memo: string | null;
  /** The transaction recorded as the payout. */
  txHash: string | null;
  /** The transaction in a block explorer; null: no explorer is known. */
  explorerUrl: string | null;
  /** Of that transaction. */
  confirmations: Confirmations;
  /** When the payout had enough blocks. */
  completedAt: string | null;
  /** Until then the customer can enter an address: 30 days. */
  expiresAt: string;
}

/** One webhook, without what was sent and returned. */
export interface WebhookDeliverySummary {
  /** Its application; `id` in the paths of a delivery. */
  paymentApplicationId: string;
  /** The reference of its payment. */
  reference: string;
  /** The delivery; `deliveryId` in paths. */
  id: string;
  /** The event: `id` in its body. */
  eventId: string;
  /** The name of the event. */
  event:
    | 'payment.received'
    | 'payment.completed'
    | 'payment.underpaid'
    | 'payment.refund'
    | 'payment.found'
    | 'payment.expired'
    | 'payment.cancelled'
    | 'payment.updated';
  /** The payment that it is about. */
  paymentId: string;
  /** The number of attempts so far. */
  attempt: number;
  /** PENDING: no attempt yet. SUCCEEDED: your server returned 2xx. FAILED: the last attempt failed, another one follows. EXHAUSTED: no more attempts. BLOCKED: no readable secret to sign with. SKIPPED: no callback URL. SUPERSEDED: what it says is no longer true, or a later event of the payment made it obsolete. */
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'EXHAUSTED' | 'BLOCKED' | 'SKIPPED' | 'SUPERSEDED';
  /** The status that your server returned; null: no response. */
  httpStatus: number | null;
  /** Why the attempt failed. */
  errorMessage: string | null;
  /** How long the attempt took, in milliseconds. */
  durationMs: number | null;
  /** When the next attempt is due; null: there is none. */
  nextAttemptAt: string | null;
  /** When the event happened. */
  createdAt: string;
}

/** What has changed, and why. */
export interface PaymentChange {
  /** `funds_received`: more that was asked for is confirmed; `unmatched_funds_received`: what was not asked for is confirmed; `unmatched_funds_accepted`: you accepted such funds; `funds_removed`: a reorganization took funds back; `review_changed`: `reviewReason` alone. */
  reason:
    | 'funds_received'
    | 'unmatched_funds_received'
    | 'unmatched_funds_accepted'
    | 'funds_removed'
    | 'review_changed';
  /** What the event before told. */
  before: PaymentSums;
  /** Now, as in the payment. */
  after: PaymentSums;
  /** The coins that were not asked for, at most ten, those that have changed first. */
  unmatched: Array<UnmatchedChange>;
}

/** A change of a wallet: its removal, or a key that replaces another or is the first. */
export interface WalletChange {
  /** `pending`: it takes effect at `effectiveAt`, and you can cancel it until then. `applied`: new addresses come from the new key. `cancelled`: the wallet stays as it was. */
  state: 'pending' | 'applied' | 'cancelled';
  /** The family of blockchains. */
  family: string;
  /** Whether it is your default wallet, which the application uses, or its own. */
  isDefaultWallet: boolean;
  /** The fingerprint of the new key or treasury. Null: the wallet is removed. */
  fingerprint: string | null;
  /** The fingerprint of the key or treasury before; null: the wallet had none. */
  previousFingerprint: string | null;
  /** The new treasury. Null: there is a key, or the wallet is removed. */
  treasury: Treasury | null;
  /** When it takes effect, or did at the earliest. */
  effectiveAt: string;
  /** Who asked for it: a user who had signed in, or a server. */
  requestedBy: 'user' | 'server';
}

/** An amount of money. Calculate with `atomic`; `value` and `formatted` are for display. */
export interface Amount {
  /** In whole units, as a float: for display only. */
  value: number;
  /** In the smallest unit, with all digits: up to 2^256 - 1. A parser that reads numbers as floating point (JavaScript among them) changes values beyond 2^53; use `atomic` there. */
  amount: bigint;
  /** For display, with symbol or code. */
  formatted: string;
  /** `amount` as a string: exact in every language. */
  atomic: string;
  currency: AmountCurrency;
  /** Digits after the decimal point: one whole unit is 10^decimals smallest ones. */
  decimals: number;
  /** The symbol of the currency; its code where it has none. */
  symbol: string;
}

/** The position of a page in its list. */
export interface Pagination {
  /** Items on all pages together. */
  total: number;
  /** Items on this page. */
  count: number;
  /** Items that fit on a page. */
  per_page: number;
  /** This page, counted from 1. */
  current_page: number;
  /** At least 1, also when nothing was found. */
  total_pages: number;
}

/** Transactions of one kind that are not listed one by one, added up. */
export interface OtherTransactions {
  /** The slug of the blockchain. */
  blockchain: string;
  /** The received coin. */
  currencyCode: string;
  /** As of a transaction. */
  status: 'PENDING' | 'CONFIRMED' | 'REPLACED' | 'ORPHANED';
  /** As of a transaction. */
  matched: boolean;
  /** How many they are. */
  count: number;
  /** The sum of their amounts. */
  amount: Amount;
  /** The sum that is credited, in the currency of the payment. */
  creditedAmount: Amount;
}

/** The position to continue a list from. */
export interface Cursor {
  /** Keep it, and send it as `after`. It does not expire. */
  next: string;
  /** There is more. */
  hasMore: boolean;
}

/** How far the funds are: the least confirmed of those that still wait. */
export interface Confirmations {
  /** Blocks so far, at most `required`. */
  seen: number;
  /** Blocks after which funds count. */
  required: number;
}

/** awaiting_choice: the customer has not chosen network and coin. awaiting_funds: and nothing was seen yet. link_expired: and nothing came in time. unmatched_funds: something came on another network or in another coin. confirming: funds were seen, see `confirmations`. awaiting_rest: less than the amount is confirmed, see `underpaidAmount`. overpaid_held: more came, see `overpaidAmount`; you accept or refund. telling_shop: paid, and your webhook has not responded yet. shop_not_told: paid, and your webhook has failed so far. paid, cancelled, failed, refunded: ended so. */
export type PaymentSituation =
  | 'awaiting_choice'
  | 'awaiting_funds'
  | 'link_expired'
  | 'unmatched_funds'
  | 'confirming'
  | 'awaiting_rest'
  | 'overpaid_held'
  | 'telling_shop'
  | 'shop_not_told'
  | 'paid'
  | 'cancelled'
  | 'failed'
  | 'refunded';

/** integrity: its records were changed outside of the gateway; it is stopped, and no other reason is named. reorg: a reorganization removed funds of a payment that was reported to you as paid. shop_not_told: paid, and your webhook fails. refund_failed: the transaction of a refund has not paid. refund_waits: a refund waits for you to send it. unmatched_funds: funds on another network or in another coin than requested. unlisted_token: the customer names a transaction that sent a token which the gateway does not list. funds_after_end: a closed payment has funds. paid_late: it was paid more than a minute after the end of its link. paid_twice: another payment of this reference is paid, too. overpaid: more than the amount came, and you neither gave it back nor keep it. overpaid_held: the same, and it waits for your decision. late_funds: funds after the rate lock, and the payment is not paid. underpaid: less than the amount. */
export type PaymentAttention =
  | 'integrity'
  | 'reorg'
  | 'shop_not_told'
  | 'refund_failed'
  | 'refund_waits'
  | 'unmatched_funds'
  | 'unlisted_token'
  | 'funds_after_end'
  | 'paid_late'
  | 'paid_twice'
  | 'overpaid'
  | 'overpaid_held'
  | 'late_funds'
  | 'underpaid';

/** About the newest event of the payment. nothing_to_tell: there is none. waiting: no attempt yet. told: your webhook returned 2xx. retrying: it has failed so far. failed: no more attempts. no_endpoint: there is no callback URL. unknown: the delivery is no longer kept. */
export type ShopTold =
  'nothing_to_tell' | 'waiting' | 'told' | 'retrying' | 'failed' | 'no_endpoint' | 'unknown';

/** How an address is derived from an extended public key, or from a treasury. */
export interface Derivation {
  /** Whether there is a key, or a treasury. */
  kind: 'key' | 'treasury';
  /** Where the money goes that is paid to these addresses. Null: they are derived from a key. */
  treasury: Treasury | null;
  /** The fingerprint of the account key itself (BIP32), or of the treasury. */
  keyFingerprint: string;
  /** The fingerprint of the master key, which most wallets show. Null: the origin of the key is not known. */
  masterFingerprint: string | null;
  /** Whose key it is: the wallet of the application, the default wallet of your account, or a key of the operator of this gateway, from whom you have to get the money. */
  keyOwner: 'application' | 'account' | 'operator';
  /** The index of the address. */
  index: number;
  /** The path below that key. Null: there is none. */
  path: string | null;
  /** The usual path in a wallet, by BIP 44, 49, 84 or 86. A key does not tell where it comes from, so that of a wallet with paths of its own is another one; `path` is always right. Null: there is no key. */
  walletPath: string | null;
}

/** A blockchain, in short. */
export interface Blockchain {
  /** Its name in paths and fields, e.g. `ethereum`. */
  slug: string;
  /** Its display name. */
  name: string;
  /** EIP-155 chain id; null where there is none. */
  chainId: number | null;
  /** A test network: its coins are worthless. */
  testnet: boolean;
}

/** A token contract on a blockchain. */
export interface Token {
  /** E.g. `ERC-20`. */
  standard: string;
  /** The address of the contract. */
  contractAddress: string;
  /** Digits after the decimal point on this blockchain. */
  decimals: number;
}

/** A QR code as an image. */
export interface QrCode {
  /** The encoded text. On EVM chains and Tron it is the bare address, so show amount and network beside the code; on other chains it is the payment URI, or the address where there is none. */
  content: string;
  /** The media type of the image. */
  format: 'image/svg+xml';
  /** The image. */
  dataUri: string;
}

/** The price of one whole coin, locked until `expiresAt`. */
export interface LockedRate {
  /** The cryptocurrency. */
  base: string;
  /** The currency of the payment. */
  quote: string;
  /** Decimal text. */
  value: string;
  /** The source of the rate. */
  source: string;
  /** When it was locked. */
  lockedAt: string;
  /** When the lock ends. */
  expiresAt: string;
}

/** Confirmations of the funds: of the transfer that has the most blocks still to wait for. */
export interface PaymentConfirmations {
  /** Blocks so far, at most `required`; the last one is shown when the funds count. */
  seen: number;
  /** Blocks after which funds count. Large amounts may need more than small ones. */
  required: number;
  finality: 'safe' | 'finalized' | null;
  /** Estimated seconds until the funds count, from the recent block interval; 0 when they do. Null if nothing was seen yet, the network is delayed, or a block takes longer than usual to become final. */
  estimatedSecondsRemaining: number | null;
  /** The blockchain is not followed as usual: its node does not respond, or no block has arrived for too long. Funds are seen and confirmed late, and there is no estimate. False once they count. */
  delayed: boolean;
  /** Since when the blockchain is not followed as usual; null: it is, or nobody knows. */
  delayedSince: string | null;
  /** When the newest block came. Only while funds wait for one, and where blocks are a minute or more apart; else null. */
  newestBlockAt: string | null;
  /** Seconds within which the next block usually comes; null as `newestBlockAt`. */
  nextBlockWithin: number | null;
}

/** Worst first. key_shared: another program hands out addresses of your key. integrity, reorg, shop_not_told, refund_failed, refund_waits, unmatched_funds, unlisted_token, funds_after_end, paid_late, paid_twice, overpaid, overpaid_held, late_funds and underpaid are those of PaymentAttention. endpoint_paused: your server gets no webhooks. chain_halted: the gateway does not see payments on a network now. traces_unread: what contracts paid in some blocks of a network is not known yet; it is credited once it is. gap_limit: so many addresses of a key in a row were not paid that your wallet program may not show what is paid next. */
export type AttentionKind =
  | 'integrity'
  | 'reorg'
  | 'key_shared'
  | 'endpoint_paused'
  | 'shop_not_told'
  | 'chain_halted'
  | 'traces_unread'
  | 'refund_failed'
  | 'refund_waits'
  | 'unmatched_funds'
  | 'unlisted_token'
  | 'funds_after_end'
  | 'paid_late'
  | 'paid_twice'
  | 'overpaid'
  | 'overpaid_held'
  | 'late_funds'
  | 'underpaid'
  | 'gap_limit';

/** What was asked, what came, and what is too much. */
export interface AttentionSums {
  /** The price. */
  asked: Amount;
  /** Confirmed funds, in the currency of the price. */
  received: Amount;
  /** What of it is too much and in no refund yet: the `amount` of a refund. Null: nothing. */
  excess: Amount | null;
  /** The same in each coin that came. */
  coins: Array<AttentionCoin>;
}

/** A token that the gateway does not list, sent to the address of the payment. */
export interface UnlistedToken {
  /** The network. */
  blockchain: string;
  /** Its contract. Its name is chosen by whoever made it, and is not read. */
  contract: string;
  /** How many of its smallest units came, as the contract says. */
  amount: string;
  /** The transaction. */
  txHash: string;
}

/** Money at an address of your key that no payment has. */
export interface StrayReceipt {
  /** The network. */
  blockchain: string;
  /** The address. */
  address: string;
  /** Its index below the key; the gateway went on after it. */
  derivationIndex: number;
  /** What came. */
  amount: Amount;
  /** The transaction. */
  txHash: string;
  /** When it was seen. */
  seenAt: string;
}

/** A key whose unpaid addresses reach further than your wallet program looks. */
export interface AttentionWallet {
  /** The family of the key. */
  family: string;
  /** How far the program must look ahead. */
  addressGap: AddressGap;
}

/** Something that can be done, as a request of this API. */
export interface AttentionAction {
  /** resume, test, redeliver, accept, accept_transfer, refund, keep, record_transaction, set_address, cancel_refund, timeline, payment, wallets or blockchain. */
  name: string;
  /** The method of the request. */
  method: 'GET' | 'POST';
  /** The path of the request. */
  path: string;
}

/** address: a deposit address was allotted. quote: a rate was locked, because the customer chose a coin or you accepted a transfer. transfer: funds were seen, or have enough blocks. act: what somebody did, from the audit log. status: the payment moved. refund: a refund was created or changed. event: an event, with its delivery. */
export type TimelineKind = 'address' | 'quote' | 'transfer' | 'act' | 'status' | 'refund' | 'event';

/** Half and 95 percent of the payments took no longer. */
export interface ReportQuantiles {
  /** Seconds, the median. */
  p50: number;
  /** Seconds, the 95th percentile. */
  p95: number;
}

/** Payments by what became of them: each is counted once. */
export interface ReportOutcomes {
  /** RECEIVED or CONFIRMED. */
  completed: number;
  /** REFUND: paid back in full. */
  refunded: number;
  /** UNDERPAID. */
  underpaid: number;
  /** OPEN, and the link has expired. */
  expired: number;
  /** CANCELLED. */
  cancelled: number;
  /** ERROR. */
  failed: number;
  /** FOUND, or OPEN with a link that is still valid. */
  open: number;
}

/** Shares of all payments, from 0 to 1, rounded to four places. */
export interface ReportShares {
  /** Of `completed`. */
  completed: number;
  /** Of `refunded`. */
  refunded: number;
  /** Of `underpaid`. */
  underpaid: number;
  /** Of `expired`. */
  expired: number;
  /** Of `cancelled`. */
  cancelled: number;
  /** Of `failed`. */
  failed: number;
  /** Of `open`. */
  open: number;
}

/** The price of one whole coin. */
export interface RefundRate {
  /** The cryptocurrency. */
  base: string;
  /** The currency of the payment. */
  quote: string;
  /** Decimal text. */
  value: string;
  /** When it was locked. */
  lockedAt: string;
}

/** A payment method. */
export interface SelectedMethod {
  /** The slug of the blockchain. */
  provider: string;
  /** The code of the cryptocurrency in lower case. */
  method: string;
}

/** The shop, as customers see it. */
export interface MerchantSettings {
  /** Its name. */
  title: string;
  /** Its website. */
  url: string | null;
  /** Its logo. */
  image: string | null;
  /** Where customers get help: http(s) or mailto. */
  supportUrl: string | null;
  /** Its color, `#rrggbb`. */
  accent: string | null;
  /** The shop accepts more than the amount. */
  allowOverpay: boolean;
  /** The shop may accept less than the amount. */
  allowUnderpay: boolean;
  /** The accepted cryptocurrencies; empty: all that the gateway has. */
  currencyWhitelist: Array<string>;
}

/** A cryptocurrency. */
export interface MethodCurrency {
  /** E.g. `USDC`. */
  code: string;
  /** Its name in English. */
  name: string;
  /** Digits after the decimal point on this blockchain. */
  decimals: number;
  /** Its symbol; its code where it has none. */
  symbol: string;
  /** The URL of its icon. */
  iconUrl: string | null;
}

/** The price of one whole coin. */
export interface EstimatedRate {
  /** The cryptocurrency. */
  base: string;
  /** The currency of the payment. */
  quote: string;
  /** Decimal text. */
  value: string;
  /** The time of the price. */
  fetchedAt: string;
}

/** The network to pay out on. */
export interface RefundBlockchain {
  /** Its name in fields, e.g. `ethereum`. */
  slug: string;
  /** Its display name. */
  name: string;
  /** A test network: its coins are worthless. */
  testnet: boolean;
}

/** The shop, as customers see it. */
export interface RefundMerchant {
  /** Its name. */
  title: string;
  /** Its website. */
  url: string | null;
}

/** The sums of a payment at a time. */
export interface PaymentSums {
  /** As in the payment. */
  receivedAmount: Amount;
  /** As in the payment. */
  overpaidAmount: Amount | null;
  /** As in the payment. */
  underpaidAmount: Amount | null;
  /** As in the payment. */
  reviewReason: string | null;
}

/** Confirmed funds of a payment in a coin that was not asked for. */
export interface UnmatchedChange {
  /** The blockchain, by its slug. */
  blockchain: string;
  /** The coin. */
  currencyCode: string;
  /** Before the change. */
  before: Amount;
  /** Now. */
  after: Amount;
}

/** The address that everything goes to which is paid to a wallet without a key: its deposit addresses can pay nobody else. */
export interface Treasury {
  /** The address that was set, a wallet or a Safe. */
  address: string;
  /** The contract that collects, the same on every EVM chain. */
  factory: string;
  /** What is at a deposit address. `passing`: never a contract, except within the transaction that collects. */
  kind: 'passing';
  /** Drawn when the treasury was set, so that no two wallets share an address. With the index it is the salt of a deposit address. */
  namespace: string;
}

/** The currency of an amount. */
export interface AmountCurrency {
  /** E.g. `USD`, `ETH`. */
  code: string;
  /** Its name in English. */
  name: string;
  /** Digits after the decimal point. */
  decimals: number;
}

/** What an item is about, in one coin on one network. */
export interface AttentionCoin {
  /** The network. */
  blockchain: string;
  /** What was asked for in this coin; null: it never was. */
  asked: Amount | null;
  /** What came; of `unmatched_funds` confirmed or not. */
  received: Amount;
  /** What a refund of the excess would pay out in this coin, in which most came; null: in another, or nothing. */
  excess: Amount | null;
}

/** How far a wallet program must look ahead to find every payment. */
export interface AddressGap {
  /** The longest run of addresses, among the newest 10,000, that were handed out one after the other and not paid. */
  longest: number;
  /** The gap limit to set in the wallet program. 20 is what most have anyway. */
  gapLimit: number;
  /** What you said that the wallet program has; 20 before you said it. Attention has a run that is as long. */
  statedGapLimit: number;
}

/** What a webhook says; tell them apart by `event`. */
export type WebhookEvent =
  | PaymentReceivedEvent
  | PaymentCompletedEvent
  | PaymentUnderpaidEvent
  | PaymentRefundEvent
  | PaymentFoundEvent
  | PaymentExpiredEvent
  | PaymentCancelledEvent
  | PaymentUpdatedEvent
  | WalletChangedEvent
  | PaymentRefundRequestedEvent;

/** Parameters, body and response of every operation, by its id. */
export interface Operations {
  /** Export payments: `GET /api/payment/export` */
  exportPayments: {
    query: {
      /** What `dateFrom`, `dateTo` and the order of the rows are about: `created`, or `paid`: when the first confirmed funds were seen; those without any are left out. */
      by?: 'created' | 'paid' | undefined;
      /** Only payments of this application; an unknown one has none. */
      paymentApplicationId?: string | undefined;
      /** With one of these statuses, separated by commas. */
      status?:
        | Array<'OPEN' | 'FOUND' | 'UNDERPAID' | 'RECEIVED' | 'CONFIRMED' | 'CANCELLED' | 'ERROR' | 'REFUND'>
        | undefined;
      /** With exactly this reference. */
      reference?: string | undefined;
      /** Whose customer chose this network last. */
      blockchain?: string | undefined;
      /** Whose customer chose this coin last. */
      coin?: string | undefined;
      /** Priced in this currency. */
      currencyCode?: string | undefined;
      /** At least this amount, in the smallest unit of `currencyCode`, which is then required. */
      amountFrom?: string | undefined;
      /** At most this amount, in the smallest unit of `currencyCode`, which is then required. */
      amountTo?: string | undefined;
      /** Created at this time or later; with a time zone. */
      dateFrom?: string | undefined;
      /** Created at this time or earlier; with a time zone. */
      dateTo?: string | undefined;
      /** A payment id, or the beginning of a reference, a label, an address or a transaction hash, in any letter case. */
      search?: string | undefined;
      /** With this `reviewReason`. */
      reviewReason?: 'overpaid' | 'reorg' | 'funds_after_cancel' | 'integrity' | undefined;
      /** With (`true`) or without (`false`) funds after the rate lock and its grace. */
      late?: boolean | undefined;
      /** Whose link has expired while funds are there that do not pay it in full (`true`), or all others (`false`). */
      expiredWithFunds?: boolean | undefined;
      /** With (`true`) or without (`false`) an excess that you have neither given back nor keep. */
      overpaid?: boolean | undefined;
      /** Only those with (`true`) or without (`false`) funds on another network or in another coin than requested that you have neither accepted nor give back. */
      unmatchedFunds?: boolean | undefined;
      /** `xlsx` is a workbook, and so for people; `csv` is for programs, and with `locale` for the spreadsheets of people; `jsonl` is for programs: one JSON object a line. */
      format?: 'csv' | 'jsonl' | 'xlsx' | undefined;
      /** The language of the heads of columns, whose spreadsheets can open the file: separator, decimal mark and dates. Makes `csv` a file for people, oldest first. `en` unless set with `xlsx`. */
      locale?: string | undefined;
      /** The time zone (IANA) of the dates in a file for people; `UTC` unless set. */
      timeZone?: string | undefined;
    };
    response: PaymentExportRow;
  };
  /** Export transfers: `GET /api/transfers/export` */
  exportTransfers: {
    query: {
      /** Only payments of this application; an unknown one has none. */
      paymentApplicationId?: string | undefined;
      /** On this blockchain, by its slug. */
      blockchain?: string | undefined;
      /** In this coin. */
      currencyCode?: string | undefined;
      /** At this time or later; with a time zone. */
      from?: string | undefined;
      /** At this time or earlier; with a time zone. */
      to?: string | undefined;
      /** `xlsx` is a workbook, and so for people; `csv` is for programs, and with `locale` for the spreadsheets of people; `jsonl` is for programs: one JSON object a line. */
      format?: 'csv' | 'jsonl' | 'xlsx' | undefined;
      /** The language of the heads of columns, whose spreadsheets can open the file: separator, decimal mark and dates. Makes `csv` a file for people, oldest first. `en` unless set with `xlsx`. */
      locale?: string | undefined;
      /** The time zone (IANA) of the dates in a file for people; `UTC` unless set. */
      timeZone?: string | undefined;
    };
    response: TransferExportRow;
  };
  /** Create a payment: `POST /api/payment/checkout` */
  createCheckout: {
    body: CreateCheckout;
    response: CheckoutData;
  };
  /** List payments: `GET /api/payment` */
  listPayments: {
    query: {
      /** Only payments of this application; an unknown one has none. */
      paymentApplicationId?: string | undefined;
      /** With one of these statuses, separated by commas. */
      status?:
        | Array<'OPEN' | 'FOUND' | 'UNDERPAID' | 'RECEIVED' | 'CONFIRMED' | 'CANCELLED' | 'ERROR' | 'REFUND'>
        | undefined;
      /** With exactly this reference. */
      reference?: string | undefined;
      /** Priced in this currency. */
      currencyCode?: string | undefined;
      /** Created at this time or later; with a time zone. */
      dateFrom?: string | undefined;
      /** Created at this time or earlier; with a time zone. */
      dateTo?: string | undefined;
      /** A payment id, or the beginning of a reference, a label, an address or a transaction hash, in any letter case. */
      search?: string | undefined;
      /** Only those with (`true`) or without (`false`) funds on another network or in another coin than requested that you have neither accepted nor give back. */
      unmatchedFunds?: boolean | undefined;
      /** A leading minus means descending. */
      sort?: 'date' | '-date' | 'amount' | '-amount' | 'status' | '-status' | undefined;
      /** The page, counted from 1, which it is unless set. A page past the end is empty. */
      page?: number | undefined;
      /** Items a page; 20, unless set. */
      per_page?: number | undefined;
    };
    response: PaymentListItemPage;
  };
  /** Find payments by your reference: `GET /api/payment/by-reference` */
  listPaymentsByReference: {
    query: {
      /** Exactly as it was given, percent-encoded. */
      reference: string;
      /** The page, counted from 1, which it is unless set. A page past the end is empty. */
      page?: number | undefined;
      /** Items a page; 20, unless set. */
      per_page?: number | undefined;
    };
    response: PaymentListItemPage;
  };
  /** Get a payment: `GET /api/payment/{paymentId}` */
  getPayment: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    response: PaymentData;
  };
  /** List the transactions of a payment: `GET /api/payment/{paymentId}/transactions` */
  listPaymentTransactions: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    query: {
      /** `meta.cursor.next` of the page before, with the same filters; without it, the newest items. */
      after?: string | undefined;
      /** How many items at most. */
      limit?: number | undefined;
    };
    response: TransactionCursorPage;
  };
  /** Cancel a payment: `POST /api/payment/{paymentId}/cancel` */
  cancelPayment: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    body?: CancelPayment | undefined;
    response: PaymentData;
  };
  /** Accept a payment as it is: `POST /api/payment/{paymentId}/accept` */
  acceptPayment: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    body?: AcceptPayment | undefined;
    response: PaymentData;
  };
  /** Keep what is too much: `POST /api/payment/{paymentId}/keep` */
  keepPayment: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    body?: KeepPayment | undefined;
    response: PaymentData;
  };
  /** List payments for a dashboard: `GET /api/payment-overview` */
  listPaymentOverview: {
    query: {
      /** Only of these applications, separated by commas; an unknown one has nothing. */
      paymentApplicationId?: Array<string> | undefined;
      /** With one of these statuses, separated by commas. */
      status?:
        | Array<'OPEN' | 'FOUND' | 'UNDERPAID' | 'RECEIVED' | 'CONFIRMED' | 'CANCELLED' | 'ERROR' | 'REFUND'>
        | undefined;
      /** Whose customer chose this network last. */
      blockchain?: string | undefined;
      /** Whose customer chose this coin last. */
      coin?: string | undefined;
      /** Priced in this currency. */
      currencyCode?: string | undefined;
      /** At least this amount, in the smallest unit of `currencyCode`, which is then required. */
      amountFrom?: string | undefined;
      /** At most this amount, in the smallest unit of `currencyCode`, which is then required. */
      amountTo?: string | undefined;
      /** Created at this time or later; with a time zone. */
      dateFrom?: string | undefined;
      /** Created at this time or earlier; with a time zone. */
      dateTo?: string | undefined;
      /** With this `reviewReason`. */
      reviewReason?: 'overpaid' | 'reorg' | 'funds_after_cancel' | 'integrity' | undefined;
      /** With (`true`) or without (`false`) funds after the rate lock and its grace. */
      late?: boolean | undefined;
      /** Whose link has expired while funds are there that do not pay it in full (`true`), or all others (`false`). */
      expiredWithFunds?: boolean | undefined;
      /** With (`true`) or without (`false`) an excess that you have neither given back nor keep. */
      overpaid?: boolean | undefined;
      /** Only those with (`true`) or without (`false`) funds on another network or in another coin than requested that you have neither accepted nor give back. */
      unmatchedFunds?: boolean | undefined;
      /** A payment id, or the beginning of a reference, a label, an address or a transaction hash, in any letter case. What finds nothing is tried as a person means it: a link of a checkout or an explorer, `#4711`, `Order 4711`, a hash without 0x. While `hasMore` is true, a page of a search that fits more than 1,000 payments may be short, or empty. */
      search?: string | undefined;
      /** `meta.cursor.next` of the page before, with the same filters; without it, the newest items. */
      after?: string | undefined;
      /** How many items at most. */
      limit?: number | undefined;
    };
    response: PaymentOverviewCursorPage;
  };
  /** Get payment instructions: `GET /api/payment/{paymentId}/provider/{provider}/method/{method}` */
  getPaymentInstructions: {
    path: {
      /** The payment. */
      paymentId: string;
      /** The blockchain, by its slug. */
      provider: string;
      /** The cryptocurrency, by its code in lower case. */
      method: string;
    };
    response: MerchantPaymentInstructionsData;
  };
  /** List the deposit addresses of a payment: `GET /api/payment/{paymentId}/deposit-addresses` */
  listDepositAddresses: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    response: DepositAddressList;
  };
  /** List what needs you: `GET /api/attention` */
  listAttention: {
    query: {
      /** `meta.cursor.next` of the page before, with the same filters; without it, from the worst. */
      after?: string | undefined;
      /** Only of these kinds, separated by commas. */
      kind?:
        | Array<
            | 'integrity'
            | 'reorg'
            | 'key_shared'
            | 'endpoint_paused'
            | 'shop_not_told'
            | 'chain_halted'
            | 'traces_unread'
            | 'refund_failed'
            | 'refund_waits'
            | 'unmatched_funds'
            | 'unlisted_token'
            | 'funds_after_end'
            | 'paid_late'
            | 'paid_twice'
            | 'overpaid'
            | 'overpaid_held'
            | 'late_funds'
            | 'underpaid'
            | 'gap_limit'
          >
        | undefined;
      /** Only of these applications, separated by commas; an unknown one has nothing. */
      paymentApplicationId?: Array<string> | undefined;
      /** How many items at most. */
      limit?: number | undefined;
    };
    response: AttentionItemCursorPage;
  };
  /** Count what needs you: `GET /api/attention/counts` */
  countAttention: {
    query: {
      /** Only of these applications, separated by commas; an unknown one has nothing. */
      paymentApplicationId?: Array<string> | undefined;
    };
    response: AttentionCountList;
  };
  /** Follow what changes: `GET /api/changes` */
  streamChanges: {
    response: Change;
  };
  /** Get the timeline of a payment: `GET /api/payment/{paymentId}/timeline` */
  getPaymentTimeline: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    response: TimelineEntryList;
  };
  /** Report what was received: `GET /api/reports/received` */
  reportReceived: {
    query: {
      /** From this time on; with a time zone. */
      from: string;
      /** Until this time, exclusive; at most 366 days after `from`. */
      to: string;
      /** The time zone (IANA) whose days are counted. */
      timeZone?: string | undefined;
      /** `day`: rows for each day that has any. `total`: for the whole span. */
      interval?: 'day' | 'total' | undefined;
      /** Separate rows for each of them. */
      groupBy?: 'currency' | 'application' | 'blockchain' | undefined;
      /** Only payments of this application; an unknown one has none. */
      paymentApplicationId?: string | undefined;
      /** Priced in this currency. */
      currencyCode?: string | undefined;
    };
    response: ReceivedReportRowList;
  };
  /** Report how long payments took: `GET /api/reports/times` */
  reportTimes: {
    query: {
      /** From this time on; with a time zone. */
      from: string;
      /** Until this time, exclusive; at most 366 days after `from`. */
      to: string;
      /** The time zone (IANA) whose days are counted. */
      timeZone?: string | undefined;
      /** `day`: rows for each day that has any. `total`: for the whole span. */
      interval?: 'day' | 'total' | undefined;
      /** Separate rows for each of them. */
      groupBy?: 'currency' | 'application' | 'blockchain' | undefined;
      /** Only payments of this application; an unknown one has none. */
      paymentApplicationId?: string | undefined;
      /** Priced in this currency. */
      currencyCode?: string | undefined;
    };
    response: TimesReportRowList;
  };
  /** Report what became of payments: `GET /api/reports/rates` */
  reportRates: {
    query: {
      /** From this time on; with a time zone. */
      from: string;
      /** Until this time, exclusive; at most 366 days after `from`. */
      to: string;
      /** The time zone (IANA) whose days are counted. */
      timeZone?: string | undefined;
      /** `day`: rows for each day that has any. `total`: for the whole span. */
      interval?: 'day' | 'total' | undefined;
      /** Separate rows for each of them. */
      groupBy?: 'currency' | 'application' | 'blockchain' | undefined;
      /** Only payments of this application; an unknown one has none. */
      paymentApplicationId?: string | undefined;
      /** Priced in this currency. */
      currencyCode?: string | undefined;
    };
    response: RatesReportRowList;
  };
  /** Report a month as one file: `GET /api/reports/month` */
  reportMonth: {
    query: {
      /** The month, which must have begun in `timeZone`. */
      month: string;
      /** The time zone (IANA) of the month and of all times in the file. */
      timeZone?: string | undefined;
      /** `xlsx`: a workbook. `csv`: the same table for the spreadsheets of `locale`. */
      format?: 'xlsx' | 'csv' | undefined;
      /** The language of the heads of columns, whose spreadsheets can open the file; `en` unless set. */
      locale?: string | undefined;
      /** Only payments of this application; an unknown one has none. */
      paymentApplicationId?: string | undefined;
    };
    response: Blob;
  };
  /** Export refunds: `GET /api/refunds/export` */
  exportRefunds: {
    query: {
      /** Only refunds of payments of this application. */
      paymentApplicationId?: string | undefined;
      /** Only refunds in this status. */
      status?:
        | 'AWAITING_ADDRESS'
        | 'AWAITING_PAYMENT'
        | 'PROCESSING'
        | 'COMPLETED'
        | 'CANCELLED'
        | 'FAILED'
        | 'EXPIRED'
        | undefined;
      /** At this time or later; with a time zone. */
      from?: string | undefined;
      /** At this time or earlier; with a time zone. */
      to?: string | undefined;
      /** `xlsx` is a workbook, and so for people; `csv` is for programs, and with `locale` for the spreadsheets of people; `jsonl` is for programs: one JSON object a line. */
      format?: 'csv' | 'jsonl' | 'xlsx' | undefined;
      /** The language of the heads of columns, whose spreadsheets can open the file: separator, decimal mark and dates. Makes `csv` a file for people, oldest first. `en` unless set with `xlsx`. */
      locale?: string | undefined;
      /** The time zone (IANA) of the dates in a file for people; `UTC` unless set. */
      timeZone?: string | undefined;
    };
    response: RefundExportRow;
  };
  /** List the refunds of a payment: `GET /api/payment/{paymentId}/refunds` */
  listRefunds: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    query: {
      /** The page, counted from 1, which it is unless set. A page past the end is empty. */
      page?: number | undefined;
      /** Items a page; 20, unless set. */
      per_page?: number | undefined;
    };
    response: RefundPage;
  };
  /** Create a refund: `POST /api/payment/{paymentId}/refunds` */
  createRefund: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    body?: CreateRefund | undefined;
    response: RefundData;
  };
  /** Get a refund: `GET /api/payment/{paymentId}/refunds/{refundId}` */
  getRefund: {
    path: {
      /** The payment. */
      paymentId: string;
      /** The refund. */
      refundId: string;
    };
    response: RefundData;
  };
  /** Set or correct the address of a refund: `POST /api/payment/{paymentId}/refunds/{refundId}/address` */
  setRefundAddress: {
    path: {
      /** The payment. */
      paymentId: string;
      /** The refund. */
      refundId: string;
    };
    body: RefundAddress;
    response: RefundData;
  };
  /** Record the transaction that has paid a refund: `POST /api/payment/{paymentId}/refunds/{refundId}/complete` */
  completeRefund: {
    path: {
      /** The payment. */
      paymentId: string;
      /** The refund. */
      refundId: string;
    };
    body: CompleteRefund;
    response: RefundData;
  };
  /** Cancel a refund: `POST /api/payment/{paymentId}/refunds/{refundId}/cancel` */
  cancelRefund: {
    path: {
      /** The payment. */
      paymentId: string;
      /** The refund. */
      refundId: string;
    };
    response: RefundData;
  };
  /** List refunds of all payments: `GET /api/refunds` */
  listAllRefunds: {
    query: {
      /** With one of these statuses, separated by commas. */
      status?:
        | Array<
            | 'AWAITING_ADDRESS'
            | 'AWAITING_PAYMENT'
            | 'PROCESSING'
            | 'COMPLETED'
            | 'CANCELLED'
            | 'FAILED'
            | 'EXPIRED'
          >
        | undefined;
      /** Only of these applications, separated by commas; an unknown one has nothing. */
      paymentApplicationId?: Array<string> | undefined;
      /** `meta.cursor.next` of the page before, with the same filters; without it, the newest items. */
      after?: string | undefined;
      /** How many items at most. */
      limit?: number | undefined;
    };
    response: RefundCursorPage;
  };
  /** Get the status of a payment: `GET /api/checkout/payment/{paymentId}` */
  getCheckoutStatus: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    query: {
      /** Of the signed link: when it expires, in Unix seconds. */
      expires: string;
      /** Of the signed link: HMAC-SHA256 in lower-case hex. */
      signature: string;
    };
    response: CheckoutStatusData;
  };
  /** Report a transaction that is not shown: `POST /api/checkout/payment/{paymentId}/transaction` */
  reportTransaction: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    query: {
      /** Of the signed link: when it expires, in Unix seconds. */
      expires: string;
      /** Of the signed link: HMAC-SHA256 in lower-case hex. */
      signature: string;
    };
    body: ReportTransaction;
    response: ReportedTransactionData;
  };
  /** List the payment methods: `GET /api/checkout/{paymentId}/payment-methods` */
  listPaymentMethods: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    query: {
      /** Of the signed link: when it expires, in Unix seconds. */
      expires: string;
      /** Of the signed link: HMAC-SHA256 in lower-case hex. */
      signature: string;
    };
    response: PaymentMethodList;
  };
  /** Get payment instructions as selected: `GET /api/checkout/payment/{paymentId}/provider` */
  getSelectedCheckoutInstructions: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    query: {
      /** Of the signed link: when it expires, in Unix seconds. */
      expires: string;
      /** Of the signed link: HMAC-SHA256 in lower-case hex. */
      signature: string;
    };
    response: PaymentInstructionsData;
  };
  /** Get payment instructions of a cryptocurrency: `GET /api/checkout/payment/{paymentId}/provider/method/{method}` */
  getCheckoutInstructionsOfMethod: {
    path: {
      /** The payment. */
      paymentId: string;
      /** The cryptocurrency, by its code in lower case. */
      method: string;
    };
    query: {
      /** Of the signed link: when it expires, in Unix seconds. */
      expires: string;
      /** Of the signed link: HMAC-SHA256 in lower-case hex. */
      signature: string;
    };
    response: PaymentInstructionsData;
  };
  /** Get payment instructions of a blockchain: `GET /api/checkout/payment/{paymentId}/provider/{provider}` */
  getCheckoutInstructionsOfProvider: {
    path: {
      /** The payment. */
      paymentId: string;
      /** The blockchain, by its slug. */
      provider: string;
    };
    query: {
      /** Of the signed link: when it expires, in Unix seconds. */
      expires: string;
      /** Of the signed link: HMAC-SHA256 in lower-case hex. */
      signature: string;
    };
    response: PaymentInstructionsData;
  };
  /** Get payment instructions: `GET /api/checkout/payment/{paymentId}/provider/{provider}/method/{method}` */
  getCheckoutInstructions: {
    path: {
      /** The payment. */
      paymentId: string;
      /** The blockchain, by its slug. */
      provider: string;
      /** The cryptocurrency, by its code in lower case. */
      method: string;
    };
    query: {
      /** Of the signed link: when it expires, in Unix seconds. */
      expires: string;
      /** Of the signed link: HMAC-SHA256 in lower-case hex. */
      signature: string;
    };
    response: PaymentInstructionsData;
  };
  /** Ask for money back: `POST /api/checkout/payment/{paymentId}/refund-request` */
  requestRefund: {
    path: {
      /** The payment. */
      paymentId: string;
    };
    query: {
      /** Of the signed link: when it expires, in Unix seconds. */
      expires: string;
      /** Of the signed link: HMAC-SHA256 in lower-case hex. */
      signature: string;
    };
    body: RequestRefund;
    response: ReturnableFundsData;
  };
  /** Get the refund of a claim link: `GET /api/checkout/refund/{refundId}` */
  getRefundClaim: {
    path: {
      /** The refund. */
      refundId: string;
    };
    query: {
      /** Of the signed link: when it expires, in Unix seconds. */
      expires: string;
      /** Of the signed link: HMAC-SHA256 in lower-case hex. */
      signature: string;
    };
    response: RefundClaimData;
  };
  /** Set the address of a refund: `POST /api/checkout/refund/{refundId}` */
  claimRefund: {
    path: {
      /** The refund. */
      refundId: string;
    };
    query: {
      /** Of the signed link: when it expires, in Unix seconds. */
      expires: string;
      /** Of the signed link: HMAC-SHA256 in lower-case hex. */
      signature: string;
    };
    body: RefundAddress;
    response: RefundClaimData;
  };
  /** Export webhook deliveries: `GET /api/webhook-deliveries/export` */
  exportWebhookDeliveries: {
    query: {
      /** Only deliveries to this application. */
      paymentApplicationId?: string | undefined;
      /** Only deliveries about this payment. */
      paymentId?: string | undefined;
      /** Only deliveries about payments of this reference. */
      reference?: string | undefined;
      /** Only deliveries of this event. */
      event?:
        | 'payment.received'
        | 'payment.completed'
        | 'payment.underpaid'
        | 'payment.refund'
        | 'payment.found'
        | 'payment.expired'
        | 'payment.cancelled'
        | 'payment.updated'
        | undefined;
      /** Only deliveries in this status. */
      status?:
        'PENDING' | 'SUCCEEDED' | 'FAILED' | 'EXHAUSTED' | 'BLOCKED' | 'SKIPPED' | 'SUPERSEDED' | undefined;
      /** At this time or later; with a time zone. */
      from?: string | undefined;
      /** At this time or earlier; with a time zone. */
      to?: string | undefined;
      /** `xlsx` is a workbook, and so for people; `csv` is for programs, and with `locale` for the spreadsheets of people; `jsonl` is for programs: one JSON object a line. */
      format?: 'csv' | 'jsonl' | 'xlsx' | undefined;
      /** The language of the heads of columns, whose spreadsheets can open the file: separator, decimal mark and dates. Makes `csv` a file for people, oldest first. `en` unless set with `xlsx`. */
      locale?: string | undefined;
      /** The time zone (IANA) of the dates in a file for people; `UTC` unless set. */
      timeZone?: string | undefined;
    };
    response: DeliveryExportRow;
  };
  /** List webhook deliveries of all applications: `GET /api/webhook-deliveries` */
  listAllWebhookDeliveries: {
    query: {
      /** Only of these applications, separated by commas; an unknown one has nothing. */
      paymentApplicationId?: Array<string> | undefined;
      /** Only deliveries about this payment. */
      paymentId?: string | undefined;
      /** Only deliveries about payments of this reference. */
      reference?: string | undefined;
      /** Only deliveries of this event. */
      event?:
        | 'payment.received'
        | 'payment.completed'
        | 'payment.underpaid'
        | 'payment.refund'
        | 'payment.found'
        | 'payment.expired'
        | 'payment.cancelled'
        | 'payment.updated'
        | undefined;
      /** Only deliveries in this status. */
      status?:
        'PENDING' | 'SUCCEEDED' | 'FAILED' | 'EXHAUSTED' | 'BLOCKED' | 'SKIPPED' | 'SUPERSEDED' | undefined;
      /** Of events at this time or later; with a time zone. */
      from?: string | undefined;
      /** Of events at this time or earlier; with a time zone. */
      to?: string | undefined;
      /** `meta.cursor.next` of the page before, with the same filters; without it, the newest items. */
      after?: string | undefined;
      /** How many items at most. */
      limit?: number | undefined;
    };
    response: WebhookDeliverySummaryCursorPage;
  };
}
