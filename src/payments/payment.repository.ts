import { Injectable, Logger } from '@nestjs/common';
import {
  type JoinedSite,
  JoinedSites,
  settingsOf,
  SITE_VERSION,
} from '../applications/joined-sites.service.js';
import { byIds } from '../platform/database/by-ids.pure.js';
import { bulkUpdate, columnsOf, type UpdatedRow } from '../platform/database/entity-sql.js';
import { GroupCommit } from '../platform/database/group-commit.js';
import { Sql } from '../platform/database/sql.js';
import { asOwnWork } from '../platform/kernel/request-context.js';
import type { AuthenticatedRows } from '../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../platform/integrity/row-authenticator.service.js';
import { afterCommit, currentUnitOfWork, requireTransaction } from '../platform/database/unit-of-work.js';
import { UNALLOTTED } from './transfers/payment-transfer.repository.js';
import { afterDistrust } from './audit/payment-integrity.pure.js';
import { PaymentEntity, PAYMENTS } from './payment.entity.js';
import { PaymentStatusHistoryRepository, type StoredEntry } from './payment-status-history.repository.js';
import { PAYMENT_STATUS_HISTORY, PaymentStatusHistoryEntity } from './payment-status-history.entity.js';
import type { PaymentAggregate } from './payment.pure.js';
import { type CountedFacts, PaymentFacts, setFacts } from './transfers/payment-facts.service.js';
import { SummedTransferRepository, TRANSFER_COUNT } from './transfers/summed-transfer.repository.js';
import { TooMuchRepository } from './too-much/too-much.repository.js';
import { MAX_LISTED } from './transfers/transfer-listing.pure.js';

const PAYMENT = columnsOf(PaymentEntity, 'p');

/** What a row has beside the columns of the payment. */
interface PaymentRow extends JoinedSite {
  id: string;
  mac: string | null;
}

type AggregateRow = PaymentRow & CountedFacts;

// The site's version is read in the same statement as the payment, so that a move sees settings as they are committed.
const ROW = `${PAYMENT.list}, p.mac, ${SITE_VERSION} as "siteVersion"`;
// With "offset 0", each payment is looked up by an index; without, Postgres reads both tables whole for some hundred
// payments.
const HAS_FACTS = `
  p.xmin::text as version,
  exists (select from quotes q where q.payment_id = p.id offset 0) as "hasQuotes",
  exists (select from refunds r where r.payment_id = p.id offset 0) as "hasRefunds", ${TRANSFER_COUNT}`;
const FROM_PAYMENTS = 'from payments p left join sites s on s.application_id = p.application_id';
const NEWEST = columnsOf(
  PaymentStatusHistoryEntity,
  'newest',
  [...PAYMENT_STATUS_HISTORY.fields, 'mac'],
  'newest.',
);
// In the same statement as the status, which it must say as well.
const WITH_NEWEST = `left join lateral (
    select h.* from payment_status_history h where h.payment_id = p.id order by h.seq desc limit 1) newest on true`;
const AGGREGATE = `${ROW}, ${NEWEST.list}, ${HAS_FACTS} ${FROM_PAYMENTS} ${WITH_NEWEST}`;
const LIST = byIds((among) => `select ${AGGREGATE} where p.id ${among} order by p.id`);
// What several requests want at the same moment, each under its own conditions.
const FIND_WANTED = `
  select wanted.at, ${AGGREGATE}
  join unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as wanted (payment_id, user_id, application_id, at)
    on wanted.payment_id = p.id
  where (wanted.user_id is null or p.user_id = wanted.user_id)
    and (wanted.application_id is null or p.application_id = wanted.application_id)`;
/** Those that come while others are read share the next statement. */
const FIND_GROUP = { items: 50, writes: 2 };

/** A payment that one caller wants. */
interface Wanted {
  paymentId: string;
  /** Null: whose it is was checked otherwise. */
  userId: string | null;
  /** Null: of any application. */
  applicationId: string | null;
}

// "no key update": inserting a transfer takes a key share lock on the payment, which must not deadlock with this.
const LOCK = byIds(
  (among) => `select ${ROW} ${FROM_PAYMENTS} where p.id ${among} order by p.id for no key update of p`,
);

