import { ConfigError } from '../../config.js';
import { type Keyring, UnsealError } from './keyring.js';

/** Encryption purpose of the private halves of signing keys; the context is the key's id. */
export const SIGNING_KEY_PURPOSE = 'oauth-signing-key';

/** A key that signs ID tokens, as it is stored (oauth_signing_keys). */
export interface SealedKey {
  kid: string;
  sealedJwk: string;
}

/**
 * The key as a JWK. Every database has one since the first start of the gateway, so this is where wrong APP_KEYS are
 * found out: by the start, before a migration makes MACs with them, and by the doctor.
 * @throws ConfigError when APP_KEYS do not open it
 */
export function openSigningKey(keyring: Keyring, { kid, sealedJwk }: SealedKey): string {
  try {
    return keyring.unseal(SIGNING_KEY_PURPOSE, kid, sealedJwk);
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new ConfigError([problemOf(keyring, sealedJwk)]);
  }
}

function problemOf(keyring: Keyring, sealedJwk: string): string {
  // The second part of a sealed value is the id of its key (keyring.ts).
  const [, id = ''] = sealedJwk.split('.');
  return keyring.has(id)
    ? `APP_KEYS: the key "${id}" does not open the OAuth signing key of this database: it is another key under the same id. Put back the one of your backup; a new key needs an id of its own`
    : `APP_KEYS: lacks "${id}", which the OAuth signing key is stored with; put it back, and run reseal-secrets before you remove it`;
}
