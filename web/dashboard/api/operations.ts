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

export interface PaymentApplicationListOrPage {
  /** The items; `meta` is present when a page was requested. */
  data: Array<PaymentApplication>;
  meta?: PageMeta | undefined;
}

/** A new payment application. */
export interface CreatePaymentApplication {
  /** Shown to customers as the title of the shop. Not only white space. */
  name: string;
  /** Signs webhooks; stored encrypted, never returned. Use at least 32 random bytes. A secret that begins with `whsec_` must continue with padded standard base64 of at least one byte, which is decoded; any other text is used as it is. */
  secret: string;
  /** The website of the shop; its origin may frame the checkout page. Null clears it. */
  url?: string | null | undefined;
  /** Where webhooks go; https in production. Null clears it. */
  callbackUrl?: string | null | undefined;
  /** Codes of the cryptocurrencies that customers may pay with, of those enabled on this gateway (`GET /api/currencies`); empty: all. Codes that the application already has stay allowed. */
  currencyWhitelist?: Array<string> | undefined;
  /** Accept payments below their amount. False unless set. */
  allowUnderpay?: boolean | undefined;
  /** Complete payments above their amount without a decision of yours. True unless set. */
  allowOverpay?: boolean | undefined;
  /** Blocks after which funds count, by slug of the blockchain, e.g. `{"bitcoin": 3}`; within the limits that `GET /api/blockchains` returns. It replaces all earlier numbers; with `{}` every blockchain has its default. Large amounts may need more. */
  confirmations?: Record<string, number> | undefined;
  /** What webhooks and the event feed report. The four standard events are always sent and must be listed; `payment.found`, `payment.expired`, `payment.cancelled`, `payment.refund_requested` and `wallet.changed` are optional. Only the standard events unless set. */
  events?: Array<EventType> | undefined;
  /** The color of links and buttons on the checkout page, with a contrast of at least 3:1 to white; it is darkened, and for dark screens lightened, until it is readable. Null: the color of the gateway. */
  accent?: string | null | undefined;
  /** Where customers get help, shown on the checkout page: an http(s) URL, or `mailto:` with one address and at most a `subject`. Null clears it. */
  supportUrl?: string | null | undefined;
  /** The checkout page's language where neither the link nor the browser asks for one. Null: English. */
  defaultLanguage?: Language | null | undefined;
}

export interface PaymentApplicationData {
  data: PaymentApplication;
}

/** The fields to change; absent fields keep their values. A new `secret` signs beside the old one for 24 hours. */
export interface UpdatePaymentApplication {
  /** Shown to customers as the title of the shop. Not only white space. */
  name?: string | undefined;
  /** Signs webhooks; stored encrypted, never returned. Use at least 32 random bytes. A secret that begins with `whsec_` must continue with padded standard base64 of at least one byte, which is decoded; any other text is used as it is. */
  secret?: string | undefined;
  /** The website of the shop; its origin may frame the checkout page. Null clears it. */
  url?: string | null | undefined;
  /** Where webhooks go; https in production. Null clears it. */
  callbackUrl?: string | null | undefined;
  /** Codes of the cryptocurrencies that customers may pay with, of those enabled on this gateway (`GET /api/currencies`); empty: all. Codes that the application already has stay allowed. */
  currencyWhitelist?: Array<string> | undefined;
  /** Accept payments below their amount. False unless set. */
  allowUnderpay?: boolean | undefined;
  /** Complete payments above their amount without a decision of yours. True unless set. */
  allowOverpay?: boolean | undefined;
  /** Blocks after which funds count, by slug of the blockchain, e.g. `{"bitcoin": 3}`; within the limits that `GET /api/blockchains` returns. It replaces all earlier numbers; with `{}` every blockchain has its default. Large amounts may need more. */
  confirmations?: Record<string, number> | undefined;
  /** What webhooks and the event feed report. The four standard events are always sent and must be listed; `payment.found`, `payment.expired`, `payment.cancelled`, `payment.refund_requested` and `wallet.changed` are optional. Only the standard events unless set. */
  events?: Array<EventType> | undefined;
  /** The color of links and buttons on the checkout page, with a contrast of at least 3:1 to white; it is darkened, and for dark screens lightened, until it is readable. Null: the color of the gateway. */
  accent?: string | null | undefined;
  /** Where customers get help, shown on the checkout page: an http(s) URL, or `mailto:` with one address and at most a `subject`. Null clears it. */
  supportUrl?: string | null | undefined;
  /** The checkout page's language where neither the link nor the browser asks for one. Null: English. */
  defaultLanguage?: Language | null | undefined;
}

export interface ApplicationLogoData {
  data: ApplicationLogo;
}

/** A new logo. */
export interface PutApplicationLogo {
  /** The picture in standard base64: a PNG of at most 1,024 by 1,024 pixels, or an SVG in UTF-8, which is served so that it can neither run nor load anything. At most 65,536 bytes. */
  content: string;
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
  reviewReason: 'overpaid' | 'reorg' | 'funds_after_cancel' | null;
}

