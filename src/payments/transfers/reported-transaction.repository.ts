import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { ReportedTransactionEntity } from './reported-transaction.entity.js';
import { IS_UNLISTED } from '../too-much/too-much-sql.repository.js';

const REPORTED = columnsOf(ReportedTransactionEntity, 'r');
const LIST = `select ${REPORTED.list} from reported_transactions r where r.payment_id = $1 order by r.id`;
// Those that have waited longest come first. $1 now, $2 time of the next look if this one fails, $3 limit.
const CLAIM = `
  with due as (
    select id from reported_transactions where next_check_at <= $1
    order by next_check_at limit $3 for no key update skip locked
  )
  update reported_transactions r set next_check_at = $2, checks = r.checks + 1 from due where r.id = due.id
  returning ${REPORTED.list}`;

const UNLISTED = `select ${REPORTED.list} from reported_transactions r
  where r.payment_id = any($1::uuid[]) and ${IS_UNLISTED} order by r.id`;
const KEEP_UNLISTED = `update reported_transactions r set kept_at = $2 where r.payment_id = $1 and ${IS_UNLISTED}
  returning r.token, r.token_amount::text as amount`;

/** The transactions that customers named. */
@Injectable()
export class ReportedTransactionRepository {
  constructor(
    @InjectRepository(ReportedTransactionEntity)
    private readonly rows: Repository<ReportedTransactionEntity>,
    private readonly sql: Sql,
  ) {}

  /** Oldest first. */
  async listOfPayment(paymentId: string): Promise<ReportedTransactionEntity[]> {
    return (await this.sql.query<object>(LIST, [paymentId])).map(REPORTED.toEntity);
  }

  /** Of some payments the unlisted tokens that wait for the merchant. */
  async listUnlisted(paymentIds: readonly string[]): Promise<ReportedTransactionEntity[]> {
    return (await this.sql.query<object>(UNLISTED, [paymentIds])).map(REPORTED.toEntity);
  }

  /** Ends them; returns which. */
  keepUnlisted(paymentId: string, at: Date): Promise<{ token: string; amount: string }[]> {
    return this.sql.query(KEEP_UNLISTED, [paymentId, at]);
  }

  async insert(reported: ReportedTransactionEntity): Promise<void> {
    await this.rows.insert(reported);
  }

  async update(
    { id }: Pick<ReportedTransactionEntity, 'id'>,
    changes: Partial<
      Pick<
        ReportedTransactionEntity,
        'state' | 'checks' | 'reportedAt' | 'checkedAt' | 'nextCheckAt' | 'token' | 'tokenAmount' | 'keptAt'
      >
    >,
  ): Promise<void> {
    await this.rows.update({ id }, changes);
  }

  /** Takes those that are due to be looked for: no other process does before `nextCheckAt`. */
  async claimDue(now: Date, nextCheckAt: Date, limit: number): Promise<ReportedTransactionEntity[]> {
    return (await this.sql.query<object>(CLAIM, [now, nextCheckAt, limit])).map(REPORTED.toEntity);
  }
}