/** The columns that a move or a recomputation may change. A trigger checks each move once more. */
const CHANGED_BY_MOVES = [
  'status',
  'statusSeq',
  'receivedAmount',
  'overpaidAmount',
  'underpaidAmount',
  'settledAmount',
  'refundedAmount',
  'foundAt',
  'receivedAt',
  'confirmedAt',
  'cancelledAt',
  'errorReason',
  'reviewReason',
  'acknowledgedAt',
  'underpayAcceptedAt',
  'underpayAcceptedAmount',
  'overpayAcceptedAt',
  'told',
  'keptAmount',
  'twiceKeptAt',
  'paidLateAt',
  'lateKeptAt',
  'recheckAt',
] as const;
/** A payment with its new values, and the `statusSeq` that its row must still have. */
export type ChangedPayment = UpdatedRow<PaymentEntity, 'id' | (typeof CHANGED_BY_MOVES)[number], 'statusSeq'>;
const UPDATE = bulkUpdate(PaymentEntity, { key: ['id'], set: CHANGED_BY_MOVES, expected: ['statusSeq'] });

// Every change of a row gives it another, later xmin, the transaction that wrote it (PostgreSQL, "System Columns"), also when a
// value comes back that it had before. Quotes are only added. A transfer gains a confirmation with each block of its
// chain, whose newest one also decides about the pace. Of a payment with many, the transfers are not read: the triggers
// payment_transfers_tell_insert and _update write its row with each of them.
const MARKS = `
  with counted as materialized (
    select wanted.id, t.chain, t.version, count(*) over (partition by wanted.id) > ${MAX_LISTED} as is_many
      from unnest($1::uuid[]) as wanted (id) cross join lateral (
        select t.chain, t.xmin::text::bigint as version from payment_transfers t
          where t.payment_id = wanted.id order by t.seen_at limit ${MAX_LISTED + 1}) t
  ), many as (
    select p.id, p.xmin::text as version, (select jsonb_object_agg(chain, hash) from chain_cursors) as cursors
      from payments p where p.id in (select id from counted where is_many)
  )
  select id, string_agg(parts.version, ' ' order by parts.version) as mark, many.version, many.cursors from (
    select p.id, concat('payment ', p.xmin, ' ', s.xmin)
      from payments p left join sites s on s.application_id = p.application_id where p.id = any($1::uuid[])
    union all
    select payment_id, concat('quotes ', count(*)) from quotes where payment_id = any($1) group by payment_id
    union all
    select t.id, concat('transfers ', count(*), ' ', sum(t.version), ' ', c.hash)
      from counted t left join chain_cursors c on c.chain = t.chain where not t.is_many
      group by t.id, t.chain, c.hash
    union all
    select payment_id, concat('report ', xmin) from reported_transactions where payment_id = any($1)
    union all
    select payment_id, concat('refund ', xmin) from refunds where payment_id = any($1)
  ) as parts (id, version) left join many using (id) group by id, many.version, many.cursors`;
interface MarkRow {
  id: string;
  mark: string;
  /** Of a payment with many transfers: the row's, and the hash of the newest block of each chain. */
  version: string | null;
  cursors: Record<string, string> | null;
}
const MARKS_GROUP = { items: 200, writes: 1 };
const DUE_FOR_RECHECK = `
  (select id from payments where recheck_at <= $1 order by recheck_at limit $2) union all (${UNALLOTTED} limit $2)`;
const SET_CANCEL_REASON = `update payments set cancel_reason = $2 where id = $1`;
const SELECT_METHOD = `update payments set selected_provider = $2, selected_method = $3 where id = $1`;
const SET_RECHECK = `update payments set recheck_at = $2 where id = $1`;
const DISTRUST = `
  update payments p set review_reason = 'integrity', recheck_at = $4,
    acknowledged_at = coalesce(row.acknowledged_at, p.acknowledged_at),
    stopped_at = case when p.review_reason = 'integrity' then coalesce(p.stopped_at, $1) else $1 end,
    reason_before = case when p.review_reason = 'integrity' then p.reason_before else p.review_reason end
  from unnest($2::uuid[], $3::timestamptz[]) as row (id, acknowledged_at) where p.id = row.id`;
const CHECK_NOW = 'set constraints all immediate';
const CHECK_LATER = 'set constraints all deferred';
const REQUESTED = columnsOf(PaymentEntity, 'p', [...PAYMENTS.fields, 'mac']);
const LIST_REQUESTED = `select ${REQUESTED.list} from payments p where p.id = any($1::uuid[])`;
/**
 * Payments, alone or with everything that is known about them. Every method takes part in the caller's transaction.
 * {@link PaymentInsertionRepository} inserts them; {@link PaymentListRepository} and {@link PaymentExpiryRepository}
 * have the statements of the lists and of the expiry loop.
 */
