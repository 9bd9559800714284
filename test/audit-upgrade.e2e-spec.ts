import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { migrations } from '../migrations/index.js';
import { AuditLog } from '../src/platform/audit/audit-log.service.js';
import { AuditVerification } from '../src/platform/audit/audit-verification.service.js';
import { AuditWatch } from '../src/platform/audit/audit-watch.service.js';
import { dataSourceOptions } from '../src/platform/database/database.js';
import { manipulate, MANIPULATIONS } from './support/audit-manipulations.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { databaseUrl, migrateTestDatabase } from './support/test-server.js';

let url: string;
let gateway: TestGateway;

/** A database of the release before, with entries as it wrote them, upgraded while instances of it run. */
beforeEach(async () => {
  const adminUrl = process.env['TEST_ADMIN_URL'] ?? '';
  const name = `old_${randomBytes(8).toString('hex')}`;
  await asReleaseBefore(adminUrl, `create database ${name}`);
  url = databaseUrl(adminUrl, name);
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name: each }) => each.startsWith('KeyAuditLog')),
  );
  const options = { ...dataSourceOptions(url, 2), migrations: before } as DataSourceOptions;
  const dataSource = await new DataSource(options).initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  await append(8);
  await migrateTestDatabase(url);
  gateway = await startTestGateway({}, undefined, url);
});
afterEach(() => gateway.close());

async function asReleaseBefore(to: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: to });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** By an instance of the release before: the trigger numbers and hashes them. */
const append = (count: number) =>
  asReleaseBefore(
    url,
    `insert into audit_log (at, actor_kind, act, details)
     select now(), 'system', 'user.enabled', json_build_object('n', n) from generate_series(1, ${count}) n`,
  );
const record = () => gateway.get(AuditLog).record({ act: 'user.disabled', userId: null, target: null });
const verify = () => gateway.get(AuditVerification).run();
const acts = async () => {
  const rows = await gateway.sql.query<{ act: string }>('select act from audit_log order by seq');
  return rows.map(({ act }) => act);
};

it('a log of the release before verifies after the upgrade, with what is appended then', async () => {
  expect(await verify()).toMatchObject({ rows: 8n, problem: null });
  await record();
  expect(await verify()).toMatchObject({ rows: 9n, problem: null });
});

it('an entry of the release before cannot be changed after the upgrade, whether others follow or not', async () => {
  const change = MANIPULATIONS.find(({ what }) => what === 'other details')?.sql ?? '';
  await manipulate(url, change);
  expect((await verify()).problem).toMatch(/audit_anchor is not as a key/);
  await record();
  expect((await verify()).problem).toMatch(/before row 9 .*audit_anchor is not as a key/);
});

it('instances of the release before may append for a day, and the log says how much', async () => {
  await append(2);
  expect(await verify()).toMatchObject({ rows: 10n, problem: null });
  await gateway.get(AuditWatch).runOnce();
  await record();
  expect((await acts()).slice(-4)).toEqual([
    'user.enabled',
    'user.enabled',
    'rows.authenticated',
    'user.disabled',
  ]);
  await append(1);
  await record();
  expect(await verify()).toMatchObject({ rows: 15n, problem: null });

  gateway.clock.advanceSeconds(24 * 3_600 + 60);
  expect((await verify()).problem).toBeNull();
  await append(1);
  expect((await verify()).problem).toBe('row 16 was not written by the gateway');
  await record();
  expect((await verify()).problem).toMatch(/before row 17 .*row 16 was not written by the gateway/);
});

it('an entry of the release before that replaces one with a MAC is none', async () => {
  await record();
  await record();
  await manipulate(
    url,
    `delete from audit_log where seq = 10;
     update audit_head set (seq, hash) = (select seq, hash from audit_log where seq = 9)`,
  );
  await append(2);
  expect((await verify()).problem).toBe('row 10 was replaced by another one');
});
