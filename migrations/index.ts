import { UsersAndOauth1795224000000 } from './1795224000000-users-and-oauth.js';
import { ApplicationsAndTokens1795224000001 } from './1795224000001-applications-and-tokens.js';
import { Wallets1795224000002 } from './1795224000002-wallets.js';
import { Payments1795224000003 } from './1795224000003-payments.js';
import { PaymentGuards1795224000004 } from './1795224000004-payment-guards.js';
import { ChainWatcher1795224000005 } from './1795224000005-chain-watcher.js';
import { Webhooks1795224000006 } from './1795224000006-webhooks.js';
import { Refunds1795224000007 } from './1795224000007-refunds.js';
import { Accounts1795224000008 } from './1795224000008-accounts.js';
import { IdempotencyAndLimits1795224000009 } from './1795224000009-idempotency-and-limits.js';
import { MempoolSightings1795224000011 } from './1795224000011-mempool-sightings.js';
import { ChainConditions1795224000012 } from './1795224000012-chain-conditions.js';
import { AcceptedTransfers1795224000013 } from './1795224000013-accepted-transfers.js';
import { ConfirmationPolicy1795224000014 } from './1795224000014-confirmation-policy.js';
import { Resealing1795224000018 } from './1795224000018-resealing.js';
import { EventFeed1795224000019 } from './1795224000019-event-feed.js';
import { ChainEndpoints1795224000020 } from './1795224000020-chain-endpoints.js';
import { WalletLineage1795224000021 } from './1795224000021-wallet-lineage.js';
import { WebhookPortal1795224000024 } from './1795224000024-webhook-portal.js';
import { AuditLog1795224000026 } from './1795224000026-audit-log.js';
import { ReconciliationRuns1795224000027 } from './1795224000027-reconciliation-runs.js';
import { AddressCounters1795224000028 } from './1795224000028-address-counters.js';
import { AttemptTimings1795224000029 } from './1795224000029-attempt-timings.js';
import { PaymentBirth1795224000030 } from './1795224000030-payment-birth.js';
import { HistoryMoves1795224000031 } from './1795224000031-history-moves.js';
import { FeedLineage1795224000032 } from './1795224000032-feed-lineage.js';
import { WebhookWaits1795224000033 } from './1795224000033-webhook-waits.js';
import { TransferExecutions1795224000034 } from './1795224000034-transfer-executions.js';
import { AcceptedAmounts1795224000035 } from './1795224000035-accepted-amounts.js';
import { UnmatchedAfterEnd1795224000036 } from './1795224000036-unmatched-after-end.js';
import { PaymentMetadata1795224000037 } from './1795224000037-payment-metadata.js';
import { PaymentCallbackUrl1795224000038 } from './1795224000038-payment-callback-url.js';
import { OptInEvents1795224000039 } from './1795224000039-opt-in-events.js';
import { ApplicationHoldings1795224000040 } from './1795224000040-application-holdings.js';

/** Every migration, in order. A released one is never edited. */
export const migrations = [
  UsersAndOauth1795224000000,
  ApplicationsAndTokens1795224000001,
  Wallets1795224000002,
  Payments1795224000003,
  PaymentGuards1795224000004,
  ChainWatcher1795224000005,
  Webhooks1795224000006,
  Refunds1795224000007,
  Accounts1795224000008,
  IdempotencyAndLimits1795224000009,
  MempoolSightings1795224000011,
  ChainConditions1795224000012,
  AcceptedTransfers1795224000013,
  ConfirmationPolicy1795224000014,
  Resealing1795224000018,
  EventFeed1795224000019,
  ChainEndpoints1795224000020,
  WalletLineage1795224000021,
  WebhookPortal1795224000024,
  AuditLog1795224000026,
  ReconciliationRuns1795224000027,
  AddressCounters1795224000028,
  AttemptTimings1795224000029,
  PaymentBirth1795224000030,
  HistoryMoves1795224000031,
  FeedLineage1795224000032,
  WebhookWaits1795224000033,
  TransferExecutions1795224000034,
  AcceptedAmounts1795224000035,
  UnmatchedAfterEnd1795224000036,
  PaymentMetadata1795224000037,
  PaymentCallbackUrl1795224000038,
  OptInEvents1795224000039,
  ApplicationHoldings1795224000040,
];
