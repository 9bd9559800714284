import type { Sql } from '../../src/platform/database/sql.js';

/**
 * Copies of the first transfer of a payment, as if a contract had paid so many times in the transaction that was seen.
 * @param values by column, instead of those of the transfer: SQL, with `n` counting from 1
 */
export async function plantCopies(
  sql: Pick<Sql, 'query'>,
  { id }: { id: string },
  count: number,
  values: Record<string, string> = {},
): Promise<void> {
  const columns = await sql.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'payment_transfers'`,
  );
  const names = columns.map(({ name }) => name);
  const all: Record<string, string> = {
    id: 'gen_random_uuid()',
    ordinal: `t.ordinal || ':' || n`,
    mac: 'null',
    place_mac: 'null',
    ...values,
  };
  await sql.query(
    `insert into payment_transfers (${names.join(', ')})
     select ${names.map((name) => all[name] ?? `t.${name}`).join(', ')}
     from (select * from payment_transfers where payment_id = $1 order by seen_at, id limit 1) t,
       generate_series(1, $2::integer) n`,
    [id, count],
  );
}
