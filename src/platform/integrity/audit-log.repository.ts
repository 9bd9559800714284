import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../database/entity-sql.js';
import { namedStatement } from '../database/named-statement.pure.js';
import { Sql } from '../database/sql.js';
import { requireTransaction } from '../database/unit-of-work.js';
import { AuditAnchorEntity } from './audit-anchor.entity.js';
import type { AuditAction } from '../kernel/audit-actions.pure.js';
import type { AuditLink, AuditRow } from './audit-chain.pure.js';
import type { AuditAnchor, AuditEnd } from './audit-end.pure.js';
import { AuditHeadEntity } from './audit-head.entity.js';
import { AuditLogEntity } from './audit-log.entity.js';

/** An entry without its number, hashes and MAC. */
export type NewAuditRow = Omit<AuditLogEntity, 'seq' | 'previousHash' | 'hash' | 'mac'>;
/** An entry with its MAC. Number and hashes are left to the trigger `audit_log_chain`, which computes the same. */
export type SealedAuditRow = NewAuditRow & { mac: string };

/** Which entries of a user; null: not restricted by that. */
export interface AuditFilter {
  userId: string;
  act: AuditAction | null;
  targetKind: string | null;
  targetId: string | null;
  from: Date | null;
  to: Date | null;
  /** Whether tokens that programs got are among them. */
  issuedTokens: boolean;
}

const APPEND = bulkInsert(AuditLogEntity, [
  'at',
  'actorKind',
  'actorId',
  'act',
  'userId',
  'targetKind',
  'targetId',
  'details',
  'address',
  'requestId',
  'mac',
]);
const SET_ANCHOR = bulkInsert(
  AuditAnchorEntity,
  ['seq', 'hash', 'resumedSeq', 'mac'],
  `on conflict (only_one) do update set seq = excluded.seq, hash = excluded.hash,
     resumed_seq = excluded.resumed_seq, mac = excluded.mac`,
);
const ROW = columnsOf(AuditLogEntity, 'l');
const LIST = `
  select ${ROW.list}, l.details::text as details from audit_log l where l.seq > $1 order by l.seq limit $2`;
const LIST_OF_TARGET = `
  select ${ROW.list}, l.details::text as details from audit_log l
  where l.target_kind = $1 and l.seq > $2 order by l.seq limit $3`;
type ListValues = Omit<AuditFilter, 'issuedTokens'> & { before: bigint | null; limit: number };
const listOfUser = (index: string) =>
  namedStatement<ListValues>(`
  select ${ROW.list}, l.details::text as details from audit_log l
  where l.user_id = :userId ${index} and (:before::bigint is null or l.seq < :before)
    and (:act::text is null or l.act = :act)
    and (:targetKind::text is null or l.target_kind = :targetKind)
    and (:targetId::text is null or l.target_id = :targetId)
    and (:from::timestamptz is null or l.at >= :from)
    and (:to::timestamptz is null or l.at <= :to)
  order by l.seq desc limit :limit`);
/** From the index audit_log_user, in its order. */
const LIST_OF_USER = listOfUser('');
/** From the index audit_log_user_acts, in its order: most entries are the tokens of programs. */
const LIST_ACTS_OF_USER = listOfUser(`and l.act <> 'oauth_token.issued'`);
/** From the index audit_log_sign_ins. */
const LAST_SIGN_INS = `
  select u.id as "userId", l.at from unnest($1::text[]) u (id) cross join lateral (
    select l.at from audit_log l where l.user_id = u.id and l.act = 'sign_in.succeeded' order by l.seq desc limit 1
  ) l`;
/** From the index audit_log_vouching. */
const LAST_VOUCHINGS = `
  select u.id as "userId", l.act, l.details::text as details
  from unnest($1::text[]) u (id) cross join lateral (
    select l.act, l.details from audit_log l
    where l.user_id = u.id and l.act in ('user.created', 'user.email_changed', 'user.restored', 'user.transferred')
    order by l.seq desc limit 1
  ) l`;
