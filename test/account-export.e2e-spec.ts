import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { runCli } from '../src/cli.js';
import { AccountExport, type ExportedFile } from '../src/operations/accounts/account-export.service.js';
import { EXPORTED_TABLES, LEFT_OUT } from '../src/operations/accounts/exported-tables.pure.js';
import { tableNamed } from '../src/platform/database/entity-table.js';
import { sendRequest } from './support/api-request.js';
import { AccountApi } from './support/account-api.js';
import { createClientToken } from './support/client-tokens.js';
import { TwoTenants, type Victim } from './support/two-tenants.js';

interface Manifest {
  account: string;
  files: ExportedFile[];
  withheld: Record<string, Record<string, string>>;
  leftOut: Record<string, string>;
}

let tenants: TwoTenants;
let merchant: Victim;
let other: Victim;
let work: string;
let count = 0;

beforeAll(async () => {
  work = await mkdtemp(path.join(os.tmpdir(), 'account-export-'));
  tenants = await TwoTenants.open();
  merchant = await tenants.createVictim();
  other = await tenants.createVictim();
});
afterAll(async () => {
  await tenants.close();
  await rm(work, { recursive: true });
});

const newFolder = () => path.join(work, String(++count));
const sql = () => tenants.harness.sql;

async function cli(...args: string[]) {
  const [output, errors]: [string[], string[]] = [[], []];
  const code = await runCli(args, tenants.harness.gateway.environment, {
    input: (async function* () {})(),
    write: (text) => output.push(text),
    writeError: (text) => errors.push(text),
  });
  return { code, output: output.join(''), errors: errors.join('') };
}

async function exported(user = merchant.owner.userId) {
  const folder = newFolder();
  const result = await cli('export-account', '--user', user, '--to', folder);
  expect([result.code, result.output]).toEqual([0, expect.stringContaining(`account: `)]);
  const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
  return { folder, manifest, output: result.output };
}

async function rowsIn(folder: string, table: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path.join(folder, `${table}.jsonl`), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** How many rows of a user each table has, by the foreign keys of the schema. */
async function countRows(userId: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const row of await tenants.rows.read(userId)) {
    const [table = ''] = row.split(' ', 1);
    counts.set(table, (counts.get(table) ?? 0) + 1);
  }
  return counts;
}

describe('the declaration of what is exported', () => {
  it('has every table with rows of a user, exported or left out with a reason', () => {
    const declared = [...Object.keys(EXPORTED_TABLES), ...Object.keys(LEFT_OUT)];
    expect(declared.toSorted()).toEqual([...tenants.rows.tables].toSorted());
  });

  it.each(Object.entries(EXPORTED_TABLES))(
    'has every column of %s, exported or withheld with a reason',
    (table, { fields, withheld = {} }) => {
      expect([...fields, ...Object.keys(withheld)].toSorted()).toEqual(
        [...tableNamed(table).columns.keys()].toSorted(),
      );
      expect(
        fields.filter((field) => /^(sealed|lease)|(password|token|secret|code|key)Hash$|^mac$/.test(field)),
      ).toEqual([]);
    },
  );
});

