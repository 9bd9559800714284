import { Injectable } from '@nestjs/common';
import { Sql } from '../../platform/database/sql.js';
import type { Standing } from '../payment-moves.pure.js';
import type { BesidePayment } from './too-much.pure.js';
import { ReportedTransactionRepository } from '../transfers/reported-transaction.repository.js';
import { SQL_FUNDS_AFTER_END, SQL_MAY_BE_TWICE, SQL_PROMISED, SQL_TWIN } from './too-much-sql.repository.js';

type BesideRow = Omit<BesidePayment, 'promised'> & { id: string; promised: string };
interface StandingRow {
  id: string;
  unmatched: Standing['unmatched'];
  promised: string;
}
// IS_UNMATCHED, told so that the first row of its index is enough: strangers can send thousands.
const firstOpen = (state: 'confirmed' | 'pending', as: 'confirmed' | 'waiting') => `(
  select '${as}' from payment_transfers t
  where t.user_id = p.user_id and t.payment_id = p.id and not t.is_matched and not t.is_dust and t.state = '${state}'
    and t.id <> all(array(
      select g.transfer_id from refunds g
      where g.payment_id = p.id and g.transfer_id is not null and g.status not in ('CANCELLED', 'EXPIRED')))
  order by t.seen_at limit 1)`;
const STANDINGS = `
  select p.id, coalesce(${firstOpen('confirmed', 'confirmed')}, ${firstOpen('pending', 'waiting')}, 'none') as unmatched,
    ${SQL_PROMISED('p')}::text as promised
  from payments p where p.id = any($1::uuid[])`;
const BESIDE = `
  select p.id, ${SQL_PROMISED('p')}::text as promised,
    case when ${SQL_MAY_BE_TWICE} then ${SQL_TWIN} is not null else false end as "hasTwin",
    case when p.review_reason = 'funds_after_cancel' then ${SQL_FUNDS_AFTER_END} else false end as "hasFundsAfterEnd"
  from payments p where p.id = any($1::uuid[])`;

/** What decides about payments beside their own facts. */
@Injectable()
export class TooMuchRepository {
  constructor(
    private readonly sql: Sql,
    private readonly reported: ReportedTransactionRepository,
  ) {}

  /** What decides about moves beside the payments' own facts. */
  async standingsOf(
    paymentIds: readonly string[],
  ): Promise<Map<string, Pick<Standing, 'unmatched' | 'promised'>>> {
    const rows = await this.sql.query<StandingRow>(STANDINGS, [paymentIds]);
    return new Map(
      rows.map(({ id, unmatched, promised }) => [id, { unmatched, promised: BigInt(promised) }]),
    );
  }

  /** Of {@link tooMuchOf} what other rows say. */
  async besideOf(paymentIds: readonly string[]): Promise<Map<string, BesidePayment>> {
    const rows = await this.sql.query<BesideRow>(BESIDE, [paymentIds]);
    return new Map(rows.map(({ id, promised, ...row }) => [id, { ...row, promised: BigInt(promised) }]));
  }

  /**
   * Ends the unlisted tokens that wait for the merchant.
   * @returns those that it ended as text, and whether there were any before
   */
  async keepUnlisted(paymentId: string, at: Date): Promise<{ tokens: string[]; wasKept: boolean }> {
    const before = await this.reported.listOfPayment(paymentId);
    const kept = await this.reported.keepUnlisted(paymentId, at);
    return {
      tokens: kept.map(({ token, amount }) => `${amount} ${token}`),
      wasKept: before.some(({ keptAt }) => keptAt !== null),
    };
  }
}
