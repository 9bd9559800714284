import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrations } from '../migrations/index.js';
import { migrationProblems, numberProblems } from '../scripts/migration-rules.mjs';
import { recordMigrations } from './support/recorded-migrations.js';
import { databaseUrl } from './support/test-server.js';

type Step = string | { online: string };

const DECLARED = { drops: { 'sites.title': '0.1.0', 'sites.url': '0.9.0' }, releases: ['0.1.0'] };

/** A class as TypeORM wants it: its name ends in a time. */
function migrationOf(step: Step, number: number): new () => MigrationInterface {
  const isOnline = typeof step === 'object';
  const sql = isOnline ? step.online : step;
  return class implements MigrationInterface {
    name = `Fixture${9_999_999_999_000 + number}`;
    transaction = !isOnline;

    async up(queryRunner: QueryRunner): Promise<void> {
      await queryRunner.query(sql);
    }

    async down(): Promise<void> {
      throw new Error('cannot be reverted');
    }
  };
}

/** Problems of migrations that follow those of this release. */
async function problemsOf(...steps: Step[]): Promise<string[]> {
  const adminUrl = process.env['TEST_ADMIN_URL'] ?? '';
  const name = `rules_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`create database ${name} template template_gateway`);
    const all = [...migrations, ...steps.map((step, index) => migrationOf(step, index))];
    return await migrationProblems(await recordMigrations(databaseUrl(adminUrl, name), all), DECLARED);
  } finally {
    await admin.query(`drop database if exists ${name}`);
    await admin.end();
  }
}

const NOT_NULL = 'alter table sites add constraint sites_title_set check (title is not null) not valid';
const INDEX = (unique: string, name: string, on: string) =>
  `create ${unique} index concurrently if not exists ${name} on ${on}`;
const FILL = `update sites set title = 'Shop'
  where application_id in (select application_id from sites where title is null limit 1000)`;

describe('the rules of migrations refuse', () => {
  it.each<[string, string, Step[]]>([
    [
      'an index that is built under a lock',
      'builds x on payments without "concurrently"',
      ['create index x on payments (user_id)'],
    ],
    [
      'a unique index that is built under a lock',
      'builds x on payments',
      ['create unique index x on payments (id, status)'],
    ],
    [
      'a volatile default of a new column',
      'rewrites payments',
      ['alter table payments add column token uuid default gen_random_uuid()'],
    ],
    ['a new column that counts', 'rewrites payments', ['alter table payments add column place bigserial']],
    [
      'a new column that is computed and stored',
      'rewrites payments',
      ['alter table payments add column twice numeric generated always as (amount * 2) stored'],
    ],
    [
      'another type, for which the table is written anew',
      'rewrites saved_views',
      ['alter table saved_views alter updated_at type text'],
    ],
    [
      'a new column that is not null without a default',
      'adds payments.channel as not null without a default',
      ['alter table payments add column channel text not null'],
    ],
    [
      'a new column with a check',
      'adds payments.channel with a constraint that is verified under the lock',
      [`alter table payments add column channel text check (channel <> '')`],
    ],
    ['not null without a check', 'sets sites.title not null', ['alter table sites alter title set not null']],
    [
      'not null with a check that was not validated',
      'sets sites.title not null',
      [NOT_NULL, 'alter table sites alter title set not null'],
    ],
    [
      'a check that is validated at once',
      'adds short to payments without "not valid"',
      ['alter table payments add constraint short check (length(reference) < 500)'],
    ],
    [
      'a foreign key that is validated at once',
      'adds known to sites without "not valid"',
      [
        'alter table sites add constraint known foreign key (application_id) references payment_applications (id)',
      ],
    ],
    [
      'a check that is validated in the transaction that adds it',
      'validates sites_title_set of sites in the transaction that adds it',
      [`${NOT_NULL}; alter table sites validate constraint sites_title_set`],
    ],
    [
      'a unique constraint that builds its index',
      'adds once to payments, which builds its index',
      ['alter table payments add constraint once unique (id, status)'],
    ],
    [
      'an update of all rows',
      'updates rows of payments in one transaction',
      [`update payments set livemode = true`],
    ],
    [
      'an update in one transaction, even if it is of a part',
      'updates rows of payments in one transaction',
      ['update payments set livemode = true where id in (select id from payments limit 10)'],
    ],
    [
      'a delete of all rows',
      'deletes rows of idempotency_keys',
      [{ online: 'delete from idempotency_keys' }],
    ],
    [
      'a copy of all rows',
      'copies rows of saved_views',
      ['insert into saved_views select id::text, $${}$$::jsonb, now() from payments'],
    ],
    [
      'a change that hides in a block',
      'hides "update" in a DO block',
      ['do $$ begin update payments set livemode = true; end $$'],
    ],
    ['the drop of a column', 'drops payments.product_id', ['alter table payments drop column product_id']],
    ['the drop of a table', 'drops saved_views', ['drop table saved_views']],
    [
      'a drop that is declared with a version that was not released',
      'drops sites.url, which is declared as unused since 0.9.0',
      ['alter table sites drop column url'],
    ],
    [
      'another name of a column',
      'renames payments.product_id to item_id',
      ['alter table payments rename product_id to item_id'],
    ],
    ['another name of a table', 'renames saved_views to views', ['alter table saved_views rename to views']],
    [
      'a change of the schema without a transaction',
      'sends a AlterTableStmt without a transaction',
      [{ online: 'alter table sites add column if not exists motto text' }],
    ],
    [
      'a migration without a transaction that cannot be run again',
      'fails when it is run again after an interruption: relation "x" already exists',
      [{ online: 'create index concurrently x on payments (user_id)' }],
    ],
  ])('%s', async (_what, problem, steps) => {
    const problems = await problemsOf(...steps);
    expect(problems).toEqual([expect.stringMatching(/^Fixture\d+: /)]);
    expect(problems[0]).toContain(problem);
  });
});

describe('the rules of migrations accept', () => {
  it.each<[string, Step[]]>([
    [
      'a new table with its index and rows',
      [
        'create table motto (id int primary key, value text not null check (value <> $$$$)); create index on motto (value); insert into motto values (1, $$x$$); update motto set value = $$y$$',
      ],
    ],
    [
      'a new column with a constant default',
      ['alter table payments add column channel text not null default $$shop$$'],
    ],
    [
      'a new column with the time of the migration',
      ['alter table payments add column kept_at timestamptz default now()'],
    ],
    ['an index that is built concurrently', [{ online: INDEX('', 'x', 'payments (user_id)') }]],
    [
      'not null after a check that was validated',
      [
        NOT_NULL,
        'alter table sites validate constraint sites_title_set',
        'alter table sites alter title set not null; alter table sites drop constraint sites_title_set',
      ],
    ],
    [
      'a unique constraint of an index that was built before',
      [
        { online: INDEX('unique', 'once', 'payments (id, status)') },
        'alter table payments add constraint once unique using index once',
      ],
    ],
    ['rows that are filled in batches', [{ online: FILL }]],
    ['the drop of a column that a release has not used', ['alter table sites drop column title']],
    ['another name of an index', ['alter index payments_unpaid rename to payments_open']],
    [
      'a trigger and its function',
      [
        `create function note() returns trigger language plpgsql as $$ begin update sites set title = 'x'; return new; end $$;
       create trigger note after insert on saved_views for each row execute function note()`,
      ],
    ],
  ])('%s', async (_what, steps) => {
    expect(await problemsOf(...steps)).toEqual([]);
  });
});

describe('the rules of numbers', () => {
  const FILES = ['0001-baseline.ts', '0001-baseline', '0002-note-colors.ts', 'README.md', 'index.ts'];
  const line = (name: string, file: string) => `import { ${name} } from './${file}.js';`;
  const BASELINE = line('Baseline1795996801000', '0001-baseline');
  const COLORS = line('NoteColors1795996802000', '0002-note-colors');
  const SIZES = line('NoteSizes1795996803000', '0003-note-sizes');
  const SECOND = line('NoteSizes1795996802001', '0002-note-sizes');

  it('accept files that index.ts lists in their order, with gaps', () => {
    expect(numberProblems(FILES, [BASELINE, COLORS].join('\n'))).toEqual([]);
    const later = line('NoteSizes1795996809000', '0009-note-sizes');
    expect(numberProblems([...FILES, '0009-note-sizes.ts'], [BASELINE, COLORS, later].join('\n'))).toEqual(
      [],
    );
  });

  it.each([
    [
      'two migrations of one number',
      ['0002-note-sizes.ts'],
      [BASELINE, COLORS, SECOND],
      [
        '0002-note-sizes: another migration has this number',
        '0002-note-sizes: NoteSizes1795996802001 does not repeat its name and number',
      ],
    ],
    [
      'a class of another name',
      [],
      [BASELINE, line('NoteShades1795996802000', '0002-note-colors')],
      ['0002-note-colors: NoteShades1795996802000 does not repeat its name and number'],
    ],
    [
      'a file that is not listed',
      ['0003-note-sizes.ts'],
      [BASELINE, COLORS],
      ['index.ts does not list the files in their order'],
    ],
    [
      'another order',
      ['0003-note-sizes.ts'],
      [BASELINE, SIZES, COLORS],
      ['index.ts does not list the files in their order'],
    ],
  ])('refuse %s', (_what, more, lines, problems) => {
    expect(numberProblems([...FILES, ...more], lines.join('\n'))).toEqual(problems);
  });
});