describe('export-account', () => {
  it('writes every row of the account, with numbers and SHA-256 in the manifest', async () => {
    const expected = await countRows(merchant.owner.userId);
    const { folder, manifest } = await exported();
    const tables = manifest.files.map(({ name }) => name.replace('.jsonl', ''));
    expect(tables).toEqual([...Object.keys(EXPORTED_TABLES), 'sessions']);
    for (const { name, rows, sha256 } of manifest.files) {
      const table = name.replace('.jsonl', '');
      const text = await readFile(path.join(folder, name));
      expect([name, createHash('sha256').update(text).digest('hex')]).toEqual([name, sha256]);
      expect([name, (await rowsIn(folder, table)).length]).toEqual([name, rows]);
      if (table !== 'sessions') expect([table, rows]).toEqual([table, expected.get(table)]);
    }
    expect((await readdir(folder)).toSorted()).toEqual(
      [...manifest.files.map(({ name }) => name), 'manifest.json'].toSorted(),
    );
    expect(manifest.account).toBe(merchant.owner.userId);
    expect(manifest.leftOut).toEqual(LEFT_OUT);
  });

  it('writes files that only their owner can read', async () => {
    const { folder } = await exported();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder))
      expect([name, (await stat(path.join(folder, name))).mode & 0o777]).toEqual([name, 0o600]);
  });

  it('writes amounts as exact text, and times in UTC', async () => {
    const { folder } = await exported();
    const [payment] = await rowsIn(folder, 'payments');
    const [stored] = await sql().query<{ amount: string; at: Date }>(
      'select amount::text, created_at as at from payments where id = $1',
      [payment?.['id']],
    );
    expect(payment?.['amount']).toBe(stored?.amount);
    expect(new Date(String(payment?.['createdAt']))).toEqual(stored?.at);
    expect(payment?.['createdAt']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const [logo] = await rowsIn(folder, 'application_logos');
    expect(Buffer.from(String(logo?.['content']), 'base64').toString()).toBe('a logo');
  });

  it('leaves out every secret, and names it in the manifest', async () => {
    const { token } = await createClientToken(
      tenants.harness.gateway,
      merchant.owner,
      merchant.fixtures[0]?.applicationId ?? '',
    );
    const { folder, manifest } = await exported();
    const text = (
      await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')))
    ).join('');
    expect(text).not.toContain(token);
    let compared = 0;
    for (const [table, withheld] of Object.entries(manifest.withheld))
      for (const property of Object.keys(withheld)) {
        const column = tableNamed(table).columns.get(property);
        // Anything shorter is a number or a time that stands elsewhere, too.
        const values = await sql().query<{ value: string }>(
          `select ${column?.type === 'bytea' ? `encode(${column.name}, 'base64')` : `${column?.name}::text`} as value
           from ${table} where length(${column?.name}::text) > 16`,
          [],
        );
        for (const { value } of values) {
          if (/^\d{4}-\d\d-\d\d /.test(value)) continue;
          compared += 1;
          expect([table, property, text.includes(value)]).toEqual([table, property, false]);
        }
      }
    expect(compared).toBeGreaterThan(50);
    for (const column of ['passwordHash', 'sealedSecret', 'tokenHash', 'secretHash'])
      expect(Object.values(manifest.withheld).some((withheld) => column in withheld)).toBe(true);
  });

  it('writes nothing of another account', async () => {
    const { folder } = await exported();
    const text = (
      await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')))
    ).join('');
    for (const names of other.fixtures)
      for (const [kind, id] of Object.entries(names))
        expect([kind, text.includes(id)]).toEqual([kind, false]);
  });

  it('writes one snapshot, also while rows are added', async () => {
    const before = (await countRows(merchant.owner.userId)).get('payment_events') ?? 0;
    const many = 1_201;
    let isAdded = false;
    const files = await tenants.harness.gateway
      .get(AccountExport)
      .run(merchant.owner.userId, newFolder(), async ({ name }) => {
        if (name !== 'users.jsonl') return;
        // Beside the snapshot, which is a read-only transaction around this call.
        const beside = new pg.Client({ connectionString: tenants.harness.gateway.databaseUrl });
        await beside.connect();
        try {
          await beside.query(
            `insert into payment_events (id, application_id, user_id, type, body, created_at, test_payment_id)
             select gen_random_uuid(), application_id, user_id, type, body, created_at, gen_random_uuid()
             from (select * from payment_events where user_id = $1 and test_payment_id is not null limit 1) t,
               generate_series(1, $2)`,
            [merchant.owner.userId, many],
          );
        } finally {
          await beside.end();
        }
        isAdded = true;
      });
    const rowsOf = (list: ExportedFile[]) => list.find(({ name }) => name === 'payment_events.jsonl')?.rows;
    expect([isAdded, rowsOf(files)]).toEqual([true, before]);
    // More than are read at once.
    expect(rowsOf((await exported()).manifest.files)).toBe(before + many);
  });

  it('takes an address as well as an id, and leaves an entry in the audit log', async () => {
    const { user, clientId, accessToken, refreshToken } = await AccountApi.open(tenants.harness.gateway);
    const { folder, manifest, output } = await exported(user.email);
    expect(manifest.account).toBe(user.id);
    expect(await rowsIn(folder, 'sessions')).toEqual([
      expect.objectContaining({ clientId, scopes: expect.arrayContaining(['wallets:write']) }),
    ]);
    const text = await readFile(path.join(folder, 'sessions.jsonl'), 'utf8');
    expect([accessToken, refreshToken].filter((token) => text.includes(token))).toEqual([]);
    const rows = manifest.files.reduce((sum, file) => sum + file.rows, 0);
    expect(output).toContain(`rows:    ${rows}`);
    const [entry] = await sql().query(
      `select actor_kind, user_id, target_id, details from audit_log where act = 'account.exported' order by seq desc limit 1`,
    );
    expect(entry).toEqual({
      actor_kind: 'operator',
      user_id: user.id,
      target_id: user.id,
      details: { rows },
    });
    // Their number is shown, unlike the list by which an entry says how it left rows.
    const { baseUrl } = tenants.harness.gateway;
    const { text: shown } = await sendRequest(`${baseUrl}/api/audit?act=account.exported`, {
      token: accessToken,
    });
    expect(JSON.parse(shown)).toMatchObject({ data: [{ act: 'account.exported', details: { rows } }] });
  });

  it('leaves no folder when it fails on the way', async () => {
    const folder = newFolder();
    const failed = tenants.harness.gateway.get(AccountExport).run(merchant.owner.userId, folder, () => {
      throw new Error('the disk is full');
    });
    await expect(failed).rejects.toThrow('the disk is full');
    expect(existsSync(folder)).toBe(false);
  });

  it.each([
    ['an unknown address', ['--user', 'nobody@example.test', '--to', '/nowhere/x'], 'there is no user'],
    [
      'an unknown id',
      ['--user', '01987a4e-0000-7000-8000-000000000001', '--to', '/nowhere/x'],
      'there is no user',
    ],
    ['no folder', ['--user', 'nobody@example.test'], '--to is required'],
  ])('refuses %s', async (_what, args, words) => {
    const { code, output, errors } = await cli('export-account', ...args);
    expect([code, output]).toEqual([2, '']);
    expect(errors).toContain(words);
  });

  it('refuses a folder that exists, and one inside of a folder that does not', async () => {
    const user = merchant.owner.userId;
    const existing = await cli('export-account', '--user', user, '--to', work);
    expect([existing.code, existing.errors]).toEqual([2, expect.stringContaining('--to must name a folder')]);
    const inside = await cli('export-account', '--user', user, '--to', path.join(work, 'no', 'such'));
    expect([inside.code, inside.errors]).toEqual([1, expect.stringContaining('no such file or directory')]);
  });
});
