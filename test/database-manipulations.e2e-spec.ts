import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { asOwner } from './support/as-owner.js';
import { EXEMPT, ID, MANIPULATED, type Manipulated, valueOf } from './support/database-manipulations.js';
import { createOwner } from './support/principals.js';
import type { ReportView } from './support/reconciliation-harness.js';
import { Shop } from './support/shop.js';

/** More than the columns of each table. */
const PAYMENTS = 48;
const APPLICATIONS = 22;

let shop: Shop;
let operatorToken: string;
const payments: string[] = [];
const applications: string[] = [];

beforeAll(async () => {
  shop = await Shop.open();
  const operator = await createOwner(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(operator.userId, true);
  operatorToken = operator.accessToken;
  for (let i = 0; i < APPLICATIONS; i++) applications.push((await shop.application()).id);
  const application = await shop.application();
  for (let i = 0; i < PAYMENTS; i++) {
    const payment = await shop.createPayment(application);
    payments.push(payment.id);
    await shop.send(await shop.instructions(payment));
  }
  await shop.mine(15);
}, 300_000);
afterAll(() => shop.close());

async function verify(): Promise<ReportView> {
  const { status, body } = await shop.call<ReportView>('GET', '/api/admin/reconciliation', operatorToken);
  expect(status).toBe(200);
  return body.data;
}

async function columnsOf(table: string): Promise<{ name: string; type: string }[]> {
  return shop.gateway.sql.query(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
}

/** Changes one column of one row, as the owner of the schema; the message of Postgres if it refuses. */
async function change(table: string, column: string, value: string, where: string): Promise<string | null> {
  try {
    await asOwner(shop.gateway, async (sql) => {
      const changed = await sql.query(
        `update ${table} set ${column} = ${value} where ${where} and ${column} is distinct from ${value} returning 1`,
      );
      if (changed.length === 0) throw new Error('the test changed nothing');
    });
    return null;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    // Integrity constraints, and values that the type does not have.
    if (code?.startsWith('23') || code?.startsWith('22')) return message;
    throw error;
  }
}

async function restoring(table: string, work: () => Promise<void>): Promise<void> {
  const saved = await shop.gateway.sql.query<{ row: string }>(
    `select to_jsonb(t)::text as row from ${table} t`,
  );
  try {
    await work();
  } finally {
    await asOwner(shop.gateway, async (sql) => {
      await sql.query(`delete from ${table}`);
      await sql.query(
        `insert into ${table} select (jsonb_populate_record(null::${table}, s::jsonb)).* from unnest($1::text[]) s`,
        [saved.map(({ row }) => row)],
      );
    });
  }
}

/** Columns whose change went unnoticed. Each is changed in a row of its own, and all are looked for at once. */
async function unnoticedIn({ table, key }: Manipulated): Promise<string[]> {
  const ids = key.startsWith('application') ? applications : payments;
  const changed: { column: string; names: string[] }[] = [];
  for (const [i, { name, type }] of (await columnsOf(table)).entries()) {
    const id = ids[i];
    if (id === undefined) throw new Error(`${table} has more columns than there are rows`);
    const newId = crypto.randomUUID();
    const [row] = await shop.gateway.sql.query<{ id: string }>(
      `select ${ID[table] ?? 'id'}::text as id from ${table} where ${key.split(' ').at(-1)} = $1`,
      [id],
    );
    const value = valueOf(table, name, type, newId);
    const refusal = await change(table, name, value, `${key.split(' ').at(-1)} = '${id}'`);
    if (refusal === null) changed.push({ column: name, names: [id, newId, row?.id ?? id] });
  }
  const { differences, notChecked } = await verify();
  expect(notChecked).toEqual([]);
  return changed
    .filter(({ column }) => EXEMPT[table]?.[column] === undefined)
    .filter(
      ({ names }) =>
        !differences.some(({ paymentId, subject }) =>
          names.some((name) => paymentId === name || subject.includes(name)),
        ),
    )
    .map(({ column }) => column);
}

it('verify finds nothing before', async () => {
  const { differences, notChecked } = await verify();
  expect({ differences, notChecked }).toEqual({ differences: [], notChecked: [] });
});

describe('a writer of the database who owns the schema and lacks APP_KEYS', () => {
  it.each(MANIPULATED)(
    'changes no column of $table unnoticed',
    async (manipulated) => {
      await restoring(manipulated.table, async () => {
        expect(await unnoticedIn(manipulated)).toEqual([]);
      });
    },
    300_000,
  );

  it.each(Object.entries(EXEMPT))('%s has the columns that are exempt', async (table, exempt) => {
    const names = (await columnsOf(table)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(exempt)));
  });
});
