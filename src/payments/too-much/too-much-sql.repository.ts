import { firstOfEach } from '../../platform/database/first-of-each.pure.js';

/* What too-much.pure.ts decides in the words of SQL, of a payment `p`. The first part of the first two is the condition of an index. */

export const SQL_PROMISED = (alias: string) => `(select coalesce(sum(g.amount), 0) from refunds g
  where g.payment_id = ${alias}.id and g.status not in ('CANCELLED', 'EXPIRED'))`;

export const SQL_OWED = `p.overpaid_amount > p.refunded_amount + coalesce(p.kept_amount, 0)
  and p.status in ('RECEIVED', 'CONFIRMED') and (p.overpay_accepted_at is null or p.kept_amount is not null)
  and p.review_reason is distinct from 'overpaid'
  and p.overpaid_amount > ${SQL_PROMISED('p')} + coalesce(p.kept_amount, 0)`;

/** The id of the other payment; null: there is none. Of several, the first one that was created. */
export const SQL_TWIN = `(select o.id from payments o
  where o.user_id = p.user_id and o.reference = p.reference and o.application_id = p.application_id and o.id <> p.id
    and o.livemode is not distinct from p.livemode
    and o.status in ('RECEIVED', 'CONFIRMED') and o.review_reason is distinct from 'reorg'
    and (p.status = 'UNDERPAID' or (o.created_at, o.id) < (p.created_at, p.id))
    and o.received_amount > ${SQL_PROMISED('o')}
  order by o.created_at, o.id limit 1)`;

export const SQL_MAY_BE_TWICE = `p.shares_reference and p.twice_kept_at is null
  and p.status in ('UNDERPAID', 'RECEIVED', 'CONFIRMED')
  and p.review_reason is distinct from 'reorg' and p.received_amount > ${SQL_PROMISED('p')}`;

export const SQL_PAID_LATE = `p.paid_late_at is not null and p.late_kept_at is null
  and p.status in ('RECEIVED', 'CONFIRMED')
  and p.review_reason is distinct from 'reorg' and p.received_amount > ${SQL_PROMISED('p')}`;

/**
 * Beside the reason. What refunds have left of confirmed funds is more than their dust, or something waits; and nobody has
 * kept it, or more came since.
 */
export const SQL_FUNDS_AFTER_END = `((p.late_kept_at is null or exists (
    select from payment_transfers t where t.user_id = p.user_id and t.payment_id = p.id
      and t.is_matched and not t.is_dust and t.state in ('pending', 'confirmed') and t.seen_at > p.late_kept_at offset 0)
  ) and (exists (
    select from payment_transfers t where t.user_id = p.user_id and t.payment_id = p.id
      and t.is_matched and not t.is_dust and t.state = 'pending' offset 0)
  or p.received_amount - ${SQL_PROMISED('p')} > coalesce((
    select ceil(sum(t.amount * q.priced_amount / q.asset_amount)) from payment_transfers t join quotes q on q.id = t.quote_id
    where t.payment_id = p.id and t.is_matched and t.is_dust and t.state = 'confirmed'), 0)))`;

/** Of a reported transaction: an unlisted token that waits for the merchant, and that was not listed since. */
const isUnlisted = (
  alias: string,
) => `${alias}.state = 'UNLISTED_TOKEN' and ${alias}.kept_at is null and not exists (
  select from payment_transfers f where f.payment_id = ${alias}.payment_id and f.chain = ${alias}.chain
    and f.tx_hash = ${alias}.tx_hash and f.state in ('pending', 'confirmed'))`;
export const IS_UNLISTED = isUnlisted('r');
/** The payments of a user with such tokens, as `key`, and when the first was named. */
export const WITH_UNLISTED = firstOfEach({
  table: 'reported_transactions',
  key: 'payment_id',
  order: 'reported_at',
  among: "t.user_id = :userId and t.state = 'UNLISTED_TOKEN' and t.kept_at is null",
  isOne: isUnlisted('t'),
});
