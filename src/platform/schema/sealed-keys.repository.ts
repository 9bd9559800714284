import type { SealedKey } from '../kernel/signing-key-seal.js';
import type { Queryable } from '../database/sql.js';

const HAS_TABLE = `select to_regclass('oauth_signing_keys') is not null as found`;
const LIST = `select kid, sealed_jwk as "sealedJwk" from oauth_signing_keys order by created_at desc, kid`;

/** What the OAuth signing keys are stored as; none before the first migration and the first start. */
export async function listSealedKeys(sql: Queryable): Promise<SealedKey[]> {
  const [table] = await sql.query<{ found: boolean }>(HAS_TABLE);
  return table?.found === true ? sql.query<SealedKey>(LIST) : [];
}
