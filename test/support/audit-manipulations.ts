import pg from 'pg';

/*
 * What a writer of the database who owns the schema, and lacks APP_KEYS, may do to the audit log. No trigger stops them,
 * and the hashes are theirs to compute: these statements leave a chain that is whole.
 */

/** Numbers and hashes all rows again, in the order of their numbers, as the trigger `audit_log_chain` does. */
const RECHAIN = `
  do $$
  declare
    row audit_log%rowtype;
    last_seq bigint := 0;
    last_hash bytea := decode(repeat('00', 32), 'hex');
    new_hash bytea;
  begin
    -- Out of the way of the numbers to be given.
    update audit_log set seq = seq + 1000000, hash = sha256(hash);
    for row in select * from audit_log order by seq loop
      last_seq := last_seq + 1;
      new_hash := sha256(last_hash || audit_field('audit-log-1') || audit_field(last_seq::text)
        || audit_field(to_char(row.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        || audit_field(row.actor_kind) || audit_field(row.actor_id) || audit_field(row.act)
        || audit_field(row.user_id) || audit_field(row.target_kind) || audit_field(row.target_id)
        || audit_field(row.details::text) || audit_field(row.address) || audit_field(row.request_id));
      update audit_log set seq = last_seq, previous_hash = last_hash, hash = new_hash where seq = row.seq;
      last_hash := new_hash;
    end loop;
  end $$;
  delete from audit_head;
  insert into audit_head (seq, hash)
    select coalesce(max(seq), 0), coalesce((array_agg(hash order by seq desc))[1], decode(repeat('00', 32), 'hex'))
    from audit_log`;
/** Lets the keyed record of the end name the end that is there now; its MAC stays. */
const MOVE_ANCHOR =
  'update audit_anchor set (seq, hash) = (select seq, hash from audit_head), resumed_seq = 0';
const CUT = 'delete from audit_log where seq > (select max(seq) - 3 from audit_log)';
const COPY = `
  insert into audit_log (seq, at, actor_kind, actor_id, act, user_id, target_kind, target_id, details, address,
    request_id, previous_hash, hash, mac)
  select 99000, at, actor_kind, actor_id, 'wallet.removed', user_id, target_kind, target_id, details, address,
    request_id, previous_hash, sha256('copy')`;

const all = (...statements: string[]) => statements.join(';\n');
const changed = (assignment: string) =>
  all(`update audit_log set ${assignment} where seq = 5`, RECHAIN, MOVE_ANCHOR);

const FOREIGN = /row 5 was not written by the gateway/;
const NO_END = /audit_anchor is not as a key of APP_KEYS wrote it/;
const MISSING = /rows \d+ to \d+ are missing at the end/;
const NO_ANCHOR = /audit_anchor has no row/;

export interface Manipulation {
  what: string;
  sql: string;
  /** What `verify:audit` says. */
  problem: RegExp;
}

const manipulation = (what: string, sql: string, problem: RegExp): Manipulation => ({ what, sql, problem });

