import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What transfers changed, by application and asset.
 * @param changed the difference that each makes: payment_id, deposit_address_id, chain, asset, currency_code,
 * asset_decimals, confirmed, pending, transfers (confirmed ones), seen_at
 */
const changes = (changed: string) => `
        with changed as (${changed}
        ), by_address as (
          select payment_id, deposit_address_id, chain, asset, currency_code, asset_decimals, sum(confirmed) as confirmed,
            sum(pending) as pending, sum(transfers) as transfers, max(seen_at) as seen_at
          from changed group by 1, 2, 3, 4, 5, 6
        ), judged as (
          select p.application_id, a.*,
            -- Confirmed transfers of the address as they are now, those of this statement included.
            case when a.transfers = 0 then 0 else (
              select count(*) from payment_transfers t
              where t.payment_id = a.payment_id and t.deposit_address_id = a.deposit_address_id and t.chain = a.chain
                and t.asset = a.asset and t.currency_code = a.currency_code and t.asset_decimals = a.asset_decimals
                and t.state = 'confirmed') end as held
          from by_address a join payments p on p.id = a.payment_id
        )
        select application_id, chain, asset, currency_code, asset_decimals, sum(confirmed) as confirmed,
          sum(pending) as pending, sum((held > 0)::integer - (held - transfers > 0)::integer) as addresses,
          max(seen_at) as seen_at
        from judged group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`;

/** In two steps: a check judges what an insert proposes, and a difference may be negative. */
const triggerOn = (changed: string) => `
      declare
        change record;
      begin
        for change in ${changes(changed)}
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
      end`;

/** What every application's deposit addresses received, summed up as it happens: asking must not read a million rows. */
export class ApplicationHoldings1795224000040 implements MigrationInterface {
  name = 'ApplicationHoldings1795224000040';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table application_holdings (
        application_id uuid not null references payment_applications (id),
        chain text not null,
        asset text not null,
        currency_code text not null,
        asset_decimals smallint not null,
        -- Smallest units of the asset. Sums, so without the bound of one amount.
        confirmed numeric not null default 0 check (confirmed >= 0 and confirmed < 'Infinity'),
        pending numeric not null default 0 check (pending >= 0 and pending < 'Infinity'),
        -- Deposit addresses with a confirmed transfer of the asset.
        addresses bigint not null default 0 check (addresses >= 0),
        -- When the newest transfer was first seen, also one that was taken back since.
        last_seen_at timestamptz not null,
        primary key (application_id, chain, asset, currency_code, asset_decimals)
      );

      -- By the statement, not by the row: a block that pays a hundred payments costs one change an asset. Only what moves
      -- into or out of a state counts; amounts are immutable.
      create function payment_transfers_hold_new() returns trigger language plpgsql as $$${triggerOn(`
          select payment_id, deposit_address_id, chain, asset, currency_code, asset_decimals, seen_at,
            case when state = 'confirmed' then amount else 0 end as confirmed,
            case when state = 'pending' then amount else 0 end as pending,
            (state = 'confirmed')::integer as transfers
          from added`)} $$;
      create function payment_transfers_hold_changed() returns trigger language plpgsql as $$${triggerOn(`
          select n.payment_id, n.deposit_address_id, n.chain, n.asset, n.currency_code, n.asset_decimals, n.seen_at,
            n.amount * ((n.state = 'confirmed')::integer - (b.state = 'confirmed')::integer) as confirmed,
            n.amount * ((n.state = 'pending')::integer - (b.state = 'pending')::integer) as pending,
            (n.state = 'confirmed')::integer - (b.state = 'confirmed')::integer as transfers
          from new_rows n join old_rows b on b.id = n.id where b.state <> n.state`)} $$;
      create trigger payment_transfers_hold_new after insert on payment_transfers
        referencing new table as added for each statement execute function payment_transfers_hold_new();
      create trigger payment_transfers_hold_changed after update on payment_transfers
        referencing old table as old_rows new table as new_rows
        for each statement execute function payment_transfers_hold_changed();

      -- The triggers keep everybody from writing transfers until this is committed.
      insert into application_holdings
      select p.application_id, t.chain, t.asset, t.currency_code, t.asset_decimals,
        coalesce(sum(t.amount) filter (where t.state = 'confirmed'), 0),
        coalesce(sum(t.amount) filter (where t.state = 'pending'), 0),
        count(distinct t.deposit_address_id) filter (where t.state = 'confirmed'), max(t.seen_at)
      from payment_transfers t join payments p on p.id = t.payment_id
      group by 1, 2, 3, 4, 5;
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('ApplicationHoldings1795224000040 cannot be reverted; restore a backup instead');
  }
}
