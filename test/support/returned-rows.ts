import type { Sql } from '../../src/platform/database/sql.js';

interface AuditedRows {
  name: string;
  /** The primary key, as the audit log names the row. */
  key: string;
  /** What changes without an entry of the audit log, and rows that grant nothing. */
  without?: string;
  /** Columns that change without an entry. */
  apart?: readonly string[];
}

/** Tables of which the audit log lists how each change leaves a row. */
export const AUDITED_TABLES: readonly AuditedRows[] = [
  { name: 'users', key: 'id' },
  { name: 'account_members', key: `account_id || '/' || user_id` },
  { name: 'client_tokens', key: 'id', apart: ['last_used_at'] },
  { name: 'payment_applications', key: 'id' },
  { name: 'sites', key: 'id' },
  { name: 'webhook_endpoints', key: 'application_id' },
  { name: 'access_links', key: 'id' },
  { name: 'oauth_clients', key: 'client_id' },
  { name: 'recovery_codes', key: `user_id || '/' || slot` },
  { name: 'second_factors', key: 'user_id', without: 'confirmed_at is null', apart: ['last_step'] },
  // Without its grant a token is worth nothing.
  {
    name: 'oidc_payloads',
    key: `kind || '/' || id`,
    without: `kind not in ('Grant', 'AccessToken', 'ClientCredentials', 'RefreshToken')
      or kind <> 'Grant' and grant_id is not null and exists (
        select from oidc_payloads g where g.kind = 'Grant' and g.id = t.grant_id)`,
  },
];

/** Every row as text, by its key. */
export async function copyRows(
  sql: Pick<Sql, 'query'>,
  { name, key, without = 'false' }: AuditedRows,
): Promise<Map<string, string>> {
  const rows = await sql.query<{ key: string; row: string }>(
    `select (${key})::text as key, to_jsonb(t)::text as row from ${name} t where not (${without})`,
  );
  return new Map(rows.map((row) => [row.key, row.row]));
}

/** Writes a copy in the place of the row that is there. @param row null: only deletes */
export async function putBack(
  sql: Pick<Sql, 'query'>,
  { name, key: keyText }: AuditedRows,
  key: string,
  row: string | null,
): Promise<void> {
  await sql.query(`delete from ${name} where (${keyText})::text = $1`, [key]);
  if (row !== null)
    await sql.query(`insert into ${name} select (jsonb_populate_record(null::${name}, $1::jsonb)).*`, [row]);
}

/** Whether two copies of a row differ. */
export function isOther({ apart = [] }: AuditedRows, row: string, other: string | undefined): boolean {
  if (other === undefined) return true;
  const [one, two] = [row, other].map((text) => JSON.parse(text) as Record<string, unknown>);
  for (const column of apart) for (const copy of [one, two]) delete copy?.[column];
  return JSON.stringify(one) !== JSON.stringify(two);
}
