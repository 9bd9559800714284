/** What an export of an account has of one table. */
export interface ExportedTable {
  /** Properties that hold the user's id, or a property that refers to a row of another exported table. */
  owner: readonly string[] | { by: string; of: string };
  /** Properties of the entity that are exported, in the order of the lines. */
  fields: readonly string[];
  /** Those that are not, with the reason. */
  withheld?: Readonly<Record<string, string>>;
}

const MAC = 'proves to the gateway that it wrote the row; made with a secret key';
const HASH = 'checks a secret';
const SEALED = 'a secret, encrypted';
const KEY = 'the same address in the form that is searched';
const LEASE = 'which process works on it at the moment';
const CHAIN = 'links all entries of the audit log, also those of others';
const COUNT = 'counts what all accounts do; the lines are in its order';

const MINE = ['userId'];
const words = (text: string) => text.trim().split(/\s+/);

/**
 * Every table with rows of a user, but those of {@link LEFT_OUT}: what `export-account` writes, by the name of the table
 * (specification/operations.md#exporting-an-account). Fields are named one by one, so that a new column is not exported
 * by itself, as it may be a secret; test/account-export.e2e-spec.ts names a table or a column that is
 * missing here.
 */
export const EXPORTED_TABLES: Readonly<Record<string, ExportedTable>> = {
  users: {
    owner: ['id'],
    fields: words('id email name isOperator disabledAt hasSecondFactor createdAt'),
    withheld: {
      passwordHash: HASH,
      passwordKey: 'which key of the gateway the hash was made with',
      mac: MAC,
    },
  },
  second_factors: {
    owner: MINE,
    fields: words('userId createdAt confirmedAt'),
    withheld: { sealedSecret: SEALED, lastStep: 'refuses a code that was used' },
  },
  recovery_codes: {
    owner: MINE,
    fields: words('userId slot createdAt usedAt'),
    withheld: { codeHash: HASH, mac: MAC },
  },
  refused_sign_ins: {
    owner: MINE,
    fields: words('userId reason sinceLast beforeLast refusedAt isBoundReached reportedAt'),
  },
  access_links: {
    owner: ['userId', 'accountId'],
    fields: words('id kind email userId accountId role createdAt expiresAt usedAt'),
    withheld: { tokenHash: HASH, mac: MAC },
  },
  account_members: {
    owner: ['userId', 'accountId'],
    fields: words('accountId userId role createdAt'),
    withheld: { mac: MAC },
  },
  saved_views: { owner: MINE, fields: words('userId views updatedAt') },
  notice_choices: { owner: MINE, fields: words('userId kinds applicationIds language updatedAt') },
  oauth_clients: {
    owner: MINE,
    fields: words('clientId name userId grantTypes redirectUris scopes createdAt revokedAt'),
    withheld: { secretHash: HASH, mac: MAC },
  },
  client_tokens: {
    owner: MINE,
    fields: words(
      'id applicationId userId label scopes tokenPrefix expiresAt lastUsedAt revokedAt createdAt',
    ),
    withheld: { tokenHash: HASH, mac: MAC },
  },
  payment_applications: {
    owner: MINE,
    fields: words('id userId name clientId previousSecretUntil currencyWhitelist createdAt deletedAt'),
    withheld: { sealedSecret: SEALED, sealedPreviousSecret: SEALED },
  },
  sites: {
    owner: MINE,
    fields: words(`
      id applicationId userId title url callbackUrl settingId settingTitle allowOverpay allowUnderpay
      underpayLeastShareBps underpayToleranceBps confirmations events expiredSince accent supportUrl defaultLanguage logoId logoHash`),
    withheld: { mac: MAC },
  },
  application_logos: {
    owner: { by: 'applicationId', of: 'payment_applications' },
    fields: words('applicationId content createdAt'),
  },
  application_holdings: {
    owner: { by: 'applicationId', of: 'payment_applications' },
    fields: words(
      'applicationId chain asset currencyCode assetDecimals confirmed pending addresses lastSeenAt',
    ),
  },
  wallets: {
    owner: MINE,
    fields: words(
      'id applicationId userId family scriptType maskedKey fingerprint nextIndex createdAt retiredAt comparedAt comparedBy',
    ),
    withheld: {
      sealedKey:
        'the extended public key, encrypted: whoever has it sees every payment to the wallet; a treasury is in maskedKey',
      keyHash: 'finds a key that is used twice',
      lineage: 'in which database the wallet was last used',
      mac: MAC,
    },
  },
  wallet_choices: { owner: MINE, fields: words('id userId applicationId wallets'), withheld: { mac: MAC } },
  wallet_changes: {
    owner: MINE,
    fields: words(`
      id applicationId userId family maskedKey fingerprint previousFingerprint changedBy requestedAt effectiveAt
      appliedAt cancelledAt`),
    withheld: { sealedKey: 'the extended public key, encrypted', mac: MAC },
  },
  payments: {
    owner: MINE,
    fields: words(`
      id userId applicationId status statusSeq reference referenceLabel currencyCode settlementCurrencyCode amount
      redirectUrl blockchainSlug productId callbackUrl metadata livemode expiresAt createdAt selectedProvider
      selectedMethod receivedAmount overpaidAmount underpaidAmount settledAmount refundedAmount foundAt receivedAt
      confirmedAt cancelledAt cancelReason errorReason reviewReason acknowledgedAt underpayAcceptedAt
      underpayAcceptedAmount overpayAcceptedAt keptAmount twiceKeptAt paidLateAt lateKeptAt`),
    withheld: {
      told: 'what the newest event says already',
      stoppedAt: 'when its records were not as they should be',
      reasonBefore: 'what the reason was before that',
      sharesReference: 'follows from the references',
      recheckAt: 'when the gateway looks at it next',
      expiryCheckAt: 'when the gateway looks at it next',
      mac: MAC,
    },
  },
  payment_status_history: {
    owner: { by: 'paymentId', of: 'payments' },
    fields: words('paymentId userId seq fromStatus toStatus reason createdAt'),
    withheld: { mac: MAC },
  },
  quotes: {
    owner: MINE,
    fields: words(`
      id paymentId userId chain asset currencyCode assetDecimals pricedAmount assetAmount rate rateSource rateInputs
      settlementRate isLate lockedAt expiresAt acceptedTransferId acceptedBy acceptedTokenId`),
    withheld: { mac: MAC },
  },
  deposit_addresses: {
    owner: MINE,
    fields: words('id paymentId userId family address walletId derivationIndex createdAt'),
    withheld: { key: KEY, mac: MAC },
  },
  payment_transfers: {
    owner: MINE,
    fields: words(`
      id paymentId userId depositAddressId chain txHash ordinal asset currencyCode assetDecimals amount
      floor isDust state
      blockHeight blockHash blockTime confirmationsRequired finalityRequired awaitsAgreement quoteId isMatched isLate
      creditedAmount seenAt confirmedAt inputs`),
    withheld: { mac: MAC, placeMac: MAC },
  },
  own_transfers: {
    owner: MINE,
    fields: words(
      'id userId paymentId depositAddressId chain txHash ordinal sender currencyCode decimals amount blockHeight blockHash blockTime',
    ),
    withheld: { mac: MAC },
  },
  reported_transactions: {
    owner: { by: 'paymentId', of: 'payments' },
    fields: words(
      'id paymentId userId chain txHash state checks reportedAt checkedAt nextCheckAt token tokenAmount keptAt',
    ),
  },
  refunds: {
    owner: MINE,
    fields: words(`
      id paymentId userId type status statusSeq transferId amount chain asset payoutCurrencyCode payoutDecimals
      payoutAmount rate rateLockedAt confirmationsRequired address addressSetBy txHash txRecordedAt txCredited txSeenAt
      confirmations nextCheckAt reason note requestedBy createdAt expiresAt completedAt failureReason`),
    withheld: { addressKey: KEY, mac: MAC },
  },
  refund_history: {
    owner: { by: 'refundId', of: 'refunds' },
    fields: words('refundId userId seq fromStatus toStatus reason address txHash createdAt'),
    withheld: { mac: MAC },
  },
  payment_events: {
    owner: MINE,
    fields: words(`
      id paymentId userId applicationId seq place type body createdAt dispatchedAt supersededAt overtakenAt testPaymentId`),
    withheld: { position: 'counts the events of all accounts', mac: MAC },
  },
  webhook_deliveries: {
    owner: MINE,
    fields: words(`
      id eventId paymentId applicationId userId seq place type state attempts createdAt firstAttemptAt nextAttemptAt
      succeededAt lastError deferredSeconds overtakenAt testPaymentId`),
    withheld: { leaseToken: LEASE, leaseUntil: LEASE },
  },
  webhook_attempts: {
    owner: { by: 'deliveryId', of: 'webhook_deliveries' },
    fields: words(
      'deliveryId userId number url httpStatus error responseBody connectMs firstByteMs durationMs createdAt',
    ),
    withheld: { mac: MAC },
  },
  webhook_endpoints: {
    owner: { by: 'applicationId', of: 'payment_applications' },
    fields: words('applicationId pausedAt reason pausedBy'),
  },
  request_log: {
    owner: MINE,
    fields: words(
      'userId at requestId applicationId tokenId oauthClientId method route path status durationMs idempotencyKey address errorCode errorBody',
    ),
  },
  audit_log: {
    owner: MINE,
    fields: words('at actorKind actorId act userId targetKind targetId details address requestId'),
    withheld: { seq: COUNT, previousHash: CHAIN, hash: CHAIN, mac: MAC },
  },
};

/** Tables with rows of users that are not exported, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  changes: 'says for ten minutes that a row has changed; the rows themselves are exported',
  idempotency_keys: 'responses to repeat for a day, encrypted; what they are about is exported',
  notices: 'mails to the user, whose content is deleted once they are sent; what they are about is exported',
  oidc_payloads: 'sign-ins with their tokens; the file sessions has what may be shown of them',
  payment_count_changes: 'counts payments, which are exported',
  payment_counts: 'counts payments, which are exported',
  spare_addresses: 'follow from the keys of wallets, which are exported',
  stray_receipts: 'what other programs were paid, with addresses of the keys of wallets',
  wallet_gaps:
    'how far a wallet program must look ahead, which follows from payments, and what was said of it',
  wallet_searches: 'what blockchains said about the keys of wallets, which are exported',
  webhook_delivery_count_changes: 'counts deliveries, which are exported',
  webhook_delivery_counts: 'counts deliveries, which are exported',
};
