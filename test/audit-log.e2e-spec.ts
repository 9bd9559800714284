/**
 * @inOrder Each act is done to what the acts before it left, as in the life of one account; the log is read at the end.
 */
import pg from 'pg';
import { AUDIT_ACTIONS, type AuditAction } from '../src/platform/kernel/audit-actions.pure.js';
import { type AuditReport, AuditVerification } from '../src/platform/integrity/audit-verification.service.js';
import { auditedRoutes } from './support/audited-routes.js';
import {
  type AuditHarness,
  type AuditedRoute,
  openAuditHarness,
  runCommand,
} from './support/audit-harness.js';
import { PASSWORD } from './support/oauth-api.js';
import { digestTables } from './support/table-digest.js';

let harness: AuditHarness;
let routes: Record<AuditAction, AuditedRoute<unknown>>;
/** Bypasses every guard, as an attacker with the database's password can. */
let superuser: pg.Client;

beforeAll(async () => {
  harness = await openAuditHarness();
  routes = auditedRoutes(harness);
  superuser = new pg.Client({ connectionString: harness.shop.gateway.databaseUrl });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await harness.shop.close();
});

const cli = (args: string[]) => runCommand(harness.shop, args);
const postToken = (label: string) => {
  const { shop, application } = harness;
  const path = `/api/payment-applications/${application.id}/client-tokens`;
  return shop.call('POST', path, shop.owner.accessToken, { label, scopes: ['*'] });
};

interface Row {
  seq: string;
  act: AuditAction;
  actor: string;
  target: string | null;
  user_id: string | null;
  details: Record<string, unknown>;
  address: string | null;
  request_id: string | null;
}

const rowsOf = (act: AuditAction) =>
  harness.shop.gateway.sql.query<Row>(
    `select seq, act, actor_kind || coalesce(':' || actor_id, '') as actor, target_kind || ':' || target_id as target,
       user_id, details, address, request_id
     from audit_log where act = $1 order by seq`,
    [act],
  );

/** The act `audit_log.resumed` stays a finding until somebody has looked into it. */
async function investigated(): Promise<bigint> {
  const [row] = await rowsOf('audit_log.resumed');
  return BigInt(row?.seq ?? 0);
}

const verify = async (): Promise<AuditReport> =>
  harness.shop.gateway.get(AuditVerification).run({ investigated: await investigated() });

/** Rows of this act cannot be written, whatever else goes well. */
async function withoutRoomFor(act: AuditAction, work: () => Promise<unknown>): Promise<void> {
  await superuser.query(
    `create function no_room() returns trigger language plpgsql as $$
     begin raise exception 'no room'; end $$;
     create trigger a_fault before insert on audit_log for each row when (new.act = '${act}')
       execute function no_room()`,
  );
  try {
    await work();
  } finally {
    await superuser.query('drop function no_room() cascade');
  }
}

describe('the audit log', () => {
  it.each(AUDIT_ACTIONS.map((act) => [act]))(
    'has one row for %s, or neither the row nor the action',
    async (act) => {
      const { before, act: run, tables, actor, details } = routes[act];
      const ready = await before?.();
      const digests = async () => {
        const all = await digestTables(harness.shop.gateway.sql);
        return tables.map((table) => `${table} ${all[table]}`);
      };
      const [untouched, rows] = [await digests(), await rowsOf(act)];
      await withoutRoomFor(act, async () => {
        const failure: unknown = await Promise.resolve(run(ready)).then(
          () => null,
          (error: unknown) => error,
        );
        expect(failure).not.toBeNull();
      });
      expect([await digests(), await rowsOf(act)]).toEqual([untouched, rows]);

      // A worker that failed to record it keeps the delivery's lease a little longer.
      await superuser.query(
        `update webhook_deliveries set lease_until = now() - interval '1 hour' where lease_until is not null`,
      );
      await run(ready);
      const after = (await rowsOf(act)).slice(rows.length);
      // Every column is a batch of its own.
      if (act !== 'secrets.resealed') expect(after).toHaveLength(1);
      expect(after[0]).toMatchObject({ actor: actor(ready), ...(details && { details }) });
      const isRequest = !['system', 'operator'].includes(after[0]?.actor ?? '');
      expect([after[0]?.address === '127.0.0.0/24', after[0]?.request_id !== null]).toEqual(
        act === 'oauth_token.replayed' ? [false, false] : [isRequest, isRequest],
      );
      for (const [index, digest] of (await digests()).entries()) expect(digest).not.toBe(untouched[index]);
    },
  );
});

describe('an audited action', () => {
  it('waits for the previous one, and payments wait for neither', async () => {
    await superuser.query('begin; select 1 from audit_head for update');
    const later = postToken('Later');
    await harness.shop.createPayment(harness.application);
    await superuser.query('commit');
    expect((await later).status).toBe(201);
  });

  it('gets its own number among concurrent ones', async () => {
    const { rows } = await verify();
    const names = Array.from({ length: 12 }, (_, i) => `At once ${i}`);
    const answers = await Promise.all(names.map((label) => postToken(label)));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect(await verify()).toMatchObject({ rows: rows + 12n, problem: null });
  });

  it('records no secrets', async () => {
    const [{ text } = { text: '' }] = await harness.shop.gateway.sql.query<{ text: string }>(
      `select string_agg(l::text, '') as text from audit_log l`,
    );
    expect(text.length).toBeGreaterThan(1_000);
    const { account, application } = harness;
    for (const secret of [
      PASSWORD,
      'whsec_',
      's3cret',
      account.accessToken,
      account.refreshToken,
      'xpub',
      '@',
    ])
      expect(text).not.toContain(secret);
    expect(text).not.toContain(application.clientToken);
  });
});

