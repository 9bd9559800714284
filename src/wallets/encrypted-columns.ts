import { encryptedColumn } from '../platform/security/encrypted-column.js';
import { WalletEntity } from './wallet.entity.js';

/** Encryption purpose of extended public keys; the context is the wallet's id. */
export const KEY_PURPOSE = 'extended-public-key';

/** Extended public keys, also of retired wallets: their addresses stay watched and are still shown. */
export const ENCRYPTED_KEYS = [encryptedColumn(WalletEntity, 'id', 'sealedKey', KEY_PURPOSE)];
