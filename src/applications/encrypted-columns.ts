import type { EncryptedColumn } from '../platform/security/key-rotation.service.js';

/** Encryption purpose of webhook secrets; the context is the application's id. */
export const SECRET_PURPOSE = 'webhook-secret';

/** Webhook secrets, also those of deleted applications: they may be restored. */
export const ENCRYPTED_SECRETS: readonly EncryptedColumn[] = [
  {
    name: 'payment_applications.sealed_secret',
    purpose: SECRET_PURPOSE,
    select: `
      select id::text as id, sealed_secret as sealed from payment_applications
      where split_part(sealed_secret, '.', 2) <> $1 and id::text > $2
      order by id::text limit $3 for no key update`,
    update: `update payment_applications set sealed_secret = $2 where id = $1::uuid and sealed_secret = $3`,
  },
  {
    name: 'payment_applications.sealed_previous_secret',
    purpose: SECRET_PURPOSE,
    select: `
      select id::text as id, sealed_previous_secret as sealed from payment_applications
      where split_part(sealed_previous_secret, '.', 2) <> $1 and id::text > $2
      order by id::text limit $3 for no key update`,
    update: `
      update payment_applications set sealed_previous_secret = $2
      where id = $1::uuid and sealed_previous_secret = $3`,
  },
];
