import type { Queryable } from '../platform/database/sql.js';
import {
  canMoveRefund,
  type FailureReason,
  type RefundStatus,
  type RefundType,
} from './refund-status.pure.js';
import type { Refund } from './refund.pure.js';

interface RefundRow {
  id: string;
  payment_id: string;
  user_id: string;
  type: RefundType;
  status: RefundStatus;
  status_seq: number;
  currency_code: string;
  amount: string;
  chain: string;
  asset: string;
  payout_currency_code: string;
  payout_decimals: number;
  payout_amount: string;
  rate: string | null;
  rate_locked_at: Date | null;
  confirmations_required: number;
  address: string | null;
  address_key: Buffer | null;
  address_set_by: Refund['addressSetBy'];
  tx_hash: string | null;
  tx_recorded_at: Date | null;
  tx_seen_at: Date | null;
  confirmations: number;
  next_check_at: Date | null;
  reason: string | null;
  note: string | null;
  requested_by: string;
  created_at: Date;
  expires_at: Date;
  completed_at: Date | null;
  failure_reason: FailureReason | null;
}

const SELECT = `select r.*, p.currency_code from refunds r join payments p on p.id = r.payment_id`;
const FIND = `${SELECT} where r.id = $1`;
const FIND_OF_PAYMENT = `${SELECT} where r.id = $1 and r.payment_id = $2`;
const LIST = `${SELECT} where r.payment_id = $1 order by r.created_at desc, r.id desc limit $2 offset $3`;
const COUNT = `select count(*)::int as total from refunds where payment_id = $1`;
const LOCK = `${SELECT} where r.id = $1 for no key update of r`;
const SUMS = `
  select coalesce(sum(amount) filter (where status not in ('CANCELLED', 'EXPIRED')), 0)::text as promised,
    coalesce(sum(amount) filter (where status = 'COMPLETED'), 0)::text as completed
  from refunds where payment_id = $1`;
const HASH_IS_TAKEN = `
  select 1 from refunds where chain = $1 and tx_hash = $2 and id <> $3 and status in ('PROCESSING', 'COMPLETED')`;
const INSERT = `
  insert into refunds (id, payment_id, user_id, type, status, amount, chain, asset, payout_currency_code, payout_decimals,
    payout_amount, rate, rate_locked_at, confirmations_required, address, address_key, address_set_by, reason, note,
    requested_by, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`;
const UPDATE = `
  update refunds set status = $3, status_seq = $4, address = $5, address_key = $6, address_set_by = $7, tx_hash = $8,
    tx_recorded_at = $9, tx_seen_at = $10, confirmations = $11, next_check_at = $12, completed_at = $13, failure_reason = $14
  where id = $1 and status_seq = $2`;
