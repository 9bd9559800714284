import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../database/entity-sql.js';
import { Sql } from '../database/sql.js';
import type { AuditLink, AuditRow } from './audit-chain.pure.js';
import { AuditHeadEntity } from './audit-head.entity.js';
import { AuditLogEntity } from './audit-log.entity.js';

/** An entry without its number and hashes, which the trigger `audit_log_chain` sets. */
export type NewAuditRow = Omit<AuditLogEntity, 'seq' | 'previousHash' | 'hash'>;

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
]);
const ROW = columnsOf(AuditLogEntity, 'l');
const LIST = `
  select ${ROW.list}, l.details::text as details from audit_log l where l.seq > $1 order by l.seq limit $2`;
const LIST_OF_TARGET = `
  select ${ROW.list}, l.details::text as details from audit_log l
  where l.target_kind = $1 and l.seq > $2 order by l.seq limit $3`;
const HEAD = columnsOf(AuditHeadEntity, 'h', ['seq', 'hash']);
const FIND_HEAD = `select ${HEAD.list} from audit_head h`;

/** The audit log and its head (audit_log, audit_head). */
@Injectable()
export class AuditLogRepository {
  constructor(private readonly sql: Sql) {}

  /** Locks the head until the transaction ends (the trigger `audit_log_chain`). */
  async append(row: NewAuditRow): Promise<void> {
    await this.sql.query(APPEND.text, APPEND.values([row]));
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

  async getHead(): Promise<AuditLink> {
    const [row] = await this.sql.query<object>(FIND_HEAD);
    if (!row) throw new Error('audit_head has no row');
    return HEAD.toEntity(row);
  }
}
