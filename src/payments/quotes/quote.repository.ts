import { Injectable } from '@nestjs/common';
import { byIds } from '../../platform/database/by-ids.pure.js';
import { bulkInsert, columnsOf, rowsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import type { AuthenticatedRows } from '../../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../../platform/integrity/row-authenticator.service.js';
import type { CheckedRows, Payment, Quote } from '../payment.pure.js';
import { QuoteEntity, QUOTES } from './quote.entity.js';

/** A quote as it is made. */
export type NewQuote = Omit<QuoteEntity, 'mac'>;

const QUOTE = columnsOf(QuoteEntity, 'q');
const STORED = columnsOf(QuoteEntity, 'q', [...QUOTES.fields, 'mac']);
const LIST = byIds(
  (among) => `select ${STORED.list} from quotes q where q.payment_id ${among} order by q.locked_at, q.id`,
);
const INPUTS = `select id, rate_inputs as inputs from quotes where payment_id = $1`;
const INSERT = bulkInsert(QuoteEntity, [...QUOTES.fields, 'mac']);
// Whoever changes the payment meanwhile, chooses a method or moves it, changes one of these columns: this statement waits
// for that one's row lock, sees the change, and then writes nothing.
const FIRST = rowsOf(QuoteEntity, [...QUOTES.fields, 'mac'], { after: 3, as: 'first' });
const INSERT_FIRST = `
  with chosen as (
    update payments set selected_provider = $1, selected_method = $2
    where id = $3 and status = 'OPEN' and status_seq = 1 and received_amount = 0
      and selected_provider is null and selected_method is null
    returning id
  )
  insert into quotes (${FIRST.columns}) select ${FIRST.select} from ${FIRST.from}
  join chosen on chosen.id = first.payment_id returning id`;

/** Rate locks of payments. Rows are never changed. */
@Injectable()
export class QuoteRepository {
  private readonly authenticated: AuthenticatedRows<QuoteEntity, (typeof QUOTES.fields)[number]>;

  constructor(
    private readonly sql: Sql,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.register(QUOTES);
  }

  /** The quotes of some payments, oldest first. One statement, sent at once. */
  async listByPayments(paymentIds: readonly string[]): Promise<CheckedRows<Quote & { paymentId: string }>> {
    const rows = await this.sql.query<object>(...LIST(paymentIds));
    const unauthentic = this.authenticated.unauthentic(rows.map(STORED.toEntity));
    return { rows: rows.map(QUOTE.toEntity), unauthentic: new Set(unauthentic.map(({ id }) => id)) };
  }

  /** The prices behind each quote of a payment, by its id, as they were stored. */
  async listRateInputs(paymentId: string): Promise<Map<string, unknown>> {
    const rows = await this.sql.query<{ id: string; inputs: unknown }>(INPUTS, [paymentId]);
    return new Map(rows.map(({ id, inputs }) => [id, inputs]));
  }

  /**
   * Inserts the first quote of a payment and selects its method, in one statement and without a lock before it.
   * @returns false when somebody has chosen before or the payment has moved; nothing was written then
   */
  async insertFirst(
    quote: NewQuote,
    { selectedProvider, selectedMethod }: Pick<Payment, 'selectedProvider' | 'selectedMethod'>,
  ): Promise<boolean> {
    const row = { ...quote, mac: this.authenticated.mac(quote) };
    const written = await this.sql.query(INSERT_FIRST, [
      selectedProvider,
      selectedMethod,
      quote.paymentId,
      ...FIRST.values([row]),
    ]);
    return written.length > 0;
  }

  async insert(quote: NewQuote): Promise<void> {
    const row = { ...quote, mac: this.authenticated.mac(quote) };
    await this.sql.query(INSERT.text, INSERT.values([row]));
  }
}
