import { encryptedColumn } from '../platform/security/encrypted-column.js';
import { WalletChangeEntity } from './wallet-change.entity.js';
import { WalletEntity } from './wallet.entity.js';

/** Encryption purpose of extended public keys; the context is the wallet's id. */
export const KEY_PURPOSE = 'extended-public-key';

/** Encryption purpose of pending changes; the context is the id of the change. */
export const CHANGE_PURPOSE = 'wallet-change';

/** Extended public keys, also of retired wallets: their addresses stay watched and are still shown. */
export const ENCRYPTED_KEYS = [
  encryptedColumn(WalletEntity, 'id', 'sealedKey', KEY_PURPOSE),
  encryptedColumn(WalletChangeEntity, 'id', 'sealedChange', CHANGE_PURPOSE),
];