export const MANIPULATIONS: readonly Manipulation[] = [
  // Every column of an entry.
  manipulation('another time', changed(`at = at - interval '1 day'`), FOREIGN),
  manipulation(
    'a time that no calendar has',
    `update audit_log set at = 'infinity' where seq = 5`,
    /row 5 was changed/,
  ),
  manipulation('another actor', changed(`actor_kind = 'customer', actor_id = null`), FOREIGN),
  manipulation('another act', changed(`act = 'user.enabled'`), FOREIGN),
  manipulation('another account', changed(`user_id = 'somebody'`), FOREIGN),
  manipulation('another target', changed(`target_kind = 'x', target_id = 'y'`), FOREIGN),
  manipulation('other details', changed(`details = '{"a":1}'`), FOREIGN),
  manipulation('another address', changed(`address = '203.0.113.9'`), FOREIGN),
  manipulation('another request', changed(`request_id = 'x'`), FOREIGN),
  manipulation(
    'a hash of its own',
    `update audit_log set hash = sha256('x') where seq = 5`,
    /row 5 was changed/,
  ),
  manipulation(
    'another row before',
    `update audit_log set previous_hash = sha256('x') where seq = 5`,
    /row 5 does not follow/,
  ),
  manipulation(
    'the MAC of another entry',
    `update audit_log set mac = (select mac from audit_log where seq = 4) where seq = 5`,
    FOREIGN,
  ),
  manipulation('no MAC', 'update audit_log set mac = null where seq = 5', FOREIGN),
  manipulation(
    'a MAC of an unknown key',
    `update audit_log set mac = 'm1.mine.AAAA' where seq = 5`,
    /row 5 was authenticated with the key "mine", which APP_KEYS lacks/,
  ),
  // Without MACs.
  manipulation(
    'another act, and no MAC from there on',
    all(changed(`act = 'user.enabled'`), 'update audit_log set mac = null where seq >= 5'),
    NO_END,
  ),
  manipulation(
    'another act, no MACs, and an end that says so',
    all(
      changed(`act = 'user.enabled'`),
      'update audit_log set mac = null',
      'update audit_anchor set resumed_seq = seq',
    ),
    NO_END,
  ),
  // Entries that come or go.
  manipulation(
    'an appended entry, with the hash of the trigger',
    `set local session_replication_role = origin;
     insert into audit_log (at, actor_kind, act, details) values (now(), 'system', 'user.enabled', '{}')`,
    /row \d+ was not written by the gateway/,
  ),
  manipulation(
    'an appended entry, and an end that names it',
    all(`${COPY}, mac from audit_log where seq = 5`, RECHAIN, MOVE_ANCHOR),
    /row \d+ was not written by the gateway/,
  ),
  manipulation(
    'an appended entry without a MAC, and an end that is said to be resumed there',
    all(
      `${COPY}, null from audit_log where seq = 5`,
      RECHAIN,
      'update audit_anchor set (seq, hash, resumed_seq) = (select seq, hash, seq from audit_head)',
    ),
    NO_END,
  ),
  manipulation(
    'an entry in the middle',
    all(
      'update audit_log set seq = seq + 100000 where seq >= 5',
      `${COPY}, mac from audit_log where seq = 4`,
      RECHAIN,
      MOVE_ANCHOR,
    ),
    FOREIGN,
  ),
  manipulation(
    'two entries in the order of the other',
    all(
      'update audit_log set seq = 900000 where seq = 5',
      'update audit_log set seq = 5 where seq = 6',
      'update audit_log set seq = 6 where seq = 900000',
      RECHAIN,
      MOVE_ANCHOR,
    ),
    FOREIGN,
  ),
  manipulation('a missing entry', 'delete from audit_log where seq = 5', /row 5 is missing/),
  manipulation(
    'a missing entry, and the others moved up',
    all('delete from audit_log where seq = 5', RECHAIN, MOVE_ANCHOR),
    FOREIGN,
  ),
  manipulation('a missing beginning', all('delete from audit_log where seq < 5', RECHAIN), /row 1 was not/),
  // The end.
  manipulation('a missing end', CUT, MISSING),
  manipulation('a missing end, and audit_head moved back', all(CUT, RECHAIN), MISSING),
  manipulation('a missing end, and both records moved back', all(CUT, RECHAIN, MOVE_ANCHOR), NO_END),
  manipulation(
    'a missing end, and one record of it deleted',
    all(CUT, RECHAIN, 'delete from audit_anchor'),
    NO_ANCHOR,
  ),
  manipulation(
    'a missing end, and both records deleted',
    all(CUT, 'delete from audit_anchor; delete from audit_head'),
    /audit_head has no row/,
  ),
  manipulation('everything missing', all('delete from audit_log', RECHAIN, MOVE_ANCHOR), NO_END),
  manipulation(
    'everything missing, as in a database that was never used',
    all('delete from audit_log', RECHAIN, 'delete from audit_anchor'),
    NO_ANCHOR,
  ),
  // The keyed record of the end alone.
  manipulation('another hash at the end', `update audit_anchor set hash = sha256('x')`, NO_END),
  manipulation('another number at the end', 'update audit_anchor set seq = seq - 1', NO_END),
  manipulation('an end that is said to be resumed', 'update audit_anchor set resumed_seq = seq', NO_END),
  manipulation('another MAC of the end', `update audit_anchor set mac = 'm1.old.AAAA'`, NO_END),
];

/** What {@link REPLAY} needs, written down by a writer who has been there for longer. */
export const KEEP_END = 'create table audit_anchor_before as table audit_anchor';
/** Cuts the log off where it ended at {@link KEEP_END}, and puts back both records of that end. */
export const REPLAY = all(
  'delete from audit_log where seq > (select seq from audit_anchor_before)',
  'delete from audit_anchor',
  'insert into audit_anchor table audit_anchor_before',
  'update audit_head set (seq, hash) = (select seq, hash from audit_anchor_before)',
);
export const CUT_END = all(CUT, RECHAIN);

const TABLES = ['audit_log', 'audit_head', 'audit_anchor'];

/** Runs statements as the owner of the schema, past all triggers. */
export async function manipulate(ownerUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(all('begin', 'set local session_replication_role = replica', sql, 'commit'));
  } finally {
    await client.end();
  }
}

/** {@link manipulate}, then `look`, and puts every row back as it was. */
export async function whileManipulated(
  ownerUrl: string,
  sql: string,
  look: () => Promise<void>,
): Promise<void> {
  await manipulate(ownerUrl, all(...TABLES.map((table) => `create table kept_${table} as table ${table}`)));
  try {
    await manipulate(ownerUrl, sql);
    await look();
  } finally {
    const putBack = TABLES.flatMap((table) => [
      `delete from ${table}`,
      `insert into ${table} table kept_${table}`,
      `drop table kept_${table}`,
    ]);
    await manipulate(ownerUrl, all(...putBack));
  }
}
