// Whatever keeps the gateway from starting in production is one JSON line on standard error, of level fatal, that names
// the variable to change; the exit code is 1. Each row of the table is a start of the built program. Wrong keys are also
// named by `migrate`, `verify` and `doctor`.
//   npm run build && node test/harness/start-failures.mjs [pattern of titles]      needs Postgres (Debian: apt-get install postgresql)
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import '../../scripts/register-typescript.mjs';
import { check, expect, finish } from './checks.mjs';

const { withClient } = await import('../faults/postgres-server.ts');
const { DatabaseProxy } = await import('../faults/database-proxy.ts');
const { SystemPostgres } = await import('../faults/system-postgres.ts');

const root = path.resolve(import.meta.dirname, '../..');
const PROGRAM = path.join(root, 'dist/src/main.js');
const CLI = path.join(root, 'dist/src/cli.js');
/** Milliseconds; a database that does not respond is tried three times. */
const LIMIT = 120_000;
/** Starts side by side: each waits for the disk and for the database. */
const AT_ONCE = 4;
const [only = ''] = process.argv.slice(2);
const newKey = () => randomBytes(32).toString('base64');
const key = newKey();

const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-start-failures-'));
await chmod(work, 0o755);
const server = await SystemPostgres.start();
const admin = (database, sql) => withClient(server.url(database, 'postgres'), (db) => db.query(sql));

/** The environment of a gateway; null removes a variable. */
function environment(changes) {
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    BASE_URL: 'https://pay.example.com',
    DATABASE_URL: server.url('gateway', 'gateway_app'),
    APP_KEYS: `k1:${key}`,
    CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
    CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
    SHUTDOWN_DELAY_MS: '0',
    ...changes,
  };
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== null));
}

/** A start of the gateway that is stopped again once it is ready, or a command. */
async function start(changes, program = [PROGRAM]) {
  const child = spawn(process.execPath, program, {
    cwd: work,
    env: environment(changes),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT,
  });
  const [output, errors] = [[], []];
  child.stdout.on('data', (chunk) => {
    output.push(chunk);
    if (String(chunk).includes('"msg":"ready"')) child.kill('SIGTERM');
  });
  child.stderr.on('data', (chunk) => errors.push(chunk));
  const [code] = await once(child, 'close');
  return { code, output: output.join(''), errors: errors.join('') };
}

/** Without what the OpenID library remarks on Node 20. */
const linesOf = (errors) =>
  errors.split('\n').filter((line) => line !== '' && !line.startsWith('oidc-provider WARNING'));

/** @param names what the message must name */
async function refuses(changes, names) {
  const { code, output, errors } = await start(changes);
  const lines = linesOf(errors);
  expect(lines.length === 1, `${lines.length} lines on standard error:\n${errors}`);
  const { level, msg, stack, context } = JSON.parse(lines[0]);
  expect(code === 1 && level === 'fatal' && context === 'Process', `exit code ${code}: ${lines[0]}`);
  expect(stack === undefined, stack);
  for (const name of names) expect(msg.includes(name), `no ${name} in: ${msg}`);
  expect(!output.includes('"msg":"ready"'), 'it was ready');
  expect(!`${output}${errors}`.includes(key), 'a key is in the log');
  // Warnings on the way are lines of the log, too; the error itself is said once.
  for (const line of output.split('\n').filter(Boolean)) {
    const { level } = JSON.parse(line);
    expect(level !== 'error' && level !== 'fatal', `also on standard output: ${line}`);
  }
  return msg;
}

/** `migrate` and `verify` say it in one line, and the doctor in its report. */
async function commandsRefuse(changes, names) {
  const migrated = await start({ ...changes, DATABASE_MIGRATION_URL: server.url('gateway') }, [
    CLI,
    'migrate',
  ]);
  const lines = linesOf(migrated.errors);
  expect(
    migrated.code === 1 && lines.length === 1,
    `migrate: exit code ${migrated.code}\n${migrated.errors}`,
  );
  const verified = linesOf((await start(changes, [CLI, 'verify'])).errors);
  expect(verified.length === 1, `verify:\n${verified.join('\n')}`);
  const doctor = await start(changes, [CLI, 'doctor', '--json']);
  const found = JSON.parse(doctor.output).find(({ subject }) => subject === 'APP_KEYS');
  expect(
    doctor.code === 1 && found?.severity === 'failure',
    `doctor: exit code ${doctor.code}\n${doctor.output}`,
  );
  for (const name of names)
    expect(
      lines[0].includes(name) && found.found.includes(name),
      `no ${name} in: ${lines[0]}\n${found.found}`,
    );
  return lines[0];
}