const LINK = columnsOf(AuditLogEntity, 'l', ['seq', 'hash']);
const FIND_LINK = `select ${LINK.list} from audit_log l where l.seq = $1`;
const HEAD = columnsOf(AuditHeadEntity, 'h', ['seq', 'hash'], 'head_');
const LOCK_HEAD = `select ${HEAD.list} from audit_head h for update`;
const ANCHOR = columnsOf(AuditAnchorEntity, 'a', ['seq', 'hash', 'resumedSeq', 'mac']);
const FIND_ANCHOR = `select ${ANCHOR.list} from audit_anchor a`;
const FIND_END = `select ${HEAD.list}, ${ANCHOR.list} from audit_head h left join audit_anchor a on true`;

/** The audit log and both records of its end (audit_log, audit_head, audit_anchor). */
@Injectable()
export class AuditLogRepository {
  constructor(private readonly sql: Sql) {}

  /**
   * Locks the end until the transaction ends. One round trip: the rest is read once the lock is there.
   * @param last the end that the caller saw before
   */
  async lockEnd(last: AuditLink | null): Promise<AuditEnd> {
    requireTransaction('ends of the audit log');
    const [[head], [anchor], [seen]] = await Promise.all([
      this.sql.query<object>(LOCK_HEAD),
      this.sql.query<object>(FIND_ANCHOR),
      this.sql.query<object>(FIND_LINK, [last?.seq ?? 0n]),
    ]);
    if (!head) throw new Error('audit_head has no row');
    return {
      head: HEAD.toEntity(head),
      anchor: anchor ? ANCHOR.toEntity(anchor) : null,
      seen: seen ? LINK.toEntity(seen) : null,
    };
  }

  /** As it is at one moment; null: audit_head has no row, and nothing can be appended. */
  async findEnd(last: AuditLink | null = null): Promise<AuditEnd | null> {
    const [row] = await this.sql.query<{ mac: string | null }>(FIND_END);
    if (!row) return null;
    const [seen] = last ? await this.sql.query<object>(FIND_LINK, [last.seq]) : [];
    return {
      head: HEAD.toEntity(row),
      anchor: row.mac === null ? null : ANCHOR.toEntity(row),
      seen: seen ? LINK.toEntity(seen) : null,
    };
  }

  /** One round trip, which ends what {@link lockEnd} began. */
  async append(rows: readonly SealedAuditRow[], anchor: AuditAnchor): Promise<void> {
    await Promise.all([
      this.sql.query(APPEND.text, APPEND.values(rows)),
      this.sql.query(SET_ANCHOR.text, SET_ANCHOR.values([anchor])),
    ]);
  }

  /** Entries after `seq` in their order. */
  async listAfter(seq: bigint, limit: number): Promise<AuditRow[]> {
    const rows = await this.sql.query<{ details: string }>(LIST, [seq, limit]);
    return rows.map((row) => ({ ...ROW.toEntity(row), details: row.details }));
  }

  /** Entries about one kind of objects after `seq`, in their order. */
  async listOfTarget(targetKind: string, seq: bigint, limit: number): Promise<AuditRow[]> {
    const rows = await this.sql.query<{ details: string }>(LIST_OF_TARGET, [targetKind, seq, limit]);
    return rows.map((row) => ({ ...ROW.toEntity(row), details: row.details }));
  }

  /** Entries that concern a user before `before`, the newest first. */
  async listOfUser(filter: AuditFilter, before: bigint | null, limit: number): Promise<AuditRow[]> {
    const { text, values } = filter.issuedTokens ? LIST_OF_USER : LIST_ACTS_OF_USER;
    const rows = await this.sql.query<{ details: string }>(text, values({ ...filter, before, limit }));
    return rows.map((row) => ({ ...ROW.toEntity(row), details: row.details }));
  }

  /** When each user last signed in; those who never did are left out. */
  lastSignIns(userIds: readonly string[]): Promise<{ userId: string; at: Date }[]> {
    return this.sql.query(LAST_SIGN_INS, [userIds]);
  }

  /** The newest entry of each user that decides whether the address was vouched for. */
  lastVouchings(
    userIds: readonly string[],
  ): Promise<{ userId: string; act: AuditAction; details: string }[]> {
    return this.sql.query(LAST_VOUCHINGS, [userIds]);
  }
}
