import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import type { AuthenticatedRows } from '../platform/security/authenticated-rows.js';
import { RowAuthenticator } from '../platform/security/row-authenticator.service.js';
import type { Quote } from './payment.pure.js';
import { QuoteEntity, QUOTES } from './quote.entity.js';

/** A quote as it is made. */
export type NewQuote = Omit<QuoteEntity, 'mac'>;

const QUOTE = columnsOf(QuoteEntity, 'q');
const LIST = `
  select ${QUOTE.list} from quotes q where q.payment_id = any($1::uuid[]) order by q.locked_at, q.id`;
const INPUTS = `select id, rate_inputs as inputs from quotes where payment_id = $1`;
const INSERT = bulkInsert(QuoteEntity, [...QUOTES.fields, 'mac']);

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
  async listByPayments(paymentIds: readonly string[]): Promise<(Quote & { paymentId: string })[]> {
    return (await this.sql.query<object>(LIST, [paymentIds])).map(QUOTE.toEntity);
  }

  /** The prices behind each quote of a payment, by its id, as they were stored. */
  async listRateInputs(paymentId: string): Promise<Map<string, unknown>> {
    const rows = await this.sql.query<{ id: string; inputs: unknown }>(INPUTS, [paymentId]);
    return new Map(rows.map(({ id, inputs }) => [id, inputs]));
  }

  async insert(quote: NewQuote): Promise<void> {
    const row = { ...quote, mac: this.authenticated.mac(quote) };
    await this.sql.query(INSERT.text, INSERT.values([row]));
  }
}