const url = (changes) => Object.assign(new URL(server.url('gateway', 'gateway_app')), changes).href;
const taken = net.createServer().listen(0, '127.0.0.1');
await once(taken, 'listening');

/** As TABLE; also of `migrate` and `doctor`. */
const WRONG_KEYS = [
  {
    title: 'another key under the same id',
    changes: { APP_KEYS: `k1:${newKey()}` },
    names: ['APP_KEYS', '"k1"', 'backup'],
  },
  {
    title: 'a key that was removed too early',
    changes: { APP_KEYS: `k2:${newKey()}` },
    names: ['APP_KEYS', '"k1"', 'put it back'],
  },
];

/** What is wrong, the environment, and what the line has to name. */
const TABLE = [
  [
    'nothing is configured',
    {
      BASE_URL: null,
      DATABASE_URL: null,
      APP_KEYS: null,
      CHECKOUT_SIGNING_KEY: null,
      CHAIN_ETHEREUM_RPC_URL: null,
    },
    ['BASE_URL', 'DATABASE_URL', 'APP_KEYS', 'CHECKOUT_SIGNING_KEY', 'CHAIN_<SLUG>_RPC_URL'],
  ],
  [
    'the database does not listen',
    { DATABASE_URL: 'postgres://gateway_app@127.0.0.1:9/gateway' },
    ['DATABASE_URL', 'ECONNREFUSED'],
  ],
  [
    'the database’s host has no address',
    { DATABASE_URL: 'postgres://gateway_app@postgres.invalid/gateway' },
    ['DATABASE_URL', 'postgres.invalid'],
  ],
  [
    'the database does not exist',
    { DATABASE_URL: server.url('nothing', 'gateway_app') },
    ['DATABASE_URL', 'nothing'],
  ],
  ['the role does not exist', { DATABASE_URL: server.url('gateway', 'nobody') }, ['DATABASE_URL', 'nobody']],
  [
    'a wrong password',
    { DATABASE_URL: url({ username: 'guarded', password: 'wrong-word' }) },
    ['DATABASE_URL', 'password authentication failed'],
  ],
  [
    'a wrong password of the owner',
    { DATABASE_MIGRATION_URL: url({ username: 'guarded', password: 'wrong-word' }) },
    ['DATABASE_MIGRATION_URL', 'password authentication failed'],
  ],
  [
    'a password with a % of its own',
    { DATABASE_URL: 'postgres://gateway_app:100%@127.0.0.1:5432/gateway' },
    ['DATABASE_URL'],
  ],
  [
    'one role for both',
    { DATABASE_MIGRATION_URL: server.url('gateway', 'gateway_app') },
    ['DATABASE_MIGRATION_URL'],
  ],
  [
    'migrations are missing',
    { DATABASE_URL: server.url('empty', 'gateway_app') },
    ['DATABASE_URL', 'DATABASE_MIGRATION_URL'],
  ],
  [
    'the gateway’s role is missing',
    { DATABASE_URL: server.url('bare', 'nobody'), DATABASE_MIGRATION_URL: server.url('bare', 'gateway') },
    ['DATABASE_URL', 'nobody'],
  ],
  [
    'tables of another program',
    { DATABASE_URL: server.url('other', 'gateway') },
    ['DATABASE_URL', 'Another1'],
  ],
  [
    'a database of a development version',
    { DATABASE_URL: server.url('earlier', 'gateway') },
    ['DATABASE_URL', 'Baseline1795224000001', 'docs/how-to/upgrade.md#from-a-development-version'],
  ],
  [
    'a pooler in transaction mode, and no timeouts of the role',
    { DATABASE_POOL_MODE: 'transaction' },
    ['DATABASE_POOL_MODE'],
  ],
  ...WRONG_KEYS.map(({ title, changes, names }) => [title, changes, names]),
  ['a key that is none', { APP_KEYS: 'k1:short' }, ['APP_KEYS']],
  [
    'a placeholder',
    { CHECKOUT_SIGNING_KEY: '<signing key of at least 32 characters>' },
    ['CHECKOUT_SIGNING_KEY', 'placeholder'],
  ],
  ['the port is taken', { PORT: String(taken.address().port) }, ['PORT']],
  ['the address is of another machine', { HOST: '192.0.2.1' }, ['HOST']],
  ['an unknown chain', { CHAIN_NOWHERE_RPC_URL: 'http://127.0.0.1:9' }, ['CHAIN_NOWHERE']],
  ['a range that is none', { WEBHOOK_ALLOWED_CIDRS: '10.0.0.0' }, ['WEBHOOK_ALLOWED_CIDRS']],
  ['a proxy that is none', { TRUSTED_PROXIES: 'nginx' }, ['TRUSTED_PROXIES']],
  ['a private key instead of a public one', { WALLET_EVM_XPUB: 'nonsense' }, ['WALLET_EVM_XPUB']],
  ['a BASE_URL without TLS', { BASE_URL: 'http://pay.example.com' }, ['BASE_URL']],
];

