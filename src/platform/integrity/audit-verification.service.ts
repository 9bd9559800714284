import { Injectable } from '@nestjs/common';
import {
  AUDIT_START,
  type AuditLink,
  type AuditRow,
  findRowProblem,
  type KeptHead,
} from './audit-chain.pure.js';
import {
  type AuditEnd,
  type EndVerdict,
  checkEnd,
  foreign,
  missingAtEnd,
  replaced,
} from './audit-end.pure.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { AuditMacs } from './audit-macs.service.js';

const BATCH = 1_000;
const NO_HEAD = 'audit_head has no row';

/** What an operator knows beside the database. */
export interface AuditKnowledge {
  /** A head from a log line, a metric, an earlier run or a merchant; it must still be part of the log. */
  kept?: KeptHead | null;
  /** Interruptions up to this entry are not reported again. */
  investigated?: bigint;
}

/** Result of {@link AuditVerification.run}. */
export interface AuditReport {
  rows: bigint;
  /** The last valid row; operators keep it outside the database. */
  head: AuditLink;
  /** The first error, or null. */
  problem: string | null;
}

/** What the rows are compared with: the end as it was before they were read, and what the operator knows. */
interface Expectation extends AuditEnd {
  verdict: EndVerdict;
  links: AuditLink[];
  /** Without a number: that some row has it is known once all were read. */
  hash: Buffer | null;
  investigated: bigint;
}

/**
 * Computes the audit log's hashes again, from the first row, and checks the MACs of rows and end. It only reads, while
 * the gateway keeps running.
 */
@Injectable()
export class AuditVerification {
  constructor(
    private readonly entries: AuditLogRepository,
    private readonly macs: AuditMacs,
  ) {}

  async run({ kept = null, investigated = 0n }: AuditKnowledge = {}): Promise<AuditReport> {
    // Read before the rows: those appended meanwhile come after it.
    const end = await this.entries.findEnd();
    if (!end) return { rows: 0n, head: AUDIT_START, problem: NO_HEAD };
    const isAuthentic = this.macs.isAuthentic(end.anchor);
    const { seq = null, hash = null } = kept ?? {};
    const links = [
      end.head,
      ...(seq !== null && hash ? [{ seq, hash }] : []),
      ...(end.anchor && isAuthentic ? [end.anchor] : []),
    ];
    const verdict = checkEnd(end, isAuthentic);
    const expected: Expectation = { ...end, verdict, links, hash: seq === null ? hash : null, investigated };
    let last = AUDIT_START;
    for (;;) {
      const rows = await this.entries.listAfter(last.seq, BATCH);
      for (const row of rows) {
        const problem = findRowProblem(last, row) ?? this.findProblem(row, expected);
        if (problem !== null) return { rows: last.seq, head: last, problem };
        last = { seq: row.seq, hash: row.hash };
        if (expected.hash?.equals(row.hash)) expected.hash = null;
      }
      if (rows.length < BATCH) break;
    }
    return { rows: last.seq, head: last, problem: await this.findEndProblem(last, expected) };
  }

  private findProblem(row: AuditRow, expected: Expectation): string | null {
    if (contradicts(expected.links, row)) return replaced(row.seq);
    const problem = this.findMacProblem(row, expected);
    if (problem !== null) return problem;
    if (row.act !== 'audit_log.resumed' || row.seq <= expected.investigated) return null;
    const { problem: reason } = JSON.parse(row.details) as { problem?: unknown };
    return `before row ${row.seq} the log was changed outside of the gateway: ${String(reason)}`;
  }

  private findMacProblem({ seq, hash, mac }: AuditRow, { anchor }: Expectation): string | null {
    if (mac !== null) return this.macs.findProblem({ seq, hash, mac });
    // What an end that is not authentic says about rows without a MAC is worth nothing; it is reported itself.
    return !anchor || !this.macs.isAuthentic(anchor) || seq <= anchor.resumedSeq ? null : foreign(seq);
  }

  private async findEndProblem(last: AuditLink, expected: Expectation): Promise<string | null> {
    const beyond = expected.links.find(({ seq }) => seq > last.seq);
    if (beyond) return missingAtEnd(last.seq, beyond.seq);
    if (expected.hash) return `no row has the hash ${expected.hash.toString('hex')} any more`;
    const now = await this.entries.findEnd();
    if (!now) return NO_HEAD;
    // Inserted without the trigger that numbers rows.
    if (now.head.seq < last.seq) return foreign(now.head.seq + 1n);
    const { verdict } = expected;
    return verdict.state === 'broken' ? verdict.problem : null;
  }
}

/** A kept hash may be shortened. */
function contradicts(links: readonly AuditLink[], { seq, hash }: AuditRow): boolean {
  return links.some((link) => link.seq === seq && !link.hash.equals(hash.subarray(0, link.hash.length)));
}
