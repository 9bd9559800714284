import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../database/entity-sql.js';
import { namedStatement } from '../../database/named-statement.pure.js';
import { Sql } from '../../database/sql.js';
import type { Budget } from './brute-force-throttle.pure.js';
import { FailedAttemptEntity } from './failed-attempt.entity.js';
import { capacityOf, costOf } from './rate-limit.pure.js';

/** One attempt of a budget. */
interface Cost {
  kind: Budget['kind'];
  subject: string;
  now: Date;
  /** Microseconds, as {@link costOf}. */
  cost: number;
}

interface Taking extends Cost {
  /** Microseconds, as {@link capacityOf}. */
  capacity: number;
}

const ROW = columnsOf(FailedAttemptEntity, 'f');

// The bucket of rate-limit.pure.ts in one atomic statement: a refused attempt takes nothing and returns no row.
// A value more than two windows ahead was written by a wrong clock and is reset (brute-force-throttle.pure.ts).
const TAKE = namedStatement<Taking>(`
  insert into failed_attempts as f (kind, subject, restored_at)
  values (:kind, :subject, :now::timestamptz + :cost::float8 * interval '1 microsecond')
  on conflict (kind, subject) do update
    set restored_at = :cost::float8 * interval '1 microsecond' + case
      when f.restored_at > :now::timestamptz + 2 * :capacity::float8 * interval '1 microsecond'
        then :now::timestamptz
      else greatest(f.restored_at, :now::timestamptz) end
    where f.restored_at <= :now::timestamptz + (:capacity::float8 - :cost::float8) * interval '1 microsecond'
       or f.restored_at > :now::timestamptz + 2 * :capacity::float8 * interval '1 microsecond'
  returning ${ROW.list}`);
// One attempt back: a bucket that is whole again has no row.
const GIVE_BACK = namedStatement<Cost>(`
  with whole as (
    delete from failed_attempts f
    where f.kind = :kind and f.subject = :subject
      and f.restored_at <= :now::timestamptz + :cost::float8 * interval '1 microsecond'
    returning f.kind
  )
  update failed_attempts f set restored_at = f.restored_at - :cost::float8 * interval '1 microsecond'
  where f.kind = :kind and f.subject = :subject and not exists (select from whole)`);
const FIND = `select ${ROW.list} from failed_attempts f where f.kind = $1 and f.subject = $2`;
const DELETE = `delete from failed_attempts where kind = $1 and subject = $2`;
const PURGE = `
  delete from failed_attempts where ctid = any (array(
    select ctid from failed_attempts where restored_at <= $1 limit $2 for update skip locked
  )) returning kind`;

/**
 * Budgets of failures and guesses (failed_attempts). Never part of the caller's transaction: an attempt stays counted
 * when that is rolled back.
 */
@Injectable()
export class FailedAttemptRepository {
  constructor(private readonly sql: Sql) {}

  /** Takes one attempt out of a budget and returns when it is whole again; null if there is none left. */
  async take({ kind, subject, policy }: Budget, now: Date): Promise<Date | null> {
    const taking = { kind, subject, now, cost: costOf(policy), capacity: capacityOf(policy) };
    const [row] = await this.sql.queryApart<object>(TAKE.text, TAKE.values(taking));
    return row ? ROW.toEntity(row).restoredAt : null;
  }

  /** Puts back what {@link take} took for an attempt that was no failure. */
  async giveBack({ kind, subject, policy }: Budget, now: Date): Promise<void> {
    const values = GIVE_BACK.values({ kind, subject, now, cost: costOf(policy) });
    await this.sql.queryApart(GIVE_BACK.text, values);
  }

  /** When the budget is whole again; null: it is. */
  async findRestoredAt({ kind, subject }: Budget): Promise<Date | null> {
    const [row] = await this.sql.queryApart<object>(FIND, [kind, subject]);
    return row ? ROW.toEntity(row).restoredAt : null;
  }

  /** Makes the budget whole. */
  async restore({ kind, subject }: Budget): Promise<void> {
    await this.sql.queryApart(DELETE, [kind, subject]);
  }

  /** Deletes up to `limit` rows of budgets that are whole again, and returns how many. */
  async purge(now: Date, limit: number): Promise<number> {
    return (await this.sql.queryApart(PURGE, [now, limit])).length;
  }
}
