import { runCli } from '../src/cli.js';
import { loadConfig } from '../src/config.js';
import { startGateway } from '../src/gateway.js';
import { createTestDatabase, startTestGateway, type TestGateway } from './support/test-gateway.js';
import { asGateway } from './support/test-server.js';
import { schemaText } from './support/schema-text.js';
import pg from 'pg';

/** The first migrations of the development versions before the first release. */
const EARLIER = [
  [1, 1_795_224_000_001, 'Baseline1795224000001'],
  [2, 1_795_310_402_000, 'AuthenticateWallets1795310402000'],
] as const;

let gateway: TestGateway;
let owner: pg.Client;
let env: Record<string, string>;

beforeAll(async () => {
  gateway = await startTestGateway();
  const url = await createTestDatabase();
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query('delete from migrations');
  for (const row of EARLIER)
    await owner.query('insert into migrations (id, timestamp, name) values ($1, $2, $3)', [...row]);
  env = {
    ...gateway.environment,
    DATABASE_URL: asGateway(url),
    DATABASE_MIGRATION_URL: url,
    DATABASE_POOL_MODE: 'session',
  };
});
afterAll(async () => {
  await owner.end();
  await gateway.close();
});

async function migrateByCommand(): Promise<string> {
  const errors: string[] = [];
  const code = await runCli(['migrate'], env, {
    input: (async function* () {})(),
    write: (text) => void errors.push(`on standard output: ${text}`),
    writeError: (text) => void errors.push(text),
  });
  expect(code).toBe(1);
  return errors.join('').trimEnd();
}

async function startWith(changes: Record<string, string>): Promise<string> {
  const { DATABASE_MIGRATION_URL: _, ...gatewayOnly } = env;
  const starting = startGateway(loadConfig({ ...gatewayOnly, ...changes }), []);
  return starting.then(
    () => 'it started',
    (error: unknown) => String(error),
  );
}

it.each<[string, () => Promise<string>]>([
  ['the command migrate', migrateByCommand],
  ['the start of a gateway', () => startWith({})],
  ['the start of a gateway behind a pooler', () => startWith({ DATABASE_POOL_MODE: 'transaction' })],
  [
    'the start of a gateway that migrates',
    () => startWith({ DATABASE_MIGRATION_URL: env['DATABASE_MIGRATION_URL'] ?? '' }),
  ],
])(
  'a database of a development version is refused by %s, in one sentence that names the way out',
  async (_what, refuse) => {
    const before = await schemaText(owner);
    const said = await refuse();
    expect(said.split('\n')).toHaveLength(1);
    expect(said).toContain('Baseline1795224000001 is its first migration');
    for (const way of [
      'export',
      'empty database',
      'docs/how-to/upgrade.md#from-a-development-version',
      'DATA_DIR',
    ])
      expect(said).toContain(way);
    expect(await schemaText(owner)).toBe(before);
    const { rows } = await owner.query<{ name: string }>('select name from migrations order by id');
    expect(rows.map(({ name }) => name)).toEqual(EARLIER.map(([, , name]) => name));
  },
);
