import { DataSource } from 'typeorm';
import { tableOf } from '../src/platform/database/entity-table.js';
import type { Sql } from '../src/platform/database/sql.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;
let sql: Sql;

beforeAll(async () => {
  gateway = await startTestGateway();
  ({ sql } = gateway);
});
afterAll(() => gateway.close());

interface DatabaseColumn {
  name: string;
  type: string;
  isNullable: boolean;
}

const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as "isNullable"
  from pg_attribute a
  where a.attrelid = $1::text::regclass and a.attnum > 0 and not a.attisdropped order by a.attname`;

/** Types as the database spells them. */
const LONG_NAMES: Record<string, string> = { timestamptz: 'timestamp with time zone' };

it('entities declare every column of their table, with its type and nullability', async () => {
  const { entityMetadatas } = gateway.get(DataSource);
  expect(entityMetadatas.length).toBeGreaterThan(0);
  const declared: Record<string, DatabaseColumn[]> = {};
  const existing: Record<string, DatabaseColumn[]> = {};
  for (const { tableName, target } of entityMetadatas) {
    const { columns } = tableOf(target as new () => object);
    const metadata = entityMetadatas.find((each) => each.target === target);
    declared[tableName] = [...columns.values()]
      .map(({ name, type, isArray }) => ({
        name,
        type: `${LONG_NAMES[type] ?? type}${isArray ? '[]' : ''}`,
        isNullable: metadata?.findColumnWithDatabaseName(name)?.isNullable ?? false,
      }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    existing[tableName] = await sql.query<DatabaseColumn>(COLUMNS, [tableName]);
  }
  expect(declared).toEqual(existing);
});