try {
  await admin('postgres', 'create role gateway login');
  await admin('postgres', 'create role gateway_app login');
  await admin('postgres', `create role guarded login password 'right-word'`);
  for (const name of ['gateway', 'empty', 'bare', 'other', 'earlier'])
    await admin('postgres', `create database ${name} owner gateway`);
  for (const [database, first] of [
    ['other', 'Another1'],
    ['earlier', 'Baseline1795224000001'],
  ]) {
    await admin(database, `create table migrations (id int, timestamp bigint, name text)`);
    await admin(database, `insert into migrations values (1, 1, '${first}')`);
    await admin(database, 'alter table migrations owner to gateway');
  }
  const access = path.join(server.folder, 'data/pg_hba.conf');
  await writeFile(access, `local all guarded scram-sha-256\n${await readFile(access, 'utf8')}`);
  await admin('postgres', 'select pg_reload_conf()');

  await check('with the right configuration it starts, and makes its keys', async () => {
    const { code, output, errors } = await start({ DATABASE_MIGRATION_URL: server.url('gateway') });
    expect(code === 0 && output.includes('"msg":"ready"'), `exit code ${code}\n${errors}\n${output}`);
  });
  const rows = TABLE.filter(([title]) => new RegExp(only).test(title));
  while (rows.length > 0)
    await Promise.all(
      rows.splice(0, AT_ONCE).map(([title, changes, names]) =>
        check(title, async () => {
          const said = await refuses(changes, names);
          process.stdout.write(`        ${said.replaceAll('\n', ' ').slice(0, 200)}\n`);
        }),
      ),
    );

  const cutTitle = 'the connection breaks after the database was reached';
  if (new RegExp(only).test(cutTitle))
    await check(cutTitle, async () => {
      const proxy = await DatabaseProxy.start(() => path.join(server.folder, '.s.PGSQL.5432'));
      try {
        proxy.cutStatementsWith = 'oauth_signing_keys';
        const throughProxy = Object.assign(new URL(proxy.url('gateway')), { username: 'gateway_app' });
        const said = await refuses({ DATABASE_URL: throughProxy.href }, ['Connection terminated']);
        expect(proxy.cutStatements > 0, 'no connection broke');
        process.stdout.write(`        ${said}\n`);
      } finally {
        await proxy.stop();
      }
    });

  if (new RegExp(only).test('rights are missing'))
    await check('rights are missing', async () => {
      await start({ DATABASE_URL: server.url('bare', 'nobody'), DATABASE_MIGRATION_URL: server.url('bare') });
      const names = ['DATABASE_URL', 'DATABASE_MIGRATION_URL'];
      const said = await refuses({ DATABASE_URL: server.url('bare', 'gateway_app') }, names);
      process.stdout.write(`        ${said.slice(0, 200)}\n`);
    });

  for (const { title, changes, names } of WRONG_KEYS.filter(({ title }) => new RegExp(only).test(title)))
    await check(`${title}, of migrate and doctor`, async () => {
      process.stdout.write(`        ${(await commandsRefuse(changes, names)).slice(0, 200)}\n`);
    });

  await check('a line of .env that a shell takes apart is named', async () => {
    const file = path.join(work, '.env');
    await appendFile(
      file,
      `# settings\nCHAIN_ETHEREUM_RPC_URL=https://rpc.example.com/?a=1&key=2\nBASE_URL='https://a&b'\n`,
    );
    const msg = await refuses({ CHAIN_ETHEREUM_RPC_URL: null }, [
      'CHAIN_ETHEREUM_RPC_URL',
      '.env',
      'line 2',
      'single quotes',
    ]);
    expect(!msg.includes('line 3') && !msg.includes('rpc.example.com'), msg);
  });
} catch (error) {
  await check('the run', async () => {
    throw error;
  });
} finally {
  taken.close();
  await server.stop();
  await rm(work, { recursive: true, force: true });
}
finish();
