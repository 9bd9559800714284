import { Injectable } from '@nestjs/common';
import { AUDIT_START, type AuditLink, type AuditRow, judgeAuditRow } from './audit-chain.pure.js';
import { Sql } from '../database/sql.js';

const BATCH = 1_000;

const READ = `
  select seq, at, actor_kind as "actorKind", actor_id as "actorId", act, user_id as "userId",
    target_kind as "targetKind", target_id as "targetId", details::text as details, address,
    request_id as "requestId", previous_hash as "previousHash", hash
  from audit_log where seq > $1 order by seq limit $2`;
const HEAD = 'select seq, hash from audit_head';

type StoredRow = Omit<AuditRow, 'seq'> & { seq: string };

/** Result of {@link AuditVerification.run}. */
export interface AuditReport {
  rows: bigint;
  /** The last valid row; operators keep it outside the database. */
  head: AuditLink;
  /** The first error, or null. */
  problem: string | null;
}

/** Computes the audit log's hashes again, from the first row. Only reads; the gateway may go on. */
@Injectable()
export class AuditVerification {
  constructor(private readonly sql: Sql) {}

  /** @param kept head reported by an earlier run; it must still be part of the log */
  async run(kept: AuditLink | null): Promise<AuditReport> {
    // Read first: rows that come meanwhile are behind it.
    const expected = [await this.head(), ...(kept ? [kept] : [])];
    let last = AUDIT_START;
    for (;;) {
      const rows = await this.sql.query<StoredRow>(READ, [last.seq, BATCH]);
      for (const stored of rows) {
        const row: AuditRow = { ...stored, seq: BigInt(stored.seq) };
        const problem = judgeAuditRow(last, row) ?? contradiction(expected, row);
        if (problem !== null) return { rows: last.seq, head: last, problem };
        last = { seq: row.seq, hash: row.hash };
      }
      if (rows.length < BATCH) break;
    }
    const beyond = expected.find(({ seq }) => seq > last.seq);
    const problem = beyond ? `rows ${last.seq + 1n} to ${beyond.seq} are missing at the end` : null;
    return { rows: last.seq, head: last, problem: problem ?? (await this.judgeEnd(last)) };
  }

  private async head(): Promise<AuditLink> {
    const [row] = await this.sql.query<{ seq: string; hash: Buffer }>(HEAD);
    if (!row) throw new Error('the audit log has lost its head row');
    return { seq: BigInt(row.seq), hash: row.hash };
  }

  /** Rows that were written past the trigger that counts them. */
  private async judgeEnd(last: AuditLink): Promise<string | null> {
    const head = await this.head();
    return head.seq < last.seq ? `row ${head.seq + 1n} was not written by the gateway` : null;
  }
}

function contradiction(expected: readonly AuditLink[], { seq, hash }: AuditRow): string | null {
  const differs = expected.some((link) => link.seq === seq && !link.hash.equals(hash));
  return differs ? `row ${seq} is another one than it was` : null;
}
