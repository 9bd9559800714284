import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Not, Repository } from 'typeorm';
import { namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';
import { requireTransaction } from '../platform/database/unit-of-work.js';
import type { Place } from '../platform/web/http/keyset-cursor.pure.js';
import { RefundHistoryEntity } from './refund-history.entity.js';
import { canMoveRefund, type RefundStatus } from './refund-status.pure.js';
import { REFUND_COLUMNS, REFUND_NEWEST, RefundRows } from './refund-rows.repository.js';
import { RefundEntity } from './refund.entity.js';
import type { Refund, RefundChanges } from './refund.pure.js';

const SELECT = `
  select ${REFUND_COLUMNS}, p.currency_code as "currencyCode", p.reference, p.application_id as "applicationId"
  from refunds r join payments p on p.id = r.payment_id ${REFUND_NEWEST}`;
const FIND = `${SELECT} where r.id = $1`;
const FIND_OF_PAYMENT = `${SELECT} where r.id = $1 and r.payment_id = $2`;
const LIST = `${SELECT} where r.payment_id = $1 order by r.created_at desc, r.id desc limit $2 offset $3`;
const LIST_ALL = `${SELECT} where r.payment_id = $1 order by r.created_at desc, r.id desc`;
const LIST_SENT = `${SELECT} where r.payment_id = $1 and r.status in ('PROCESSING', 'COMPLETED') order by r.created_at, r.id`;
const LOCK = `${SELECT} where r.id = $1 for no key update of r`;
const LIST_SHARING = `${SELECT}
  where r.chain = $1 and r.tx_hash = $2 and r.asset = $3 and r.address_key = $4 and r.id <> $5
    and r.status in ('PROCESSING', 'COMPLETED')`;
const LIST_NAMED = `${SELECT} where r.user_id = $1 and p.application_id = $2 and r.id = any($3::uuid[])`;
const LIST_WAITING = `${SELECT}
  where r.user_id = $1 and p.application_id = $2 and r.chain = $3 and r.status = 'AWAITING_PAYMENT'
  order by r.created_at, r.id limit $4`;
/** What a list over all payments is restricted to; null: not by that. */
export interface RefundFilter {
  userId: string;
  statuses: readonly RefundStatus[] | null;
  applicationIds: readonly string[] | null;
}
/** @param entry the condition whose index leads: of one status only, the index is in the order of the list */
const pageFrom = (entry: string) =>
  namedStatement<RefundFilter & { afterAt: Date; afterId: string; limit: number }>(`${SELECT}
  where r.user_id = :userId and ${entry} and (r.created_at, r.id) < (:afterAt::timestamptz, :afterId::uuid)
    and (:statuses::text[] is null or r.status = any(:statuses))
    and (:applicationIds::uuid[] is null or p.application_id = any(:applicationIds))
  order by r.created_at desc, r.id desc limit :limit`);
const PAGE = pageFrom('true');
const PAGE_OF_STATUS = pageFrom('r.status = (:statuses::text[])[1]');
const SUMS = `
  select coalesce(sum(amount) filter (where status not in ('CANCELLED', 'EXPIRED')), 0)::text as promised,
    coalesce(sum(amount) filter (where status = 'COMPLETED'), 0)::text as completed
  from refunds where payment_id = $1`;
// The refunds that have waited longest come first. $1 now, $2 time of the next check, $3 limit.
const CLAIM = `
  with due as (
    select id, next_check_at from refunds where status = 'PROCESSING' and next_check_at <= $1
    order by next_check_at limit $3 for no key update skip locked
  ), claimed as (
    update refunds set next_check_at = $2 from due where refunds.id = due.id
    returning due.id, refunds.payment_id, due.next_check_at as due_at
  )
  select id, payment_id as "paymentId" from claimed order by due_at, id`;

// Of a payment that is not authentic, nothing can be changed.
const UNCLAIMED = `
  select r.id, r.payment_id as "paymentId" from refunds r join payments p on p.id = r.payment_id
  where r.status = 'AWAITING_ADDRESS' and r.expires_at < $1 and p.review_reason is distinct from 'integrity'
  order by r.expires_at limit $2`;

/** A refund, and its payment. */
export type PlacedRefund = Pick<RefundEntity, 'id' | 'paymentId'>;

/** A row of {@link SELECT}. */
interface RefundRow {
  id: string;
  currencyCode: string;
  reference: string;
  applicationId: string;
}

/** Refunds and their history. Reading one that is not authentic throws PaymentIntegrityError; lists leave it out. */
@Injectable()
export class RefundRepository {
  constructor(
    @InjectRepository(RefundEntity) private readonly refunds: Repository<RefundEntity>,
    @InjectRepository(RefundHistoryEntity) private readonly history: Repository<RefundHistoryEntity>,
    private readonly sql: Sql,
    private readonly rows: RefundRows,
  ) {}

  /** Without checking the owner: the caller has verified a claim link, or acts for the gateway itself. */
  async find(refundId: string): Promise<Refund | null> {
    return this.first(await this.sql.query<RefundRow>(FIND, [refundId]));
  }

  /** @param paymentId of a payment that the caller may see */
  async findOfPayment(paymentId: string, refundId: string): Promise<Refund | null> {
    return this.first(await this.sql.query<RefundRow>(FIND_OF_PAYMENT, [refundId, paymentId]));
  }

  /** Newest first. */
  async list(
    paymentId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ items: Refund[]; total: number }> {
    const rows = await this.sql.query<RefundRow>(LIST, [paymentId, limit, offset]);
    const total = await this.refunds.countBy({ paymentId });
    return { items: rows.map((row) => this.read(row)), total };
  }

  /** All, newest first. */
  async listAll(paymentId: string): Promise<Refund[]> {
    return (await this.sql.query<RefundRow>(LIST_ALL, [paymentId])).map((row) => this.read(row));
  }

  /** Whether a refund that is neither cancelled nor expired gives the transfer back. */
  isTransferPromised(transferId: string): Promise<boolean> {
    return this.refunds.existsBy({ transferId, status: Not(In(['CANCELLED', 'EXPIRED'])) });
  }

  /** Refunds with a transaction, verified or not; oldest first. */
  async listSent(paymentId: string): Promise<Refund[]> {
    return (await this.sql.query<RefundRow>(LIST_SENT, [paymentId])).map((row) => this.read(row));
  }

  /** Of all payments of a user, newest first, after a place. */
  async listOwned(filter: RefundFilter, after: Place, limit: number): Promise<Refund[]> {
    const page = filter.statuses?.length === 1 ? PAGE_OF_STATUS : PAGE;
    const read = ({ at, id }: Place, most: number) =>
      this.sql.query<RefundRow>(page.text, page.values({ ...filter, afterAt: at, afterId: id, limit: most }));
    const found = await this.rows.fill(read, after, limit);
    return found.map(({ row, refund }) => withPayment(refund, row));
  }

  /** Locks a refund whose payment is locked already: always in this order. */
  async lock(refundId: string): Promise<Refund> {
    requireTransaction('refunds');
    const refund = this.first(await this.sql.query<RefundRow>(LOCK, [refundId]));
    if (!refund) throw new Error(`refund ${refundId} does not exist`);
    return refund;
  }

  /** The sums of a payment's refunds, in its smallest unit. `promised` leaves out cancelled and expired ones. */
  async sumOf(paymentId: string): Promise<{ promised: bigint; completed: bigint }> {
    const [sums] = await this.sql.query<{ promised: string; completed: string }>(SUMS, [paymentId]);
    return { promised: BigInt(sums?.promised ?? 0), completed: BigInt(sums?.completed ?? 0) };
  }

  /** Whether the transaction is the payout of another user's refund, verified or not. */
  isTransactionTaken({ chain, userId }: Refund, txHash: string): Promise<boolean> {
    const status = In(['PROCESSING', 'COMPLETED']);
    return this.refunds.existsBy({ chain, txHash, userId: Not(userId), status });
  }

  /**
   * The other refunds that its transaction pays to the same address in the same asset.
   * @throws PaymentIntegrityError for one that is not authentic: what it has taken is not known
   */
  async listSharing({ id, chain, txHash, asset, addressKey }: Refund): Promise<Refund[]> {
    const rows = await this.sql.query<RefundRow>(LIST_SHARING, [chain, txHash, asset, addressKey, id]);
    return rows.map((row) => this.read(row));
  }

  /** Of the refunds of an application with these ids, in no order; null: one that is not authentic. */
  async listNamed(
    { userId, applicationId }: { userId: string; applicationId: string },
    refundIds: readonly string[],
  ): Promise<{ id: string; refund: Refund | null }[]> {
    return this.found(await this.sql.query<RefundRow>(LIST_NAMED, [userId, applicationId, refundIds]));
  }

  /** The refunds on a chain that wait to be paid, the oldest first; null: one that is not authentic. */
  async listWaiting(
    { userId, applicationId, chain }: { userId: string; applicationId: string; chain: string },
    limit: number,
  ): Promise<{ id: string; refund: Refund | null }[]> {
    return this.found(await this.sql.query<RefundRow>(LIST_WAITING, [userId, applicationId, chain, limit]));
  }

  /** The refunds whose claim link ended before an address was named, longest ended first. */
  listUnclaimed(now: Date, limit: number): Promise<PlacedRefund[]> {
    return this.sql.query(UNCLAIMED, [now, limit]);
  }

  /**
   * Claims refunds whose transaction is due to be verified, by moving that time to `nextCheckAt`: if the caller fails,
   * another process verifies them then.
   */
  claimDue(now: Date, nextCheckAt: Date, limit: number): Promise<PlacedRefund[]> {
    return this.sql.query(CLAIM, [now, nextCheckAt, limit]);
  }

  async insert(refund: Refund): Promise<void> {
    await this.refunds.insert({ ...refund, mac: this.rows.macOf(refund) });
    await this.insertHistory(refund, null, 'created', refund.createdAt);
  }

  /** Changes a locked refund, in the table and in memory, and adds the change to its history. */
  async change(refund: Refund, changes: RefundChanges, reason: string, now: Date): Promise<void> {
    const { id, status: from, statusSeq: previousSeq } = refund;
    const to = changes.status ?? from;
    if (to !== from && !canMoveRefund(from, to)) {
      throw new Error(`illegal move of refund ${id}: ${from} to ${to}`);
    }
    const statusSeq = previousSeq + 1;
    Object.assign(refund, changes, { statusSeq });
    const mac = this.rows.macOf(refund);
    await this.refunds.update({ id, statusSeq: previousSeq }, { ...changes, statusSeq, mac });
    await this.insertHistory(refund, from, reason, now);
  }

  /** Records the depth of the transaction, which is not a change of the refund. */
  async observe(refund: Refund, confirmations: number, txSeenAt: Date | null): Promise<void> {
    const mac = this.rows.macOf(refund, { confirmations, txSeenAt });
    await this.refunds.update({ id: refund.id }, { confirmations, txSeenAt, mac });
  }

  private async insertHistory(
    { id: refundId, userId, statusSeq: seq, status: toStatus, address, txHash }: Refund,
    fromStatus: RefundStatus | null,
    reason: string,
    createdAt: Date,
  ): Promise<void> {
    const entry = { refundId, userId, seq, fromStatus, toStatus, reason, address, txHash, createdAt };
    await this.history.insert({ ...entry, mac: this.rows.macOfEntry(entry) });
  }

  private found(rows: RefundRow[]): { id: string; refund: Refund | null }[] {
    return rows.map((row) => {
      const refund = this.rows.find(row);
      return { id: row.id, refund: refund && withPayment(refund, row) };
    });
  }

  private first([row]: RefundRow[]): Refund | null {
    return row ? this.read(row) : null;
  }

  private read(row: RefundRow): Refund {
    return withPayment(this.rows.get(row), row);
  }
}

const withPayment = (
  refund: Omit<Refund, 'currencyCode' | 'reference' | 'applicationId'>,
  { currencyCode, reference, applicationId }: RefundRow,
): Refund => ({ ...refund, currencyCode, reference, applicationId });
