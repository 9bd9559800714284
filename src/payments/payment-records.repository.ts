import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/database/entity-sql.js';
import { columnOf, type Property } from '../platform/database/entity-table.js';
import { Sql } from '../platform/database/sql.js';
import { AuthenticatedRows, type WithMac } from '../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../platform/integrity/row-authenticator.service.js';
import { PAYMENT_EVENTS } from './payment-event.entity.js';
import { Keyring } from '../platform/kernel/keyring.js';
import { ForeignRows } from './audit/foreign-rows.service.js';
import type { Finding } from './audit/payment-records.pure.js';
import { PAYMENT_STATUS_HISTORY } from './payment-status-history.entity.js';
import {
  PAYMENT_TRANSFERS,
  PaymentTransferEntity,
  PLACED_FIELDS,
} from './transfers/payment-transfer.entity.js';
import { isPlaced } from './transfers/place-macs.js';
import { PAYMENTS } from './payment.entity.js';
import { QUOTES } from './quotes/quote.entity.js';

/** A table, the statement that reads its rows of some payments, and what is wrong with one of them. */
interface CheckedTable {
  text: string;
  check: (row: object) => (Finding & { paymentId: string }) | null;
}

/** Payments that one statement walks over in search of changed ones: it takes a fraction of a second. */
const WALKED = 10_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * $1 after a payment, $2 a time, $3 payments to walk over, $4 payments to choose. Chooses those that were created, could
 * be paid or changed since the time. A refund changes its payment when it is completed.
 */
const NEXT = `
  with walked as materialized (
    select p.id, p.expires_at from payments p where p.id > $1 order by p.id limit $3
  ), chosen as materialized (
    select w.id from walked w
    where w.expires_at >= $2::timestamptz
      or exists (select from payment_status_history h where h.payment_id = w.id and h.created_at >= $2::timestamptz)
      or exists (
        select from payment_transfers t where t.payment_id = w.id
          and (t.seen_at >= $2::timestamptz or t.confirmed_at >= $2::timestamptz or t.state = 'pending'))
      or exists (select from refunds r where r.payment_id = w.id and r.completed_at >= $2::timestamptz)
    order by w.id limit $4
  ), place as (
    select case when (select count(*) from chosen) = $4
      then (select id from chosen order by id desc limit 1)
      else (select id from walked order by id desc limit 1) end as id
  )
  select place.id as "lastId", array(select id from chosen order by id) as ids,
    (select count(*) from walked w where w.id <= place.id)::int as walked
  from place`;
const PLACED = columnsOf(PaymentTransferEntity, 't', ['id', 'paymentId', ...PLACED_FIELDS]);
const PLACES = `select ${PLACED.list} from payment_transfers t where t.payment_id = any($1::uuid[])`;
const COUNT = `select count(*)::float8 as count from payments p where p.id > $1`;

const COMPLETED_REFUNDS = `
  select payment_id as "paymentId", sum(amount)::text as amount from refunds
  where payment_id = any($1::uuid[]) and status = 'COMPLETED' group by payment_id`;

/** The next payments to check. */
export interface PaymentsToCheck {
  ids: string[];
  /** Everything up to this payment was considered; null: there is none after the last one. */
  lastId: string | null;
  /** Payments that were considered. */
  walked: number;
}

/** Finds rows of payments that the gateway did not write as they are. */
@Injectable()
export class PaymentRecordsRepository {
  private readonly tables: readonly CheckedTable[];

  constructor(
    private readonly sql: Sql,
    private readonly foreign: ForeignRows,
    private readonly keyring: Keyring,
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

  /**
   * The next payments in the order of their ids: of all, or those that may differ from how they were at a time.
   * @param after a payment; null: from the first
   */
  async next(after: string | null, since: Date | null, limit: number): Promise<PaymentsToCheck> {
    const [found] = await this.sql.query<PaymentsToCheck>(NEXT, [
      after ?? FIRST,
      since ?? '-infinity',
      since ? WALKED : limit,
      limit,
    ]);
    return found ?? { ids: [], lastId: null, walked: 0 };
  }

  /** All payments after one. */
  async count(after: string | null): Promise<number> {
    const [row] = await this.sql.query<{ count: number }>(COUNT, [after ?? FIRST]);
    return row?.count ?? 0;
  }

  /** The sum of the completed refunds of each payment that has any, in the smallest unit of its currency. */
  async sumCompletedRefunds(paymentIds: readonly string[]): Promise<Map<string, bigint>> {
    const rows = await this.sql.query<{ paymentId: string; amount: string }>(COMPLETED_REFUNDS, [paymentIds]);
    return new Map(rows.map(({ paymentId, amount }) => [paymentId, BigInt(amount)]));
  }

  /** In the caller's transaction. */
  async audit(paymentIds: readonly string[]): Promise<(Finding & { paymentId: string })[]> {
    const findings: (Finding & { paymentId: string })[] = [];
    for (const { text, check } of this.tables)
      for (const row of await this.sql.query<object>(text, [paymentIds])) {
        const finding = check(row);
        if (finding) findings.push(finding);
      }
    for (const row of (await this.sql.query<object>(PLACES, [paymentIds])).map(PLACED.toEntity))
      if (!isPlaced(this.keyring, row))
        findings.push({
          check: 'record',
          paymentId: row.paymentId,
          subject: `payment_transfers ${row.id} place`,
          expected: 'a block in which the gateway has seen it',
          found: row.placeMac === null ? 'without a MAC' : 'without a valid MAC',
        });
    for (const row of await this.foreign.list(paymentIds))
      findings.push({
        check: 'record',
        ...row,
        expected: 'as the gateway wrote it',
        found: 'without a valid MAC',
      });
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
