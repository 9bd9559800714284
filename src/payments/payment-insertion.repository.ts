import { Injectable } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import { rowsOf } from '../platform/database/entity-sql.js';
import { GroupCommit } from '../platform/database/group-commit.js';
import { Sql } from '../platform/database/sql.js';
import { currentUnitOfWork } from '../platform/database/unit-of-work.js';
import { asOwnWork, currentRequest } from '../platform/kernel/request-context.js';
import { type FinishedKey, writtenKeys } from '../platform/web/idempotency/idempotency-key.repository.js';
import { failpoint } from '../platform/kernel/failpoints.js';
import type { AuthenticatedRows } from '../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../platform/integrity/row-authenticator.service.js';
import { PaymentStatusHistoryRepository } from './payment-status-history.repository.js';
import { PaymentEntity, PAYMENTS } from './payment.entity.js';

/** What is known of a payment when it is created; the other columns have defaults. */
export type NewPayment = Pick<PaymentEntity, (typeof PAYMENTS.fields)[number]>;

/** A payment to insert. */
export interface Insertion {
  payment: NewPayment;
  /** The merchant must have a wallet of one of these; null: no wallet is needed. */
  families: readonly AddressFamily[] | null;
  /** Of the request, written together with the payment; null: without one. */
  key: FinishedKey | null;
}

/** With the MACs of the payment and of its first history entry. */
type NewRow = NewPayment & { mac: string; historyMac: string };

/** Columns beside those of the payment, with their types. */
const BESIDE = { payment_id: 'uuid', families: 'text', history_mac: 'text' };

/**
 * Payments, their first history entries and the keys of their requests in one round trip; a deferred trigger checks the
 * pairs of payment and entry at commit. The wallets are looked up in the same statement for the same reason.
 * @param isKeyed whether a request has a key; without one Postgres need not prepare what writes keys
 */
function statementsOf(isKeyed: boolean) {
  const beside = { ...BESIDE, ...(isKeyed && { key_at: 'int' }) };
  const names = Object.keys(beside);
  const arrays = Object.values(beside).map((type, i) => `(select $${i + 1}::${type}[])`);
  const keys = isKeyed ? writtenKeys({ after: names.length, wanted: 'payable' }) : null;
  const row = rowsOf(PaymentEntity, [...PAYMENTS.fields, 'mac'], {
    after: names.length + (keys?.parameters ?? 0),
    isPlannedOnce: true,
  });
  /** @param applications selects the ids of those whose payments are inserted; the others are reported as locked */
  const textOf = (applications: string) => `
  with requested as materialized (
    select ${row.select}, ${names.slice(1).join(', ')} from ${row.from}
    join unnest(${arrays.join(', ')}) as beside (${names.join(', ')}) on beside.payment_id = row.id
  ), applications as materialized (${applications}), payable as materialized (
    select * from requested
    where application_id in (select id from applications)
      and (families is null or exists (
        select from wallet_choices c
        where c.user_id = requested.user_id and (c.application_id = requested.application_id or c.application_id is null)
          and c.wallets ?| requested.families::text[]))
  ), ${keys ? `${keys.text},` : ''} created as (
    insert into payments (${row.columns}) select ${row.columns} from payable
    ${keys ? 'where key_at is null or key_at in (select at from written_keys)' : ''}
    returning id, user_id, created_at
  ), recorded as (
    insert into payment_status_history (payment_id, user_id, seq, from_status, to_status, reason, created_at, mac)
    select id, created.user_id, 1, null, 'OPEN', 'created', created.created_at, history_mac
    from created join payable using (id)
  )
  select id, case when created.id is null then 'key_in_use' else 'created' end as outcome
  from payable left join created using (id)
  union all
  select id, 'application_locked' from requested where application_id not in (select id from applications)`;
  return {
    /**
     * The foreign key locks the application of each payment. A statement of many merchants must not wait there, so it
     * passes over those that another transaction has locked.
     */
    shared: textOf(`
    select id from payment_applications where id in (select application_id from requested)
    for key share skip locked`),
    alone: textOf('select application_id as id from requested'),
    values: (insertions: readonly Insertion[], rows: readonly NewRow[]) => {
      const finished: FinishedKey[] = [];
      const keyAt = insertions.map(({ key }) => key && finished.push(key));
      return [
        rows.map(({ id }) => id),
        // As array literals: an array of arrays must have elements of one length.
        insertions.map(({ families }) => families && `{${families.join()}}`),
        rows.map(({ historyMac }) => historyMac),
        ...(keys ? [keyAt, ...keys.values(finished)] : []),
        ...row.values(rows),
      ];
    },
  };
}
const KEYED = statementsOf(true);
const KEYLESS = statementsOf(false);
/** One write at a time, so that all who come meanwhile share the next. */
const INSERT_GROUP = { items: 100, writes: 1 };

const FIRST_ENTRY = { seq: 1, fromStatus: null, toStatus: 'OPEN', reason: 'created' } as const;

/** Nothing is written unless the payment is created. */
export type InsertionOutcome = 'created' | 'no_wallet' | 'key_in_use';
type SharedOutcome = InsertionOutcome | 'application_locked';

/** Inserts new payments. */
@Injectable()
export class PaymentInsertionRepository {
  private readonly authenticated: AuthenticatedRows<PaymentEntity, (typeof PAYMENTS.fields)[number]>;
  /** Of all tenants together, so they wait for no connection of one of them. */
  private readonly inserts = new GroupCommit(
    (insertions: Insertion[]) => asOwnWork(() => this.insertGroup(insertions)),
    INSERT_GROUP,
  );

  constructor(
    private readonly sql: Sql,
    private readonly history: PaymentStatusHistoryRepository,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.of(PAYMENTS);
  }

  /**
   * Inserts a payment with the first entry of its history and the key of its request; with those that come at the same
   * time, unless in a transaction.
   */
  async insert(insertion: Insertion): Promise<InsertionOutcome> {
    if (!currentUnitOfWork()) {
      // All that is left to do is to respond, so other requests run meanwhile.
      const outcome = await this.inserts.add(insertion, currentRequest()?.freeSlot);
      if (outcome !== 'application_locked') return outcome;
    }
    // Waits for a locked application, on a connection of its user's share.
    const [outcome] = await this.insertAll('alone', [insertion]);
    if (outcome === undefined || outcome === 'application_locked')
      throw new Error(`unexpected outcome: ${outcome}`);
    return outcome;
  }

  private async insertGroup(insertions: readonly Insertion[]): Promise<SharedOutcome[]> {
    const outcomes = await this.insertAll('shared', insertions);
    failpoint('payments.created');
    return outcomes;
  }

  private async insertAll(
    kind: 'shared' | 'alone',
    insertions: readonly Insertion[],
  ): Promise<SharedOutcome[]> {
    const rows = insertions.map(({ payment }) => {
      const { id: paymentId, userId, createdAt } = payment;
      const historyMac = this.history.macOf({ ...FIRST_ENTRY, paymentId, userId, createdAt });
      return { ...payment, mac: this.authenticated.mac(payment), historyMac };
    });
    const { values, ...texts } = insertions.some(({ key }) => key) ? KEYED : KEYLESS;
    const payable = await this.sql.query<{ id: string; outcome: SharedOutcome }>(
      texts[kind],
      values(insertions, rows),
    );
    const outcomes = new Map(payable.map(({ id, outcome }) => [id, outcome]));
    return rows.map(({ id }) => outcomes.get(id) ?? 'no_wallet');
  }
}