/** A new payment. Identify the application by `clientId`, by `siteId`, or by both. */
export interface CreateCheckout {
  /** In the smallest unit of `currencyCode`, as a JSON integer: neither a string nor `10.0` nor `1e3`. At most one thousand million whole units. Either this or `amountAtomic` is required, never both. */
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

export interface ClientTokenPage {
  /** The items of this page. */
  data: Array<ClientToken>;
  meta: PageMeta;
}

/** A new client token. It cannot be changed later. */
export interface CreateClientToken {
  /** What you call it. */
  label: string;
  /** When it ends, in the future and with a time zone. Null or absent: never. */
  expiresAt?: string | null | undefined;
  /** What it may do. */
  scopes: Array<Scope>;
}

export interface NewClientTokenData {
  data: NewClientToken;
}

export interface ClientTokenData {
  data: ClientToken;
}

export interface WalletList {
  /** The items. */
  data: Array<Wallet>;
}

export interface WalletData {
  data: Wallet;
}

/** The key to derive new addresses from. Addresses issued earlier stay watched. */
export interface PutWallet {
  /** The extended public key of an account (`xpub`, `ypub`, `zpub`, …) or, for Bitcoin, Litecoin, Dogecoin and Bitcoin Cash, an output descriptor with its checksum. Never a private key: it is rejected, and neither stored nor logged. */
  extendedPublicKey: string;
  /** The address format, needed only where neither the prefix of the key nor a descriptor determines it; never for `evm` or `tron`. */
  scriptType?: string | null | undefined;
}

/** Addresses that somebody has seen in their own wallet. */
export interface CompareWallet {
  /** The first three receiving addresses of the wallet, in their order, written as in `previewAddresses`. */
  addresses: Array<string>;
}

export interface DestinationList {
  /** The items. */
  data: Array<Destination>;
}

export interface HoldingList {
  /** The items. */
  data: Array<Holding>;
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
    | 'payment.cancelled';
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

export interface WebhookEndpointData {
  data: WebhookEndpoint;
}

/** Why. */
export interface PauseWebhooks {
  /** Shown with the endpoint. */
  reason?: string | null | undefined;
}

/** Which test event. */
export interface TestWebhook {
  /** The name of the event. */
  event:
    | 'payment.received'
    | 'payment.completed'
    | 'payment.underpaid'
    | 'payment.refund'
    | 'payment.found'
    | 'payment.expired'
    | 'payment.cancelled';
}

export interface WebhookTestData {
  data: WebhookTest;
}

export interface UnacknowledgedPaymentPage {
  /** The items of this page. */
  data: Array<UnacknowledgedPayment>;
  meta: PageMeta;
}

export interface WebhookDeliveryPage {
  /** The items of this page. */
  data: Array<WebhookDelivery>;
  meta: PageMeta;
}

/** What to deliver again. */
export interface ReplayWebhooks {
  /** Only deliveries created at this time or later. */
  since: string;
  /** Only deliveries created at this time or earlier; without it, until now. */
  until?: string | undefined;
  /** FAILED: only those that wait for another attempt. EXHAUSTED: only those given up. Without it, both. */
  status?: 'FAILED' | 'EXHAUSTED' | undefined;
  /** `lastDeliveryId` of the previous response, to continue after it. */
  after?: string | undefined;
}

export interface WebhookReplayData {
  data: WebhookReplay;
}

export interface WebhookDeliveryData {
  data: WebhookDelivery;
}

export interface WebhookAttemptPage {
  /** The items of this page. */
  data: Array<WebhookAttempt>;
  meta: PageMeta;
}

export interface WebhookDeliverySummaryCursorPage {
  /** The items, in the order of the list. */
  data: Array<WebhookDeliverySummary>;
  meta: CursorMeta;
}

export interface CurrencyList {
  /** The items. */
  data: Array<Currency>;
}

export interface CurrencyData {
  data: Currency;
}

export interface BlockchainDetailsList {
  /** The items. */
  data: Array<BlockchainDetails>;
}

export interface BlockchainDetailsData {
  data: BlockchainDetails;
}

export interface RateList {
  /** The items. */
  data: Array<Rate>;
}

export interface AccountData {
  data: Account;
}

/** What to change; absent fields stay as they are. */
export interface UpdateAccount {
  /** A new address; needs `currentPassword`. */
  email?: string | undefined;
  /** Not only white space; null clears it. */
  name?: string | null | undefined;
  /** Required for a new email address, otherwise ignored. */
  currentPassword?: string | undefined;
}

/** A new password. */
export interface ChangePassword {
  /** The current one. */
  currentPassword: string;
  /** The new one; not one of the most common passwords, nor made of your name or email address. */
  newPassword: string;
}

export interface AuditEntryCursorPage {
  /** The items, in the order of the list. */
  data: Array<AuditEntry>;
  meta: CursorMeta;
}

export interface OAuthClientList {
  /** The items. */
  data: Array<OAuthClient>;
}

/** A client for a server of yours. */
export interface CreateOAuthClient {
  /** For you to recognize it. */
  name: string;
  /** What it may do: nothing that your own token may not. */
  scopes: Array<
    | '*'
    | 'applications:read'
    | 'applications:write'
    | 'wallets:read'
    | 'wallets:write'
    | 'tokens:read'
    | 'tokens:write'
    | 'payments:read'
    | 'payments:write'
    | 'refunds:read'
    | 'refunds:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'account:read'
    | 'account:write'
  >;
}

export interface OAuthClientSecretData {
  data: OAuthClientSecret;
}

export interface SavedViewsData {
  data: SavedViews;
}

/** All views of the user. */
export interface SaveViews {
  /** Texts by name, e.g. the address of a list with its filters: at most 50, names of 1 to 80 and values of up to 2,000 characters, 32,768 bytes as JSON in all. What is not sent is deleted. */
  views: Record<string, string>;
}

export interface SessionList {
  /** The items. */
  data: Array<Session>;
}

export interface EndedSessionsData {
  data: EndedSessions;
}

export interface TwoFactorData {
  data: TwoFactor;
}

/** Confirms the identity of the user. */
export interface EnrolTwoFactor {
  /** The password. */
  currentPassword: string;
}

export interface TwoFactorEnrolmentData {
  data: TwoFactorEnrolment;
}

/** Proves that the authenticator app was set up. */
export interface ConfirmTwoFactor {
  /** Six digits; spaces are ignored. */
  code: string;
}

export interface RecoveryCodesData {
  data: RecoveryCodes;
}

/** Confirms the identity of the user. */
export interface ChangeTwoFactor {
  /** The password. */
  currentPassword: string;
  /** A code of the authenticator app, or a recovery code. */
  code: string;
}

export interface InvitationList {
  /** The items. */
  data: Array<Invitation>;
}

/** Whom to invite. */
export interface CreateInvitation {
  /** Only the user of this address can accept. */
  email: string;
  /** What they may do. */
  role: InvitedRole;
}

export interface NewInvitationData {
  data: NewInvitation;
}

/** The invitation. */
export interface AcceptInvitation {
  /** `token` of its link. */
  token: string;
}

export interface MembershipData {
  data: Membership;
}

export interface MemberList {
  /** The items. */
  data: Array<Member>;
}

/** The new role. */
export interface UpdateMember {
  /** What the member may do. */
  role: InvitedRole;
}

export interface MemberData {
  data: Member;
}

export interface MembershipList {
  /** The items. */
  data: Array<Membership>;
}

export interface ResumedChainData {
  data: ResumedChain;
}

export interface UnattributedFundsCursorPage {
  /** The items, in the order of the list. */
  data: Array<UnattributedFunds>;
  meta: CursorMeta;
}

export interface AdminUserCursorPage {
  /** The items, in the order of the list. */
  data: Array<AdminUser>;
  meta: CursorMeta;
}

export interface AdminUserData {
  data: AdminUser;
}

export interface PasswordLinkData {
  data: PasswordLink;
}

export interface ChainReportList {
  /** The items. */
  data: Array<ChainReport>;
}

export interface ReconciliationData {
  data: Reconciliation;
}

export interface ReconciliationScheduleData {
  data: ReconciliationSchedule;
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

/** A shop, which payments belong to. */
export interface PaymentApplication {
  /** The application; `id` in paths. */
  id: string;
  /** Its name. */
  name: string;
  /** Identifies the application in request bodies; not a secret. */
  clientId: string;
  /** The owner. */
  userId: string;
  /** Codes of the cryptocurrencies that customers may pay with; empty: all. */
  currencyWhitelist: Array<string>;
  /** What webhooks and the event feed report. */
  events: Array<EventType>;
  site: Site;
  /** The color of links and buttons on the checkout page; null: that of the gateway. */
  accent: string | null;
  /** Where customers get help; null: not shown. */
  supportUrl: string | null;
  /** The checkout page's language unless the customer has another; null: English. */
  defaultLanguage: Language | null;
  /** The logo; null: none. */
  paymentAppImage: ApplicationImage | null;
  /** When it was created. */
  createdAt: string;
  /** When it was soft-deleted; null while active. */
  deletedAt: string | null;
}

/** About the page. */
export interface PageMeta {
  pagination: Pagination;
}

/** The name of an event. */
export type EventType =
  | 'payment.received'
  | 'payment.completed'
  | 'payment.underpaid'
  | 'payment.refund'
  | 'payment.found'
  | 'payment.expired'
  | 'payment.cancelled'
  | 'wallet.changed'
  | 'payment.refund_requested';

/** A language of the checkout page. */
export type Language =
  | 'en'
  | 'es'
  | 'fr'
  | 'de'
  | 'pt-BR'
  | 'it'
  | 'nl'
  | 'pl'
  | 'ru'
  | 'tr'
  | 'ar'
  | 'fa'
  | 'hi'
  | 'id'
  | 'ja'
  | 'zh-Hans';

/** The logo of a payment application. */
export interface ApplicationLogo {
  /** The picture. */
  id: string;
  /** Where it is, for everybody. Another picture has another address, so it may be cached for good. */
  url: string;
  /** What it is served as. */
  mediaType: 'image/png' | 'image/svg+xml';
  /** Its bytes as it is served: of a PNG, without texts, times and camera data. */
  size: number;
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
  reviewReason: 'overpaid' | 'reorg' | 'funds_after_cancel' | null;
  /** Movements of funds to the payment, oldest first: all of them up to 25, otherwise the largest of each coin. The sums of the payment count all. */
  transactions: Array<Transaction>;
  /** Those that `transactions` leaves out, added up by coin and status; empty: none. */
  otherTransactions: Array<OtherTransactions>;
  /** How many there are: those of `transactions` and of `otherTransactions`. */
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
  reviewReason: 'overpaid' | 'reorg' | 'funds_after_cancel' | null;
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
  /** Those that `transactions` leaves out, added up by coin and status; empty: none. */
  otherTransactions: Array<OtherTransactions>;
  /** How many there are: those of `transactions` and of `otherTransactions`. */
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
  /** Its application; null: it is about a network. */
  paymentApplicationId: string | null;
  /** The payment; null: it is about a network or an endpoint. */
  payment: PaymentListItem | null;
  /** The refund of `refund_failed` and `refund_waits`. */
  refundId: string | null;
  /** The network of `chain_halted` and `traces_unread`. */
  blockchain: string | null;
  /** What you can do, the usual first. */
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
  /** Of an event, the status of its delivery as in the delivery log; null: there is none. */
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
  /** Why the transaction does not count: transaction_not_found: no node has seen it for 24 hours; transaction_failed: it was reverted; address_not_paid: it paid nothing to the address; wrong_asset: it paid the address something else; amount_too_low: it paid the address less than `payoutAmount`. Null unless FAILED. */
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

/** The record of a client token; never the token itself. */
export interface ClientToken {
  /** The record of the token; `tokenId` in paths. */
  id: string;
  /** The application that the token acts for. */
  paymentApplicationId: string;
  /** What you called it. */
  label: string;
  /** What it may do. */
  scopes: Array<Scope>;
  /** How the token begins, to recognize it. */
  tokenPrefix: string;
  /** When it ends; null: never. */
  expiresAt: string | null;
  /** When it was used last, to the minute. */
  lastUsedAt: string | null;
  /** When it was revoked. */
  revokedAt: string | null;
  /** When it was created. */
  createdAt: string;
}

/** What a client token may do; `*` is all. */
export type Scope = 'payments.create' | 'payments.get' | 'payments.user-instructions.get' | '*';

/** A new client token, shown this once. */
export interface NewClientToken {
  /** The token. Only its hash is kept. */
  token: string;
  /** The record of the token; `tokenId` in paths. */
  id: string;
  /** The application that the token acts for. */
  paymentApplicationId: string;
  /** What you called it. */
  label: string;
  /** What it may do. */
  scopes: Array<Scope>;
  /** How the token begins, to recognize it. */
  tokenPrefix: string;
  /** When it ends; null: never. */
  expiresAt: string | null;
  /** When it was used last, to the minute. */
  lastUsedAt: string | null;
  /** When it was revoked. */
  revokedAt: string | null;
  /** When it was created. */
  createdAt: string;
}

/** The extended public key that deposit addresses are derived from. */
export interface Wallet {
  /** The family of blockchains, e.g. `evm`: one key serves every chain of a family. */
  family: string;
  /** `pending`: the first key of an application that replaces your default wallet. No addresses come from it yet. */
  status: 'active' | 'pending';
  /** The address format; null for families that have only one. */
  scriptType: string | null;
  /** The key, masked. */
  extendedPublicKey: string;
  /** The fingerprint of the account key itself (BIP 32), to identify it. */
  fingerprint: string;
  /** The fingerprint of the master key, which most wallets show: as the descriptor states it that was set. Null: the key was set without its origin. Nothing proves it; compare the addresses. */
  masterFingerprint: string | null;
  /** The index of the next address. */
  nextIndex: number;
  /** The first addresses, to compare with your wallet software. Empty if the key belongs to another network than the one the gateway now uses, or waits. */
  previewAddresses: Array<string>;
  /** When somebody last confirmed that their wallet shows `previewAddresses`. Null: not since the key took effect. A change of the key clears it. */
  comparedAt: string | null;
  /** When the key was first set. */
  createdAt: string;
  /** When the key took effect. A time that you do not know is a warning. Null for changes from before this was recorded. */
  changedAt: string | null;
  changedBy: 'user' | 'server' | null;
  /** The fingerprint of the key that this one replaced; null: there was none. */
  previousFingerprint: string | null;
  /** A new key, or the removal, that waits (`WALLET_CHANGE_DELAY`). */
  pending: PendingWallet | null;
}

/** Whose key new payments of an application are paid to, in one family of blockchains. */
export interface Destination {
  /** The family of blockchains, e.g. `evm`. */
  family: string;
  owner: 'application' | 'account' | 'operator' | null;
  /** The fingerprint of the account key itself (BIP 32). */
  fingerprint: string | null;
  /** The fingerprint of the master key, which most wallets show. Null: its origin is not known. */
  masterFingerprint: string | null;
}

/** The funds that deposit addresses have received in one asset on one blockchain. */
export interface Holding {
  /** The slug of the blockchain. */
  blockchain: string;
  /** The currency. */
  currencyCode: string;
  /** The token contract; null for the native coin, and for a blockchain that the gateway is no longer configured for. */
  token: Token | null;
  /** The number of deposit addresses with confirmed funds in this asset. */
  addressCount: number;
  /** The confirmed total, in the units of the asset on this blockchain, including what was spent since. */
  receivedAmount: Amount;
  /** Seen but not yet confirmed; not part of `receivedAmount`. */
  pendingAmount: Amount;
  /** When the most recent transfer was first seen. */
  lastSeenAt: string;
}

/** Where the webhooks of an application are sent, and whether they arrive. */
export interface WebhookEndpoint {
  /** As it is saved now. */
  callbackUrl: string | null;
  /** Nothing is sent, and everything is kept. */
  paused: boolean;
  /** Since when. */
  pausedAt: string | null;
  /** GONE: it returned 410; resuming, or saving the `callbackUrl`, ends the pause. MERCHANT: you paused it; resuming ends the pause. */
  pausedBy: 'GONE' | 'MERCHANT' | null;
  /** Why it is paused. */
  pauseReason: string | null;
  /** The number of deliveries that have not ended, counted up to 10,000. */
  waiting: number;
  /** Failed attempts since the last success, counted over the newest 1,000 waiting and 1,000 given-up deliveries. */
  consecutiveFailures: number;
  /** The newest of these failures. */
  lastFailureAt: string | null;
  /** The reason of that failure. */
  lastError: string | null;
  /** When it last returned 2xx. */
  lastSuccessAt: string | null;
  /** Until when the secret before the last change signs too; no other secret is taken before that. Null: only the current one signs. */
  previousSecretUntil: string | null;
}

/** A test event that will be sent, and the problems that are known already. */
export interface WebhookTest {
  /** Why your server will refuse it, e.g. a `secret` that published verifiers cannot decode; in English. Usually empty. */
  warnings: Array<string>;
  /** Where the newest attempt was sent, or the next one will be. */
  url: string | null;
  /** The exact text that is signed and sent; for a viewer of the account, without the signatures of its links. */
  requestBody: string;
  /** The beginning of the response body of your server. */
  responseBody: string | null;
  /** A test event: nothing happened, and `paymentId` is the id of no payment. */
  test: boolean;
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
    | 'payment.cancelled';
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

/** A paid payment whose webhook your server has not acknowledged. */
export interface UnacknowledgedPayment {
  payment: PaymentListItem;
  /** When the payment entered RECEIVED. */
  receivedAt: string;
  /** How long ago that is, in seconds. */
  waitingSeconds: number;
  /** The delivery of `payment.received`; null: not created yet. */
  deliveryId: string | null;
  /** Its status, as in the delivery log. */
  deliveryStatus:
    'PENDING' | 'SUCCEEDED' | 'FAILED' | 'EXHAUSTED' | 'BLOCKED' | 'SKIPPED' | 'SUPERSEDED' | null;
  /** The number of attempts so far. */
  attempt: number;
  /** When the newest attempt started. */
  lastAttemptAt: string | null;
  /** The status that your server returned; null: no response. */
  httpStatus: number | null;
  /** Why the attempt failed. */
  errorMessage: string | null;
  /** When the next attempt is due; null: there is none. */
  nextAttemptAt: string | null;
}

/** One webhook, with its newest attempt. */
export interface WebhookDelivery {
  /** Where the newest attempt was sent, or the next one will be. */
  url: string | null;
  /** The exact text that is signed and sent; for a viewer of the account, without the signatures of its links. */
  requestBody: string;
  /** The beginning of the response body of your server. */
  responseBody: string | null;
  /** A test event: nothing happened, and `paymentId` is the id of no payment. */
  test: boolean;
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
    | 'payment.cancelled';
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

/** What a replay did. */
export interface WebhookReplay {
  /** The number of deliveries that are due now. */
  count: number;
  /** The last of them: `after` of the next request. Null: none. */
  lastDeliveryId: string | null;
  /** There may be more. */
  hasMore: boolean;
}

/** One HTTP request to your endpoint. */
export interface WebhookAttempt {
  /** Its number, from 1. */
  attempt: number;
  /** Where it was sent. */
  url: string;
  /** The status that your server returned; null: no response. */
  httpStatus: number | null;
  /** Why there was no response. */
  errorMessage: string | null;
  /** The headers that were sent, without the signatures, which are not stored. */
  requestHeaders: {
    /** The event. */
    'webhook-id': string;
    /** When this attempt started, in Unix seconds. */
    'webhook-timestamp': string;
    /** The name of the event. */
    'X-PaymentService-Event':
      | 'payment.received'
      | 'payment.completed'
      | 'payment.underpaid'
      | 'payment.refund'
      | 'payment.found'
      | 'payment.expired'
      | 'payment.cancelled';
    /** The same as `webhook-timestamp`. */
    'X-PaymentService-Timestamp': string;
    /** Only with a test event. */
    'X-PaymentService-Test'?: 'true' | undefined;
  };
  /** The exact text that was signed and sent; for a viewer of the account, without the signatures of its links. */
  requestBody: string;
  /** The first 4 KiB of the response body of your server. */
  responseBody: string | null;
  /** When it started, to the millisecond. */
  startedAt: string;
  /** Until there was a connection (host name, TCP, TLS), in milliseconds; close to 0 on a connection that was kept open. Null: there was no connection, or the attempt is older than this field. */
  connectMs: number | null;
  /** From the start to the response headers, in milliseconds. Null: none arrived, or the attempt is older than this field. */
  firstByteMs: number | null;
  /** From looking up your host name to the end of the response, in milliseconds. */
  durationMs: number;
}

/** One webhook, without what was sent and returned. */
export interface WebhookDeliverySummary {
  /** Its application; `id` in the paths of a delivery. */
  paymentApplicationId: string;
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
    | 'payment.cancelled';
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

/** A currency of amounts. */
export interface Currency {
  /** E.g. `USD`, `USDC`; case-sensitive. */
  code: string;
  /** Its name in English. */
  name: string;
  /** The type of the currency. */
  type: 'crypto' | 'fiat';
  /** Digits after the decimal point of amounts. */
  decimals: number;
  /** Its symbol; its code where it has none. */
  symbol: string;
  /** Crypto: this gateway accepts payments in it. Fiat: always true, since prices may be in any. */
  enabled: boolean;
  /** The smallest amount of a payment that is priced in it. */
  minAmount: Amount;
  /** The largest amount of such a payment. */
  maxAmount: Amount;
  /** The networks that it can be paid on; empty for fiat. */
  networks: Array<CurrencyNetwork>;
}

/** A blockchain that the gateway knows. */
export interface BlockchainDetails {
  /** Its name in paths and fields, e.g. `ethereum`. */
  slug: string;
  /** Its display name. */
  name: string;
  /** Its native coin. */
  nativeCurrencyCode: string;
  /** EIP-155 chain id; null where there is none. */
  chainId: number | null;
  /** Its kind, e.g. `evm`: `family` of wallets. */
  family: string;
  /** A test network: its coins are worthless. */
  testnet: boolean;
  /** This gateway accepts payments on it. */
  enabled: boolean;
  /** Whether payments on it are seen now; null where it is not `enabled`. */
  state: NetworkState | null;
  /** Blocks after which funds count. */
  confirmationsRequired: number;
  /** Blocks after which large amounts count. */
  confirmationTiers: Array<ConfirmationTier>;
  /** The bounds of `confirmations` of an application; null: not configurable, because the chain itself declares blocks final. */
  confirmationBounds: ConfirmationBounds | null;
  /** Average seconds between two blocks. */
  averageBlockSeconds: number;
  /** A pattern of addresses. It does not verify checksums. */
  addressRegex: string;
  /** The URL of a transaction: replace `{txHash}` by its hash. Null: no explorer is known. */
  explorerTxUrl: string | null;
}

/** An exchange rate. */
export interface Rate {
  /** The currency of which one whole unit is priced. */
  base: string;
  /** The currency of the price. */
  quote: string;
  /** Decimal text. */
  value: string;
  /** The source of the rate. */
  source: string;
  /** The time of the oldest price that it was computed from. */
  fetchedAt: string;
  /** Too old for a new payment. */
  stale: boolean;
}

/** The signed-in user. */
export interface Account {
  /** The user. */
  id: string;
  /** The address to sign in with. */
  email: string;
  /** Their name. */
  name: string | null;
  /** They operate this gateway. */
  isOperator: boolean;
  /** Signing in takes a second factor. */
  twoFactorEnabled: boolean;
  /** When the account was created. */
  createdAt: string;
  /** Sign-ins to this account that were refused for a wrong password or code, since the sign-in before the last one. */
  refusedSignIns: number;
  /** When the last of all refused ones was; null: there was none. */
  lastRefusedSignInAt: string | null;
}

/** An action in the audit log. Entries are never changed or deleted. */
export interface AuditEntry {
  /** Its number in the log of the whole gateway. */
  number: number;
  /** When it happened. */
  at: string;
  /** What was done. */
  act:
    | 'sign_in.succeeded'
    | 'sign_in.blocked'
    | 'user.created'
    | 'user.password_changed'
    | 'user.email_changed'
    | 'user.operator_granted'
    | 'user.operator_revoked'
    | 'user.disabled'
    | 'user.enabled'
    | 'user.restored'
    | 'user.transferred'
    | 'user.erased'
    | 'account.exported'
    | 'access_link.created'
    | 'access_link.used'
    | 'access_link.withdrawn'
    | 'member.added'
    | 'member.role_changed'
    | 'member.removed'
    | 'second_factor.enabled'
    | 'recovery_codes.replaced'
    | 'recovery_code.used'
    | 'second_factor.disabled'
    | 'oauth_client.created'
    | 'oauth_client.changed'
    | 'oauth_client.revoked'
    | 'oauth_token.issued'
    | 'oauth_token.revoked'
    | 'oauth_token.replayed'
    | 'session.ended'
    | 'sessions.ended'
    | 'client_token.created'
    | 'client_token.revoked'
    | 'application.created'
    | 'application.changed'
    | 'application.deleted'
    | 'application.restored'
    | 'wallet.activated'
    | 'wallet.removed'
    | 'wallet.change_requested'
    | 'wallet.change_applied'
    | 'wallet.change_cancelled'
    | 'wallet.compared'
    | 'wallet.comparison_failed'
    | 'payment.cancelled'
    | 'payment.accepted'
    | 'transfer.accepted'
    | 'refund.created'
    | 'refund.address_set'
    | 'refund.transaction_recorded'
    | 'refund.cancelled'
    | 'delivery.redelivered'
    | 'deliveries.replayed'
    | 'endpoint.paused'
    | 'endpoint.resumed'
    | 'wallets.skipped'
    | 'chain.rescanned'
    | 'chain.resumed'
    | 'chain.blocks_skipped'
    | 'secrets.resealed'
    | 'audit_log.resumed';
  actor: AuditActor;
  /** Null: it was about no object. */
  target: AuditTarget | null;
  /** More about it, by the kind of action; never a secret. */
  details: Record<string, unknown>;
  /** The network that the request came from: 24 bits of an IPv4 address, 48 of an IPv6 one. Null: no request, or one of a customer. */
  address: string | null;
  /** `X-Request-Id` of the request. */
  requestId: string | null;
  /** Number and hash, which covers this entry and all before it. Keep one: the operator checks with `verify:audit --head` that the log still contains it unchanged. */
  head: string;
}

/** A client of yours: it gets tokens by `client_credentials` that act for you. */
export interface OAuthClient {
  /** `client_id` at the token endpoint. */
  clientId: string;
  /** Its name. */
  name: string;
  /** What it may do. */
  scopes: Array<string>;
  /** When it was created. */
  createdAt: string;
}

/** A client with its secret, which is shown this once. */
export interface OAuthClientSecret {
  /** `client_secret` at the token endpoint. Store it now; it is never shown again. */
  clientSecret: string;
  /** `client_id` at the token endpoint. */
  clientId: string;
  /** Its name. */
  name: string;
  /** What it may do. */
  scopes: Array<string>;
  /** When it was created. */
  createdAt: string;
}

/** What the user has saved in a dashboard. */
export interface SavedViews {
  /** Texts by name, as they were sent. */
  views: Record<string, string>;
  /** When they were last saved; null: never. */
  updatedAt: string | null;
}

/** A program that you have signed in to, and that may act for you. */
export interface Session {
  /** The session; `sessionId` in paths. */
  id: string;
  /** The OAuth client. */
  clientId: string;
  /** Its name; null: it was removed. */
  clientName: string | null;
  /** What it may do. */
  scopes: Array<string>;
  /** When you signed in. */
  signedInAt: string;
  /** When it last fetched a token. */
  lastUsedAt: string;
  /** When it ends unless you sign in again. */
  expiresAt: string;
  /** The session of this request. */
  current: boolean;
}

/** What was ended. */
export interface EndedSessions {
  /** Sessions that have ended. */
  ended: number;
}

/** The second factor of a user. */
export interface TwoFactor {
  /** Signing in takes a code. */
  enabled: boolean;
  /** When it was enabled. */
  enabledAt: string | null;
  /** Unused recovery codes. */
  recoveryCodesLeft: number;
}

/** What an authenticator app needs; shown once. */
export interface TwoFactorEnrolment {
  /** The secret in base32, for typing. */
  secret: string;
  /** The `otpauth:` address, for opening the app. */
  uri: string;
  qrCode: QrCode;
}

/** New recovery codes; shown once. */
export interface RecoveryCodes {
  /** Each works once, instead of a code of the authenticator app. */
  recoveryCodes: Array<string>;
}

/** An invitation that can still be accepted. */
export interface Invitation {
  /** Its id. */
  id: string;
  /** For whom. */
  email: string;
  /** What they may do. */
  role: InvitedRole;
  /** When it was created. */
  createdAt: string;
  /** Seven days later. */
  expiresAt: string;
}

/** What a member may do in an account. */
export type InvitedRole = 'developer' | 'viewer';

/** An invitation with its link, which is shown this once. */
export interface NewInvitation {
  /** Give it to the invited person yourself: the gateway sends no mail. It works once. */
  url: string;
  /** Its id. */
  id: string;
  /** For whom. */
  email: string;
  /** What they may do. */
  role: InvitedRole;
  /** When it was created. */
  createdAt: string;
  /** Seven days later. */
  expiresAt: string;
}

/** An account in which you may act. */
export interface Membership {
  /** What you send as `X-Account`. */
  accountId: string;
  /** The email address of its owner. */
  email: string;
  /** The display name of its owner. */
  name: string | null;
  /** What you may do there. */
  role: AccountRole;
  /** Since when; of your own, when it was created. */
  createdAt: string;
}

/** Someone with rights in an account. */
export interface Member {
  /** The user. */
  userId: string;
  /** Their email address. */
  email: string;
  /** Their display name. */
  name: string | null;
  /** The owner comes first; there is exactly one. */
  role: AccountRole;
  /** Since when; of the owner, when the account was created. */
  createdAt: string;
}

/** A chain whose halt was ended. */
export interface ResumedChain {
  /** The chain. */
  blockchain: string;
  /** Why it was halted; null: it was not. */
  haltReason: string | null;
}

/** Funds at the address of a payment that was never quoted in their coin. */
export interface UnattributedFunds {
  /** The transfer. */
  id: string;
  /** The payment that the address belongs to. */
  paymentId: string;
  /** Its application. */
  paymentApplicationId: string;
  /** The name of the application. */
  applicationName: string;
  /** Its owner, who accepts or refunds the funds. */
  userId: string;
  /** The blockchain. */
  blockchain: string;
  /** The transaction. */
  txHash: string;
  /** How much. */
  amount: Amount;
  /** Whether it has enough blocks. */
  confirmed: boolean;
  /** When it was first seen. */
  seenAt: string;
}

/** A user as an operator sees it. */
export interface AdminUser {
  /** The user, and the account of the user. */
  id: string;
  /** The address to sign in with. */
  email: string;
  /** Whether the user can sign in. */
  state: UserAccountState;
  /** Whether the user has operator rights. */
  isOperator: boolean;
  /** Whether signing in takes a code. */
  twoFactorEnabled: boolean;
  /** Payment applications that are not deleted. */
  applications: number;
  /** When the user was created. */
  createdAt: string;
  /** The last sign-in; null: none yet. */
  lastSignInAt: string | null;
}

/** A link by which a user sets a new password. It is shown this once. */
export interface PasswordLink {
  /** Give it to the user yourself: the gateway sends no mail. It works once. */
  url: string;
  /** An hour later. */
  expiresAt: string;
}

/** The condition of a chain. */
export interface ChainReport {
  /** E.g. `ethereum`. */
  slug: string;
  /** Its name in English. */
  name: string;
  /** The most severe state that applies now; docs/how-to/operations.md says what to do. */
  state: 'ok' | 'unknown' | 'catching_up' | 'stalled' | 'unwatched' | 'unreachable' | 'halted';
  /** Null while nothing needs attention. */
  alert: ChainAlert | null;
  /** What is left; null unless it is `catching_up`. */
  catchUp: CatchUp | null;
  /** Whether checkout offers it. */
  acceptsPayments: boolean;
  /** Null before the first poll. */
  head: ChainHead | null;
  /** Null before the first block. */
  cursor: ChainCursor | null;
  /** Null before both are known. */
  lag: ChainLag | null;
  /** Null where no process has followed the chain yet. */
  lease: ChainLease | null;
  /** Null before the first poll. */
  endpoint: ChainEndpoint | null;
  /** Each endpoint of an EVM chain as the watcher last found it; other chains are read through one. */
  endpoints: Array<EndpointReport>;
  /** `not_traceable`: no endpoint shows payments by contracts, so checkout does not offer the native coin (`CHAIN_<SLUG>_NATIVE`). */
  nativeCoin: 'offered' | 'not_traceable';
  reorgs: ChainReorgs;
  /** Null unless it is halted. */
  halted: ChainHalt | null;
  /** Large transfers that are recorded, and do not count before a second endpoint or their block confirms them. */
  awaitingAgreement: number;
  /** Applied blocks of an EVM chain in which payments by contracts may be missing, because the traces could not be read yet. They are read again, and then credited. */
  unreadTraces: number;
  /** Seconds without a higher block after which the chain counts as stalled. Null: this is not checked. */
  stallSeconds: number | null;
}

/** The comparison of the records with the chains. */
export interface Reconciliation {
  /** Everything was compared, and nothing differs. */
  consistent: boolean;
  /** Everything was compared. */
  complete: boolean;
  /** When it began. */
  startedAt: string;
  /** When it ended. */
  finishedAt: string;
  /** Only payments that were created, could be paid or changed since then were compared, and those that differed before. Null: all. */
  since: string | null;
  /** When the interrupted run began that this one continues. Null: it continues none. */
  resumedAt: string | null;
  /** When the last run over all payments began that reached the end. */
  fullAt: string | null;
  /** How far each chain was compared. */
  chains: Array<ReconciledChain>;
  checked: ReconciliationCounts;
  /** All differences. */
  differenceCount: number;
  /** The first of them. */
  differences: Array<ReconciliationDifference>;
  /** All unattributed deposits. */
  unattributedCount: number;
  /** The first of them. */
  unattributed: Array<UnattributedDeposit>;
  /** Why something was left out. */
  notChecked: Array<string>;
}

/** The comparison that the gateway makes by itself. */
export interface ReconciliationSchedule {
  /** Seconds from the beginning of a run to the next one; 0: never. */
  intervalSeconds: number;
  /** When the run in progress began. Null: none is in progress. */
  startedAt: string | null;
  /** Payments that the run in progress has compared. */
  compared: number;
  /** The next run compares all payments, from the first one, because an operator asked for it. */
  fullRequested: boolean;
  /** All payments as they were then have been compared. Null: never. */
  comparedAt: string | null;
  /** When the last run over all payments began that reached the end. */
  fullAt: string | null;
  /** When the last run ended, by whomever it was made. */
  finishedAt: string | null;
  /** Differences that it found. */
  differenceCount: number | null;
  /** What it could not compare. */
  notCheckedCount: number | null;
}

/** A change of a wallet: its removal, or a key that replaces another or is the first. */
export interface WalletChange {
  /** `pending`: it takes effect at `effectiveAt`, and you can cancel it until then. `applied`: new addresses come from the new key. `cancelled`: the wallet stays as it was. */
  state: 'pending' | 'applied' | 'cancelled';
  /** The family of blockchains. */
  family: string;
  /** Whether it is your default wallet, which the application uses, or its own. */
  isDefaultWallet: boolean;
  /** The fingerprint of the new key. Null: the wallet is removed. */
  fingerprint: string | null;
  /** The fingerprint of the key before; null: the wallet had none. */
  previousFingerprint: string | null;
  /** When it takes effect, or did at the earliest. */
  effectiveAt: string;
  /** Who asked for it: a user who had signed in, or a server. */
  requestedBy: 'user' | 'server';
}

/** The site of a payment application. */
export interface Site {
  /** The site; `siteId` of a checkout. Not the id of the application. */
  id: string;
  /** The name that customers see. */
  title: string;
  /** The website of the shop. */
  url: string | null;
  /** Where webhooks go; null: no webhooks. */
  callbackUrl: string | null;
  setting: SiteSetting;
}

/** A picture. */
export interface ApplicationImage {
  /** The picture. */
  id: string;
  /** Where it is. */
  url: string;
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

/** reorg: a reorganization removed funds of a payment that was reported to you as paid. shop_not_told: paid, and your webhook fails. refund_failed: the transaction of a refund has not paid. refund_waits: a refund waits for you to send it. unmatched_funds: funds on another network or in another coin than requested. funds_after_end: a closed payment has funds. overpaid_held: more than the amount, which waits for your decision. late_funds: funds after the rate lock, and the payment is not paid. underpaid: less than the amount. */
export type PaymentAttention =
  | 'reorg'
  | 'shop_not_told'
  | 'refund_failed'
  | 'refund_waits'
  | 'unmatched_funds'
  | 'funds_after_end'
  | 'overpaid_held'
  | 'late_funds'
  | 'underpaid';

/** About the newest event of the payment. nothing_to_tell: there is none. waiting: no attempt yet. told: your webhook returned 2xx. retrying: it has failed so far. failed: no more attempts. no_endpoint: there is no callback URL. unknown: the delivery is no longer kept. */
export type ShopTold =
  'nothing_to_tell' | 'waiting' | 'told' | 'retrying' | 'failed' | 'no_endpoint' | 'unknown';

/** How an address is derived from an extended public key. */
export interface Derivation {
  /** The fingerprint of the account key itself (BIP32). */
  keyFingerprint: string;
  /** The fingerprint of the master key, which most wallets show. Null: the origin of the key is not known. */
  masterFingerprint: string | null;
  /** Whose key it is: the wallet of the application, the default wallet of your account, or a key of the operator of this gateway, from whom you have to get the money. */
  keyOwner: 'application' | 'account' | 'operator';
  /** The index of the address. */
  index: number;
  /** The path below that key. */
  path: string;
  /** The usual path in a wallet, by BIP 44, 49, 84 or 86. A key does not tell where it comes from, so that of a wallet with paths of its own is another one; `path` is always right. */
  walletPath: string;
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
}

/** Worst first. reorg, shop_not_told, refund_failed, refund_waits, unmatched_funds, funds_after_end, overpaid_held, late_funds and underpaid are those of PaymentAttention. endpoint_paused: your server gets no webhooks. chain_halted: the gateway does not see payments on a network now. traces_unread: what contracts paid in some blocks of a network is not known yet; it is credited once it is. */
export type AttentionKind =
  | 'reorg'
  | 'endpoint_paused'
  | 'shop_not_told'
  | 'chain_halted'
  | 'traces_unread'
  | 'refund_failed'
  | 'refund_waits'
  | 'unmatched_funds'
  | 'funds_after_end'
  | 'overpaid_held'
  | 'late_funds'
  | 'underpaid';

/** Something that can be done, as a request of this API. */
export interface AttentionAction {
  /** resume, test, redeliver, accept, accept_transfer, refund, record_transaction, set_address, cancel_refund, timeline or blockchain. */
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

/** A change that will take effect. Until then it can be cancelled. */
export interface PendingWallet {
  /** The fingerprint of the new key. Null: the wallet will be removed. */
  fingerprint: string | null;
  /** The new key, masked. Null: the wallet will be removed. */
  maskedKey: string | null;
  /** When it takes effect. */
  effectiveAt: string;
  /** Who asked for it: a user who had signed in, or a server. */
  requestedBy: 'user' | 'server';
}

/** A coin or token on one blockchain. */
export interface CurrencyNetwork {
  /** The slug of the blockchain. */
  blockchain: string;
  /** `provider` in the path of payment instructions. */
  provider: string;
  /** `method` in that path. */
  method: string;
  /** E.g. `ERC-20`; null for the native coin. */
  tokenStandard: string | null;
  /** The contract; null for the native coin. */
  contractAddress: string | null;
  /** On this blockchain, which may differ from those of the currency. */
  decimals: number;
  /** This gateway accepts payments in it. */
  enabled: boolean;
}

/** Whether payments on a blockchain are seen now. */
export interface NetworkState {
  /** `CATCHING_UP`: the node of the gateway does not have the newest blocks yet. `DELAYED`: the network makes no blocks. `UNAVAILABLE`: the gateway does not see payments on it. */
  status: 'OPERATIONAL' | 'CATCHING_UP' | 'DELAYED' | 'UNAVAILABLE';
  /** When that began; null while it is `OPERATIONAL`. */
  since: string | null;
  /** Why, in English; null while it is `OPERATIONAL`. */
  reason: string | null;
  /** What is left; null unless it is `CATCHING_UP`. */
  catchUp: CatchUp | null;
  /** The checkout offers it now. */
  acceptsPayments: boolean;
}

/** The confirmations of amounts above a limit. */
export interface ConfirmationTier {
  /** The coin or token. */
  currencyCode: string;
  /** The smallest amount that it applies to. */
  amount: Amount;
  /** Blocks after which such amounts count, or usually count where `finality` is set. */
  confirmations: number;
  finality: 'safe' | 'finalized' | null;
}

/** A range of blocks, both ends included. */
export interface ConfirmationBounds {
  /** The minimum. */
  min: number;
  /** The maximum. */
  max: number;
}

/** Who acted. */
export interface AuditActor {
  /** `operator` is the command line of the gateway, `customer` anyone who holds a signed link, `system` the gateway itself. */
  kind: 'user' | 'oauth_client' | 'client_token' | 'operator' | 'customer' | 'anonymous' | 'system';
  /** The user, OAuth client or client token; null for the others. */
  id: string | null;
}

/** What it was about. */
export interface AuditTarget {
  /** The kind of object. */
  kind: string;
  /** Its id. */
  id: string;
}

/** What someone may do in an account. */
export type AccountRole = 'owner' | 'developer' | 'viewer';

/** active: can sign in. disabled: cannot, and no token works. erased: the personal data are gone, for good. changed: another program changed the row, and the user is refused until `restore-user` of the command line. */
export type UserAccountState = 'active' | 'disabled' | 'erased' | 'changed';

/** A state that needs attention. */
export interface ChainAlert {
  /** The state, or `traces_unread` where only that is left to do. */
  code: string;
  /** The same for people. */
  message: string;
}

/** What the node of a blockchain has yet to read. */
export interface CatchUp {
  /** Blocks, by the node or by the age of its newest block. */
  blocksLeft: number;
  /** Estimated seconds at the pace so far; null while none is known. */
  secondsLeft: number | null;
}

/** The newest block of the node. */
export interface ChainHead {
  /** Its height. */
  height: number;
  /** Its hash. */
  hash: string;
  /** When the highest block so far was first seen. */
  roseAt: string | null;
}

/** The newest block that the gateway has applied. */
export interface ChainCursor {
  /** Its height. */
  height: number;
  /** Its hash. */
  hash: string;
  /** The time in the block. */
  blockTime: string | null;
  /** When it was applied. */
  movedAt: string | null;
}

/** What is still to be applied. */
export interface ChainLag {
  /** Blocks between cursor and head. */
  blocks: number;
  /** The age of the cursor's block while blocks wait, else 0. */
  seconds: number | null;
}

/** The process that follows the chain. */
export interface ChainLease {
  /** Its name. */
  holder: string;
  /** When the lease expires, unless it is renewed. */
  expiresAt: string | null;
  /** Whether it holds the lease now; false: no process does. */
  held: boolean;
}

/** The last response of the node. */
export interface ChainEndpoint {
  /** Whether it was correct. */
  ok: boolean;
  /** What was wrong. */
  error: string | null;
  /** Since when. */
  since: string | null;
  /** When it was last polled. */
  checkedAt: string | null;
}

/** One endpoint of a chain; its address is never shown. */
export interface EndpointReport {
  /** Its place in `CHAIN_<SLUG>_RPC_URL`, from 1. */
  position: number;
  /** `unasked`: not used yet. `lagging`: does not have the newest blocks. `limited`: limits the rate of requests. `resting`: failed recently, used only when no other responds. `refused`: of another chain. */
  state: 'unasked' | 'ok' | 'lagging' | 'limited' | 'resting' | 'refused';
  /** Consecutive failures. */
  failures: number;
  /** Its last failure. */
  lastError: string | null;
  /** Its newest block. */
  tipHeight: number | null;
  /** Blocks behind the best endpoint. */
  lagBlocks: number | null;
  /** Null before it was probed. */
  capabilities: EndpointCapabilities | null;
  /** What the operator has to provide: methods or data that the node, or the plan of its provider, lacks. */
  needs: Array<string>;
}

/** Applied blocks that were reverted by a reorganization of the chain. */
export interface ChainReorgs {
  /** How often. */
  count: number;
  /** The most blocks at once. */
  deepest: number;
  /** When last. */
  lastAt: string | null;
}

/** Why the chain is halted until an operator decides. */
export interface ChainHalt {
  /** Since when. */
  since: string | null;
  /** The reason. */
  reason: string;
}

/** How far one chain was compared. */
export interface ReconciledChain {
  /** E.g. `ethereum`. */
  slug: string;
  /** The height of the cursor. */
  height: number | null;
  /** The hash of that block. */
  hash: string | null;
  /** The chain waits for an operator. */
  halted: boolean;
  /** Why it could not be compared. */
  problem: string | null;
}

/** How much was compared. */
export interface ReconciliationCounts {
  /** Payments. */
  payments: number;
  /** Entries of status histories. */
  statusEntries: number;
  /** Events. */
  events: number;
  /** Rate locks. */
  quotes: number;
  /** Recorded transfers. */
  transfers: number;
  /** Of these, those that were looked up on their chain. */
  transfersOnChain: number;
  /** Deposit addresses. */
  depositAddresses: number;
  /** Balances: each of one address and one asset. */
  balances: number;
  /** Of these, those of addresses that have spent. */
  balancesSpent: number;
}

/** A difference between the records and the chain. */
export interface ReconciliationDifference {
  /** The kind of check that found it; docs/how-to/operations.md lists them. */
  check: string;
  /** Its chain. */
  chain: string | null;
  /** Its payment. */
  paymentId: string | null;
  /** The subject, within the payment or the chain. */
  subject: string;
  /** What follows from the chain or from the recorded facts. */
  expected: string;
  /** What the records say. */
  found: string;
}

/** Funds in an asset that the payment was never quoted in. */
export interface UnattributedDeposit {
  /** The payment that the deposit address belongs to. */
  paymentId: string;
  /** The chain. */
  chain: string;
  /** The deposit address. */
  address: string;
  /** The transaction. */
  txHash: string;
  /** The place in it. */
  ordinal: string;
  /** `native`, or the token contract. */
  asset: string;
  /** The currency. */
  currencyCode: string;
  /** Whether it has enough confirmations. */
  state: 'pending' | 'confirmed';
  amount: Amount;
}

/** Which payments are accepted. */
export interface SiteSetting {
  /** The settings. */
  id: string;
  /** Their name. */
  title: string;
  /** Payments above their amount are completed without a decision. */
  allowOverpay: boolean;
  /** Payments below their amount are accepted. */
  allowUnderpay: boolean;
  /** Blocks after which funds count, by slug of the blockchain; the others have their default. */
  confirmations: Record<string, number>;
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

/** The features of an endpoint. */
export interface EndpointCapabilities {
  /** How transfers of the native coin are found. */
  native: 'trace_block' | 'debug_traceBlockByHash' | 'transactions';
  /** It supports `eth_getBlockReceipts`. */
  blockReceipts: boolean;
  /** It names the finalized block. */
  finalizedTag: boolean;
  /** It names the safe block. */
  safeTag: boolean;
  /** The largest number of blocks that one `eth_getLogs` was seen to span. */
  logRange: number;
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
  | WalletChangedEvent
  | PaymentRefundRequestedEvent;

/** Parameters, body and response of every operation, by its id. */
export interface Operations {
  /** List payment applications: `GET /api/payment-applications` */
  listPaymentApplications: {
    query: {
      /** `with`: soft-deleted ones too; `only`: nothing else; without it only active ones. */
      trashed?: 'with' | 'only' | undefined;
      /** The page, counted from 1, which it is unless set. A page past the end is empty. */
      page?: number | undefined;
      /** Items a page; 20, unless set. */
      per_page?: number | undefined;
    };
    response: PaymentApplicationListOrPage;
  };
  /** Create a payment application: `POST /api/payment-applications` */
  createPaymentApplication: {
    body: CreatePaymentApplication;
    response: PaymentApplicationData;
  };
  /** Get a payment application: `GET /api/payment-applications/{id}` */
  getPaymentApplication: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    response: PaymentApplicationData;
  };
  /** Update a payment application: `PUT /api/payment-applications/{id}` */
  updatePaymentApplication: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    body: UpdatePaymentApplication;
    response: PaymentApplicationData;
  };
  /** Soft-delete a payment application: `DELETE /api/payment-applications/{id}` */
  deletePaymentApplication: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    response: PaymentApplicationData;
  };
  /** Restore a payment application: `POST /api/payment-applications/{id}/restore` */
  restorePaymentApplication: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    response: PaymentApplicationData;
  };
  /** Get the logo: `GET /api/payment-applications/{id}/logo` */
  getApplicationLogo: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    response: ApplicationLogoData;
  };
  /** Set the logo: `PUT /api/payment-applications/{id}/logo` */
  putApplicationLogo: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    body: PutApplicationLogo;
    response: ApplicationLogoData;
  };
  /** Remove the logo: `DELETE /api/payment-applications/{id}/logo` */
  deleteApplicationLogo: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    response: undefined;
  };
  /** Export payments: `GET /api/payment/export` */
  exportPayments: {
    query: {
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
      reviewReason?: 'overpaid' | 'reorg' | 'funds_after_cancel' | undefined;
      /** With (`true`) or without (`false`) funds after the rate lock and its grace. */
      late?: boolean | undefined;
      /** Whose link has expired while funds are there that do not pay it in full (`true`), or all others (`false`). */
      expiredWithFunds?: boolean | undefined;
      /** Only those with (`true`) or without (`false`) funds on another network or in another coin than requested that you have neither accepted nor give back. */
      unmatchedFunds?: boolean | undefined;
      /** `csv` for spreadsheets, `jsonl` for programs: one JSON object a line. */
      format?: 'csv' | 'jsonl' | undefined;
    };
    response: PaymentExportRow;
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
      reviewReason?: 'overpaid' | 'reorg' | 'funds_after_cancel' | undefined;
      /** With (`true`) or without (`false`) funds after the rate lock and its grace. */
      late?: boolean | undefined;
      /** Whose link has expired while funds are there that do not pay it in full (`true`), or all others (`false`). */
      expiredWithFunds?: boolean | undefined;
      /** Only those with (`true`) or without (`false`) funds on another network or in another coin than requested that you have neither accepted nor give back. */
      unmatchedFunds?: boolean | undefined;
      /** A payment id, or the beginning of a reference, an address or a transaction hash, in any letter case. While `hasMore` is true, a page of a search that fits more than 1,000 payments may be short, or empty. */
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
            | 'reorg'
            | 'endpoint_paused'
            | 'shop_not_told'
            | 'chain_halted'
            | 'traces_unread'
            | 'refund_failed'
            | 'refund_waits'
            | 'unmatched_funds'
            | 'funds_after_end'
            | 'overpaid_held'
            | 'late_funds'
            | 'underpaid'
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
      /** `csv` for spreadsheets, `jsonl` for programs: one JSON object a line. */
      format?: 'csv' | 'jsonl' | undefined;
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
  /** List client tokens: `GET /api/payment-applications/{id}/client-tokens` */
  listClientTokens: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    query: {
      /** The page, counted from 1, which it is unless set. A page past the end is empty. */
      page?: number | undefined;
      /** Items a page; 20, unless set. */
      per_page?: number | undefined;
    };
    response: ClientTokenPage;
  };
  /** Create a client token: `POST /api/payment-applications/{id}/client-tokens` */
  createClientToken: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    body: CreateClientToken;
    response: NewClientTokenData;
  };
  /** Get the record of a client token: `GET /api/payment-applications/{id}/client-tokens/{tokenId}` */
  getClientToken: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
      /** The record of the client token. */
      tokenId: string;
    };
    response: ClientTokenData;
  };
  /** Revoke a client token: `DELETE /api/payment-applications/{id}/client-tokens/{tokenId}` */
  revokeClientToken: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
      /** The record of the client token. */
      tokenId: string;
    };
    response: undefined;
  };
  /** List wallets: `GET /api/payment-applications/{id}/wallets` */
  listWallets: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    response: WalletList;
  };
  /** Get a wallet: `GET /api/payment-applications/{id}/wallets/{family}` */
  getWallet: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
      /** The family of blockchains; `evm` covers Ethereum and all EVM-compatible chains. */
      family: string;
    };
    response: WalletData;
  };
  /** Set a wallet: `PUT /api/payment-applications/{id}/wallets/{family}` */
  putWallet: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
      /** The family of blockchains; `evm` covers Ethereum and all EVM-compatible chains. */
      family: string;
    };
    body: PutWallet;
    response: WalletData;
  };
  /** Remove a wallet: `DELETE /api/payment-applications/{id}/wallets/{family}` */
  deleteWallet: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
      /** The family of blockchains; `evm` covers Ethereum and all EVM-compatible chains. */
      family: string;
    };
    response: undefined;
  };
  /** Confirm the addresses of a wallet: `PUT /api/payment-applications/{id}/wallets/{family}/comparison` */
  compareWallet: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
      /** The family of blockchains; `evm` covers Ethereum and all EVM-compatible chains. */
      family: string;
    };
    body: CompareWallet;
    response: WalletData;
  };
  /** Cancel a change of a wallet: `DELETE /api/payment-applications/{id}/wallets/{family}/pending` */
  cancelWalletChange: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
      /** The family of blockchains; `evm` covers Ethereum and all EVM-compatible chains. */
      family: string;
    };
    response: undefined;
  };
  /** List destinations: `GET /api/payment-applications/{id}/destinations` */
  listDestinations: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    response: DestinationList;
  };
  /** List received funds: `GET /api/payment-applications/{id}/holdings` */
  listHoldings: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    response: HoldingList;
  };
  /** Export webhook deliveries: `GET /api/webhook-deliveries/export` */
  exportWebhookDeliveries: {
    query: {
      /** Only deliveries to this application. */
      paymentApplicationId?: string | undefined;
      /** Only deliveries about this payment. */
      paymentId?: string | undefined;
      /** Only deliveries of this event. */
      event?:
        | 'payment.received'
        | 'payment.completed'
        | 'payment.underpaid'
        | 'payment.refund'
        | 'payment.found'
        | 'payment.expired'
        | 'payment.cancelled'
        | undefined;
      /** Only deliveries in this status. */
      status?:
        'PENDING' | 'SUCCEEDED' | 'FAILED' | 'EXHAUSTED' | 'BLOCKED' | 'SKIPPED' | 'SUPERSEDED' | undefined;
      /** At this time or later; with a time zone. */
      from?: string | undefined;
      /** At this time or earlier; with a time zone. */
      to?: string | undefined;
      /** `csv` for spreadsheets, `jsonl` for programs: one JSON object a line. */
      format?: 'csv' | 'jsonl' | undefined;
    };
    response: DeliveryExportRow;
  };
  /** Get the state of the webhook endpoint: `GET /api/payment-applications/{id}/webhook-endpoint` */
  getWebhookEndpoint: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    response: WebhookEndpointData;
  };
  /** Pause webhooks: `POST /api/payment-applications/{id}/webhook-endpoint/pause` */
  pauseWebhooks: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    body?: PauseWebhooks | undefined;
    response: WebhookEndpointData;
  };
  /** Resume webhooks: `POST /api/payment-applications/{id}/webhook-endpoint/resume` */
  resumeWebhooks: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    response: WebhookEndpointData;
  };
  /** End the previous secret: `POST /api/payment-applications/{id}/webhook-endpoint/end-previous-secret` */
  endPreviousSecret: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    response: WebhookEndpointData;
  };
  /** Send a test event: `POST /api/payment-applications/{id}/webhook-test` */
  testWebhook: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    body: TestWebhook;
    response: WebhookTestData;
  };
  /** List payments that the shop has not acknowledged: `GET /api/payment-applications/{id}/unacknowledged-payments` */
  listUnacknowledgedPayments: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    query: {
      /** The page, counted from 1, which it is unless set. A page past the end is empty. */
      page?: number | undefined;
      /** Items a page; 20, unless set. */
      per_page?: number | undefined;
    };
    response: UnacknowledgedPaymentPage;
  };
  /** List webhook deliveries: `GET /api/payment-applications/{id}/webhook-deliveries` */
  listWebhookDeliveries: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    query: {
      /** Only deliveries about this payment. */
      paymentId?: string | undefined;
      /** Only deliveries of this event. */
      event?:
        | 'payment.received'
        | 'payment.completed'
        | 'payment.underpaid'
        | 'payment.refund'
        | 'payment.found'
        | 'payment.expired'
        | 'payment.cancelled'
        | undefined;
      /** Only deliveries in this status. */
      status?:
        'PENDING' | 'SUCCEEDED' | 'FAILED' | 'EXHAUSTED' | 'BLOCKED' | 'SKIPPED' | 'SUPERSEDED' | undefined;
      /** Test events instead of real ones. */
      test?: boolean | undefined;
      /** The page, counted from 1, which it is unless set. A page past the end is empty. */
      page?: number | undefined;
      /** Items a page; 20, unless set. */
      per_page?: number | undefined;
    };
    response: WebhookDeliveryPage;
  };
  /** Deliver everything that failed again: `POST /api/payment-applications/{id}/webhook-deliveries/replay` */
  replayWebhooks: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    body: ReplayWebhooks;
    response: WebhookReplayData;
  };
  /** Get a webhook delivery: `GET /api/payment-applications/{id}/webhook-deliveries/{deliveryId}` */
  getWebhookDelivery: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
      /** The delivery. */
      deliveryId: string;
    };
    response: WebhookDeliveryData;
  };
  /** List the attempts of a webhook delivery: `GET /api/payment-applications/{id}/webhook-deliveries/{deliveryId}/attempts` */
  listWebhookAttempts: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
      /** The delivery. */
      deliveryId: string;
    };
    query: {
      /** The page, counted from 1, which it is unless set. A page past the end is empty. */
      page?: number | undefined;
      /** Items a page; 20, unless set. */
      per_page?: number | undefined;
    };
    response: WebhookAttemptPage;
  };
  /** Deliver a webhook again: `POST /api/payment-applications/{id}/webhook-deliveries/{deliveryId}/redeliver` */
  redeliverWebhook: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
      /** The delivery. */
      deliveryId: string;
    };
    response: WebhookDeliveryData;
  };
  /** List webhook deliveries of all applications: `GET /api/webhook-deliveries` */
  listAllWebhookDeliveries: {
    query: {
      /** Only of these applications, separated by commas; an unknown one has nothing. */
      paymentApplicationId?: Array<string> | undefined;
      /** Only deliveries about this payment. */
      paymentId?: string | undefined;
      /** Only deliveries of this event. */
      event?:
        | 'payment.received'
        | 'payment.completed'
        | 'payment.underpaid'
        | 'payment.refund'
        | 'payment.found'
        | 'payment.expired'
        | 'payment.cancelled'
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
  /** List currencies: `GET /api/currencies` */
  listCurrencies: {
    query: {
      /** Only currencies of this type. */
      type?: 'crypto' | 'fiat' | undefined;
    };
    response: CurrencyList;
  };
  /** Get a currency: `GET /api/currencies/{code}` */
  getCurrency: {
    path: {
      /** The currency; case-sensitive. */
      code: string;
    };
    response: CurrencyData;
  };
  /** List blockchains: `GET /api/blockchains` */
  listBlockchains: {
    response: BlockchainDetailsList;
  };
  /** Get a blockchain: `GET /api/blockchains/{slug}` */
  getBlockchain: {
    path: {
      /** The blockchain. */
      slug: string;
    };
    response: BlockchainDetailsData;
  };
  /** Get exchange rates: `GET /api/rates` */
  listRates: {
    query: {
      /** The currency to price. */
      base: string;
      /** The currencies of the prices, separated by commas. */
      quote: Array<string>;
    };
    response: RateList;
  };
  /** List your default wallets: `GET /api/account/wallets` */
  listAccountWallets: {
    response: WalletList;
  };
  /** Get a default wallet: `GET /api/account/wallets/{family}` */
  getAccountWallet: {
    path: {
      /** The family of blockchains; `evm` covers Ethereum and all EVM-compatible chains. */
      family: string;
    };
    response: WalletData;
  };
  /** Set a default wallet: `PUT /api/account/wallets/{family}` */
  putAccountWallet: {
    path: {
      /** The family of blockchains; `evm` covers Ethereum and all EVM-compatible chains. */
      family: string;
    };
    body: PutWallet;
    response: WalletData;
  };
  /** Remove a default wallet: `DELETE /api/account/wallets/{family}` */
  deleteAccountWallet: {
    path: {
      /** The family of blockchains; `evm` covers Ethereum and all EVM-compatible chains. */
      family: string;
    };
    response: undefined;
  };
  /** Confirm the addresses of your default wallet: `PUT /api/account/wallets/{family}/comparison` */
  compareAccountWallet: {
    path: {
      /** The family of blockchains; `evm` covers Ethereum and all EVM-compatible chains. */
      family: string;
    };
    body: CompareWallet;
    response: WalletData;
  };
  /** Cancel a change of a default wallet: `DELETE /api/account/wallets/{family}/pending` */
  cancelAccountWalletChange: {
    path: {
      /** The family of blockchains; `evm` covers Ethereum and all EVM-compatible chains. */
      family: string;
    };
    response: undefined;
  };
  /** Get your account: `GET /api/account` */
  getAccount: {
    response: AccountData;
  };
  /** Update your account: `PUT /api/account` */
  updateAccount: {
    body: UpdateAccount;
    response: AccountData;
  };
  /** Change your password: `POST /api/account/password` */
  changePassword: {
    body: ChangePassword;
    response: undefined;
  };
  /** List what was done in your account: `GET /api/audit` */
  listAuditEntries: {
    query: {
      /** `meta.cursor.next` of the previous response; without it, from the newest on. */
      after?: string | undefined;
      /** How many entries at most. */
      limit?: number | undefined;
      /** Only this action. */
      act?:
        | 'sign_in.succeeded'
        | 'sign_in.blocked'
        | 'user.created'
        | 'user.password_changed'
        | 'user.email_changed'
        | 'user.operator_granted'
        | 'user.operator_revoked'
        | 'user.disabled'
        | 'user.enabled'
        | 'user.restored'
        | 'user.transferred'
        | 'user.erased'
        | 'account.exported'
        | 'access_link.created'
        | 'access_link.used'
        | 'access_link.withdrawn'
        | 'member.added'
        | 'member.role_changed'
        | 'member.removed'
        | 'second_factor.enabled'
        | 'recovery_codes.replaced'
        | 'recovery_code.used'
        | 'second_factor.disabled'
        | 'oauth_client.created'
        | 'oauth_client.changed'
        | 'oauth_client.revoked'
        | 'oauth_token.issued'
        | 'oauth_token.revoked'
        | 'oauth_token.replayed'
        | 'session.ended'
        | 'sessions.ended'
        | 'client_token.created'
        | 'client_token.revoked'
        | 'application.created'
        | 'application.changed'
        | 'application.deleted'
        | 'application.restored'
        | 'wallet.activated'
        | 'wallet.removed'
        | 'wallet.change_requested'
        | 'wallet.change_applied'
        | 'wallet.change_cancelled'
        | 'wallet.compared'
        | 'wallet.comparison_failed'
        | 'payment.cancelled'
        | 'payment.accepted'
        | 'transfer.accepted'
        | 'refund.created'
        | 'refund.address_set'
        | 'refund.transaction_recorded'
        | 'refund.cancelled'
        | 'delivery.redelivered'
        | 'deliveries.replayed'
        | 'endpoint.paused'
        | 'endpoint.resumed'
        | 'wallets.skipped'
        | 'chain.rescanned'
        | 'chain.resumed'
        | 'chain.blocks_skipped'
        | 'secrets.resealed'
        | 'audit_log.resumed'
        | undefined;
      /** Only about this kind of object, e.g. `application`. */
      targetKind?: string | undefined;
      /** Only about the object with this id. */
      targetId?: string | undefined;
      /** At this time or later; with a time zone. */
      from?: string | undefined;
      /** At this time or earlier; with a time zone. */
      to?: string | undefined;
    };
    response: AuditEntryCursorPage;
  };
  /** List your OAuth clients: `GET /api/account/oauth-clients` */
  listOAuthClients: {
    response: OAuthClientList;
  };
  /** Create an OAuth client: `POST /api/account/oauth-clients` */
  createOAuthClient: {
    body: CreateOAuthClient;
    response: OAuthClientSecretData;
  };
  /** Replace the secret of an OAuth client: `POST /api/account/oauth-clients/{clientId}/rotate-secret` */
  rotateOAuthClientSecret: {
    path: {
      /** The client. */
      clientId: string;
    };
    response: OAuthClientSecretData;
  };
  /** Delete an OAuth client: `DELETE /api/account/oauth-clients/{clientId}` */
  deleteOAuthClient: {
    path: {
      /** The client. */
      clientId: string;
    };
    response: undefined;
  };
  /** Get your saved views: `GET /api/account/saved-views` */
  getSavedViews: {
    response: SavedViewsData;
  };
  /** Save your views: `PUT /api/account/saved-views` */
  saveViews: {
    body: SaveViews;
    response: SavedViewsData;
  };
  /** List your sessions: `GET /api/account/sessions` */
  listSessions: {
    response: SessionList;
  };
  /** End a session: `DELETE /api/account/sessions/{sessionId}` */
  endSession: {
    path: {
      /** The session. */
      sessionId: string;
    };
    response: undefined;
  };
  /** End all other sessions: `POST /api/account/sessions/end-others` */
  endOtherSessions: {
    response: EndedSessionsData;
  };
  /** Get the state of your second factor: `GET /api/account/two-factor` */
  getTwoFactor: {
    response: TwoFactorData;
  };
  /** Begin with a second factor: `POST /api/account/two-factor` */
  enrolTwoFactor: {
    body: EnrolTwoFactor;
    response: TwoFactorEnrolmentData;
  };
  /** Confirm a second factor: `POST /api/account/two-factor/confirm` */
  confirmTwoFactor: {
    body: ConfirmTwoFactor;
    response: RecoveryCodesData;
  };
  /** Make new recovery codes: `POST /api/account/two-factor/recovery-codes` */
  regenerateRecoveryCodes: {
    body: ChangeTwoFactor;
    response: RecoveryCodesData;
  };
  /** End a second factor: `POST /api/account/two-factor/disable` */
  disableTwoFactor: {
    body: ChangeTwoFactor;
    response: undefined;
  };
  /** List open invitations: `GET /api/account/invitations` */
  listInvitations: {
    response: InvitationList;
  };
  /** Invite someone: `POST /api/account/invitations` */
  createInvitation: {
    body: CreateInvitation;
    response: NewInvitationData;
  };
  /** Withdraw an invitation: `DELETE /api/account/invitations/{invitationId}` */
  withdrawInvitation: {
    path: {
      /** The invitation. */
      invitationId: string;
    };
    response: undefined;
  };
  /** Accept an invitation: `POST /api/account/invitations/accept` */
  acceptInvitation: {
    body: AcceptInvitation;
    response: MembershipData;
  };
  /** List the members of an account: `GET /api/account/members` */
  listMembers: {
    response: MemberList;
  };
  /** Change the role of a member: `PUT /api/account/members/{userId}` */
  updateMember: {
    path: {
      /** The member. */
      userId: string;
    };
    body: UpdateMember;
    response: MemberData;
  };
  /** Remove a member: `DELETE /api/account/members/{userId}` */
  removeMember: {
    path: {
      /** The member. */
      userId: string;
    };
    response: undefined;
  };
  /** List the accounts in which you may act: `GET /api/account/memberships` */
  listMemberships: {
    response: MembershipList;
  };
  /** Leave an account: `DELETE /api/account/memberships/{accountId}` */
  leaveAccount: {
    path: {
      /** The account. */
      accountId: string;
    };
    response: undefined;
  };
  /** End the halt of a chain: `POST /api/admin/chains/{slug}/resume` */
  resumeChain: {
    path: {
      /** The chain. */
      slug: string;
    };
    response: ResumedChainData;
  };
  /** Deliver again what failed for an application of anyone: `POST /api/admin/payment-applications/{id}/webhook-deliveries/replay` */
  replayWebhooksOfAnyone: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    body: ReplayWebhooks;
    response: WebhookReplayData;
  };
  /** List funds that no payment was credited with: `GET /api/admin/unattributed-funds` */
  listUnattributedFunds: {
    query: {
      /** On this blockchain, by its slug. */
      blockchain?: string | undefined;
      /** `meta.cursor.next` of the page before, with the same filters; without it, the newest items. */
      after?: string | undefined;
      /** How many items at most. */
      limit?: number | undefined;
    };
    response: UnattributedFundsCursorPage;
  };
  /** List users: `GET /api/admin/users` */
  listUsers: {
    query: {
      /** Only users whose email address is this one or begins with it; capitals do not matter. */
      email?: string | undefined;
      /** `meta.cursor.next` of the page before, with the same filters; without it, the newest items. */
      after?: string | undefined;
      /** How many items at most. */
      limit?: number | undefined;
    };
    response: AdminUserCursorPage;
  };
  /** Disable a user: `POST /api/admin/users/{userId}/disable` */
  disableUser: {
    path: {
      /** The user. */
      userId: string;
    };
    response: AdminUserData;
  };
  /** Enable a user: `POST /api/admin/users/{userId}/enable` */
  enableUser: {
    path: {
      /** The user. */
      userId: string;
    };
    response: AdminUserData;
  };
  /** Erase a user: `DELETE /api/admin/users/{userId}` */
  eraseUser: {
    path: {
      /** The user. */
      userId: string;
    };
    response: undefined;
  };
  /** Create a password link: `POST /api/admin/users/{userId}/password-link` */
  createPasswordLink: {
    path: {
      /** The user. */
      userId: string;
    };
    response: PasswordLinkData;
  };
  /** Get the condition of the chains: `GET /api/admin/chains` */
  listChainReports: {
    response: ChainReportList;
  };
  /** Compare the records with the chains: `GET /api/admin/reconciliation` */
  getReconciliation: {
    response: ReconciliationData;
  };
  /** Get the scheduled comparison: `GET /api/admin/reconciliation/schedule` */
  getReconciliationSchedule: {
    response: ReconciliationScheduleData;
  };
  /** Compare all payments again: `POST /api/admin/reconciliation/schedule` */
  startReconciliation: {
    response: ReconciliationScheduleData;
  };
}

