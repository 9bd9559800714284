// Written by `npm run sdk:types` from docs/openapi.json; a test compares the two. Do not edit.

import type {
  Operations as ClientOperations,
  PageMeta,
  CursorMeta,
  Amount,
  Treasury,
  AddressGap,
  Token,
  Derivation,
  PaymentListItem,
  QrCode,
  Refund,
} from '../../../sdk/src/api-types.js';

export type * from '../../../sdk/src/api-types.js';

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
  /** What webhooks and the event feed report. The four standard events are always sent and must be listed; `payment.found`, `payment.expired`, `payment.cancelled`, `payment.updated`, `payment.refund_requested` and `wallet.changed` are optional. Only the standard events unless set. */
  events?: Array<EventType> | undefined;
  /** The color of links and buttons on the checkout page, with a contrast of at least 3:1 to white; it is darkened, and for dark screens lightened, until it is readable. Null: the color of the gateway. */
  accent?: string | null | undefined;
  /** Where customers get help, shown on the checkout page: an http(s) URL, or `mailto:` with one address and at most a `subject`. Null clears it. */
  supportUrl?: string | null | undefined;
  /** The checkout page's language where neither the link nor the browser asks for one. Null: English. */
  defaultLanguage?: Language | null | undefined;
  /** The least part of the amount, in hundredths of a percent, that `allowUnderpay` accepts by itself; you decide about less. 9500 unless set, which is 95 %. */
  underpayLeastShareBps?: number | undefined;
  /** The part of the amount, in hundredths of a percent, that may be missing of a payment that counts as paid in full, e.g. 100 for fees of 1 % that exchanges deduct. Not more than `underpayLeastShareBps` leaves. 0 unless set. */
  underpayToleranceBps?: number | undefined;
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
  /** What webhooks and the event feed report. The four standard events are always sent and must be listed; `payment.found`, `payment.expired`, `payment.cancelled`, `payment.updated`, `payment.refund_requested` and `wallet.changed` are optional. Only the standard events unless set. */
  events?: Array<EventType> | undefined;
  /** The color of links and buttons on the checkout page, with a contrast of at least 3:1 to white; it is darkened, and for dark screens lightened, until it is readable. Null: the color of the gateway. */
  accent?: string | null | undefined;
  /** Where customers get help, shown on the checkout page: an http(s) URL, or `mailto:` with one address and at most a `subject`. Null clears it. */
  supportUrl?: string | null | undefined;
  /** The checkout page's language where neither the link nor the browser asks for one. Null: English. */
  defaultLanguage?: Language | null | undefined;
  /** The least part of the amount, in hundredths of a percent, that `allowUnderpay` accepts by itself; you decide about less. 9500 unless set, which is 95 %. */
  underpayLeastShareBps?: number | undefined;
  /** The part of the amount, in hundredths of a percent, that may be missing of a payment that counts as paid in full, e.g. 100 for fees of 1 % that exchanges deduct. Not more than `underpayLeastShareBps` leaves. 0 unless set. */
  underpayToleranceBps?: number | undefined;
}

export interface ApplicationLogoData {
  data: ApplicationLogo;
}

/** A new logo. */
export interface PutApplicationLogo {
  /** The picture in standard base64: a PNG of at most 1,024 by 1,024 pixels, or an SVG in UTF-8, which is served so that it can neither run nor load anything. At most 65,536 bytes. */
  content: string;
}

/** Which refunds to pay. */
export interface PreparePayout {
  /** The slug of the blockchain. */
  blockchain: string;
  /** Refunds of the application. Without it, those on the blockchain that are AWAITING_PAYMENT, the oldest first, at most 100. One that is FAILED must be named, because something may have been paid: look at it first. */
  refundIds?: Array<string> | undefined;
  /** EVM chains: the address of your wallet or Safe, which the limits of gas are estimated for and the file is named after. Without it, no limits of gas: your wallet estimates them. */
  wallet?: string | undefined;
  /** Bitcoin, Litecoin and Dogecoin: asks for `psbt`, which pays all of them from what came in. The address that gets what is left over. Take one that no payment gets: a change address of your wallet. */
  change?: string | undefined;
  /** The fee for each virtual byte in the smallest unit (sat/vB). Without it, what the node estimates for the next six blocks; a node without an estimate asks for it. */
  feeRate?: number | undefined;
}

export interface PayoutData {
  data: Payout;
}

/** The transactions that have paid refunds. */
export interface ReportPayouts {
  /** The hash of the transaction, by the id of the refund; the same hash for all that it has paid. */
  transactions: Record<string, string>;
}

