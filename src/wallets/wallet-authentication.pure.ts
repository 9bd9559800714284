import type { DepositAddressEntity } from './deposit-address.entity.js';
import type { WalletChangeEntity } from './wallet-change.entity.js';
import type { WalletChoiceEntity } from './wallet-choice.entity.js';
import type { WalletEntity } from './wallet.entity.js';

/** The kind of a row, and the purpose of its MAC. */
export type AuthenticatedRow = 'wallet' | 'wallet-choice' | 'wallet-change' | 'deposit-address';

/**
 * What binds the rows that decide where money goes (specification/wallets.md#integrity). A change of a list invalidates
 * the MACs of all rows, and needs a migration that writes them anew.
 */
export interface RowAuthentication<Row> {
  purpose: AuthenticatedRow;
  fieldsOf(row: Row): (string | null)[];
}

/** Encryption purpose of extended public keys. */
export const KEY_PURPOSE = 'extended-public-key';

/** The part of a wallet that never changes and that its key is encrypted for. */
export type WalletIdentity = Pick<WalletEntity, 'id' | 'applicationId' | 'userId' | 'family' | 'scriptType'>;

/** Associated data of an encrypted extended public key: it is of no use in the row of another owner or family. */
export function keyContext({ id, applicationId, userId, family, scriptType }: WalletIdentity): string {
  return JSON.stringify([id, applicationId, userId, family, scriptType]);
}

/** Encryption purpose of keys that wait. */
export const PENDING_KEY_PURPOSE = 'pending-extended-public-key';

/** Associated data of the encrypted key of a pending change. */
export function pendingKeyContext(change: Omit<WalletIdentity, 'scriptType'>): string {
  return JSON.stringify([change.id, change.applicationId, change.userId, change.family]);
}

export type AuthenticWallet = WalletIdentity &
  Pick<WalletEntity, 'maskedKey' | 'fingerprint' | 'keyHash' | 'retiredAt'>;

export const WALLET: RowAuthentication<AuthenticWallet> = {
  purpose: 'wallet',
  fieldsOf: (wallet) => [
    wallet.id,
    wallet.applicationId,
    wallet.userId,
    wallet.family,
    wallet.scriptType,
    wallet.maskedKey,
    wallet.fingerprint,
    wallet.keyHash.toString('hex'),
    wallet.retiredAt === null ? null : wallet.retiredAt.toISOString(),
  ],
};

export type AuthenticAddress = Omit<DepositAddressEntity, 'createdAt' | 'mac'>;

export const DEPOSIT_ADDRESS: RowAuthentication<AuthenticAddress> = {
  purpose: 'deposit-address',
  fieldsOf: (address) => [
    address.id,
    address.paymentId,
    address.userId,
    address.walletId,
    address.family,
    String(address.derivationIndex),
    address.key.toString('hex'),
    address.address,
  ],
};

export type AuthenticChoice = Omit<WalletChoiceEntity, 'mac'>;

export const WALLET_CHOICE: RowAuthentication<AuthenticChoice> = {
  purpose: 'wallet-choice',
  fieldsOf: ({ id, userId, applicationId, wallets }) => {
    const chosen = Object.entries(wallets).toSorted(([one], [other]) => (one < other ? -1 : 1));
    return [id, userId, applicationId, ...chosen.flat()];
  },
};

export type AuthenticChange = Omit<WalletChangeEntity, 'sealedKey' | 'mac'>;

export const WALLET_CHANGE: RowAuthentication<AuthenticChange> = {
  purpose: 'wallet-change',
  fieldsOf: (change) => [
    change.id,
    change.applicationId,
    change.userId,
    change.family,
    change.maskedKey,
    change.fingerprint,
    change.previousFingerprint,
    change.changedBy,
    ...[change.requestedAt, change.effectiveAt, change.appliedAt, change.cancelledAt].map(
      (time) => time && time.toISOString(),
    ),
  ],
};
