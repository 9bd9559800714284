import { firstOfEach } from '../../platform/database/first-of-each.pure.js';

/* What of the transfers waits for the merchant, in the words of SQL, for every list and count of it. */

/** Of a transfer `t`: funds that matter and that the merchant has neither accepted nor given back, or is about to. */
export const IS_UNMATCHED = `not t.is_matched and not t.is_dust and t.state in ('pending', 'confirmed') and not exists (
  select from refunds g where g.transfer_id = t.id and g.status not in ('CANCELLED', 'EXPIRED'))`;

/** Of a transfer `t`: on the chain, after the payment's time, and no dust. */
export const IS_LATE = `t.is_late and not t.is_dust and t.state in ('pending', 'confirmed')`;
const OF_PAYMENTS = { table: 'payment_transfers', key: 'payment_id', order: 'seen_at' };
/** The payments of a user with such funds, as `key`, in the order of their ids. */
export const WITH_UNMATCHED = firstOfEach({
  ...OF_PAYMENTS,
  among: 't.user_id = :userId and not t.is_matched and not t.is_dust',
  isOne: IS_UNMATCHED,
});
export const WITH_LATE = firstOfEach({
  ...OF_PAYMENTS,
  among: 't.user_id = :userId and t.is_late and not t.is_dust',
  isOne: IS_LATE,
});
