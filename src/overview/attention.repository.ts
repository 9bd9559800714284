import { Injectable } from '@nestjs/common';
import { namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';
import {
  SQL_FUNDS_AFTER_END,
  SQL_MAY_BE_TWICE,
  SQL_OWED,
  SQL_PAID_LATE,
  SQL_TWIN,
  WITH_UNLISTED,
} from '../payments/too-much/too-much-sql.repository.js';
import { WITH_LATE, WITH_UNMATCHED } from '../payments/transfers/waiting-funds.pure.js';
import {
  ATTENTION_KINDS,
  type AttentionItem,
  type AttentionKind,
  type AttentionPlace,
  type ChainAttention,
  rankOf,
} from './attention.pure.js';

/** A count stops here, so that it costs the same whatever there is. */
export const MAX_COUNT = 1_000;

/** The kinds that are found in tables of users. */
type StoredKind = Exclude<AttentionKind, ChainAttention>;

/** Of a payment that is stopped, nothing else is said (payment-attention.pure.ts). */
const GOES_ON = `p.review_reason is distinct from 'integrity'`;
const OF_PAYMENT = `p.id, p.application_id, p.id as payment_id, null::uuid as refund_id, null::uuid as other_id`;

/** Days after which a key that got no stray money any more is no item: it was exchanged, or the other program stopped. */
const SHARED_DAYS = 30;

/**
 * The items of each kind, by the same rules as a payment's own list of reasons (payment-attention.pure.ts). Each reads an
 * index of what has the reason.
 */
const ITEMS: Readonly<Record<StoredKind, string>> = {
  integrity: `
    select coalesce(p.stopped_at, p.created_at) as since, ${OF_PAYMENT}, null::uuid as delivery_id
    from payments p where p.user_id = :userId and p.review_reason = 'integrity'`,
  reorg: `
    select coalesce(p.confirmed_at, p.received_at, p.created_at) as since, ${OF_PAYMENT}, null::uuid as delivery_id
    from payments p where p.user_id = :userId and p.review_reason = 'reorg'`,
  key_shared: `
    select min(s.seen_at) as since, w.id, w.application_id, null::uuid as payment_id, null::uuid as refund_id,
      null::uuid as other_id, null::uuid as delivery_id
    from stray_receipts s join wallets w on w.id = s.wallet_id
    where s.seen_at > now() - interval '${SHARED_DAYS} days' and w.user_id = :userId and w.retired_at is null
    group by w.id, w.application_id`,
  gap_limit: `
    select g.since, w.id, w.application_id, null::uuid as payment_id, null::uuid as refund_id,
      null::uuid as other_id, null::uuid as delivery_id
    from wallets w join wallet_gaps g on g.wallet_id = w.id
    where g.since is not null and w.user_id = :userId and w.retired_at is null`,
  endpoint_paused: `
    select e.paused_at as since, a.id, a.id as application_id, null::uuid as payment_id, null::uuid as refund_id,
      null::uuid as other_id, null::uuid as delivery_id
    from payment_applications a join webhook_endpoints e on e.application_id = a.id
    where a.user_id = :userId and a.deleted_at is null`,
  shop_not_told: `
    select coalesce(p.received_at, p.created_at) as since, ${OF_PAYMENT}, d.id as delivery_id
    from payments p join webhook_deliveries d on d.payment_id = p.id join payment_events e on e.id = d.event_id
    where p.user_id = :userId and p.status = 'RECEIVED' and d.type = 'payment.received' and e.superseded_at is null
      and (d.state in ('exhausted', 'blocked') or (d.state = 'pending' and d.attempts > 0)) and ${GOES_ON}`,
  refund_failed: `
    select r.tx_recorded_at as since, r.id, p.application_id, p.id as payment_id, r.id as refund_id,
      null::uuid as other_id, null::uuid as delivery_id
    from refunds r join payments p on p.id = r.payment_id where r.user_id = :userId and r.status = 'FAILED' and ${GOES_ON}`,
  refund_waits: `
    select r.created_at as since, r.id, p.application_id, p.id as payment_id, r.id as refund_id,
      null::uuid as other_id, null::uuid as delivery_id
    from refunds r join payments p on p.id = r.payment_id where r.user_id = :userId and r.status = 'AWAITING_PAYMENT' and ${GOES_ON}`,
  unmatched_funds: `
    select f.first as since, ${OF_PAYMENT}, null::uuid as delivery_id
    from (${WITH_UNMATCHED}) f join payments p on p.id = f.key where ${GOES_ON}`,
  unlisted_token: `
    select f.first as since, ${OF_PAYMENT}, null::uuid as delivery_id
    from (${WITH_UNLISTED}) f join payments p on p.id = f.key where ${GOES_ON}`,
  funds_after_end: `
    select coalesce(p.cancelled_at, p.created_at) as since, ${OF_PAYMENT}, null::uuid as delivery_id
    from payments p where p.user_id = :userId and p.review_reason = 'funds_after_cancel' and ${SQL_FUNDS_AFTER_END}`,
  paid_late: `
    select p.paid_late_at as since, ${OF_PAYMENT}, null::uuid as delivery_id
    from payments p where p.user_id = :userId and ${SQL_PAID_LATE} and ${GOES_ON}`,
  paid_twice: `
    select coalesce(p.received_at, p.found_at, p.created_at) as since, p.id, p.application_id, p.id as payment_id,
      null::uuid as refund_id, other.id as other_id, null::uuid as delivery_id
    from payments p cross join lateral ${SQL_TWIN} other
    where p.user_id = :userId and ${SQL_MAY_BE_TWICE} and ${GOES_ON}`,
  overpaid: `
    select coalesce(p.received_at, p.created_at) as since, ${OF_PAYMENT}, null::uuid as delivery_id
    from payments p where p.user_id = :userId and ${SQL_OWED} and ${GOES_ON}`,
  overpaid_held: `
    select coalesce(p.received_at, p.created_at) as since, ${OF_PAYMENT}, null::uuid as delivery_id
    from payments p where p.user_id = :userId and p.review_reason = 'overpaid'`,
  late_funds: `
    select f.first as since, ${OF_PAYMENT}, null::uuid as delivery_id
    from (${WITH_LATE}) f join payments p on p.id = f.key where p.status in ('FOUND', 'UNDERPAID') and ${GOES_ON}`,
  underpaid: `
    select coalesce(p.found_at, p.created_at) as since, ${OF_PAYMENT}, null::uuid as delivery_id
    from payments p where p.user_id = :userId and p.status = 'UNDERPAID' and ${GOES_ON}`,
};
const STORED = ATTENTION_KINDS.filter(
  (kind): kind is StoredKind => kind !== 'chain_halted' && kind !== 'traces_unread',
);
const STRAYS = `
  select s.* from unnest($1::uuid[]) as asked (id) cross join lateral (
    select own.wallet_id as "walletId", own.chain as blockchain, own.address, own.derivation_index::integer as "derivationIndex",
      own.currency_code as "currencyCode", own.decimals, own.amount::text as amount, own.tx_hash as "txHash",
      own.seen_at as "seenAt"
    from stray_receipts own where own.wallet_id = asked.id order by own.seen_at desc, own.tx_hash limit $2) s`;
const GAPS = `
  select g.wallet_id as "walletId", w.family, g.longest, g.gap_limit as "statedGapLimit"
  from wallet_gaps g join wallets w on w.id = g.wallet_id where g.wallet_id = any($1)`;
const UNREAD = `select chain, min(found_at) as since from unread_traces where chain = any($1) group by chain`;

/** What the queue is restricted to; null: not by that. */
export interface AttentionFilter {
  userId: string;
  kinds: readonly AttentionKind[] | null;
  applicationIds: readonly string[] | null;
}

// The time is cut to what a cursor holds, by an expression that an index can have. Ids compare as the bytes of their text,
// as they do in JavaScript.
const branchOf = (kind: StoredKind) => `
  (select ${rankOf(kind)} as rank, i.* from (
    select date_trunc('milliseconds', since at time zone 'UTC') as since, id::text collate "C" as id, application_id,
      payment_id, refund_id, other_id, delivery_id
    from (${ITEMS[kind]}) found) i
  where (:kinds::text[] is null or '${kind}' = any(:kinds))
    and (:applicationIds::uuid[] is null or i.application_id = any(:applicationIds))
    and :rank::integer <= ${rankOf(kind)}
    and (i.since, i.id) > (
      case when :rank = ${rankOf(kind)} then :since::timestamptz at time zone 'UTC' else '-infinity' end,
      case when :rank = ${rankOf(kind)} then :id else '' end)
  order by i.since, i.id limit :limit)`;
const PAGE = namedStatement<AttentionFilter & { rank: number; since: Date; id: string; limit: number }>(`
  select rank, since at time zone 'UTC' as since, id, application_id, payment_id, refund_id, other_id, delivery_id
  from (${STORED.map(branchOf).join(' union all ')}) items
  order by rank, items.since, id limit :limit`);

const countOf = (kind: StoredKind) => `
  select '${kind}' as kind, count(*)::integer as count from (select from (${ITEMS[kind]}) found
    where :applicationIds::uuid[] is null or application_id = any(:applicationIds) limit ${MAX_COUNT}) counted`;
const COUNTS = namedStatement<Pick<AttentionFilter, 'userId' | 'applicationIds'>>(
  STORED.map(countOf).join(' union all '),
);

interface Row {
  rank: number;
  since: Date;
  id: string;
  application_id: string | null;
  payment_id: string | null;
  refund_id: string | null;
  other_id: string | null;
  delivery_id: string | null;
}

/** What came to an address that another program has handed out. */
export interface StrayReceipt {
  walletId: string;
  blockchain: string;
  address: string;
  derivationIndex: number;
  currencyCode: string;
  decimals: number;
  /** In the smallest unit. */
  amount: string;
  txHash: string;
  seenAt: Date;
}

/** A run of addresses behind which a wallet program does not look. */
export interface WalletGap {
  walletId: string;
  family: string;
  longest: number;
  statedGapLimit: number;
}

/** The queue of what needs a merchant: one statement over everything that a user has. */
@Injectable()
export class AttentionRepository {
  constructor(private readonly sql: Sql) {}

  /** Worst first. @param after null: from the beginning */
  async list(filter: AttentionFilter, after: AttentionPlace | null, limit: number): Promise<AttentionItem[]> {
    const rank = after ? rankOf(after.kind) : -1;
    const values = PAGE.values({
      ...filter,
      rank,
      since: after?.since ?? new Date(0),
      id: after?.id ?? '',
      limit,
    });
    return (await this.sql.query<Row>(PAGE.text, values)).map(readRow);
  }

  /** What came to addresses of some keys that no payment has, the newest. @param limit of each key */
  listStrays(walletIds: readonly string[], limit: number): Promise<StrayReceipt[]> {
    return this.sql.query<StrayReceipt>(STRAYS, [walletIds, limit]);
  }

  listGaps(walletIds: readonly string[]): Promise<WalletGap[]> {
    return this.sql.query<WalletGap>(GAPS, [walletIds]);
  }

  /** Since when payments by contracts are unknown on a network. */
  unreadTraces(chains: readonly string[]): Promise<{ chain: string; since: Date }[]> {
    return this.sql.query(UNREAD, [chains]);
  }

  /** How many items of each kind there are, at most {@link MAX_COUNT}. */
  counts(
    filter: Pick<AttentionFilter, 'userId' | 'applicationIds'>,
  ): Promise<{ kind: AttentionKind; count: number }[]> {
    return this.sql.query(COUNTS.text, COUNTS.values(filter));
  }
}

function readRow(row: Row): AttentionItem {
  const kind = ATTENTION_KINDS[row.rank];
  if (!kind) throw new Error(`no kind of attention has the rank ${row.rank}`);
  return {
    kind,
    since: row.since,
    id: row.id,
    applicationId: row.application_id,
    paymentId: row.payment_id,
    refundId: row.refund_id,
    deliveryId: row.delivery_id,
    otherPaymentId: row.other_id,
    blockchain: null,
  };
}
