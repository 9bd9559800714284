/**
 * @inOrder A gateway of which nothing is known yet, then a block, a backup, a day and a silent node.
 */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { ConditionRepository } from '../src/operations/condition/condition.repository.js';
import { DatabaseSizes } from '../src/operations/condition/database-sizes.service.js';
import type { OperatorHealthContract } from '../src/operations/condition/operator-health.contract.js';
import type { FindingContract } from '../src/operations/doctor/finding.contract.js';
import { createOwner, type Owner } from './support/principals.js';
import { raw, RpcProxy } from './support/rpc-proxy.js';
import { Shop } from './support/shop.js';

/** Read by nothing, as if it were a typing mistake. */
const MISSPELLED = 'TRUSTED_PROXIE';

let shop: Shop;
let node: RpcProxy;
let operator: Owner;
let folder: string;
let backups: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'operator-health-'));
  backups = path.join(folder, 'backups');
  shop = await Shop.open({ BACKUP_FOLDER: backups }, async (url) => {
    node = await RpcProxy.start(url);
    return node.url;
  });
  operator = await createOwner(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(operator.userId, true);
});
afterEach(() => {
  delete process.env[MISSPELLED];
  node.setFaults({});
});
afterAll(async () => {
  await shop.close();
  await node.stop();
  await rm(folder, { recursive: true });
});

async function health(): Promise<OperatorHealthContract> {
  const { status, body } = await shop.call<OperatorHealthContract>(
    'GET',
    '/api/admin/health',
    operator.accessToken,
  );
  expect(status).toBe(200);
  return body.data;
}

it('is refused to users who are no operators', async () => {
  const other = await createOwner(shop.gateway);
  for (const [method, where] of [
    ['GET', '/api/admin/health'],
    ['POST', '/api/admin/health/checks'],
  ] as const)
    expect(await shop.call(method, where, other.accessToken)).toMatchObject({
      status: 403,
      body: { code: 'operator_required' },
    });
});

it('what nobody knows yet says so, and why', async () => {
  // The shop has watched its chain already.
  await shop.gateway.sql.query('delete from chain_conditions');
  expect(await health()).toMatchObject({
    database: {
      bytes: expect.any(Number),
      connections: expect.any(Number),
      sinceDayBefore: null,
      sinceWeekBefore: null,
    },
    disks: [
      { of: 'gateway', freeBytes: expect.any(Number), unknown: null },
      { of: 'backups', freeBytes: null, totalBytes: null, unknown: 'unreadable' },
    ],
    backup: { finishedAt: null, isOld: true, unknown: 'unreadable' },
    restoreDrill: { finishedAt: null, held: null, unknown: 'never' },
    verification: { finishedAt: null, differences: null, unknown: 'never' },
    webhooks: { waiting: 0, oldestAt: null, failed: 0, unknown: null },
    notices: { waiting: null, oldestAt: null, unknown: 'not_set_up' },
    chains: [{ slug: 'ethereum', height: null, blockTime: null, unknown: 'never', unknownSince: null }],
    rates: [
      { source: 'kraken', answeredAt: null, unknown: 'never' },
      { source: 'coinbase', answeredAt: null, unknown: 'never' },
    ],
  });
});

it('the newest backup counts, and an empty folder has none', async () => {
  await mkdir(backups);
  expect((await health()).backup).toEqual({ finishedAt: null, isOld: true, unknown: 'none' });
  const now = shop.gateway.clock.now();
  for (const [name, hours] of [
    ['old.dump', 50],
    ['new.dump', 3],
    ['newer.tmp', 1],
  ] as const) {
    const file = path.join(backups, name);
    await writeFile(file, '');
    const time = new Date(now.getTime() - hours * 3_600_000);
    await utimes(file, time, time);
  }
  expect(await health()).toMatchObject({
    backup: {
      finishedAt: new Date(now.getTime() - 3 * 3_600_000).toISOString().replace('.000', ''),
      isOld: false,
      unknown: null,
    },
    disks: [{ of: 'gateway' }, { of: 'backups', totalBytes: expect.any(Number), unknown: null }],
  });
});

