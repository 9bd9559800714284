import type { Sql } from '../../src/platform/database/sql.js';

/** Rows of a user that would take long to come by through the public door, each as the program writes it. */
export async function plantRows(
  sql: Pick<Sql, 'query'>,
  now: Date,
  { userId, paymentId }: { userId: string; paymentId: string },
): Promise<void> {
  await sql.query(
    `insert into second_factors (user_id, sealed_secret, created_at, confirmed_at, last_step)
     values ($1, 'sealed', $2, $2, 1)`,
    [userId, now],
  );
  await sql.query(
    `insert into recovery_codes (user_id, slot, code_hash, created_at) values ($1, 1, sha256('code'), $2)`,
    [userId, now],
  );
  await sql.query(
    `insert into refused_sign_ins (user_id, reason, since_last, refused_at) values ($1, 'password', 1, $2)`,
    [userId, now],
  );
  await sql.query(
    `insert into payment_counts (user_id, span, starts_at, application_id, status, currency_code, total)
     select user_id, 'hour', date_trunc('hour', created_at, 'UTC'), application_id, status, currency_code, 1 from payments where id = $1`,
    [paymentId],
  );
  await sql.query(
    `insert into webhook_delivery_counts (user_id, application_id, hour, type, status, total)
     select user_id, application_id, date_trunc('hour', created_at, 'UTC'), 'payment.received', 'PENDING', 1 from payments where id = $1`,
    [paymentId],
  );
  await sql.query(
    `insert into reported_transactions (id, payment_id, user_id, chain, tx_hash, state, checks, reported_at)
     select gen_random_uuid(), id, user_id, 'ethereum', 'a hash', 'NOT_FOUND', 1, $2 from payments where id = $1`,
    [paymentId, now],
  );
}