const OBSERVE = `update refunds set confirmations = $2, tx_seen_at = $3 where id = $1`;
const INSERT_HISTORY = `
  insert into refund_history (refund_id, seq, from_status, to_status, reason, address, tx_hash, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Without an owner: the caller has verified a claim link, or works for nobody in particular. */
export async function findRefund(db: Queryable, refundId: string): Promise<Refund | null> {
  return one(await db.query<RefundRow>(FIND, [refundId]));
}

/** @param paymentId of a payment that the caller may see */
export async function findRefundOf(
  db: Queryable,
  paymentId: string,
  refundId: string,
): Promise<Refund | null> {
  return one(await db.query<RefundRow>(FIND_OF_PAYMENT, [refundId, paymentId]));
}

/** Newest first. */
export async function listRefunds(
  db: Queryable,
  paymentId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: Refund[]; total: number }> {
  const rows = await db.query<RefundRow>(LIST, [paymentId, limit, offset]);
  const [count] = await db.query<{ total: number }>(COUNT, [paymentId]);
  return { items: rows.map(toRefund), total: count?.total ?? 0 };
}

/** After its payment was locked: payment, then refund, everywhere. */
export async function lockRefund(tx: Queryable, refundId: string): Promise<Refund> {
  const refund = one(await tx.query<RefundRow>(LOCK, [refundId]));
  if (!refund) throw new Error(`refund ${refundId} is gone`);
  return refund;
}

/** What a payment's refunds add up to, in its smallest unit. */
export async function sumRefunds(
  db: Queryable,
  paymentId: string,
): Promise<{ promised: bigint; completed: bigint }> {
  const [sums] = await db.query<{ promised: string; completed: string }>(SUMS, [paymentId]);
  return { promised: BigInt(sums?.promised ?? 0), completed: BigInt(sums?.completed ?? 0) };
}

/** Whether another refund is paid, or claims to be paid, by that transaction. */
export async function isTransactionTaken(db: Queryable, refund: Refund, txHash: string): Promise<boolean> {
  return (await db.query(HASH_IS_TAKEN, [refund.chain, txHash, refund.id])).length > 0;
}

export async function insertRefund(tx: Queryable, refund: Refund): Promise<void> {
  await tx.query(INSERT, [
    refund.id,
    refund.paymentId,
    refund.userId,
    refund.type,
    refund.status,
    refund.amount,
    refund.chain,
    refund.asset,
    refund.payoutCurrencyCode,
    refund.payoutDecimals,
    refund.payoutAmount,
    refund.rate,
    refund.rateLockedAt,
    refund.confirmationsRequired,
    refund.address,
    refund.addressKey,
    refund.addressSetBy,
    refund.reason,
    refund.note,
    refund.requestedBy,
    refund.createdAt,
    refund.expiresAt,
  ]);
  await writeHistory(tx, refund, null, 'created', refund.createdAt);
}

/** Moves a locked refund, or changes its address or transaction, with the row of history that tells of it. */
export async function changeRefund(
  tx: Queryable,
  refund: Refund,
  changes: Partial<Refund>,
  reason: string,
  now: Date,
): Promise<void> {
  const from = refund.status;
  const to = changes.status ?? from;
  if (to !== from && !canMoveRefund(from, to)) {
    throw new Error(`illegal move of refund ${refund.id}: ${from} to ${to}`);
  }
  const previousSeq = refund.statusSeq;
  Object.assign(refund, changes, { statusSeq: previousSeq + 1 });
  await tx.query(UPDATE, [
    refund.id,
    previousSeq,
    refund.status,
    refund.statusSeq,
    refund.address,
    refund.addressKey,
    refund.addressSetBy,
    refund.txHash,
    refund.txRecordedAt,
    refund.txSeenAt,
    refund.confirmations,
    refund.nextCheckAt,
    refund.completedAt,
    refund.failureReason,
  ]);
  await writeHistory(tx, refund, from, reason, now);
}

/** How deep the transaction is by now; no event in the refund's life. */
export async function observeTransaction(
  tx: Queryable,
  refund: Refund,
  confirmations: number,
  seenAt: Date | null,
): Promise<void> {
  await tx.query(OBSERVE, [refund.id, confirmations, seenAt]);
}

async function writeHistory(
  tx: Queryable,
  refund: Refund,
  from: RefundStatus | null,
  reason: string,
  now: Date,
): Promise<void> {
  const { id, statusSeq, status, address, txHash } = refund;
  await tx.query(INSERT_HISTORY, [id, statusSeq, from, status, reason, address, txHash, now]);
}

function one(rows: RefundRow[]): Refund | null {
  return rows[0] ? toRefund(rows[0]) : null;
}

function toRefund(row: RefundRow): Refund {
  return {
    id: row.id,
    paymentId: row.payment_id,
    userId: row.user_id,
    type: row.type,
    status: row.status,
    statusSeq: row.status_seq,
    currencyCode: row.currency_code,
    amount: BigInt(row.amount),
    chain: row.chain,
    asset: row.asset,
    payoutCurrencyCode: row.payout_currency_code,
    payoutDecimals: row.payout_decimals,
    payoutAmount: BigInt(row.payout_amount),
    rate: row.rate,
    rateLockedAt: row.rate_locked_at,
    confirmationsRequired: row.confirmations_required,
    address: row.address,
    addressKey: row.address_key,
    addressSetBy: row.address_set_by,
    txHash: row.tx_hash,
    txRecordedAt: row.tx_recorded_at,
    txSeenAt: row.tx_seen_at,
    confirmations: row.confirmations,
    nextCheckAt: row.next_check_at,
    reason: row.reason,
    note: row.note,
    requestedBy: row.requested_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    completedAt: row.completed_at,
    failureReason: row.failure_reason,
  };
}
