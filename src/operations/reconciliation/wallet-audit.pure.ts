import type { AuditAction } from '../../platform/kernel/audit-actions.pure.js';
import type { RecordedChoice, RecordedWallet } from '../../wallets/wallet-records.service.js';
import type { Difference } from './reconciliation-report.pure.js';

/** An entry of the audit log about a wallet, with its details parsed. */
export interface WalletEntry {
  act: AuditAction;
  walletId: string;
  userId: string | null;
  applicationId: string | null;
  family: string;
  /** Null: the entry does not state it. */
  fingerprint: string | null;
}

interface Owner {
  userId: string | null;
  applicationId: string | null;
}

/** What follows from the audit log. */
interface Audited {
  /** The last activation of each wallet. */
  activations: ReadonlyMap<string, WalletEntry>;
  /** The active wallet by owner and family. */
  active: ReadonlyMap<string, string>;
}

/**
 * Holds every wallet, and the statement which wallets of an owner are active, against the audit log
 * (specification/wallets.md#integrity). @param entries in their order
 */
export function auditWallets(
  wallets: readonly RecordedWallet[],
  choices: readonly RecordedChoice[],
  entries: readonly WalletEntry[],
): Difference[] {
  const audited = replay(entries);
  const known = new Set(wallets.map(({ id }) => id));
  const lost = [...audited.activations.values()].filter(({ walletId }) => !known.has(walletId));
  return [
    ...wallets.flatMap((wallet) => auditWallet(wallet, audited)),
    ...lost.map((entry) =>
      difference(`${entry.family} wallet ${entry.walletId}`, ofOwner(entry), 'no wallet'),
    ),
    ...choices.flatMap((choice) => auditChoice(choice, audited)),
  ];
}

function replay(entries: readonly WalletEntry[]): Audited {
  const activations = new Map<string, WalletEntry>();
  const active = new Map<string, string>();
  for (const entry of entries) {
    const place = placeOf(entry, entry.family);
    if (entry.act === 'wallet.activated') {
      activations.set(entry.walletId, entry);
      active.set(place, entry.walletId);
    } else if (entry.act === 'wallet.removed' && active.get(place) === entry.walletId) active.delete(place);
  }
  return { activations, active };
}

function auditWallet(wallet: RecordedWallet, { activations, active }: Audited): Difference[] {
  const subject = `${wallet.family} wallet ${wallet.id}`;
  if (!wallet.isAuthentic) return [difference(subject, 'as the gateway wrote it', 'without a valid MAC')];
  const entry = activations.get(wallet.id);
  if (!entry) return [difference(subject, 'an activation in the audit log', 'none')];
  const [expected, found] = [ofOwner(entry), ofOwner(wallet)];
  if (expected !== found) return [difference(subject, expected, found)];
  const isActive = active.get(placeOf(wallet, wallet.family)) === wallet.id;
  const [state, recorded] = [stateOf(isActive), stateOf(wallet.retiredAt === null)];
  return state === recorded ? [] : [difference(subject, state, recorded)];
}

function auditChoice(choice: RecordedChoice, { active }: Audited): Difference[] {
  const { userId, applicationId, wallets, isAuthentic } = choice;
  const subject =
    applicationId === null
      ? `wallet choice of user ${userId}`
      : `wallet choice of application ${applicationId}`;
  if (wallets === null) return [difference(subject, 'a statement which wallets are active', 'none')];
  if (!isAuthentic) return [difference(subject, 'as the gateway wrote it', 'without a valid MAC')];
  const prefix = placeOf(choice, '');
  const expected = [...active].flatMap(([place, id]) =>
    place.startsWith(prefix) ? [[place.slice(prefix.length), id] as const] : [],
  );
  const [audited, stated] = [listOf(expected), listOf(Object.entries(wallets))];
  return audited === stated ? [] : [difference(subject, audited, stated)];
}

/** Key of an owner and family; owners are distinguished whatever their ids contain. */
function placeOf({ userId, applicationId }: Owner, family: string): string {
  return `${JSON.stringify([userId, applicationId])} ${family}`;
}

function ofOwner({
  userId,
  applicationId,
  family,
  fingerprint,
}: Owner & Pick<WalletEntry, 'family' | 'fingerprint'>) {
  const owner = userId === null ? 'the operator' : `user ${userId}`;
  const application = applicationId === null ? '' : `, application ${applicationId}`;
  return `${family} key ${fingerprint ?? 'unknown'} of ${owner}${application}`;
}

const stateOf = (isActive: boolean) => (isActive ? 'active' : 'retired');

function listOf(chosen: readonly (readonly [string, string])[]): string {
  const texts = chosen.map(([family, id]) => `${family} ${id}`).toSorted();
  return texts.length === 0 ? 'no wallet' : texts.join(', ');
}

function difference(subject: string, expected: string, found: string): Difference {
  return { check: 'wallet', chain: null, paymentId: null, subject, expected, found };
}
