import { Baseline1795224000001 } from './0001-baseline.js';
import { AuthenticateWallets1795310402000 } from './0002-authenticate-wallets.js';
import { AuthenticateIdentity1795310403000 } from './0003-authenticate-identity.js';
import { GatewayRole1795310404000 } from './0004-gateway-role.js';
import { WalletChanges1795310405000 } from './0005-wallet-changes.js';
import { KeyAuditLog1795310406000 } from './0006-key-audit-log.js';
import { RefusedSignIns1795310407000 } from './0007-refused-sign-ins.js';
import { FinalityByTransfer1795310408000 } from './0008-finality-by-transfer.js';
import { CountUnpaidPayments1795310409000 } from './0009-count-unpaid-payments.js';
import { WalletChangeDelay1795310410000 } from './0010-wallet-change-delay.js';
import { AuthenticatePayments1795310412000 } from './0012-authenticate-payments.js';
import { ReportedTransactions1795310413000 } from './0013-reported-transactions.js';
import { Branding1795310414000 } from './0014-branding.js';
import { CustomerRefunds1795310415000 } from './0015-customer-refunds.js';
import { IndexOverviews1795310416000 } from './0016-index-overviews.js';
import { ExportsAndReports1795310417000 } from './0017-exports-and-reports.js';
import { AccountRecords1795310418000 } from './0018-account-records.js';
import { AccessLinks1795310419000 } from './0019-access-links.js';
import { AccountMembers1795310420000 } from './0020-account-members.js';
import { Changes1795310421000 } from './0021-changes.js';
import { GatherDeliveryChanges1795310422000 } from './0022-gather-delivery-changes.js';
import { OperatorUsers1795310423000 } from './0023-operator-users.js';
import { CountPayments1795310425000 } from './0025-count-payments.js';
import { FillPaymentCounts1795310426000 } from './0026-fill-payment-counts.js';
import { ReconciliationProgress1795310431000 } from './0031-reconciliation-progress.js';
import { SkipDeliveryClaims1795310432000 } from './0032-skip-delivery-claims.js';
import { WalletComparison1795310433000 } from './0033-wallet-comparison.js';
import { CountDeliveries1795310436000 } from './0036-count-deliveries.js';
import { FillDeliveryCounts1795310437000 } from './0037-fill-delivery-counts.js';
import { ReconciliationSchedule1795310438000 } from './0038-reconciliation-schedule.js';
import { CountUnclaimedDeliveries1795310439000 } from './0039-count-unclaimed-deliveries.js';
import { CorrectDeliveryCounts1795310440000 } from './0040-correct-delivery-counts.js';
import { OrderIndexesByTime1795310442000 } from './0042-order-indexes-by-time.js';
import { VacuumDeliveryLog1795310443000 } from './0043-vacuum-delivery-log.js';
import { SkipEmptyTriggers1795310444000 } from './0044-skip-empty-triggers.js';
import { SkipEmptyDeliveryTriggers1795310445000 } from './0045-skip-empty-delivery-triggers.js';
import { ReadHistoryOnce1795310446000 } from './0046-read-history-once.js';
import { UnreadTraces1795310447000 } from './0047-unread-traces.js';
import { NodeBacklog1795310452000 } from './0052-node-backlog.js';
import { ValidateNodeBacklog1795310453000 } from './0053-validate-node-backlog.js';

/** Every migration, in order. A released one is never edited (migrations/README.md). */
export const migrations = [
  Baseline1795224000001,
  AuthenticateWallets1795310402000,
  AuthenticateIdentity1795310403000,
  GatewayRole1795310404000,
  WalletChanges1795310405000,
  KeyAuditLog1795310406000,
  RefusedSignIns1795310407000,
  FinalityByTransfer1795310408000,
  CountUnpaidPayments1795310409000,
  WalletChangeDelay1795310410000,
  AuthenticatePayments1795310412000,
  ReportedTransactions1795310413000,
  Branding1795310414000,
  CustomerRefunds1795310415000,
  IndexOverviews1795310416000,
  ExportsAndReports1795310417000,
  AccountRecords1795310418000,
  AccessLinks1795310419000,
  AccountMembers1795310420000,
  Changes1795310421000,
  GatherDeliveryChanges1795310422000,
  OperatorUsers1795310423000,
  CountPayments1795310425000,
  FillPaymentCounts1795310426000,
  ReconciliationProgress1795310431000,
  SkipDeliveryClaims1795310432000,
  WalletComparison1795310433000,
  CountDeliveries1795310436000,
  FillDeliveryCounts1795310437000,
  ReconciliationSchedule1795310438000,
  CountUnclaimedDeliveries1795310439000,
  CorrectDeliveryCounts1795310440000,
  OrderIndexesByTime1795310442000,
  VacuumDeliveryLog1795310443000,
  SkipEmptyTriggers1795310444000,
  SkipEmptyDeliveryTriggers1795310445000,
  ReadHistoryOnce1795310446000,
  UnreadTraces1795310447000,
  NodeBacklog1795310452000,
  ValidateNodeBacklog1795310453000,
];
