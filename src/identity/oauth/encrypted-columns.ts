import type { EncryptedColumn } from '../../platform/security/key-rotation.service.js';

/** Encryption purpose of the private halves of signing keys; the context is the key's id. */
export const SIGNING_KEY_PURPOSE = 'oauth-signing-key';
/** Encryption purpose of second-factor secrets; the context is the user's id. */
export const TOTP_PURPOSE = 'totp-secret';

/** The keys that sign ID tokens, and the secrets of second factors. */
export const ENCRYPTED_KEYS: readonly EncryptedColumn[] = [
  {
    name: 'oauth_signing_keys.sealed_jwk',
    purpose: SIGNING_KEY_PURPOSE,
    select: `
      select kid as id, sealed_jwk as sealed from oauth_signing_keys
      where split_part(sealed_jwk, '.', 2) <> $1 and kid > $2
      order by kid limit $3 for no key update`,
    update: `update oauth_signing_keys set sealed_jwk = $2 where kid = $1 and sealed_jwk = $3`,
  },
  {
    name: 'second_factors.sealed_secret',
    purpose: TOTP_PURPOSE,
    select: `
      select user_id::text as id, sealed_secret as sealed from second_factors
      where split_part(sealed_secret, '.', 2) <> $1 and user_id::text > $2
      order by user_id::text limit $3 for no key update`,
    update: `update second_factors set sealed_secret = $2 where user_id = $1::uuid and sealed_secret = $3`,
  },
];
