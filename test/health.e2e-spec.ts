/**
 * @inOrder One database, which fails in one way after the other, and at last has another schema.
 */
import pg from 'pg';
import { HealthService } from '../src/operations/health/health.service.js';
import { createOwner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const FINE = { database: 'ok', writes: 'ok', migrations: 'ok', accepting: 'ok' };

async function ask(path: string) {
  const response = await fetch(`${gateway.baseUrl}/api/health/${path}`);
  return { status: response.status, body: (await response.json()) as unknown };
}

it('the gateway reports liveness without a token', async () => {
  expect(await ask('live')).toEqual({ status: 200, body: { data: { status: 'ok', checks: {} } } });
});

it('the gateway reports readiness', async () => {
  expect(await ask('ready')).toEqual({ status: 200, body: { data: { status: 'ok', checks: FINE } } });
});

it('the gateway is not ready on a database with another schema version', async () => {
  const [last] = await gateway.sql.query<{ id: number; timestamp: string; name: string }>(
    'delete from migrations where id = (select max(id) from migrations) returning *',
  );
  expect(await ask('ready')).toEqual({
    status: 503,
    body: { data: { status: 'unavailable', checks: { ...FINE, migrations: 'failed' } } },
  });
  await gateway.sql.query('insert into migrations (id, timestamp, name) values ($1, $2, $3)', [
    last?.id,
    last?.timestamp,
    last?.name,
  ]);
  expect((await ask('ready')).status).toBe(200);
});

it('the gateway is not ready but alive while the database does not respond', async () => {
  let release: () => void = () => {};
  const locked = new Promise<void>((resolve) => {
    const held = new Promise<void>((free) => (release = free));
    void gateway.sql.transaction(async (tx) => {
      await tx.query('lock table migrations in access exclusive mode');
      resolve();
      await held;
    });
  });
  await locked;
  const [ready, live] = await Promise.all([ask('ready'), ask('live')]);
  release();
  expect(live.status).toBe(200);
  expect(ready).toEqual({
    status: 503,
    body: {
      data: {
        status: 'unavailable',
        checks: { ...FINE, database: 'failed', writes: 'failed', migrations: 'failed' },
      },
    },
  });
});

describe('while the database', () => {
  /** A request that writes. */
  const write = async () => {
    const path = '/api/payment-applications';
    const body = JSON.stringify({ name: 'Shop', secret: 'a-secret-of-enough-length-for-us' });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return (await fetch(`${gateway.baseUrl}${path}`, { method: 'POST', headers, body })).status;
  };
  let token = '';
  beforeAll(async () => {
    token = (await createOwner(gateway)).accessToken;
  });

  /** The pool notices only by a query that a connection was cut; more of them at once than it has connections find each. */
  const reconnect = async (): Promise<void> => {
    const queries = Array.from({ length: 40 }, () => gateway.sql.query('select'));
    const results = await Promise.allSettled(queries);
    if (results.some(({ status }) => status === 'rejected')) await reconnect();
  };

  it('is read-only, the gateway is not ready once a write was refused, and ready again afterwards', async () => {
    const name = new URL(gateway.databaseUrl).pathname.slice(1);
    const setReadOnly = (value: 'on' | 'off') =>
      withAdmin(async (admin) => {
        await admin.query(`alter database ${name} set default_transaction_read_only = ${value}`);
        // Waits until they have ended, milliseconds.
        const end = 'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1';
        await admin.query(end, [name]);
      }).then(reconnect);
    await setReadOnly('on');
    expect((await ask('ready')).status).toBe(200);
    expect(await write()).toBe(503);
    const unready = {
      status: 503,
      body: { data: { status: 'unavailable', checks: { ...FINE, writes: 'failed' } } },
    };
    expect(await ask('ready')).toEqual(unready);
    gateway.clock.advanceSeconds(1);
    expect(await ask('ready')).toEqual(unready);
    await setReadOnly('off');
    expect(await ask('ready')).toEqual(unready);
    gateway.clock.advanceSeconds(1);
    expect(await ask('ready')).toMatchObject({ status: 200 });
    expect(await write()).toBe(201);
  });

  it('has refused a single write for want of space, the gateway stays ready if another one succeeds', async () => {
    await gateway.sql.query(
      `create function no_space() returns trigger language plpgsql as $$
       begin raise exception 'no space' using errcode = '53100'; end $$`,
    );
    await gateway.sql.query(
      'create trigger a_fault before insert on payment_applications for each row execute function no_space()',
    );
    expect(await write()).toBe(503);
    await gateway.sql.query('drop function no_space() cascade');
    gateway.clock.advanceSeconds(1);
    expect(await ask('ready')).toMatchObject({ status: 200 });
  });
});

it('the gateway is not ready while it shuts down', async () => {
  const health = gateway.get(HealthService);
  health.onModuleDestroy();
  expect(await ask('ready')).toEqual({
    status: 503,
    body: { data: { status: 'unavailable', checks: { ...FINE, accepting: 'failed' } } },
  });
});

it('requests get 503 without details while the database is away, and succeed afterwards', async () => {
  const { accessToken } = await createOwner(gateway);
  const list = async () => {
    const response = await fetch(`${gateway.baseUrl}/api/payment-applications`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text: await response.text(),
    };
  };
  const { pathname } = new URL(gateway.databaseUrl);
  const name = pathname.slice(1);
  await withAdmin(async (admin) => {
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await admin.query(`alter database ${name} rename to ${name}_away`);
    const { status, retryAfter, text } = await list();
    expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '5' });
    expect(JSON.parse(text)).toMatchObject({ message: 'Service unavailable', code: 'service_unavailable' });
    expect(text).not.toContain(name);
    await admin.query(`alter database ${name}_away rename to ${name}`);
  });
  expect(await list()).toMatchObject({ status: 200 });
});

async function withAdmin(work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: process.env['TEST_ADMIN_URL'] });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