@Injectable()
export class PaymentRepository {
  private readonly logger = new Logger('PaymentRepository');
  private readonly authenticated: AuthenticatedRows<PaymentEntity, (typeof PAYMENTS.fields)[number]>;
  private readonly reads = new GroupCommit(
    (wanted: Wanted[]) => asOwnWork(() => this.findWanted(wanted)),
    FIND_GROUP,
  );
  private readonly marks = new GroupCommit(
    (paymentIds: string[]) => asOwnWork(() => this.readMarks(paymentIds)),
    MARKS_GROUP,
  );

  constructor(
    private readonly sql: Sql,
    /** What follows from quotes and transfers. */
    readonly facts: PaymentFacts,
    private readonly summed: SummedTransferRepository,
    private readonly sites: JoinedSites,
    private readonly history: PaymentStatusHistoryRepository,
    /** What other rows say about them. */
    readonly beside: TooMuchRepository,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.register(PAYMENTS);
  }

  async find(paymentId: string): Promise<PaymentAggregate | null> {
    return (await this.listAll([paymentId]))[0] ?? null;
  }

  /** {@link find}, with many transfers added up. */
  findSummed(paymentId: string): Promise<PaymentAggregate | null> {
    return this.read({ paymentId, userId: null, applicationId: null });
  }

  /** @param applicationId null: a payment of any application of the user */
  findOwned(
    paymentId: string,
    userId: string,
    applicationId: string | null,
  ): Promise<PaymentAggregate | null> {
    return this.read({ paymentId, userId, applicationId });
  }

  /** Where the events of each payment go that is as the gateway wrote it; null: where those of its application go. */
  async listCallbacks(paymentIds: readonly string[]): Promise<Map<string, string | null>> {
    if (paymentIds.length === 0) return new Map();
    const rows = (await this.sql.query<object>(LIST_REQUESTED, [paymentIds])).map(REQUESTED.toEntity);
    const authentic = rows.filter((row) => this.authenticated.isAuthentic(row));
    return new Map(authentic.map(({ id, callbackUrl }) => [id, callbackUrl]));
  }

  /** Both in the order of their ids; this one with the transfers of a payment with many added up. */
  async listSummed(paymentIds: readonly string[]): Promise<PaymentAggregate[]> {
    return this.withFacts(await this.sql.query<AggregateRow>(...LIST(paymentIds)), 'summed');
  }

  async listAll(paymentIds: readonly string[]): Promise<PaymentAggregate[]> {
    return this.withFacts(await this.sql.query<AggregateRow>(...LIST(paymentIds)), 'each');
  }

  /**
   * Locks payments until the end of the transaction, in the order of their ids so that two writers cannot deadlock. Rows
   * that are not authentic are left out of their facts, see `isAuthentic`.
   * @throws Error outside of a transaction, where a lock would end at once
   */
  async lockForUpdate(paymentIds: readonly string[]): Promise<PaymentAggregate[]> {
    requireTransaction('payments');
    if (paymentIds.length === 0) return [];
    // The statements run in this order, so that the facts include what was committed while this one waited for the lock.
    const [rows, newest, facts] = await Promise.all([
      this.sql.query<PaymentRow>(...LOCK(paymentIds)),
      this.history.newestOf(paymentIds),
      this.facts.read(paymentIds),
    ]);
    const states = await this.toAggregates(rows, ({ id }) => newest.get(id));
    setFacts(states, facts);
    for (const { payment, transfers: all } of states)
      if (all.length > MAX_LISTED) afterCommit(() => void this.readAhead(payment.id));
    return states;
  }

  /** Writes locked payments; returns how many rows still had the expected `statusSeq`. */
  async update(payments: readonly ChangedPayment[]): Promise<number> {
    return (await this.sql.query(...UPDATE(payments))).length;
  }

  /** Marks locked payments that are not authentic, until their rows are put back, and raises the alarm. An acknowledgement is kept. */
  async distrust(
    payments: readonly Pick<PaymentEntity, 'id' | 'acknowledgedAt'>[],
    now: Date,
  ): Promise<void> {
    for (const { id } of payments) this.authenticated.reportMissing(id);
    const [ids, times] = [payments.map(({ id }) => id), payments.map((one) => one.acknowledgedAt)];
    await this.sql.query(DISTRUST, [now, ids, times, afterDistrust(now)]);
  }

  /** Marks a locked payment that the gateway cannot write, as {@link distrust}. */
  async stop(paymentId: string, now: Date): Promise<void> {
    await this.distrust([{ id: paymentId, acknowledgedAt: null }], now);
  }

  /** Checks at once what is otherwise checked at the end of the transaction, so far. */
  async checkNow(): Promise<void> {
    await Promise.all([this.sql.query(CHECK_NOW), this.sql.query(CHECK_LATER)]);
  }

