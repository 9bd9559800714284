import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/database/entity-sql.js';
import { columnOf, type Property } from '../platform/database/entity-table.js';
import { Sql } from '../platform/database/sql.js';
import { AuthenticatedRows, type WithMac } from '../platform/security/authenticated-rows.js';
import { RowAuthenticator } from '../platform/security/row-authenticator.service.js';
import { PAYMENT_EVENTS } from './payment-event.entity.js';
import type { Finding } from './payment-invariants.pure.js';
import { PAYMENT_STATUS_HISTORY } from './payment-status-history.entity.js';
import { PAYMENT_TRANSFERS } from './payment-transfer.entity.js';
import { PAYMENTS } from './payment.entity.js';
import { QUOTES } from './quote.entity.js';

/** A table, the statement that reads its rows of some payments, and what is wrong with one of them. */
interface CheckedTable {
  text: string;
  check: (row: object) => (Finding & { paymentId: string }) | null;
}

/** Finds rows of payments that the gateway did not write as they are. */
@Injectable()
export class PaymentRecordsRepository {
  private readonly tables: readonly CheckedTable[];

  constructor(
    private readonly sql: Sql,
    authenticator: RowAuthenticator,
  ) {
    this.tables = [
      checked(authenticator.of(PAYMENTS), 'id'),
      checked(authenticator.of(QUOTES), 'paymentId'),
      checked(authenticator.of(PAYMENT_TRANSFERS), 'paymentId'),
      checked(authenticator.of(PAYMENT_EVENTS), 'paymentId'),
      checked(authenticator.of(PAYMENT_STATUS_HISTORY), 'paymentId'),
    ];
  }

  /** In the caller's transaction. */
  async audit(paymentIds: readonly string[]): Promise<(Finding & { paymentId: string })[]> {
    const findings: (Finding & { paymentId: string })[] = [];
    for (const { text, check } of this.tables)
      for (const row of await this.sql.query<object>(text, [paymentIds])) {
        const finding = check(row);
        if (finding) findings.push(finding);
      }
    return findings;
  }
}

/** @param payment the property with the payment's id */
function checked<E extends WithMac, K extends Property<E>>(
  rows: AuthenticatedRows<E, K>,
  payment: K,
): CheckedTable {
  const { entity, fields, key } = rows.table;
  const columns = columnsOf<E, K | Property<E>>(entity, 't', [...fields, 'mac' as Property<E>]);
  return {
    text: `
      select ${columns.list} from ${rows.name} t where t.${columnOf(entity, payment).name} = any($1::uuid[])`,
    check: (selected) => {
      const row = columns.toEntity(selected) as Pick<E, K> & WithMac;
      if (rows.isAuthentic(row)) return null;
      return {
        check: 'record',
        paymentId: String(row[payment]),
        subject: `${rows.name} ${key.map((property) => String(row[property])).join(' ')}`,
        expected: 'as the gateway wrote it',
        found: row.mac === null ? 'without a MAC' : 'without a valid MAC',
      };
    },
  };
}
