import { AuditWatch } from '../src/platform/integrity/audit-watch.service.js';
import { waitingColumns } from '../src/platform/integrity/waiting-columns.js';
import { Meters } from '../src/platform/kernel/meters.js';
import { asOwner } from './support/as-owner.js';
import { Shop } from './support/shop.js';

/** Columns whose names say that something waits for them, and why nobody sleeps by them. */
const BOUNDED: Record<string, string> = {
  'chain_leases.expires_at': 'the program ends a lease by its own bound, whatever the row says',
  'reconciliation_schedule.lease_until': 'a lease farther ahead than two is taken over',
  'payments.recheck_at': 'follows from the aggregate, and is as far ahead as the end of the payment',
  'payments.expiry_check_at':
    'infinity once it is decided; the status is what verify compares with the chains',
  'wallet_changes.effective_at': 'authenticated',
};
const SCHEDULE = /^(next_.*_at|lease_until|.*recheck_at|.*_check_at|effective_at)$/;

let shop: Shop;
beforeAll(async () => {
  shop = await Shop.open();
  const payment = await shop.createPayment(await shop.application());
  shop.merchant.plan({ status: 500 });
  await shop.send(await shop.instructions(payment));
  await shop.chain.mine(15);
  await shop.watch();
  await shop.deliver();
  await write(
    `insert into unread_traces (chain, height, block_hash, reason, next_attempt_at)
     values ('ethereum', 1, '0x${'0'.repeat(64)}', 'a test', now())`,
  );
});
afterAll(() => shop.close());

/** As the gateway's own role may write, too. */
const write = (text: string) =>
  asOwner(shop.gateway, async (sql) => {
    await sql.query(text);
  });
const unauthentic = async (table: string) => {
  const { values } = await shop.gateway.get(Meters).unauthentic.get();
  return values.find(({ labels }) => labels['table'] === table)?.value ?? 0;
};
/** Columns of the table, with the longest wait in seconds: the configuration is there once the tests run. */
function waitingOf(table: string): [string, () => number][] {
  return ['next_attempt_at', 'lease_until'].map((column) => [
    column,
    () =>
      waitingColumns(shop.gateway.config).find((wait) => wait.table === table && wait.column === column)
        ?.longestSeconds ?? Number.NaN,
  ]);
}
const watch = () => shop.gateway.get(AuditWatch).runOnce();

it('every column by which a row waits has a bound', async () => {
  const waiting = waitingColumns(shop.gateway.config).map(({ table, column }) => `${table}.${column}`);
  const found: string[] = [];
  await asOwner(shop.gateway, async (sql) => {
    const rows = await sql.query<{ table: string; column: string }>(
      `select table_name as "table", column_name as "column" from information_schema.columns
       where table_schema = 'public' and data_type = 'timestamp with time zone'`,
    );
    for (const { table, column } of rows)
      if (SCHEDULE.test(column) || table === 'chain_leases') found.push(`${table}.${column}`);
  });
  expect([...waiting, ...Object.keys(BOUNDED)].sort()).toEqual(found.sort());
});

describe.each([
  ['webhook_deliveries', 'next_attempt_at', "now() + interval '10 days'", 'now()'],
  ['webhook_deliveries', 'next_attempt_at', "'2999-01-01'", 'now()'],
  ['webhook_deliveries', 'next_attempt_at', "'infinity'", 'now()'],
  ['webhook_deliveries', 'lease_until', "'infinity'", 'null'],
  ['webhook_deliveries', 'lease_until', "now() + interval '1 hour'", 'null'],
  ['unread_traces', 'next_attempt_at', "'2999-01-01'", 'now()'],
  ['unread_traces', 'next_attempt_at', "now() + interval '1 day'", 'now()'],
])('%s whose %s became %s', (table, column, far, near) => {
  const lease = (value: string) =>
    column === 'lease_until' ? `, lease_token = ${value === 'null' ? 'null' : 'gen_random_uuid()'}` : '';
  const set = (value: string) => write(`update ${table} set ${column} = ${value}${lease(value)}`);

  it('is named within a minute, once, and not any more when it is due again', async () => {
    await set(near);
    await watch();
    const before = await unauthentic(table);
    await set(far);
    await watch();
    expect(await unauthentic(table)).toBeGreaterThan(before);
    const named = await unauthentic(table);
    await watch();
    expect(await unauthentic(table)).toBe(named);
    await set(near);
    await watch();
    expect(await unauthentic(table)).toBe(named);
  });
});

// A claim that is made while the watch reads ends later than the watch's own now() plus the longest lease.
it.each(waitingOf('webhook_deliveries'))(
  'what another process with a clock half a minute ahead writes to %s is no alarm',
  async (column, longest) => {
    const before = await unauthentic('webhook_deliveries');
    await write(
      `update webhook_deliveries set ${column} = now() + interval '${longest() + 30} seconds'${
        column === 'lease_until' ? ', lease_token = gen_random_uuid()' : ''
      }`,
    );
    await watch();
    expect(await unauthentic('webhook_deliveries')).toBe(before);
  },
);
