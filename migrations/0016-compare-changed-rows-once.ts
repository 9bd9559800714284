import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Triggers compare the rows of a statement before and after it by set operations and sums, which take time as there are
 * rows. They joined them by id: Postgres knows nothing of such tables and may compare each row with each other, which took
 * 19 seconds for the 6,000 transfers of one payment that strangers had sent, longer than a statement may take, so that the
 * chain stood still.
 */
const STATEMENTS = [
  `create or replace function payment_transfers_hold_changed() returns trigger language plpgsql as $$
declare
  change record;
begin
  if not exists (select id, state from new_rows except select id, state from old_rows) then
    return null;
  end if;
  for change in
      with changed as (
        select payment_id, deposit_address_id, chain, asset, currency_code, asset_decimals, seen_at,
          case when state = 'confirmed' then amount else 0 end as confirmed,
          case when state = 'pending' then amount else 0 end as pending,
          (state = 'confirmed')::integer as transfers
        from new_rows
        union all
        select payment_id, deposit_address_id, chain, asset, currency_code, asset_decimals, seen_at,
          case when state = 'confirmed' then -amount else 0 end,
          case when state = 'pending' then -amount else 0 end,
          -(state = 'confirmed')::integer
        from old_rows
      ), by_address as (
        select payment_id, deposit_address_id, chain, asset, currency_code, asset_decimals, sum(confirmed) as confirmed,
          sum(pending) as pending, sum(transfers) as transfers, max(seen_at) as seen_at
        from changed group by 1, 2, 3, 4, 5, 6
        having sum(confirmed) <> 0 or sum(pending) <> 0 or sum(transfers) <> 0
      ), judged as (
        select p.application_id, a.*,
          -- Confirmed transfers of the address as they are now, those of this statement included; one more than changed.
          case when a.transfers = 0 then 0 else (
            select count(*) from (
              select from payment_transfers t
              where t.payment_id = a.payment_id and t.deposit_address_id = a.deposit_address_id and t.chain = a.chain
                and t.asset = a.asset and t.currency_code = a.currency_code and t.asset_decimals = a.asset_decimals
                and t.state = 'confirmed' limit greatest(a.transfers, 0) + 1) counted) end as held
        from by_address a join payments p on p.id = a.payment_id
      )
      select application_id, chain, asset, currency_code, asset_decimals, sum(confirmed) as confirmed,
        sum(pending) as pending, sum((held > 0)::integer - (held - transfers > 0)::integer) as addresses,
        max(seen_at) as seen_at
      from judged group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  loop
    insert into application_holdings (application_id, chain, asset, currency_code, asset_decimals, last_seen_at)
    values (change.application_id, change.chain, change.asset, change.currency_code, change.asset_decimals,
      change.seen_at)
    on conflict do nothing;
    update application_holdings h set confirmed = h.confirmed + change.confirmed,
      pending = h.pending + change.pending, addresses = h.addresses + change.addresses,
      last_seen_at = greatest(h.last_seen_at, change.seen_at)
    where h.application_id = change.application_id and h.chain = change.chain and h.asset = change.asset
      and h.currency_code = change.currency_code and h.asset_decimals = change.asset_decimals;
  end loop;
  return null;
end $$`,
  `create or replace function payment_transfers_tell_update() returns trigger language plpgsql as $$
begin
  if not exists (select from fresh) then
    return null;
  end if;
  update payments p set recheck_at = p.recheck_at
  from (
    select f.id from payments f
    where f.id in (select payment_id from fresh)
      and (select count(*) from (select from payment_transfers t where t.payment_id = f.id limit 26) counted) > 25
    order by f.id for no key update
  ) flooded
  where p.id = flooded.id;
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'payment', n.payment_id, p.application_id, null::uuid
  from (
    select distinct user_id, payment_id from (
      select id, user_id, payment_id, state, block_height, quote_id, is_matched, is_dust, awaits_agreement from fresh
      except
      select id, user_id, payment_id, state, block_height, quote_id, is_matched, is_dust, awaits_agreement from former
    ) changed
  ) n join payments p on p.id = n.payment_id;
  return null;
end $$`,
  `create or replace function payments_tell_update() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select user_id, 'payment', id, application_id, null
  from (
    select user_id, id, application_id, status, status_seq, selected_provider, selected_method, received_amount,
      refunded_amount, cancel_reason, review_reason, acknowledged_at, underpay_accepted_at, overpay_accepted_at
    from fresh
    except
    select user_id, id, application_id, status, status_seq, selected_provider, selected_method, received_amount,
      refunded_amount, cancel_reason, review_reason, acknowledged_at, underpay_accepted_at, overpay_accepted_at
    from former
  ) changed;
  return null;
end $$`,
  `create or replace function reported_transactions_tell_update() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select p.user_id, 'payment', n.payment_id, p.application_id, null
  from (select id, payment_id, state from fresh except select id, payment_id, state from former) n
  join payments p on p.id = n.payment_id;
  return null;
end $$`,
  `create or replace function refunds_tell_update() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'refund', n.id, p.application_id, n.payment_id
  from (
    select id, user_id, payment_id, status_seq, address, tx_hash, tx_seen_at, confirmations from fresh
    except
    select id, user_id, payment_id, status_seq, address, tx_hash, tx_seen_at, confirmations from former
  ) n join payments p on p.id = n.payment_id;
  return null;
end $$`,
  // What replaced functions lose: they belong to the owner of the tables, whom the gateway's role is not.
  `do $$
declare
  name text;
begin
  foreach name in array array['payment_transfers_hold_changed', 'payment_transfers_tell_update', 'payments_tell_update',
    'reported_transactions_tell_update', 'refunds_tell_update'] loop
    execute format('alter function %I() security definer set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %I() from public', name);
  end loop;
end $$`,
];

export class CompareChangedRowsOnce1795996816000 implements MigrationInterface {
  name = 'CompareChangedRowsOnce1795996816000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('CompareChangedRowsOnce1795996816000 cannot be reverted; restore a backup instead');
  }
}
