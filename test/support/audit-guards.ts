const ACT = `insert into audit_log (at, actor_kind, actor_id, act, details) values (now(), 'user', 'a-user', 'x.y', '{}')`;

/** What the audit log refuses, as in the tables of `database-guards.e2e-spec.ts`. */
export const AUDIT_REFUSED: [what: string, statement: string, guard: string][] = [
  ['a rewritten act', `${ACT}; update audit_log set act = 'user.created'`, 'audit_log is append-only'],
  ['a forgotten act', `${ACT}; delete from audit_log`, 'audit_log is append-only'],
  ['all acts forgotten at once', 'truncate audit_log', 'audit_log is append-only'],
  ['another end of the acts', 'update audit_head set seq = 7', 'audit_head moves with audit_log only'],
  ['no end of the acts', 'delete from audit_head', 'audit_head moves with audit_log only'],
  ['no end of the acts, at once', 'truncate audit_head', 'audit_head moves with audit_log only'],
  ['a second end of the acts', `insert into audit_head values (true, 0, sha256('x'))`, 'audit_head_pkey'],
  ['an action without an actor', ACT.replace(`'a-user'`, 'null'), 'audit_log_check1'],
];
