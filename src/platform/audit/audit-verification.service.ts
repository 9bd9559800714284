import { Injectable } from '@nestjs/common';
import { AUDIT_START, type AuditLink, type AuditRow, findRowProblem } from './audit-chain.pure.js';
import { AuditLogRepository } from './audit-log.repository.js';

const BATCH = 1_000;

/** Result of {@link AuditVerification.run}. */
export interface AuditReport {
  rows: bigint;
  /** The last valid row; operators keep it outside the database. */
  head: AuditLink;
  /** The first error, or null. */
  problem: string | null;
}

/** Computes the audit log's hashes again, from the first row. It only reads, while the gateway keeps running. */
@Injectable()
export class AuditVerification {
  constructor(private readonly entries: AuditLogRepository) {}

  /** @param kept head reported by an earlier run; it must still be part of the log */
  async run(kept: AuditLink | null): Promise<AuditReport> {
    // Read before the rows: those appended meanwhile come after it.
    const expected = [await this.entries.getHead(), ...(kept ? [kept] : [])];
    let last = AUDIT_START;
    for (;;) {
      const rows = await this.entries.listAfter(last.seq, BATCH);
      for (const row of rows) {
        const problem = findRowProblem(last, row) ?? findContradiction(expected, row);
        if (problem !== null) return { rows: last.seq, head: last, problem };
        last = { seq: row.seq, hash: row.hash };
      }
      if (rows.length < BATCH) break;
    }
    const beyond = expected.find(({ seq }) => seq > last.seq);
    const problem = beyond ? `rows ${last.seq + 1n} to ${beyond.seq} are missing at the end` : null;
    return { rows: last.seq, head: last, problem: problem ?? (await this.findSurplus(last)) };
  }

  /** Rows that were inserted without the trigger that numbers them. */
  private async findSurplus(last: AuditLink): Promise<string | null> {
    const head = await this.entries.getHead();
    return head.seq < last.seq ? `row ${head.seq + 1n} was not written by the gateway` : null;
  }
}

function findContradiction(expected: readonly AuditLink[], { seq, hash }: AuditRow): string | null {
  const differs = expected.some((link) => link.seq === seq && !link.hash.equals(hash));
  return differs ? `row ${seq} was replaced by another one` : null;
}
