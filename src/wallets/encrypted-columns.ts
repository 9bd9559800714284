import type { EncryptedColumn } from '../platform/security/key-rotation.service.js';

/** What the keyring seals extended public keys for; the context is the wallet's id. */
export const KEY_PURPOSE = 'extended-public-key';

/** Extended public keys, also of retired wallets: their addresses are shown and watched for ever. */
export const ENCRYPTED_KEYS: readonly EncryptedColumn[] = [
  {
    name: 'wallets.sealed_extended_public_key',
    purpose: KEY_PURPOSE,
    select: `
      select id::text as id, sealed_extended_public_key as sealed from wallets
      where split_part(sealed_extended_public_key, '.', 2) <> $1 and id::text > $2
      order by id::text limit $3 for no key update`,
    update: `
      update wallets set sealed_extended_public_key = $2
      where id = $1::uuid and sealed_extended_public_key = $3`,
  },
];
