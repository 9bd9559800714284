/** Every polling loop of the gateway. The value names the loop in logs and in Nest's `SchedulerRegistry`. */
export enum LoopName {
  /** One loop per chain. */
  ChainWatcher = 'watch',
  Refunds = 'refunds',
  ReportedTransactions = 'reported-transactions',
  PaymentSweep = 'payments-sweep',
  PaymentExpiry = 'payments-expiry',
  WebhookDelivery = 'webhooks',
  BlockedWebhooks = 'webhooks-blocked',
  WebhookRetention = 'webhooks-retention',
  TestEvents = 'webhook-tests',
  ApplicationEvents = 'application-events',
  EventStreams = 'event-streams',
  CheckoutStreams = 'checkout-streams',
  ChangeStreams = 'change-streams',
  ChangesPurge = 'changes-purge',
  ExpiredSecrets = 'expired-secrets',
  WalletChanges = 'wallet-changes',
  OAuthPurge = 'oauth-purge',
  IdempotencyPurge = 'idempotency-purge',
  FailedAttemptsPurge = 'failed-attempts-purge',
  AuditWatch = 'audit-watch',
}