/** Method and path of every operation. */
export const ROUTES = {
  listPaymentApplications: 'GET /api/payment-applications',
  createPaymentApplication: 'POST /api/payment-applications',
  getPaymentApplication: 'GET /api/payment-applications/{id}',
  updatePaymentApplication: 'PUT /api/payment-applications/{id}',
  deletePaymentApplication: 'DELETE /api/payment-applications/{id}',
  restorePaymentApplication: 'POST /api/payment-applications/{id}/restore',
  getApplicationLogo: 'GET /api/payment-applications/{id}/logo',
  putApplicationLogo: 'PUT /api/payment-applications/{id}/logo',
  deleteApplicationLogo: 'DELETE /api/payment-applications/{id}/logo',
  exportPayments: 'GET /api/payment/export',
  createCheckout: 'POST /api/payment/checkout',
  listPayments: 'GET /api/payment',
  listPaymentsByReference: 'GET /api/payment/by-reference',
  getPayment: 'GET /api/payment/{paymentId}',
  listPaymentTransactions: 'GET /api/payment/{paymentId}/transactions',
  cancelPayment: 'POST /api/payment/{paymentId}/cancel',
  acceptPayment: 'POST /api/payment/{paymentId}/accept',
  listPaymentOverview: 'GET /api/payment-overview',
  getPaymentInstructions: 'GET /api/payment/{paymentId}/provider/{provider}/method/{method}',
  listDepositAddresses: 'GET /api/payment/{paymentId}/deposit-addresses',
  listAttention: 'GET /api/attention',
  countAttention: 'GET /api/attention/counts',
  getPaymentTimeline: 'GET /api/payment/{paymentId}/timeline',
  reportReceived: 'GET /api/reports/received',
  reportTimes: 'GET /api/reports/times',
  reportRates: 'GET /api/reports/rates',
  exportRefunds: 'GET /api/refunds/export',
  listRefunds: 'GET /api/payment/{paymentId}/refunds',
  createRefund: 'POST /api/payment/{paymentId}/refunds',
  getRefund: 'GET /api/payment/{paymentId}/refunds/{refundId}',
  setRefundAddress: 'POST /api/payment/{paymentId}/refunds/{refundId}/address',
  completeRefund: 'POST /api/payment/{paymentId}/refunds/{refundId}/complete',
  cancelRefund: 'POST /api/payment/{paymentId}/refunds/{refundId}/cancel',
  listAllRefunds: 'GET /api/refunds',
  listClientTokens: 'GET /api/payment-applications/{id}/client-tokens',
  createClientToken: 'POST /api/payment-applications/{id}/client-tokens',
  getClientToken: 'GET /api/payment-applications/{id}/client-tokens/{tokenId}',
  revokeClientToken: 'DELETE /api/payment-applications/{id}/client-tokens/{tokenId}',
  listWallets: 'GET /api/payment-applications/{id}/wallets',
  getWallet: 'GET /api/payment-applications/{id}/wallets/{family}',
  putWallet: 'PUT /api/payment-applications/{id}/wallets/{family}',
  deleteWallet: 'DELETE /api/payment-applications/{id}/wallets/{family}',
  compareWallet: 'PUT /api/payment-applications/{id}/wallets/{family}/comparison',
  cancelWalletChange: 'DELETE /api/payment-applications/{id}/wallets/{family}/pending',
  listDestinations: 'GET /api/payment-applications/{id}/destinations',
  listHoldings: 'GET /api/payment-applications/{id}/holdings',
  exportWebhookDeliveries: 'GET /api/webhook-deliveries/export',
  getWebhookEndpoint: 'GET /api/payment-applications/{id}/webhook-endpoint',
  pauseWebhooks: 'POST /api/payment-applications/{id}/webhook-endpoint/pause',
  resumeWebhooks: 'POST /api/payment-applications/{id}/webhook-endpoint/resume',
  endPreviousSecret: 'POST /api/payment-applications/{id}/webhook-endpoint/end-previous-secret',
  testWebhook: 'POST /api/payment-applications/{id}/webhook-test',
  listUnacknowledgedPayments: 'GET /api/payment-applications/{id}/unacknowledged-payments',
  listWebhookDeliveries: 'GET /api/payment-applications/{id}/webhook-deliveries',
  replayWebhooks: 'POST /api/payment-applications/{id}/webhook-deliveries/replay',
  getWebhookDelivery: 'GET /api/payment-applications/{id}/webhook-deliveries/{deliveryId}',
  listWebhookAttempts: 'GET /api/payment-applications/{id}/webhook-deliveries/{deliveryId}/attempts',
  redeliverWebhook: 'POST /api/payment-applications/{id}/webhook-deliveries/{deliveryId}/redeliver',
  listAllWebhookDeliveries: 'GET /api/webhook-deliveries',
  listCurrencies: 'GET /api/currencies',
  getCurrency: 'GET /api/currencies/{code}',
  listBlockchains: 'GET /api/blockchains',
  getBlockchain: 'GET /api/blockchains/{slug}',
  listRates: 'GET /api/rates',
  listAccountWallets: 'GET /api/account/wallets',
  getAccountWallet: 'GET /api/account/wallets/{family}',
  putAccountWallet: 'PUT /api/account/wallets/{family}',
  deleteAccountWallet: 'DELETE /api/account/wallets/{family}',
  compareAccountWallet: 'PUT /api/account/wallets/{family}/comparison',
  cancelAccountWalletChange: 'DELETE /api/account/wallets/{family}/pending',
  getAccount: 'GET /api/account',
  updateAccount: 'PUT /api/account',
  changePassword: 'POST /api/account/password',
  listAuditEntries: 'GET /api/audit',
  listOAuthClients: 'GET /api/account/oauth-clients',
  createOAuthClient: 'POST /api/account/oauth-clients',
  rotateOAuthClientSecret: 'POST /api/account/oauth-clients/{clientId}/rotate-secret',
  deleteOAuthClient: 'DELETE /api/account/oauth-clients/{clientId}',
  getSavedViews: 'GET /api/account/saved-views',
  saveViews: 'PUT /api/account/saved-views',
  listSessions: 'GET /api/account/sessions',
  endSession: 'DELETE /api/account/sessions/{sessionId}',
  endOtherSessions: 'POST /api/account/sessions/end-others',
  getTwoFactor: 'GET /api/account/two-factor',
  enrolTwoFactor: 'POST /api/account/two-factor',
  confirmTwoFactor: 'POST /api/account/two-factor/confirm',
  regenerateRecoveryCodes: 'POST /api/account/two-factor/recovery-codes',
  disableTwoFactor: 'POST /api/account/two-factor/disable',
  listInvitations: 'GET /api/account/invitations',
  createInvitation: 'POST /api/account/invitations',
  withdrawInvitation: 'DELETE /api/account/invitations/{invitationId}',
  acceptInvitation: 'POST /api/account/invitations/accept',
  listMembers: 'GET /api/account/members',
  updateMember: 'PUT /api/account/members/{userId}',
  removeMember: 'DELETE /api/account/members/{userId}',
  listMemberships: 'GET /api/account/memberships',
  leaveAccount: 'DELETE /api/account/memberships/{accountId}',
  resumeChain: 'POST /api/admin/chains/{slug}/resume',
  replayWebhooksOfAnyone: 'POST /api/admin/payment-applications/{id}/webhook-deliveries/replay',
  listUnattributedFunds: 'GET /api/admin/unattributed-funds',
  listUsers: 'GET /api/admin/users',
  disableUser: 'POST /api/admin/users/{userId}/disable',
  enableUser: 'POST /api/admin/users/{userId}/enable',
  eraseUser: 'DELETE /api/admin/users/{userId}',
  createPasswordLink: 'POST /api/admin/users/{userId}/password-link',
  listChainReports: 'GET /api/admin/chains',
  getReconciliation: 'GET /api/admin/reconciliation',
  getReconciliationSchedule: 'GET /api/admin/reconciliation/schedule',
  startReconciliation: 'POST /api/admin/reconciliation/schedule',
} as const;

