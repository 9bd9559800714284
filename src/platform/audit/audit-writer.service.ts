import { Injectable, Logger } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { afterCommit, currentUnitOfWork } from '../database/unit-of-work.js';
import { Meters } from '../observability/meters.pure.js';
import { Clock } from '../runtime/clock.pure.js';
import type { AuditAction, AuditDetail } from './audit-actions.pure.js';
import { auditHash, type AuditLink, formatAuditHead } from './audit-chain.pure.js';
import { type AuditAnchor, type AuditEnd, findUnkeyedProblem, checkEnd } from './audit-end.pure.js';
import { AuditHeads } from './audit-heads.service.js';
import { AuditLogRepository, type NewAuditRow, type SealedAuditRow } from './audit-log.repository.js';
import { AuditMacs } from './audit-macs.service.js';

/** What is written before the entries, and what the next anchor says of entries without a MAC. */
interface Preface extends Pick<AuditAnchor, 'adoptedSeq' | 'unkeyedUntil'> {
  rows: NewAuditRow[];
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
    meters.unauthentic.start({ table: 'audit_log' });
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
    const preface = await this.prefaceOf(end, seen);
    let last = end.head;
    const sealed = [...preface.rows, ...rows].map((row): SealedAuditRow => {
      const [seq, previousHash] = [last.seq + 1n, last.hash];
      last = { seq, hash: auditHash({ ...row, seq, previousHash, details: JSON.stringify(row.details) }) };
      return { ...row, mac: this.macs.ofEntry(last) };
    });
    if (sealed.length === 0) return;
    const { adoptedSeq, unkeyedUntil, isResumed } = preface;
    await this.entries.append(sealed, this.macs.sealAnchor({ ...last, adoptedSeq, unkeyedUntil }));
    afterCommit(() => (isResumed ? this.heads.movedBack(last) : this.heads.moved(last)));
  }

  private async prefaceOf(end: AuditEnd, seen: AuditLink | null): Promise<Preface> {
    const { head } = end;
    const isAuthentic = this.macs.isAuthentic(end.anchor);
    const verdict = checkEnd(end, isAuthentic, this.clock.now(), seen);
    const expected = seen ?? (isAuthentic ? end.anchor : null);
    if (verdict.state === 'broken') return this.resume(head, verdict.problem, expected);
    const { anchor } = verdict;
    const { adoptedSeq, unkeyedUntil } = anchor;
    if (verdict.state === 'intact') return { rows: [], isResumed: false, adoptedSeq, unkeyedUntil };
    const unkeyed = Number(head.seq - anchor.seq);
    const problem = findUnkeyedProblem(anchor, await this.entries.listAfter(anchor.seq, unkeyed), head);
    if (problem !== null) return this.resume(head, problem, expected);
    const note = this.ownRow('rows.authenticated', { table: 'audit_log', rows: unkeyed });
    return { rows: [note], isResumed: false, adoptedSeq: head.seq, unkeyedUntil };
  }

  private resume(head: AuditLink, problem: string, expected: AuditLink | null): Preface {
    const details = { problem, expected: expected ? formatAuditHead(expected) : null };
    this.meters.unauthentic.add({ table: 'audit_log' });
    this.logger.error(details, 'the audit log was changed outside of the gateway');
    const rows = [this.ownRow('audit_log.resumed', details)];
    // An anchor that is not authentic has no say in what comes after it.
    return { rows, isResumed: true, adoptedSeq: head.seq, unkeyedUntil: null };
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