it('a database is compared with the end of the day before', async () => {
  const sizes = shop.gateway.get(DatabaseSizes);
  await sizes.runOnce();
  const first = await health();
  expect(first.database.sinceDayBefore).toBeNull();
  await shop.wait(86_400);
  await shop.gateway.sql.query(
    'create table grown as select repeat(md5(i::text), 20) from generate_series(1, 5000) i',
  );
  // The day that has begun does not hide the one before.
  await sizes.runOnce();
  const { database } = await health();
  expect(database.sinceDayBefore?.since).toBe(first.checkedAt);
  expect(database.sinceDayBefore?.bytes).toBeGreaterThan(1_000_000);
  expect(database.sinceWeekBefore).toBeNull();
  await shop.wait(70 * 86_400);
  await sizes.runOnce();
  expect(await shop.gateway.sql.query('select from database_sizes')).toHaveLength(1);
});

it('a block is known while somebody looks, and no longer once the node is silent', async () => {
  await shop.mine();
  await shop.watch();
  const [known] = (await health()).chains;
  expect(known).toMatchObject({ unknown: null, unknownSince: null, blockTime: expect.any(String) });
  expect(known!.height).toBeGreaterThan(0);
  const seenAt = (await health()).checkedAt;
  await shop.wait(61);
  expect((await health()).chains).toMatchObject([
    {
      slug: 'ethereum',
      height: known!.height,
      blockTime: known!.blockTime,
      unknown: 'outdated',
      unknownSince: seenAt,
    },
  ]);
  node.setFaults({ eth_getBlockByNumber: raw('no', 502), eth_blockNumber: raw('no', 502) });
  await shop.watch();
  expect((await health()).chains).toMatchObject([
    { height: known!.height, unknown: 'unreachable', unknownSince: expect.any(String) },
  ]);
});

it('a source of rates that fails is not mistaken for one that nobody has asked', async () => {
  const rates = () => shop.call('GET', '/api/rates?base=ETH&quote=USD', operator.accessToken);
  expect(await rates()).toMatchObject({ status: 200 });
  expect((await health()).rates).toMatchObject([
    { source: 'kraken', answeredAt: expect.any(String), failingSince: null, unknown: null },
    { source: 'coinbase', unknown: null },
  ]);
});

it('a setting that nothing reads and a proxy that is not believed are found without asking anybody', async () => {
  process.env[MISSPELLED] = '10.0.0.0/8';
  const again = await createOwner(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(again.userId, true);
  const response = await fetch(`${shop.gateway.baseUrl}/api/admin/health`, {
    headers: { authorization: `Bearer ${again.accessToken}`, 'x-forwarded-for': '203.0.113.9' },
  });
  const { data } = (await response.json()) as { data: OperatorHealthContract };
  expect(data.findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        subject: 'settings',
        severity: 'warning',
        found: `${MISSPELLED} is no setting; did you mean TRUSTED_PROXIES?`,
      }),
      expect.objectContaining({
        subject: 'proxies',
        severity: 'warning',
        found: expect.stringContaining('127.0.0.1'),
      }),
    ]),
  );
  // Its value may be a secret.
  expect(JSON.stringify(data)).not.toContain('10.0.0.0/8');
});

it('all checks of the doctor run when they are asked for', async () => {
  const before = node.seen.length;
  await health();
  expect(node.seen).toHaveLength(before);
  const { status, body } = await shop.call<FindingContract[]>(
    'POST',
    '/api/admin/health/checks',
    operator.accessToken,
  );
  expect(status).toBe(200);
  const subjects = body.data.map(({ subject }) => subject);
  expect(subjects).toEqual(
    expect.arrayContaining(['database', 'clock', 'DNS', 'chain ethereum', 'rates', 'operator']),
  );
  expect(JSON.stringify(body)).not.toContain(new URL(node.url).host);
});

it('a restore drill is shown as it ended last', async () => {
  const { sql } = shop.gateway;
  for (const held of [true, false]) {
    await ConditionRepository.recordDrill(sql, held);
    expect((await health()).restoreDrill).toEqual({ finishedAt: expect.any(String), held, unknown: null });
  }
});
