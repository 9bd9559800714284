import { encryptedColumn } from '../platform/integrity/encrypted-column.js';
import { macColumn } from '../platform/integrity/mac-column.js';
import type { KeyedColumn } from '../platform/integrity/key-rotation.service.js';
import { DepositAddressEntity } from './deposit-address.entity.js';
import {
  DEPOSIT_ADDRESS,
  KEY_PURPOSE,
  keyContext,
  PENDING_KEY_PURPOSE,
  pendingKeyContext,
  WALLET,
  WALLET_CHANGE,
  WALLET_CHOICE,
} from './wallet-authentication.pure.js';
import { WalletChangeEntity } from './wallet-change.entity.js';
import { WalletChoiceEntity } from './wallet-choice.entity.js';
import { WalletEntity } from './wallet.entity.js';

/** Extended public keys, also of retired wallets: their addresses stay watched and are still shown; and those that wait. */
export const ENCRYPTED_KEYS: readonly KeyedColumn[] = [
  encryptedColumn(WalletEntity, 'id', 'sealedKey', {
    purpose: KEY_PURPOSE,
    properties: ['id', 'applicationId', 'userId', 'family', 'scriptType'],
    contextOf: keyContext,
  }),
  encryptedColumn(WalletChangeEntity, 'id', 'sealedKey', {
    purpose: PENDING_KEY_PURPOSE,
    properties: ['id', 'applicationId', 'userId', 'family'],
    contextOf: pendingKeyContext,
  }),
];

/** The MACs of the rows that decide where money goes; those of the wallets last, because the start checks only them. */
export const WALLET_MACS: readonly KeyedColumn[] = [
  macColumn(DepositAddressEntity, 'mac', DEPOSIT_ADDRESS),
  macColumn(WalletChangeEntity, 'mac', WALLET_CHANGE),
  macColumn(WalletChoiceEntity, 'mac', WALLET_CHOICE),
  macColumn(WalletEntity, 'mac', WALLET),
];
