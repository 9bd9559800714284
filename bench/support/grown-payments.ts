import type pg from 'pg';
import type { Merchant } from './api-server.js';

/** Tables that are filled, and whose indexes are made afterwards: that is several times faster. */
const INDEXES = `
  select indexname as name, indexdef as definition from pg_indexes i
  where tablename in ('payments', 'payment_transfers', 'deposit_addresses')
    and not exists (select from pg_constraint c where c.conname = i.indexname)`;

/**
 * A year of payments, evenly spread: 65 % CONFIRMED, 30 % OPEN, whose end was looked at. Of one merchant 90 %, the rest of
 * a hundred others.
 */
const PAYMENTS = `
  insert into payments (id, user_id, application_id, reference, reference_label, currency_code, settlement_currency_code,
    amount, status, expires_at, created_at, found_at, received_at, confirmed_at, cancelled_at, acknowledged_at,
    expiry_check_at)
  select md5('p' || i)::uuid, case when i % 10 = 0 then 'other ' || i / 10 % 100 else $1 end, $2, 'order ' || i,
    'Two bags of coffee', case i % 5 when 0 then 'EUR' else 'USD' end,
    case i % 5 when 0 then 'EUR' else 'USD' end, i::bigint * 7919 % 99991 + 1, status, at + interval '1 day', at, paid, paid, paid,
    case when status = 'CANCELLED' then at end, paid, case when status = 'OPEN' then 'infinity'::timestamptz end
  from generate_series(1, $3::int) i
  cross join lateral (select now() - i * (interval '365 days' / $3::int) as at) t
  cross join lateral (select case when i % 100 < 65 then 'CONFIRMED' when i % 100 < 95 then 'OPEN' else 'CANCELLED' end
    as status) s
  cross join lateral (select case when status = 'CONFIRMED' then at + interval '1 minute' end as paid) c`;
/** One of four payments has an address, one of eight a transfer. */
const ADDRESSES = `
  insert into deposit_addresses (id, payment_id, user_id, family, key, address, wallet_id, derivation_index, created_at, mac)
  select md5('d' || i)::uuid, md5('p' || i)::uuid, case when i % 10 = 0 then 'other ' || i / 10 % 100 else $1 end, 'evm',
    decode(md5('k' || i) || left(md5('l' || i), 8), 'hex'), '0x' || md5('k' || i) || left(md5('l' || i), 8),
    md5('wallet')::uuid, i, now() - interval '30 days', 'm1.b1.none'
  from generate_series(1, $2::int, 4) i`;
const TRANSFERS = `
  insert into payment_transfers (id, payment_id, user_id, deposit_address_id, chain, tx_hash, ordinal, asset, currency_code,
    asset_decimals, amount, state, block_height, block_hash, block_time, confirmations_required, is_matched, seen_at,
    confirmed_at)
  select md5('t' || i)::uuid, md5('p' || i)::uuid, case when i % 10 = 0 then 'other ' || i / 10 % 100 else $1 end,
    md5('d' || i)::uuid, 'ethereum', '0x' || md5('h' || i) || md5('g' || i), '0', 'native', 'ETH', 18, 1000, 'confirmed',
    i, '0x' || md5('b' || i), now() - interval '30 days', 12, true, now() - interval '30 days', now()
  from generate_series(1, $2::int, 8) i`;

/** What the counts of payments differ from the payments by, which were planted without triggers. */
const FILL_PAYMENT_COUNTS = `
  insert into payment_count_changes (user_id, hour, application_id, status, currency_code, change)
  select user_id, hour, application_id, status, currency_code, sum(n)
  from (
    select user_id, date_trunc('hour', created_at, 'UTC') as hour, application_id, status, currency_code, count(*) as n
    from payments group by 1, 2, 3, 4, 5
    union all
    select user_id, starts_at, application_id, status, currency_code, -total from payment_counts where span = 'hour'
    union all
    select user_id, hour, application_id, status, currency_code, -change from payment_count_changes
  ) difference
  group by 1, 2, 3, 4, 5 having sum(n) <> 0`;

function progress(what: string): void {
  console.error(`   ${new Date().toISOString().slice(11, 19)} ${what}`);
}

/** The number of payments that the merchant has afterwards, of `count` in all. */
export async function fillGrown(
  client: pg.Client,
  { userId, applicationId }: Merchant,
  count: number,
): Promise<number> {
  // In one transaction, whose locks let the loops of the gateway wait: without indexes they would read the tables whole.
  await client.query('begin');
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query(PAYMENTS, [userId, applicationId, count]);
  await client.query(ADDRESSES, [userId, count]);
  await client.query(TRANSFERS, [userId, count]);
  progress('rows written');
  for (const { definition } of indexes) await client.query(definition);
  progress('indexes made');
  await client.query(FILL_PAYMENT_COUNTS);
  await client.query('commit');
  const { rows } = await client.query<{ total: string }>(
    'select count(*) as total from payments where user_id = $1',
    [userId],
  );
  return Number(rows[0]?.total);
}
