import { isTransient } from '../src/platform/database/database-errors.pure.js';
import { DatabaseProxy } from './faults/database-proxy.js';
import { migrateTestDatabase } from './support/test-server.js';
import { createTestDatabase, startTestGateway, type TestGateway } from './support/test-gateway.js';

let proxy: DatabaseProxy;
let gateway: TestGateway;
let database: string;

beforeAll(async () => {
  const url = new URL(await createTestDatabase());
  proxy = await DatabaseProxy.start(() => `${url.searchParams.get('host')}/.s.PGSQL.5432`);
  database = url.pathname.slice(1);
  gateway = await startTestGateway({}, undefined, proxy.url(database));
});
afterAll(async () => {
  await gateway.close();
  await proxy.stop();
});

const count = () => gateway.sql.transaction((tx) => tx.query('select 1 as one'));

it('the gateway survives a connection that is terminated just as a transaction gets it', async () => {
  expect(await count()).toEqual([{ one: 1 }]);
  proxy.reset();
  proxy.terminateNew = 1;
  // The old connections first, then the stillborn one.
  const refused: unknown[] = [];
  for (let attempt = 0; attempt < 10 && proxy.terminateNew > 0; attempt++)
    await count().catch((error: unknown) => refused.push(error));
  expect(proxy.terminateNew).toBe(0);
  expect(refused.every((error) => error instanceof Error && isTransient(error))).toBe(true);
  expect(await count()).toEqual([{ one: 1 }]);
});

it('the migration gets over connections that are terminated just as it gets them', async () => {
  const failures: unknown[] = [];
  proxy.terminateNew = 3;
  while (proxy.terminateNew > 0)
    await migrateTestDatabase(proxy.url(database)).catch((error: unknown) => failures.push(error));
  expect(failures.every((error) => error instanceof Error && isTransient(error))).toBe(true);
  await migrateTestDatabase(proxy.url(database));
});

it('a write takes effect once when the response to COMMIT is lost, and not at all when COMMIT is lost', async () => {
  await gateway.sql.query('create table notes (text text primary key)');
  const write = (text: string) =>
    gateway.sql.transaction((tx) => tx.query('insert into notes values ($1)', [text]));
  proxy.cutEvery(1);
  const outcomes = await Promise.allSettled([write('a').then(() => null), write('b').then(() => null)]);
  proxy.cutEvery(0);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(proxy.cut).toEqual({ 'lose-answer': 1, 'never-sent': 1 });
  expect(await gateway.sql.query('select count(*)::int as count from notes')).toEqual([{ count: 1 }]);
});