/** The role that an operation takes, where that of a viewer is not enough. */
export const LEAST_ROLE: Partial<Record<keyof typeof ROUTES, AccountRole>> = {
  createPaymentApplication: 'developer',
  updatePaymentApplication: 'developer',
  deletePaymentApplication: 'owner',
  restorePaymentApplication: 'developer',
  putApplicationLogo: 'developer',
  deleteApplicationLogo: 'developer',
  createCheckout: 'developer',
  cancelPayment: 'developer',
  acceptPayment: 'developer',
  createRefund: 'developer',
  setRefundAddress: 'developer',
  completeRefund: 'developer',
  cancelRefund: 'developer',
  createClientToken: 'developer',
  revokeClientToken: 'developer',
  putWallet: 'owner',
  deleteWallet: 'owner',
  compareWallet: 'owner',
  cancelWalletChange: 'owner',
  pauseWebhooks: 'developer',
  resumeWebhooks: 'developer',
  endPreviousSecret: 'developer',
  testWebhook: 'developer',
  replayWebhooks: 'developer',
  redeliverWebhook: 'developer',
  putAccountWallet: 'owner',
  deleteAccountWallet: 'owner',
  compareAccountWallet: 'owner',
  cancelAccountWalletChange: 'owner',
  listInvitations: 'owner',
  createInvitation: 'owner',
  withdrawInvitation: 'owner',
  updateMember: 'owner',
  removeMember: 'owner',
};
