import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { areSessionsShared, readDatabaseFacts } from '../src/operations/doctor/database-check.js';
import { assessDatabase } from '../src/operations/doctor/database-findings.js';
import { dataSourceOptions } from '../src/platform/database/database.js';
import { Sql } from '../src/platform/database/sql.js';
import { Meters } from '../src/platform/kernel/meters.js';
import { SESSION_TIMEOUTS } from '../src/platform/database/session-timeouts.js';
import { describeWithPgBouncer, PgBouncer } from './support/pgbouncer.js';
import { createTestDatabase, startTestGateway } from './support/test-gateway.js';
import { asGateway, migrateTestDatabase } from './support/test-server.js';
import { CONFIRMATIONS, Shop } from './support/shop.js';

async function openDatabase(url: string): Promise<DataSource> {
  return new DataSource(dataSourceOptions(url, 2)).initialize();
}

describeWithPgBouncer('behind PgBouncer in session mode', () => {
  let bouncer: PgBouncer;
  let url: string;
  beforeAll(async () => {
    url = await createTestDatabase();
    bouncer = await PgBouncer.start(url, 'session');
  });
  afterAll(() => bouncer.stop());

  it('each session keeps the timeouts that the gateway sets', async () => {
    const database = await openDatabase(bouncer.urlOf(asGateway(url)));
    const settings = await database.query('select name, setting::int from pg_settings where name = any($1)', [
      Object.keys(SESSION_TIMEOUTS),
    ]);
    const found = (settings as { name: string; setting: number }[]).map(({ name, setting }) => [
      name,
      setting,
    ]);
    expect(Object.fromEntries(found)).toEqual(SESSION_TIMEOUTS);
    expect(await areSessionsShared(database)).toBe(false);
    await database.destroy();
  });

  it('the doctor finds that the sessions keep their timeouts', async () => {
    const database = await openDatabase(bouncer.urlOf(asGateway(url)));
    const facts = await readDatabaseFacts(new Sql(database, new Meters()));
    await database.destroy();
    expect(facts.sessionTimeouts).toEqual(SESSION_TIMEOUTS);
    // The tests' server is in a hurry.
    const durable = { fsync: true, fullPageWrites: true, synchronousCommit: 'on', roundTripMs: 1 };
    expect(assessDatabase({ ...facts, ...durable, pendingMigrations: [] }, 2)).toEqual([
      expect.objectContaining({ severity: 'ok' }),
    ]);
  });

  it('migrations are applied', async () => {
    await migrateTestDatabase(bouncer.urlOf(url));
  });

  it('a payment is created, paid and reported', async () => {
    const shop = await Shop.open({ DATABASE_URL: bouncer.urlOf(asGateway(url)) });
    const payment = await shop.createPayment(await shop.application());
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
    await shop.close();
  });
});

describeWithPgBouncer('behind PgBouncer in transaction mode', () => {
  let bouncer: PgBouncer;
  let owner: string;
  let url: string;
  // A new one for each test: the sessions of a pooler remember what clients have set.
  beforeEach(async () => {
    owner = await createTestDatabase();
    bouncer = await PgBouncer.start(owner, 'transaction');
    url = bouncer.urlOf(asGateway(owner));
  });
  afterEach(() => bouncer.stop());

  it('the doctor sees that connections share a session', async () => {
    const database = await openDatabase(url);
    expect(await areSessionsShared(database)).toBe(true);
    await database.destroy();
  });

  it('the gateway does not start without the timeouts of its role, and names the statements that set them', async () => {
    await expect(startTestGateway({ DATABASE_URL: url, DATABASE_POOL_MODE: 'transaction' })).rejects.toThrow(
      /ALTER ROLE .* SET statement_timeout = 10000;.*lock_timeout = 5000;/,
    );
  });
});

it('ops/postgres/roles.sql gives the gateway’s role the timeouts of its sessions', async () => {
  const script = await readFile(path.resolve(import.meta.dirname, '../ops/postgres/roles.sql'), 'utf8');
  const set = [...script.matchAll(/^alter role gateway_app set (\w+) = (\d+);$/gm)];
  expect(Object.fromEntries(set.map(([, name, value]) => [name, Number(value)]))).toEqual(SESSION_TIMEOUTS);
});
