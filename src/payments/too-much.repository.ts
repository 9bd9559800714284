import { Injectable } from '@nestjs/common';
import { Sql } from '../platform/database/sql.js';
import type { Standing } from './payment-moves.pure.js';
import type { TooMuchFacts } from './too-much.pure.js';
import { ReportedTransactionRepository } from './transfers/reported-transaction.repository.js';
import { SQL_FUNDS_AFTER_END, SQL_PROMISED, SQL_TWIN } from './transfers/too-much-sql.pure.js';

interface StandingRow {
  id: string;
  unmatched: Standing['unmatched'];
  promised: string;
}
// IS_UNMATCHED, told so that the first row is enough: strangers can send thousands. OFFSET 0: they are not hashed.
const OPEN_FUNDS = `select from payment_transfers t where t.payment_id = w.id and not t.is_matched and not t.is_dust
  and t.id <> all(array(
    select g.transfer_id from refunds g
    where g.payment_id = w.id and g.transfer_id is not null and g.status not in ('CANCELLED', 'EXPIRED')))`;
const STANDINGS = `
  select w.id, case when exists (${OPEN_FUNDS} and t.state = 'confirmed' offset 0) then 'confirmed'
      when exists (${OPEN_FUNDS} and t.state = 'pending' offset 0) then 'waiting' else 'none' end as unmatched,
    ${SQL_PROMISED('w')}::text as promised
  from unnest($1::uuid[]) as w (id)`;
const TWIN = `
  select ${SQL_TWIN} as id, p.review_reason = 'funds_after_cancel' and ${SQL_FUNDS_AFTER_END} as "hasFundsAfterEnd"
  from payments p where p.id = $1`;

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
  async findBeside(paymentId: string): Promise<Pick<TooMuchFacts, 'hasTwin' | 'hasFundsAfterEnd'>> {
    const [row] = await this.sql.query<{ id: string | null; hasFundsAfterEnd: boolean | null }>(TWIN, [
      paymentId,
    ]);
    return { hasTwin: typeof row?.id === 'string', hasFundsAfterEnd: row?.hasFundsAfterEnd === true };
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