export interface ReportedPayoutsData {
  data: ReportedPayouts;
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

export interface LoggedRequestCursorPage {
  /** The items, in the order of the list. */
  data: Array<LoggedRequest>;
  meta: CursorMeta;
}

export interface WalletList {
  /** The items. */
  data: Array<Wallet>;
}

export interface WalletData {
  data: Wallet;
}

/** The key to derive new addresses from, or an address of yours that everything goes to: exactly one of the two. Addresses issued earlier stay watched. */
export interface PutWallet {
  /** The extended public key of an account (`xpub`, `ypub`, `zpub`, …), alone or with its origin, or, for Bitcoin, Litecoin, Dogecoin and Bitcoin Cash, an output descriptor or the public export of a wallet; the keys of Electrum are read at its own paths. Never a private key: it is rejected, and neither stored nor logged. */
  extendedPublicKey?: string | null | undefined;
  /** For `evm`, in place of a key: an address of yours, of a wallet or a Safe. Every deposit address can then pay this one only, and one transaction collects from a hundred of them. A Safe must exist on every EVM chain that the gateway watches. Mixed case must be the right checksum (EIP-55). */
  treasury?: string | null | undefined;
  /** The address format, needed only where neither the prefix of the key nor a descriptor determines it, or an export has several accounts; never for `evm` or `tron`. */
  scriptType?: string | null | undefined;
}

/** Addresses that somebody has seen in their own wallet. */
export interface CompareWallet {
  /** The first three receiving addresses of the wallet, in their order, written as in `previewAddresses`. */
  addresses: Array<string>;
}

/** How far your wallet program looks ahead. */
export interface StateGapLimit {
  /** The gap limit that is set in your wallet program. */
  gapLimit: number;
}

export interface DestinationList {
  /** The items. */
  data: Array<Destination>;
}

/** What to gather, and where. */
export interface PrepareCollection {
  /** The slug of the blockchain: `bitcoin`, `litecoin`, `dogecoin`, or one of the EVM chains. */
  blockchain: string;
  /** Required for `bitcoin`, `litecoin` and `dogecoin`, and for no other. The address that receives everything, on the same network. Take one that no payment gets: of another account, or a change address. */
  destination?: string | undefined;
  /** The fee for each virtual byte in the smallest unit (sat/vB). Without it, what the node estimates for the next six blocks; a node without an estimate asks for it. */
  feeRate?: number | undefined;
  /** EVM chains: the codes of the coins to look at; without it, all. The native coin of an address comes along with any of its tokens. */
  coins?: Array<string> | undefined;
  /** EVM chains: what is worth less than this on one address is left alone; in US cents. What has no rate is never left alone for it. */
  minimum?: number | undefined;
}

export interface CollectionData {
  data: Collection;
}

export interface HoldingList {
  /** The items. */
  data: Array<Holding>;
}

export interface HoldingAddressCursorPage {
  /** The items, in the order of the list. */
  data: Array<HoldingAddress>;
  meta: CursorMeta;
}

/** What one deposit address has received in one asset, in an export. */
export interface HoldingAddressExportRow {
  /** The slug of the blockchain. */
  blockchain: string;
  /** The deposit address. */
  address: string;
  /** The index of the address, below its key or of its treasury. Null: the key cannot be read. */
  index: string | null;
  /** The namespace of the treasury. Null: the address has a key, as for the next two. */
  namespace: string | null;
  /** The treasury. */
  treasury: string | null;
  /** The contract that collects. */
  factory: string | null;
  /** The contract of the token, under the name that the page that collects reads. Null for the native coin. */
  tokens: string | null;
  /** The path below the account key. Null: the address is of a treasury, or its key cannot be read. */
  path: string | null;
  /** The usual path in a wallet. Null: as `path`. */
  walletPath: string | null;
  /** The fingerprint of the account key itself (BIP32), or of the treasury. Null: the key cannot be read. */
  keyFingerprint: string | null;
  keyOwner: 'application' | 'account' | 'operator' | null;
  /** The received coin. */
  currencyCode: string;
  /** The confirmed total in whole coins, exact, including what was spent since. */
  receivedAmount: string;
  /** The same in the smallest unit on this blockchain. */
  receivedAmountAtomic: string;
  /** The payment whose address it is. */
  paymentId: string;
  /** Your reference of the payment. */
  reference: string;
  /** When its first transfer was seen. */
  firstSeenAt: string;
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
    | 'payment.cancelled'
    | 'payment.updated';
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

export interface NoticesData {
  data: Notices;
}

/** What you want to be told. Replaces what you chose before. */
export interface SaveNotices {
  /** None: nothing. */
  kinds: Array<NoticeKind>;
  /** Only of these payment applications; null or absent: of all that you may see. */
  paymentApplicationIds?: Array<string> | null | undefined;
  /** The language of your mails. */
  language:
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

export interface OperatorHealthData {
  data: OperatorHealth;
}

export interface FindingList {
  /** The items. */
  data: Array<Finding>;
}

export interface TriableChainList {
  /** The items. */
  data: Array<TriableChain>;
}

/** A node to try. */
export interface NodeTrialRequest {
  /** The blockchain. */
  blockchain: string;
  /** What is at the address. */
  source: 'node' | 'esplora';
  /** Its address, with its key if it has one. It is neither stored nor logged nor returned. */
  address: string;
}

export interface NodeTrialData {
  data: NodeTrial;
}

export interface ReconciliationData {
  data: Reconciliation;
}

export interface ReconciliationScheduleData {
  data: ReconciliationSchedule;
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

/** The name of an event. */
export type EventType =
  | 'payment.received'
  | 'payment.completed'
  | 'payment.underpaid'
  | 'payment.refund'
  | 'payment.found'
  | 'payment.expired'
  | 'payment.cancelled'
  | 'payment.updated'
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

/** What is to be signed. Nothing of it is stored: ask again whenever you like. */
export interface Payout {
  /** The refunds, each with what pays it. */
  refunds: Array<PayoutItem>;
  /** What has to be sent in all, by coin; without fees. */
  sums: Array<CollectedAmount>;
  /** EVM chains: a file (JSON) for the Transaction Builder of a Safe, which pays all of them with one signature. Null elsewhere, and where nothing is left. */
  safeBatch: string | null;
  /** Null without `change`, where nothing is to be paid, and where the coins do not suffice: see `missing`. */
  psbt: PayoutPsbt | null;
  /** How much more must be on addresses of one key for the PSBT, at least. Null: nothing is missing, or none was asked for. */
  missing: Amount | null;
  /** What is not paid by it, with the reason. */
  leftOut: Array<PayoutLeftOut>;
  /** More refunds wait on this blockchain: report these, and ask again. */
  hasMore: boolean;
}

/** What became of each refund, in the order that was sent. */
export interface ReportedPayouts {
  /** One for each refund. */
  refunds: Array<ReportedPayout>;
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

/** A request that one of your servers has made. Its body is not kept. */
export interface LoggedRequest {
  /** `X-Request-Id` of the response. */
  requestId: string;
  /** When it arrived. */
  at: string;
  /** The HTTP method. */
  method: string;
  /** The route, or `(no route)`. */
  route: string;
  /** The path with its query, to 512 characters; secrets in it are `[redacted]`. */
  path: string;
  /** The status of the response. */
  status: number;
  /** From its arrival to the end of the response, in milliseconds. */
  durationMs: number;
  /** The application of the client token; null: it was made with OAuth2. */
  paymentApplicationId: string | null;
  /** The client token; null: it was made with OAuth2. */
  tokenId: string | null;
  /** What you called the client token. */
  tokenLabel: string | null;
  /** The OAuth2 client whose token it was; null: a client token, or one of another identity provider. */
  oauthClientId: string | null;
  /** The `Idempotency-Key` that was sent. */
  idempotencyKey: string | null;
  /** The network that it came from: 24 bits of an IPv4 address, 48 of an IPv6 one. */
  address: string;
  /** The code of the error; null: there was none. */
  errorCode: string | null;
  /** The body of the error as it was answered, to 2,048 characters; null: there was none. */
  errorBody: string | null;
}

/** What deposit addresses are derived from: an extended public key, or a treasury. */
export interface Wallet {
  /** The family of blockchains, e.g. `evm`: one key serves every chain of a family. */
  family: string;
  /** `pending`: the first key of an application that replaces your default wallet. No addresses come from it yet. */
  status: 'active' | 'pending';
  /** `key`: addresses of your own wallet. `treasury`: addresses that can pay one address of yours only. */
  kind: 'key' | 'treasury';
  /** Where the money goes that is paid to these addresses. Null: they are derived from a key. */
  treasury: Treasury | null;
  /** The address format; null for families that have only one. */
  scriptType: string | null;
  /** The key, masked. Null: there is none, see `treasury`. */
  extendedPublicKey: string | null;
  /** The fingerprint of the account key itself (BIP 32), or of the treasury, to identify it. */
  fingerprint: string;
  /** The fingerprint of the master key, which most wallets show: as the key says it, or the descriptor that was set. Null: the key was set without its origin. Nothing proves it; compare the addresses. */
  masterFingerprint: string | null;
  /** The path of the key in its wallet: the one it was set with or says itself (Electrum: `m`, `m/0'`), otherwise the usual one of its script type and coin. Null: there is no key, it waits, or it belongs to another network. */
  accountPath: string | null;
  /** The index of the next address. */
  nextIndex: number;
  /** Addresses of the key that another program has handed out. Null for a treasury, whose addresses are of this gateway alone, and for a key that waits. */
  earlierUse: EarlierUse | null;
  /** How far your wallet program must look ahead. Null for a treasury, and for a key that waits. */
  addressGap: AddressGap | null;
  /** The first addresses, to compare with your wallet software, or of a treasury with `isAddressOfTreasury` of the client package. Empty if the key belongs to another network than the one the gateway now uses, or waits. */
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
  /** The fingerprint of the account key itself (BIP 32), or of the treasury. */
  fingerprint: string | null;
  /** The fingerprint of the master key, which most wallets show. Null: its origin is not known. */
  masterFingerprint: string | null;
  /** The path of the key in its wallet: the one it was set with or says itself (Electrum: `m`, `m/0'`), otherwise the usual one of its script type and coin. Null: there is no key, or it belongs to another network. */
  accountPath: string | null;
  /** Where the money goes that is paid to these addresses. Null: they are derived from a key. */
  treasury: Treasury | null;
}

/** What is to be signed. Nothing of it is stored: ask again whenever you like. */
export interface Collection {
  /** One for each account key, and more where a transaction would be larger than nodes relay. */
  psbts: Array<CollectionPsbt>;
  /** EVM chains: at most 100 addresses in each, each treasury by itself. */
  transactions: Array<TreasuryCollection>;
  /** The same transactions for treasuries that are contracts, as a Safe is. */
  safeBatches: Array<SafeBatch>;
  /** EVM chains: what lies on addresses that have a key, for the offline signer of the client package; one for each account key. The same is in `leftOut` as `of_key`. */
  plans: Array<SigningPlan>;
  /** The transaction that puts the contract that collects on this chain. Send it first: anybody may, once. Null: it is there, or not needed, or no node says. */
  deployment: UnsignedCall | null;
  /** What arrives by all of them, by coin. */
  expected: Array<CollectedAmount>;
  /** EVM chains: codes of the coins whose value is not known, so that it was not compared with the cost; the native coin is among them where the price of gas is not known. */
  unpriced: Array<string>;
  /** What was looked at and is in none of them, with the reason. */
  leftOut: Array<LeftOut>;
  /** Send it as `after` to go on with older outputs or addresses. Null: these were all. */
  next: string | null;
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
  /** What the account for fees of your own key has sent to these addresses, in the coin of the blockchain: nothing of it is received. Each entry of a blockchain says the same. Null: nothing. */
  ownFundsAmount: Amount | null;
  /** What `receivedAmount` is worth now, in `worthCurrencyCode`. Null: there is no rate. */
  worth: Amount | null;
  /** What `receivedAmount` was worth at receipt, at most a minute ago. Null: it takes too long to add up. */
  atReceipt: HoldingAtReceipt | null;
  /** What collecting costs and from which amount it pays, at most a minute ago. Null: no node says the price, there is no way to collect it by `POST …/collections`, nothing is confirmed, or it takes too long to add up. */
  collecting: HoldingCollecting | null;
  /** When the most recent transfer was first seen. */
  lastSeenAt: string;
}

/** What one deposit address has received in one asset on one blockchain. */
export interface HoldingAddress {
  /** The slug of the blockchain. */
  blockchain: string;
  /** The currency. */
  currencyCode: string;
  /** As in the list of received funds. */
  token: Token | null;
  /** The deposit address. */
  address: string;
  /** Where its key is. Null: the key can no longer be read, or the address is not of it. */
  derivation: Derivation | null;
  /** The confirmed total, in the units of the asset on this blockchain, including what was spent since. */
  receivedAmount: Amount;
  /** The payment whose address it is. */
  paymentId: string;
  /** Your reference of the payment. */
  reference: string;
  /** When its first transfer was seen. */
  firstSeenAt: string;
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
      | 'payment.cancelled'
      | 'payment.updated';
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
    | 'payment.kept'
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
  /** The hash of this entry and all before it; no other one has it. Keep one: the operator checks with `verify:audit --head` that the log still contains it unchanged. */
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

/** What you are told by mail. */
export interface Notices {
  /** Whether this gateway sends mail at all. */
  available: boolean;
  /** What you chose. */
  kinds: Array<NoticeKind>;
  /** Only of these payment applications; null: of all that you may see. */
  paymentApplicationIds: Array<string> | null;
  /** The language of your mails. */
  language:
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
}

/** What a person can be told: `endpoint`, an endpoint has failed for 15 minutes, and when it works again; `attention`, how much needs attention, once a day; `refund`, a customer asks for money back; for operators `chain`, a blockchain stands still, and `backup`, the newest backup is too old. */
export type NoticeKind = 'endpoint' | 'attention' | 'refund' | 'chain' | 'backup';

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
  /** Where the gateway sends mail, the invited person gets it; else give it to them yourself. It works once. */
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
  /** Whether an operator named the address. False: its user chose it, or who invited them, so it may be of somebody else. */
  emailVouched: boolean;
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
  /** Give it to the user yourself. It works once. */
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
  /** The most severe state that applies now; docs/how-to/watch-chains.md says what to do. */
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

/** What an operator has to see; each value may be unknown, and says why. */
export interface OperatorHealth {
  /** When all of it was read. */
  checkedAt: string;
  /** Version of the process that responds. */
  version: string;
  newestVersion: NewestVersion;
  /** Its commit, or `unknown`. */
  commit: string;
  /** When it was started. */
  startedAt: string;
  database: DatabaseCondition;
  /** File systems. */
  disks: Array<DiskCondition>;
  backup: BackupCondition;
  restoreDrill: DrillCondition;
  verification: VerificationCondition;
  webhooks: QueueCondition;
  notices: QueueCondition;
  /** Every configured chain. */
  chains: Array<ChainCondition>;
  /** Every source. */
  rates: Array<RateSourceCondition>;
  /** Checks that ask nobody: settings, proxies, connections, gap limits. */
  findings: Array<Finding>;
}

/** The result of one check. */
export interface Finding {
  /** What was checked. */
  subject: string;
  /** `failure`: money or customers are at risk now. `warning`: it works now, but may fail. */
  severity: 'ok' | 'warning' | 'failure';
  /** One sentence, in English. */
  found: string;
  /** The remedy, in English; null if nothing is wrong. */
  fix: string | null;
}

/** A blockchain whose nodes can be tried, configured or not. */
export interface TriableChain {
  /** The blockchain. */
  slug: string;
  /** Its name. */
  name: string;
  /** Whether it can be read by an Esplora server instead of a node. */
  takesEsplora: boolean;
}

/** What a node can do for payments. */
export interface NodeTrial {
  /** It is of this blockchain, and shows its newest block. */
  works: boolean;
  /** The network or chain id that it had to have. */
  network: string | null;
  /** Its newest block; null: it showed none. */
  height: number | null;
  /** The time of that block. */
  headTime: string | null;
  /** Milliseconds of one request. */
  latencyMs: number | null;
  /** What it can do; empty if it does not work. */
  abilities: Array<NodeAbility>;
  /** What the checks of the command `doctor` say of it. */
  findings: Array<Finding>;
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

/** One refund of a payout. */
export interface PayoutItem {
  /** The refund. */
  refundId: string;
  /** Its payment. */
  paymentId: string;
  /** Your reference of the order. */
  reference: string;
  /** The address to pay to. */
  address: string;
  /** How much, in the coin. */
  amount: Amount;
  /** Null for the native coin. */
  token: Token | null;
  /** The link for a wallet (EIP-681, BIP 21), also as a QR code; null on Tron, where wallets agree on none. For a token, compare the recipient in the wallet with `address`: several wallets send to the contract of the token instead. */
  paymentUri: string | null;
  /** EVM chains: the transaction that pays it. Null elsewhere: enter address and amount in the wallet. On Tron a prepared transaction would be worthless after a minute. */
  call: TransferCall | null;
}

/** What arrives of one coin. */
export interface CollectedAmount {
  /** How much. */
  amount: Amount;
  /** The contract of the token; null for the native coin. */
  token: Token | null;
}

/** One transaction, without signatures, that pays all refunds from addresses of one account key. */
export interface PayoutPsbt {
  /** What goes to `change`. Null: too little for an output, so that the miner gets it. */
  change: Amount | null;
  /** A partially signed bitcoin transaction in base64 (BIP 174, version 0), with one output; that of a payout has one for each refund, and the change. Its inputs can be replaced by a higher fee (BIP 125). */
  psbt: string;
  /** The fingerprint of the account key that signs it (BIP32). */
  keyFingerprint: string;
  /** The fingerprint of its master key, which the PSBT names. Null: the origin of the key is not known, and the PSBT names the account key and the path below it. */
  masterFingerprint: string | null;
  /** The path of the account key; the usual one where its origin is not known. */
  accountPath: string;
  /** Whose key it is. A PSBT of a key of the operator is for the operator to sign. */
  keyOwner: 'application' | 'account' | 'operator';
  /** How many outputs it spends. */
  inputs: number;
  /** What arrives; of a payout, at the customers. */
  amount: Amount;
  /** What the miner gets. */
  fee: Amount;
  /** Smallest units for each virtual byte. */
  feeRate: number;
  /** With the longest signatures (BIP 141). */
  weight: number;
}

/** A refund that is in no payout. */
export interface PayoutLeftOut {
  /** The refund. */
  refundId: string;
  /** `unknown`: the application has no such refund. `stopped`: the payment was changed by somebody else and waits for the operator. `other_network`: it is paid on another blockchain. `no_address`: the customer has named none yet. `closed`: cancelled or expired. `reported`: a transaction is recorded for it. `paid_meanwhile`: the rest of an underpayment has come, so that nothing is owed. `coin_unavailable`: the gateway has its coin no more. `wrong_address`: nothing may be sent to its address. `own_address`: its address is one on which payments are received. `too_small`: below what the network relays. */
  reason:
    | 'unknown'
    | 'stopped'
    | 'other_network'
    | 'no_address'
    | 'closed'
    | 'reported'
    | 'paid_meanwhile'
    | 'coin_unavailable'
    | 'wrong_address'
    | 'own_address'
    | 'too_small';
}

/** What became of one refund. */
export interface ReportedPayout {
  /** The refund. */
  refundId: string;
  refusal: 'unknown' | 'stopped' | 'no_address' | 'closed' | 'completed' | 'not_a_hash' | 'taken' | null;
  /** The refund as it is now; null if it is unknown or stopped. */
  refund: Refund | null;
}

/** Whether another program has handed out addresses of this key, as the blockchains show it. */
export interface EarlierUse {
  /** `unknown`: not every blockchain has been asked yet, because its node does not answer or takes minutes. The gateway asks again by itself. */
  state: 'known' | 'unknown';
  /** How many addresses the gateway passed over, because they, or later ones, were used before. */
  skippedAddresses: number;
  /** The index that it went on with. Null: it has passed over none. */
  continuedAt: number | null;
  /** Blockchains whose source cannot say which addresses were used: Tron, and those read from an Esplora endpoint. */
  unseenOn: Array<string>;
}

/** A change that will take effect. Until then it can be cancelled. */
export interface PendingWallet {
  /** The fingerprint of the new key. Null: the wallet will be removed. */
  fingerprint: string | null;
  /** The new key, masked, or the address of the new treasury. Null: the wallet will be removed. */
  maskedKey: string | null;
  /** The new treasury. Null: a key, or the wallet will be removed. */
  treasury: Treasury | null;
  /** When it takes effect. */
  effectiveAt: string;
  /** Who asked for it: a user who had signed in, or a server. */
  requestedBy: 'user' | 'server';
}

/** One transaction, without signatures, of addresses of one account key. */
export interface CollectionPsbt {
  /** A partially signed bitcoin transaction in base64 (BIP 174, version 0), with one output; that of a payout has one for each refund, and the change. Its inputs can be replaced by a higher fee (BIP 125). */
  psbt: string;
  /** The fingerprint of the account key that signs it (BIP32). */
  keyFingerprint: string;
  /** The fingerprint of its master key, which the PSBT names. Null: the origin of the key is not known, and the PSBT names the account key and the path below it. */
  masterFingerprint: string | null;
  /** The path of the account key; the usual one where its origin is not known. */
  accountPath: string;
  /** Whose key it is. A PSBT of a key of the operator is for the operator to sign. */
  keyOwner: 'application' | 'account' | 'operator';
  /** How many outputs it spends. */
  inputs: number;
  /** What arrives; of a payout, at the customers. */
  amount: Amount;
  /** What the miner gets. */
  fee: Amount;
  /** Smallest units for each virtual byte. */
  feeRate: number;
  /** With the longest signatures (BIP 141). */
  weight: number;
}

/** A transaction that pays what lies on deposit addresses to their treasury. */
export interface TreasuryCollection {
  /** The address that everything goes to, whoever sends the transaction. */
  treasury: string;
  /** Whose wallet the treasury is of. What was paid to the treasury of the operator goes there. */
  keyOwner: 'application' | 'account' | 'operator';
  /** The limit of gas to send it with: a fifth more than the node estimates. Null: it would fail now, or no node says. */
  gasLimit: number | null;
  /** What the sender pays for the estimated gas at the price of now; rollups add the price of the data. Null: not known. */
  fee: Amount | null;
  /** From how many addresses. */
  deposits: number;
  /** What arrives, by coin. */
  expected: Array<CollectedAmount>;
  /** The contract. */
  to: string;
  /** The call. */
  data: string;
  /** No coin. */
  value: '0x0';
}

/** A file for the Transaction Builder of a Safe: one signature for up to three transactions. */
export interface SafeBatch {
  /** The Safe, which is the treasury. */
  treasury: string;
  /** From how many addresses. */
  deposits: number;
  /** The file, JSON. */
  file: string;
}

/** What the offline signer of the client package needs to send everything from addresses that have keys, of one account. Nothing of it is secret. */
export interface SigningPlan {
  /** The form of the plan. */
  form: 'signing-plan-1';
  /** The slug of the blockchain. */
  blockchain: string;
  /** Transactions are valid on this chain only (EIP-155). */
  chainId: number;
  /** The code of the native coin, which has 18 digits after the decimal point. */
  currencyCode: string;
  /** The fingerprint of the account key (BIP32). */
  keyFingerprint: string;
  /** The path of that key; the usual one where its origin is not known. */
  accountPath: string;
  /** Whose key it is. A plan of a key of the operator is for the operator to sign. */
  keyOwner: 'application' | 'account' | 'operator';
  fees: SigningFees;
  /** The limit of gas of a transfer of the coin. */
  transferGas: number;
  funding: SigningFunding;
  /** At most 300. */
  addresses: Array<SigningAddress>;
}

/** A transaction that any wallet can send. It takes no coin along. */
export interface UnsignedCall {
  /** The contract. */
  to: string;
  /** The call. */
  data: string;
  /** No coin. */
  value: '0x0';
}

/** An output, or what an address holds of a coin, that is in no transaction. */
export interface LeftOut {
  /** The deposit address. */
  address: string;
  /** How much. Null: no node says what the address holds. */
  amount: Amount | null;
  /** Null for the native coin. */
  token: Token | null;
  /** The transaction that paid it; null on EVM chains, where an address has one balance. */
  txHash: string | null;
  /** Where its key is, or its treasury. Null: it cannot be read, or the address is not of it. */
  derivation: Derivation | null;
  /** `unconfirmed`: too few confirmations. `immature`: newly mined coins, which cannot be spent yet. `spent`: it was spent, perhaps by a transaction that waits. `unknown`: the node does not know it in its block. `unread`: the node did not answer; ask again. `uneconomic`: it costs as much to spend as it brings. `too_little`: together with the others less than nodes relay. `previous_missing`: the node does not have the transaction, without which this type of address is not signed. `key_unavailable`: its key cannot be read, or the address is not of it. `below_minimum`: the address holds less than `minimum`. `refused`: the token would not pay it out now, because its issuer has frozen the address or stopped the token. `of_key`: the address has a key and no treasury, and is for the offline signer: see `plans`, where it is unless a node does not say enough, or it lacks coin for fees and its payment is not paid yet. */
  reason:
    | 'unconfirmed'
    | 'immature'
    | 'spent'
    | 'unknown'
    | 'unread'
    | 'uneconomic'
    | 'too_little'
    | 'previous_missing'
    | 'key_unavailable'
    | 'below_minimum'
    | 'refused'
    | 'of_key';
}

/** What received funds were worth when they were received. */
export interface HoldingAtReceipt {
  /** The exact sum of the `creditedAmount` of their transfers, one for each currency of the payments: nothing is converted. */
  credited: Array<Amount>;
  /** The part of `receivedAmount` that has no rate of that time, because no payment asked for it or it waits for one. */
  unvaluedAmount: Amount;
}

/** What it costs now to collect one coin or token by itself. What lies on the same address together costs less. */
export interface HoldingCollecting {
  /** Of one address: on EVM chains the gas of a deposit in a batch, on UTXO chains one input, at the price of now. In the coin of the network. Rollups add the price of the data. Where addresses differ, the highest. */
  costPerAddress: Amount;
  /** The same in `worthCurrencyCode`, rounded up. Null: not known. */
  costPerAddressWorth: Amount | null;
  /** From this amount on one address brings more than it costs. Null: not known, because the coin or the network’s coin has no rate; a collection takes all then. */
  collectableFrom: Amount | null;
  /** How many addresses have received as much, and can be collected from: on EVM chains those of a treasury. Null: as there. */
  collectableAddressCount: number | null;
  /** What they have received. Null: as there. */
  collectableAmount: Amount | null;
  /** What collecting from all of them costs, in the coin of the network. Null: as there. */
  totalCost: Amount | null;
  /** The same in `worthCurrencyCode`, rounded up. Null: not known. */
  totalCostWorth: Amount | null;
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
  /** Less than this, alone or in sum, is recorded and decides nothing: about what it costs to move it. */
  floor: Amount;
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

/** What the source of `UPDATE_CHECK_URL` says, which is asked once a day. */
export interface NewestVersion {
  /** The newest version that was named. */
  version: string | null;
  /** When it was first named. */
  since: string | null;
  /** Whether it is newer than the one that responds; null: not known. */
  isNewer: boolean | null;
  /** When it was last asked successfully. */
  askedAt: string | null;
  /** Why it is not known; null: it is. */
  unknown: UnknownReason | null;
}

/** The database of the gateway. */
export interface DatabaseCondition {
  /** Its size. */
  bytes: number;
  /** Connections to it, of all programs. */
  connections: number;
  /** Connections that its server takes, to all of its databases. */
  maxConnections: number;
  /** Since the end of the day before; null: not known yet. */
  sinceDayBefore: GrowthSince | null;
  /** Since the end of the same day a week ago; null: not known yet. */
  sinceWeekBefore: GrowthSince | null;
}

/** The file system of a folder. */
export interface DiskCondition {
  /** The folder that the gateway runs in, or `BACKUP_FOLDER`. */
  of: 'gateway' | 'backups';
  /** Bytes that are free. */
  freeBytes: number | null;
  /** Bytes of all. */
  totalBytes: number | null;
  /** Why it is not known; null: it is. */
  unknown: UnknownReason | null;
}

/** The newest backup in `BACKUP_FOLDER`. */
export interface BackupCondition {
  /** When it was finished. */
  finishedAt: string | null;
  /** It is older than 26 hours, or not there although a folder is configured. */
  isOld: boolean;
  /** Why it is not known; null: it is. */
  unknown: UnknownReason | null;
}

/** The last restore drill. */
export interface DrillCondition {
  /** When it ended. */
  finishedAt: string | null;
  /** Whether the backup was restored and verified as a whole. */
  held: boolean | null;
  /** Why it is not known; null: it is. */
  unknown: UnknownReason | null;
}

/** The last comparison of the records with the chains. */
export interface VerificationCondition {
  /** When it ended. */
  finishedAt: string | null;
  /** Differences that it found. */
  differences: number | null;
  /** What it could not compare. */
  leftOut: number | null;
  /** Why it is not known; null: it is. */
  unknown: UnknownReason | null;
}

/** What waits to be sent. Counts stop at 10,000. */
export interface QueueCondition {
  /** What waits. */
  waiting: number | null;
  /** Since when the oldest waits, without endpoints that are paused; null: none does. */
  oldestAt: string | null;
  /** Given up. */
  failed: number | null;
  /** Why it is not known; null: it is. */
  unknown: UnknownReason | null;
}

/** How new the newest block of a chain is. */
export interface ChainCondition {
  /** The chain. */
  slug: string;
  /** Its name. */
  name: string;
  /** As GET /api/admin/chains has it. */
  state: 'ok' | 'unknown' | 'catching_up' | 'stalled' | 'unwatched' | 'unreachable' | 'halted';
  /** Of the newest block that was known. */
  height: number | null;
  /** The time of the newest block that was known. */
  blockTime: string | null;
  /** Why the newest block is not known now: also after three block times without a look. Null: it is known. */
  unknown: UnknownReason | null;
  /** Since when it is not known. */
  unknownSince: string | null;
}

/** A source of exchange rates, as it has answered this process. */
export interface RateSourceCondition {
  /** Its name. */
  source: string;
  /** Its last answer. Sources are asked when a rate is needed. */
  answeredAt: string | null;
  /** Since when it does not answer; null: it does. */
  failingSince: string | null;
  /** Why it is not known; null: it is. */
  unknown: UnknownReason | null;
}

/** Something that a node can do for payments, or not. */
export interface NodeAbility {
  /** `blocks`: shows payments in blocks. `mempool`: shows them before that. `tokens`: shows those in tokens. `contracts`: shows native coin that contracts pay. `receipts`: gives all receipts of a block at once. `finality`: names final blocks. `history`: still has the oldest blocks, for a long outage. */
  ability: 'blocks' | 'mempool' | 'tokens' | 'contracts' | 'receipts' | 'finality' | 'history';
  /** Null: it did not say. */
  has: boolean | null;
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
  /** The kind of check that found it; docs/how-to/verify.md lists them. */
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
  /** Hundredths of a percent of the amount; less is not accepted by itself. */
  underpayLeastShareBps: number;
  /** Hundredths of a percent of the amount that may be missing of what counts as paid in full. */
  underpayToleranceBps: number;
}

/** A transaction that any wallet of the chain can send. */
export interface TransferCall {
  /** The recipient, or the contract of the token. */
  to: string;
  /** The call; `0x` for the native coin. */
  data: string;
  /** The native coin, in its smallest unit, hexadecimal. */
  value: string;
  /** The limit of gas to send it with: a fifth more than the node estimates. Null: it would fail now (the wallet may not have the money), `wallet` was not sent, or no node says. */
  gasLimit: number | null;
}

/** What gas costs now, in the smallest unit of the coin. */
export interface SigningFees {
  /** The price of a unit of gas. */
  gasPrice: string;
  /** The base fee of the newest block (EIP-1559). Null: the chain has only a price. */
  baseFee: string | null;
  /** What validators are given on top. */
  priorityFee: string | null;
  /** What a rollup takes for the data of one transaction, besides gas: twice what it says now. 0: nothing. */
  dataFee: string;
}

/** The account that pays the fees of addresses without coin: the first change address of the key. */
export interface SigningFunding {
  /** No payment ever gets it. Send the coin that is missing there. */
  address: string;
  /** Its path below the key of the account. */
  path: '1/0';
  /** How many transactions it has sent. */
  nonce: number;
  /** What it holds of the coin. */
  balance: string;
  /** What it must hold: what the addresses lack, and the fees of sending it. */
  needed: string;
}

/** An address of a key, with what is there. */
export interface SigningAddress {
  /** The address. */
  address: string;
  /** Its index. */
  index: number;
  /** Its path below the key of the account. */
  path: string;
  /** How many transactions it has sent: the number of its next one. */
  nonce: number;
  /** Of the native coin, in its smallest unit. */
  balance: string;
  /** The tokens to send. Those left out are in `leftOut`. */
  tokens: Array<SigningToken>;
  /** The most that its own transactions cost, in the coin. */
  fees: string;
  /** What of the coin it lacks for that. */
  lacking: string;
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

/** Why a value is not known. `not_set_up`: its setting is empty. `unreadable`: its folder or disk cannot be read. `none`: there is none. `never`: it has not happened yet. `unreachable`: the node does not respond correctly. `outdated`: nobody has looked for too long. `failing`: the source does not answer. `refused`: it refuses the question. `unusable`: its answer cannot be used. */
export type UnknownReason =
  | 'not_set_up'
  | 'unreadable'
  | 'none'
  | 'never'
  | 'unreachable'
  | 'outdated'
  | 'failing'
  | 'refused'
  | 'unusable';

/** A difference to an earlier day. */
export interface GrowthSince {
  /** Negative: it has shrunk. */
  bytes: number;
  /** When the earlier size was measured. */
  since: string;
}

/** A token on an address of a key. */
export interface SigningToken {
  /** Its contract. */
  contract: string;
  /** E.g. `USDC`. */
  currencyCode: string;
  /** Digits after the decimal point. */
  decimals: number;
  /** What is there and is sent, in its smallest unit. */
  amount: string;
  /** The limit of gas: a fifth more than the node estimates for a transfer to an address without this token. */
  gasLimit: number;
}

/** Parameters, body and response of every operation, by its id. */
export interface Operations extends Pick<
  ClientOperations,
  | 'exportPayments'
  | 'exportTransfers'
  | 'createCheckout'
  | 'listPayments'
  | 'listPaymentsByReference'
  | 'getPayment'
  | 'listPaymentTransactions'
  | 'cancelPayment'
  | 'acceptPayment'
  | 'keepPayment'
  | 'listPaymentOverview'
  | 'getPaymentInstructions'
  | 'listDepositAddresses'
  | 'listAttention'
  | 'countAttention'
  | 'getPaymentTimeline'
  | 'reportReceived'
  | 'reportTimes'
  | 'reportRates'
  | 'reportMonth'
  | 'exportRefunds'
  | 'listRefunds'
  | 'createRefund'
  | 'getRefund'
  | 'setRefundAddress'
  | 'completeRefund'
  | 'cancelRefund'
  | 'listAllRefunds'
  | 'exportWebhookDeliveries'
  | 'listAllWebhookDeliveries'
> {
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
  /** Prepare a payout: `POST /api/payment-applications/{id}/payouts` */
  preparePayout: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    body: PreparePayout;
    response: PayoutData;
  };
  /** Record the transactions that have paid refunds: `POST /api/payment-applications/{id}/payouts/complete` */
  reportPayouts: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    body: ReportPayouts;
    response: ReportedPayoutsData;
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
  /** List what your servers have asked: `GET /api/request-log` */
  listLoggedRequests: {
    query: {
      /** Only requests that were answered with such a status. */
      status?: '2xx' | '3xx' | '4xx' | '5xx' | undefined;
      /** Only requests with this HTTP method. */
      method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
      /** Only requests with client tokens of this application. */
      paymentApplicationId?: string | undefined;
      /** Only requests with this client token. */
      tokenId?: string | undefined;
      /** Only requests whose path with its query contains this. */
      path?: string | undefined;
      /** Only the request with this `X-Request-Id`. */
      requestId?: string | undefined;
      /** Only requests of this time or later; with a time zone. */
      since?: string | undefined;
      /** `meta.cursor.next` of the page before, with the same filters; without it, the newest items. */
      after?: string | undefined;
      /** How many items at most. */
      limit?: number | undefined;
    };
    response: LoggedRequestCursorPage;
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
  /** Say how far your wallet looks ahead: `PUT /api/payment-applications/{id}/wallets/{family}/gap-limit` */
  stateGapLimit: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
      /** The family of blockchains; `evm` covers Ethereum and all EVM-compatible chains. */
      family: string;
    };
    body: StateGapLimit;
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
  /** Prepare a collection: `POST /api/payment-applications/{id}/collections` */
  prepareCollection: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    query: {
      /** `next` of the response before, with the same blockchain; without it, the newest outputs. */
      after?: string | undefined;
    };
    body: PrepareCollection;
    response: CollectionData;
  };
  /** List received funds: `GET /api/payment-applications/{id}/holdings` */
  listHoldings: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    query: {
      /** The currency of what is worth something now: `worth`, and what ends in `Worth`. */
      worthCurrencyCode?: string | undefined;
    };
    response: HoldingList;
  };
  /** List received funds by address: `GET /api/payment-applications/{id}/holdings/addresses` */
  listHoldingAddresses: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    query: {
      /** `meta.cursor.next` of the page before, with the same filters; without it, the newest items. */
      after?: string | undefined;
      /** How many items at most. */
      limit?: number | undefined;
    };
    response: HoldingAddressCursorPage;
  };
  /** Export received funds by address: `GET /api/payment-applications/{id}/holdings/addresses/export` */
  exportHoldingAddresses: {
    path: {
      /** The payment application: its UUID, not its `clientId`. */
      id: string;
    };
    query: {
      /** On this blockchain, by its slug. The page that collects takes a file of one. */
      blockchain?: string | undefined;
      /** `xlsx` is a workbook, and so for people; `csv` is for programs, and with `locale` for the spreadsheets of people; `jsonl` is for programs: one JSON object a line. */
      format?: 'csv' | 'jsonl' | 'xlsx' | undefined;
      /** The language of the heads of columns, whose spreadsheets can open the file: separator, decimal mark and dates. Makes `csv` a file for people, oldest first. `en` unless set with `xlsx`. */
      locale?: string | undefined;
      /** The time zone (IANA) of the dates in a file for people; `UTC` unless set. */
      timeZone?: string | undefined;
    };
    response: HoldingAddressExportRow;
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
        | 'payment.updated'
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
  /** Say how far the wallet of your default key looks ahead: `PUT /api/account/wallets/{family}/gap-limit` */
  stateAccountGapLimit: {
    path: {
      /** The family of blockchains; `evm` covers Ethereum and all EVM-compatible chains. */
      family: string;
    };
    body: StateGapLimit;
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
        | 'payment.kept'
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
      /** Whether tokens that programs got are listed (`oauth_token.issued`): one for each hour of a program. */
      issuedTokens?: boolean | undefined;
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
  /** Get what you are told by mail: `GET /api/account/notices` */
  getNotices: {
    response: NoticesData;
  };
  /** Choose what you are told by mail: `PUT /api/account/notices` */
  saveNotices: {
    body: SaveNotices;
    response: NoticesData;
  };
  /** Send yourself a test notice: `POST /api/account/notices/test` */
  sendTestNotice: {
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
  /** Get the condition of the gateway: `GET /api/admin/health` */
  getOperatorHealth: {
    response: OperatorHealthData;
  };
  /** Check everything around the gateway: `POST /api/admin/health/checks` */
  checkHealth: {
    response: FindingList;
  };
  /** List the blockchains whose nodes can be tried: `GET /api/admin/node-trials/blockchains` */
  listTriableChains: {
    response: TriableChainList;
  };
  /** Try a node: `POST /api/admin/node-trials` */
  tryNode: {
    body: NodeTrialRequest;
    response: NodeTrialData;
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
  exportTransfers: 'GET /api/transfers/export',
  createCheckout: 'POST /api/payment/checkout',
  listPayments: 'GET /api/payment',
  listPaymentsByReference: 'GET /api/payment/by-reference',
  getPayment: 'GET /api/payment/{paymentId}',
  listPaymentTransactions: 'GET /api/payment/{paymentId}/transactions',
  cancelPayment: 'POST /api/payment/{paymentId}/cancel',
  acceptPayment: 'POST /api/payment/{paymentId}/accept',
  keepPayment: 'POST /api/payment/{paymentId}/keep',
  listPaymentOverview: 'GET /api/payment-overview',
  getPaymentInstructions: 'GET /api/payment/{paymentId}/provider/{provider}/method/{method}',
  listDepositAddresses: 'GET /api/payment/{paymentId}/deposit-addresses',
  listAttention: 'GET /api/attention',
  countAttention: 'GET /api/attention/counts',
  getPaymentTimeline: 'GET /api/payment/{paymentId}/timeline',
  reportReceived: 'GET /api/reports/received',
  reportTimes: 'GET /api/reports/times',
  reportRates: 'GET /api/reports/rates',
  reportMonth: 'GET /api/reports/month',
  exportRefunds: 'GET /api/refunds/export',
  listRefunds: 'GET /api/payment/{paymentId}/refunds',
  createRefund: 'POST /api/payment/{paymentId}/refunds',
  getRefund: 'GET /api/payment/{paymentId}/refunds/{refundId}',
  setRefundAddress: 'POST /api/payment/{paymentId}/refunds/{refundId}/address',
  completeRefund: 'POST /api/payment/{paymentId}/refunds/{refundId}/complete',
  cancelRefund: 'POST /api/payment/{paymentId}/refunds/{refundId}/cancel',
  listAllRefunds: 'GET /api/refunds',
  preparePayout: 'POST /api/payment-applications/{id}/payouts',
  reportPayouts: 'POST /api/payment-applications/{id}/payouts/complete',
  listClientTokens: 'GET /api/payment-applications/{id}/client-tokens',
  createClientToken: 'POST /api/payment-applications/{id}/client-tokens',
  getClientToken: 'GET /api/payment-applications/{id}/client-tokens/{tokenId}',
  revokeClientToken: 'DELETE /api/payment-applications/{id}/client-tokens/{tokenId}',
  listLoggedRequests: 'GET /api/request-log',
  listWallets: 'GET /api/payment-applications/{id}/wallets',
  getWallet: 'GET /api/payment-applications/{id}/wallets/{family}',
  putWallet: 'PUT /api/payment-applications/{id}/wallets/{family}',
  deleteWallet: 'DELETE /api/payment-applications/{id}/wallets/{family}',
  compareWallet: 'PUT /api/payment-applications/{id}/wallets/{family}/comparison',
  stateGapLimit: 'PUT /api/payment-applications/{id}/wallets/{family}/gap-limit',
  cancelWalletChange: 'DELETE /api/payment-applications/{id}/wallets/{family}/pending',
  listDestinations: 'GET /api/payment-applications/{id}/destinations',
  prepareCollection: 'POST /api/payment-applications/{id}/collections',
  listHoldings: 'GET /api/payment-applications/{id}/holdings',
  listHoldingAddresses: 'GET /api/payment-applications/{id}/holdings/addresses',
  exportHoldingAddresses: 'GET /api/payment-applications/{id}/holdings/addresses/export',
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
  stateAccountGapLimit: 'PUT /api/account/wallets/{family}/gap-limit',
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
  getNotices: 'GET /api/account/notices',
  saveNotices: 'PUT /api/account/notices',
  sendTestNotice: 'POST /api/account/notices/test',
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
  getOperatorHealth: 'GET /api/admin/health',
  checkHealth: 'POST /api/admin/health/checks',
  listTriableChains: 'GET /api/admin/node-trials/blockchains',
  tryNode: 'POST /api/admin/node-trials',
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
  keepPayment: 'developer',
  createRefund: 'developer',
  setRefundAddress: 'developer',
  completeRefund: 'developer',
  cancelRefund: 'developer',
  reportPayouts: 'developer',
  createClientToken: 'developer',
  revokeClientToken: 'developer',
  putWallet: 'owner',
  deleteWallet: 'owner',
  compareWallet: 'owner',
  stateGapLimit: 'developer',
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
  stateAccountGapLimit: 'developer',
  cancelAccountWalletChange: 'owner',
  listInvitations: 'owner',
  createInvitation: 'owner',
  withdrawInvitation: 'owner',
  updateMember: 'owner',
  removeMember: 'owner',
};
