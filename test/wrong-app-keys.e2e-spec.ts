import { randomBytes } from 'node:crypto';
import { runCli } from '../src/cli.js';
import type { Finding } from '../src/operations/doctor/finding.js';
import { gatewayDatabase } from './support/test-server.js';
import { createTestDatabase, startTestGateway, type TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

async function cli(args: string[], environment: Record<string, string>) {
  const [output, errors]: [string[], string[]] = [[], []];
  const code = await runCli(args, environment, {
    input: (async function* () {})(),
    write: (text) => output.push(text),
    writeError: (text) => errors.push(text),
  });
  return { code, output: output.join(''), errors: errors.join('') };
}

const newKey = () => randomBytes(32).toString('base64');
/** By what is wrong: APP_KEYS, and what the message has to say. The gateway of the tests has the key t1. */
const WRONG: [string, (key: string) => string, string[]][] = [
  ['another key under the same id', (key) => `t1:${key}`, ['APP_KEYS', '"t1"', 'backup']],
  ['a key of an unknown id', (key) => `t2:${key}`, ['APP_KEYS', 'lacks "t1"', 'put it back']],
];

describe.each(WRONG)('with %s', (_what, keysOf, words) => {
  it('migrate applies nothing, and names the variable in one line', async () => {
    const { sql, environment, databaseUrl } = gateway;
    const [newest] = await sql.query<{ id: number; name: string; timestamp: string }>(
      'delete from migrations where id = (select max(id) from migrations) returning *',
    );
    const key = newKey();
    const env = { ...environment, DATABASE_MIGRATION_URL: databaseUrl, APP_KEYS: keysOf(key) };
    const { code, output, errors } = await cli(['migrate'], env);
    const applied = await sql.query('select from migrations where name = $1', [newest?.name]);
    await sql.query('insert into migrations (id, timestamp, name) values ($1, $2, $3)', [
      newest?.id,
      newest?.timestamp,
      newest?.name,
    ]);
    expect([code, output, applied]).toEqual([1, '', []]);
    expect(errors.trimEnd().split('\n')).toHaveLength(1);
    for (const word of words) expect(errors).toContain(word);
    expect(errors).not.toContain(key);
  });

  it('doctor names the variable as a failure of its own, also in JSON', async () => {
    const key = newKey();
    const { code, output, errors } = await cli(['doctor', '--json'], {
      ...gateway.environment,
      APP_KEYS: keysOf(key),
    });
    expect([code, errors]).toEqual([1, '']);
    const findings = (JSON.parse(output) as Finding[]).filter(({ subject }) => subject === 'APP_KEYS');
    expect(findings).toEqual([expect.objectContaining({ severity: 'failure' })]);
    for (const word of words) expect(findings[0]?.found).toContain(word);
    expect(output).not.toContain(key);
  });
});

it('with the right keys, migrate and doctor have nothing to say', async () => {
  const { environment, databaseUrl } = gateway;
  const { code, output } = await cli(['migrate'], { ...environment, DATABASE_MIGRATION_URL: databaseUrl });
  expect([code, output]).toEqual([0, expect.stringContaining('the schema is current\n')]);
  const findings = JSON.parse((await cli(['doctor', '--json'], environment)).output) as Finding[];
  expect(findings.filter(({ subject }) => subject === 'APP_KEYS')).toEqual([
    expect.objectContaining({ severity: 'ok', fix: null }),
  ]);
});

it('a database that no gateway has started on takes any keys', async () => {
  const url = await createTestDatabase();
  const env = {
    ...gateway.environment,
    DATABASE_MIGRATION_URL: url,
    ...gatewayDatabase(url),
    APP_KEYS: `other:${newKey()}`,
  };
  expect((await cli(['migrate'], env)).code).toBe(0);
});
