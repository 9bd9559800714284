import { Injectable, Logger } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { afterCommit, currentUnitOfWork } from '../database/unit-of-work.js';
import { Meters } from '../kernel/meters.js';
import { Clock } from '../kernel/clock.pure.js';
import type { AuditAction, AuditDetail } from '../kernel/audit-actions.pure.js';
import { auditHash, type AuditLink, formatAuditHead } from './audit-chain.pure.js';
import { type AuditEnd, checkEnd } from './audit-end.pure.js';
import { AuditHeads } from './audit-heads.service.js';
import { AuditLogRepository, type NewAuditRow, type SealedAuditRow } from './audit-log.repository.js';
import { AuditMacs } from './audit-macs.service.js';

/** What is written before the entries. */
interface Preface {
  rows: NewAuditRow[];
  /** Of the next anchor. */
  resumedSeq: bigint;
  /** Whether the log was changed, so that it begins anew. */
  isResumed: boolean;
}

/**
 * Appends entries with their MACs. An end that another program has changed is never authenticated silently: the entry
 * `audit_log.resumed`, which comes first then, says for good that something was wrong there.
 */
@Injectable()
export class AuditWriter {
  private readonly logger = new Logger('Integrity');

  constructor(
    private readonly sql: Sql,
    private readonly entries: AuditLogRepository,
    private readonly macs: AuditMacs,
    private readonly heads: AuditHeads,
    private readonly meters: Meters,
    private readonly clock: Clock,
  ) {
    meters.unauthentic.inc({ table: 'audit_log' }, 0);
  }

  /**
   * Joins the caller's transaction, without a savepoint: the caller fails with it. Two round trips.
   * @param rows none: only what was found wrong is recorded, if anything
   */
  async append(rows: readonly NewAuditRow[]): Promise<void> {
    const work = () => this.appendLocked(rows);
    await (currentUnitOfWork() ? work() : this.sql.transaction(work));
  }

  private async appendLocked(rows: readonly NewAuditRow[]): Promise<void> {
    const { last: seen } = this.heads;
    const end = await this.entries.lockEnd(seen);
    const preface = this.prefaceOf(end, seen);
    let last = end.head;
    const sealed = [...preface.rows, ...rows].map((row): SealedAuditRow => {
      const [seq, previousHash] = [last.seq + 1n, last.hash];
      last = { seq, hash: auditHash({ ...row, seq, previousHash, details: JSON.stringify(row.details) }) };
      return { ...row, mac: this.macs.ofEntry(last) };
    });
    if (sealed.length === 0) return;
    const { resumedSeq, isResumed } = preface;
    await this.entries.append(sealed, this.macs.sealAnchor({ ...last, resumedSeq }));
    afterCommit(() => (isResumed ? this.heads.movedBack(last) : this.heads.moved(last)));
  }

  private prefaceOf(end: AuditEnd, seen: AuditLink | null): Preface {
    const isAuthentic = this.macs.isAuthentic(end.anchor);
    const verdict = checkEnd(end, isAuthentic, seen);
    if (verdict.state === 'intact')
      return { rows: [], isResumed: false, resumedSeq: verdict.anchor.resumedSeq };
    return this.resume(end.head, verdict.problem, seen ?? (isAuthentic ? end.anchor : null));
  }

  private resume(head: AuditLink, problem: string, expected: AuditLink | null): Preface {
    const details = { problem, expected: expected ? formatAuditHead(expected) : null };
    this.meters.unauthentic.inc({ table: 'audit_log' });
    this.logger.error(details, 'the audit log was changed outside of the gateway');
    const rows = [this.ownRow('audit_log.resumed', details)];
    return { rows, isResumed: true, resumedSeq: head.seq };
  }

  private ownRow(act: AuditAction, details: Readonly<Record<string, AuditDetail>>): NewAuditRow {
    const noActorOrTarget = { actorId: null, userId: null, targetKind: null, targetId: null };
    return {
      ...noActorOrTarget,
      at: this.clock.now(),
      actorKind: 'system',
      act,
      details,
      address: null,
      requestId: null,
    };
  }
}