describe('verify:audit', () => {
  it('verifies, prints its head, and recognizes an earlier head', async () => {
    const known = ['--investigated', String(await investigated())];
    const first = await cli(['verify:audit', ...known]);
    expect([first.code, first.errors]).toEqual([0, '']);
    const [, head = ''] = /^head: +(\d+:[0-9a-f]{64})$/m.exec(first.output) ?? [];
    await postToken('One more');
    expect(await cli(['verify:audit', '--head', head, ...known])).toMatchObject({ code: 0, errors: '' });
    expect((await cli(['verify:audit', '--head', 'nonsense'])).code).toBe(2);
    expect((await cli(['verify:audit', '--investigated', 'nonsense'])).code).toBe(2);
  });

  // As one who has the database's own password: no trigger runs.
  const set = (assignment: string) => `update audit_log set ${assignment} where seq = 5`;
  const rehash = `update audit_log l set hash = sha256(l.previous_hash || 'forged') where seq = 5`;
  const cutTail = `delete from audit_log where seq > (select max(seq) - 3 from audit_log)`;
  const FORGED: [what: string, sql: string, problem: RegExp][] = [
    ['another time', set(`at = at - interval '1 ms'`), /^row 5 was changed$/],
    ['another actor', set(`actor_kind = 'system', actor_id = null`), /^row 5 was changed$/],
    ['another act', set(`act = 'user.created'`), /^row 5 was changed$/],
    ['another account', set(`user_id = 'somebody'`), /^row 5 was changed$/],
    ['another target', set(`target_kind = 'x', target_id = 'y'`), /^row 5 was changed$/],
    ['other details', set(`details = '{"a":1}'`), /^row 5 was changed$/],
    [
      'the same details, spelled otherwise',
      set(`details = (details::text || ' ')::json`),
      /^row 5 was changed$/,
    ],
    ['another address', set(`address = '203.0.113.9'`), /^row 5 was changed$/],
    ['another request', set(`request_id = 'x'`), /^row 5 was changed$/],
    ['a hash of its own', rehash, /^row 5 was changed$/],
    ['a deleted row', 'delete from audit_log where seq = 5', /^row 5 is missing$/],
    ['a deleted beginning', 'delete from audit_log where seq < 5', /^row 1 is missing$/],
    [
      'a deleted row whose number another one took',
      `delete from audit_log where seq = 5;
       update audit_log set seq = -seq where seq > 5;
       update audit_log set seq = -seq - 1 where seq < 0`,
      /^row 5 does not follow the row before it$/,
    ],
    [
      'an inserted row',
      `update audit_log set seq = -seq where seq > 4; update audit_log set seq = -seq + 1 where seq < 0;
       insert into audit_log select 5, at, actor_kind, actor_id, act, user_id, target_kind, target_id, details, address,
         request_id, previous_hash, sha256('new') from audit_log where seq = 4`,
      /^row 5 does not follow the row before it$/,
    ],
    [
      "two rows in each other's place",
      `update audit_log set seq = -1 where seq = 5; update audit_log set seq = 5 where seq = 6;
       update audit_log set seq = 6 where seq = -1`,
      /^row 5 does not follow the row before it$/,
    ],
    ['an end that was cut off', cutTail, /^rows \d+ to \d+ are missing at the end$/],
    ['all of it cut off', 'delete from audit_log', /^rows 1 to \d+ are missing at the end$/],
    [
      'a row that the gateway did not write',
      `insert into audit_log select seq + 1, at, actor_kind, actor_id, act, user_id, target_kind, target_id, details,
         address, request_id, hash, sha256('new') from audit_log order by seq desc limit 1`,
      /^row \d+ was changed$/,
    ],
  ];

  /** Runs SQL past all triggers, looks, and puts everything back. */
  async function forge(sql: string, look: () => Promise<void>): Promise<void> {
    await superuser.query(
      `create table kept_log as table audit_log; create table kept_head as table audit_head`,
    );
    await superuser.query('alter table audit_log drop constraint audit_log_seq_check');
    await superuser.query('set session_replication_role = replica');
    try {
      await superuser.query(sql);
      await look();
    } finally {
      await superuser.query(`delete from audit_log; insert into audit_log table kept_log;
        delete from audit_head; insert into audit_head table kept_head; drop table kept_log, kept_head;
        alter table audit_log add constraint audit_log_seq_check check (seq > 0);
        set session_replication_role = origin`);
    }
  }

  it.each(FORGED)('reports %s', async (_what, sql, problem) => {
    expect((await verify()).problem).toBeNull();
    await forge(sql, async () => expect((await verify()).problem).toMatch(problem));
  });
});
