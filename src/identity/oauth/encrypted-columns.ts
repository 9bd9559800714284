import { encryptedColumn } from '../../platform/integrity/encrypted-column.js';
import type { KeyedColumn } from '../../platform/integrity/key-rotation.service.js';
import { SIGNING_KEY_PURPOSE } from '../../platform/kernel/signing-key-seal.js';
import { SecondFactorEntity } from './people/second-factor.entity.js';
import { SigningKeyEntity } from './signing-key.entity.js';

/** Encryption purpose of second-factor secrets; the context is the user's id. */
export const TOTP_PURPOSE = 'totp-secret';

/** The keys that sign ID tokens, and the secrets of second factors. */
export const ENCRYPTED_KEYS: readonly KeyedColumn[] = [
  encryptedColumn(SigningKeyEntity, 'kid', 'sealedJwk', SIGNING_KEY_PURPOSE),
  encryptedColumn(SecondFactorEntity, 'userId', 'sealedSecret', TOTP_PURPOSE),
];
