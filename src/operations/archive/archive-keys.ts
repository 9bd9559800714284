import type { Keyring } from '../../platform/kernel/keyring.js';
import { type SigningKey, signingKeyOf } from '../../platform/kernel/signing-key.pure.js';

const PURPOSE = 'archive-signature';

/** What archives are signed with, one by each key of APP_KEYS, the newest first; the database holds no part of them. */
export function archiveKeysOf(keyring: Keyring): SigningKey[] {
  return keyring.deriveKeys(PURPOSE).map(signingKeyOf);
}
