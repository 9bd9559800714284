import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A restored backup, or a replica that takes over without the newest commits, has lost addresses that customers
 * already hold: their numbers must not be handed out again (api.md H3). The counter itself notices and skips.
 */
export class WalletLineage1795224000021 implements MigrationInterface {
  name = 'WalletLineage1795224000021';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Which database this is: server, timeline, database and table. pg_restore makes a new table, usually in a new
      -- database; a promoted replica and a recovery to a point in time begin a new timeline. A backup carries the
      -- value of the place that it came from. Hosted servers may hide the first two.
      create function database_lineage(of_table oid) returns text language plpgsql as $$
      declare
        place constant text := format('%s/%s', (select oid from pg_database where datname = current_database()), of_table);
      begin
        return format('%s/%s/%s', (select system_identifier from pg_control_system()),
          left(pg_walfile_name(pg_current_wal_lsn()), 8), place);
      exception when insufficient_privilege or feature_not_supported or undefined_function
        or object_not_in_prerequisite_state then
        return place;
      end $$;

      alter table wallets add column lineage text;
      update wallets set lineage = database_lineage('wallets'::regclass);

      create function wallets_skip_lost_numbers() returns trigger language plpgsql as $$
      declare
        here constant text := database_lineage(tg_relid);
        newest timestamptz;
        recent bigint;
      begin
        if tg_op = 'INSERT' then
          -- A value that comes along is a backup's.
          new.lineage := coalesce(new.lineage, here);
          return new;
        end if;
        if new.next_index = old.next_index or old.lineage is not distinct from here then return new; end if;
        -- What may be lost: as many as in the equally long time before the newest that is known. Four times that, and
        -- a thousand for a database that lost only its last moments.
        select created_at into newest from deposit_addresses
          where wallet_id = old.id order by derivation_index desc limit 1;
        select count(*) into recent from deposit_addresses
          where wallet_id = old.id and created_at >= newest - greatest(now() - newest, interval '0');
        new.next_index := new.next_index + 1000 + 4 * recent;
        new.lineage := here;
        raise warning 'wallet %: the database is a restored one, or a replica that took over; address numbers % to % are skipped',
          old.id, old.next_index, new.next_index - 2;
        return new;
      end $$;
      create trigger wallets_skip_lost_numbers before insert or update on wallets
        for each row execute function wallets_skip_lost_numbers();
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('WalletLineage1795224000021 cannot be reverted; restore a backup instead');
  }
}
