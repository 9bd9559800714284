import { Injectable } from '@nestjs/common';
import { tableNamed } from '../../platform/database/entity-table.js';
import { columnNamed, jsonRowOf, keyOrderOf } from '../../platform/database/json-row.js';
import type { Queryable } from '../../platform/database/sql.js';
import { ARCHIVED_TABLES, declarationOf } from './archived-payment.pure.js';

// Payments are found by reading all of them. Milliseconds; until the transaction ends.
const PATIENCE = `select set_config('statement_timeout', '600000', true)`;
/** Ids are in the order of time, so all runs have the same order. $1 time. */
const LIST = 'select id from payments where created_at < $1 order by id';
const DECLARE = `declare archived_payments no scroll cursor for ${LIST}`;
const FETCH = 'fetch 100 from archived_payments';
const LINEAGE = `select database_lineage('payments'::regclass) as lineage`;

/** A payment with the lines of its rows, by table. */
export interface StoredPayment {
  id: string;
  rows: ReadonlyMap<string, readonly string[]>;
}

/** Reads payments with the rows of every table that has some of them, as lines of JSON. */
@Injectable()
export class PaymentArchiveRepository {
  /** By table; texts are built once, from declarations alone. */
  private readonly statements = ARCHIVED_TABLES.map((table) => ({ table, text: () => statementOf(table) }));

  /** What identifies the database (migrations/schema.sql, `database_lineage`). */
  async lineage(tx: Queryable): Promise<string> {
    const [row] = await tx.query<{ lineage: string }>(LINEAGE);
    return row?.lineage ?? '';
  }

  /**
   * All payments that were created before `time`, some at a time: memory is bounded however many there are.
   * @param tx a snapshot, in which no other payments are being read
   */
  async *read(tx: Queryable, time: Date): AsyncGenerator<StoredPayment[]> {
    await tx.query(PATIENCE);
    await tx.query(DECLARE, [time]);
    for (;;) {
      const ids = (await tx.query<{ id: string }>(FETCH)).map(({ id }) => id);
      if (ids.length === 0) return;
      yield await this.load(tx, ids);
    }
  }

  private async load(tx: Queryable, ids: readonly string[]): Promise<StoredPayment[]> {
    const payments = ids.map((id) => ({ id, rows: new Map<string, string[]>() }));
    const byId = new Map(payments.map(({ id, rows }) => [id, rows]));
    const lists = await Promise.all(
      this.statements.map(({ text }) => tx.query<{ paymentId: string; line: string }>(text(), [ids])),
    );
    for (const [place, { table }] of this.statements.entries()) {
      for (const rows of byId.values()) rows.set(table, []);
      for (const { paymentId, line } of lists[place] ?? []) byId.get(paymentId)?.get(table)?.push(line);
    }
    return payments;
  }
}

/** The rows of payments $1 in a table, each with its payment. */
function statementOf(name: string): string {
  const table = tableNamed(name);
  const { from, paymentId } = placeOf(name, 't');
  return `
    select ${paymentId} as "paymentId", ${jsonRowOf(table, declarationOf(name).fields, 't')} as line
    from ${from} where ${paymentId} = any($1) order by ${keyOrderOf(table, 't')}`;
}

/** How a row of a table leads to its payment: by itself, or by the rows that it belongs to. */
function placeOf(name: string, alias: string): { from: string; paymentId: string } {
  const table = tableNamed(name);
  if (name === 'payments') return { from: `${name} ${alias}`, paymentId: `${alias}.id` };
  const { fields, owner } = declarationOf(name);
  if (fields.includes('paymentId') || !('of' in owner))
    return { from: `${name} ${alias}`, paymentId: `${alias}.${columnNamed(table, 'paymentId').name}` };
  const parent = placeOf(owner.of, `${alias}_${owner.of}`);
  return {
    from: `${parent.from} join ${name} ${alias} on ${alias}.${columnNamed(table, owner.by).name} = ${alias}_${owner.of}.id`,
    paymentId: parent.paymentId,
  };
}
