import type { AuditAction } from '../../platform/kernel/audit-actions.pure.js';
import type { ChangeState } from '../../wallets/wallet-change.pure.js';
import type { RecordedChange } from '../../wallets/wallet-records.service.js';
import type { Difference } from './reconciliation-report.pure.js';

/** An entry of the audit log about a change of a wallet that waited. */
export interface WalletChangeEntry {
  act: AuditAction;
  changeId: string;
  family: string;
}

const STATES: Readonly<Partial<Record<AuditAction, ChangeState>>> = {
  'wallet.change_requested': 'pending',
  'wallet.change_applied': 'applied',
  'wallet.change_cancelled': 'cancelled',
};

/**
 * Holds every change of a wallet against the audit log (specification/wallets.md#integrity). A change that was applied
 * at once has no entries of its own: those of its wallet are compared by auditWallets. @param entries in their order
 */
export function auditWalletChanges(
  changes: readonly RecordedChange[],
  entries: readonly WalletChangeEntry[],
): Difference[] {
  const last = new Map(entries.map((entry) => [entry.changeId, entry]));
  const known = new Set(changes.map(({ id }) => id));
  const lost = [...last.values()].filter(({ changeId }) => !known.has(changeId));
  return [
    ...changes.flatMap((change) => auditChange(change, last.get(change.id))),
    ...lost.map(({ act, changeId, family }) => difference(family, changeId, STATES[act] ?? act, 'no change')),
  ];
}

function auditChange(
  { id, family, state, isAuthentic }: RecordedChange,
  entry: WalletChangeEntry | undefined,
): Difference[] {
  if (!isAuthentic) return [difference(family, id, 'as the gateway wrote it', 'without a valid MAC')];
  const audited = entry ? STATES[entry.act] : 'applied';
  return audited === state ? [] : [difference(family, id, audited ?? 'no change', state)];
}

function difference(family: string, id: string, expected: string, found: string): Difference {
  const subject = `${family} wallet change ${id}`;
  return { check: 'wallet', chain: null, paymentId: null, subject, expected, found };
}