  async setCancelReason(paymentId: string, cancelReason: string | null): Promise<void> {
    await this.sql.query(SET_CANCEL_REASON, [paymentId, cancelReason]);
  }

  /** Stores what the customer selected at the checkout. */
  async selectMethod(
    paymentId: string,
    { selectedProvider, selectedMethod }: Pick<PaymentEntity, 'selectedProvider' | 'selectedMethod'>,
  ): Promise<void> {
    await this.sql.query(SELECT_METHOD, [paymentId, selectedProvider, selectedMethod]);
  }

  /**
   * A text that is another one after every change of what is stored about a payment and of the blocks that its transfers
   * are counted from; null: there is no such payment. What is read afterwards is at least as new.
   */
  findMark(paymentId: string): Promise<string | null> {
    return this.marks.add(paymentId);
  }

  /** {@link findMark} of many. */
  async marksOf(paymentIds: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.sql.query<MarkRow>(MARKS, [paymentIds]);
    const marks = await Promise.all(rows.map((row) => this.wholeMark(row)));
    return new Map(rows.map(({ id }, i) => [id, marks[i] ?? '']));
  }

  private async wholeMark({ id, mark, version, cursors }: MarkRow): Promise<string> {
    if (version === null) return mark;
    const chains = new Set((await this.summed.list(id, version)).map(({ chain }) => chain));
    return [mark, ...[...chains].toSorted().map((chain) => cursors?.[chain] ?? '')].join(' ');
  }

  private async readMarks(paymentIds: readonly string[]): Promise<(string | null)[]> {
    const marks = await this.marksOf([...new Set(paymentIds)]);
    return paymentIds.map((id) => marks.get(id) ?? null);
  }

  /** Ids of payments to recompute, the longest due first. */
  async listDueForRecheck(now: Date, limit: number): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(DUE_FOR_RECHECK, [now, limit]);
    return rows.map(({ id }) => id);
  }

  async setRecheck(paymentId: string, at: Date): Promise<void> {
    await this.sql.query(SET_RECHECK, [paymentId, at]);
  }

  /** With those that come at the same time, unless in a transaction. */
  private async read(wanted: Wanted): Promise<PaymentAggregate | null> {
    if (!currentUnitOfWork()) return this.reads.add(wanted);
    const [found = null] = await this.findWanted([wanted]);
    return found;
  }

  /** So that a change of a payment with many transfers is added up once, and mostly before the first page asks for it. */
  private async readAhead(paymentId: string): Promise<void> {
    try {
      await this.findSummed(paymentId);
    } catch (error) {
      this.logger.debug({ err: error, paymentId }, 'transfers not added up ahead: the first page does it');
    }
  }

  private async findWanted(wanted: readonly Wanted[]): Promise<(PaymentAggregate | null)[]> {
    const rows = await this.sql.query<AggregateRow & { at: string }>(FIND_WANTED, [
      wanted.map(({ paymentId }) => paymentId),
      wanted.map(({ userId }) => userId),
      wanted.map(({ applicationId }) => applicationId),
    ]);
    const states = await this.withFacts(rows, 'summed');
    const found: (PaymentAggregate | null)[] = wanted.map(() => null);
    // Two callers may want the same payment: each gets lists of its own, which it may change.
    for (const [i, state] of states.entries()) {
      const { quotes, transfers } = state;
      found[Number(rows[i]?.at) - 1] = { ...state, quotes: [...quotes], transfers: [...transfers] };
    }
    return found;
  }

  /** @param transfers `summed`: of a payment with many, only the largest as they are */
  private async withFacts(rows: AggregateRow[], transfers: 'each' | 'summed'): Promise<PaymentAggregate[]> {
    const states = await this.toAggregates(rows, NEWEST.toEntity);
    setFacts(
      states,
      await this.facts.readExisting(rows, transfers),
      transfers === 'each' ? 'all' : 'authentic',
    );
    return states;
  }

  private async toAggregates<Row extends PaymentRow>(
    rows: readonly Row[],
    newestOf: (row: Row) => StoredEntry | undefined,
  ): Promise<PaymentAggregate[]> {
    const sites = await this.sites.listAuthentic(rows);
    return rows.map((row, i) => {
      const payment = PAYMENT.toEntity(row);
      const isAsRequested = this.authenticated.isAuthentic({ ...payment, mac: row.mac });
      const isAuthentic = this.history.says(payment, newestOf(row)) && isAsRequested;
      const settings = settingsOf(sites[i] ?? null);
      const hasCallback = payment.callbackUrl !== null || settings.hasCallback;
      return { payment, isAuthentic, quotes: [], transfers: [], site: { ...settings, hasCallback } };
    });
  }
}
