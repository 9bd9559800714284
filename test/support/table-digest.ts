import type { Sql } from '../../src/platform/database/sql.js';

// Static text: the server writes the statement of each table itself. A row's text form holds every column.
const DIGESTS = `
  select c.relname as name, (xpath('/row/digest/text()', query_to_xml(format(
    'select count(*) || '' rows '' || md5(coalesce(string_agg(t::text, chr(10) order by t::text), '''')) as digest from %I t',
    c.relname), false, true, '')))[1]::text as digest
  from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  order by c.relname`;

/** Every table with its number of rows and a hash of them: equal digests are an untouched database. */
export async function digestTables(sql: Sql): Promise<Record<string, string>> {
  const rows = await sql.query<{ name: string; digest: string }>(DIGESTS, []);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
