import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An address lies below its wallet's counter, and counters never go back: no number is handed out twice, and whoever
 * has seen a counter knows which addresses there are (src/wallets/watched-keys.service.ts).
 */
export class AddressCounters1795224000028 implements MigrationInterface {
  name = 'AddressCounters1795224000028';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      update wallets w set next_index = newest.derivation_index + 1
      from wallets v, lateral (select derivation_index from deposit_addresses
        where wallet_id = v.id order by derivation_index desc limit 1) newest
      where w.id = v.id and w.next_index <= newest.derivation_index;

      create function deposit_addresses_require_counter() returns trigger language plpgsql as $$
      begin
        if not exists (select from wallets where id = new.wallet_id and next_index > new.derivation_index) then
          raise exception 'address %: its number was not taken from its wallet', new.id using errcode = 'check_violation';
        end if;
        return null;
      end $$;
      create constraint trigger deposit_addresses_require_counter after insert on deposit_addresses
        deferrable initially deferred for each row execute function deposit_addresses_require_counter();

      create function wallets_keep_counter() returns trigger language plpgsql as $$
      begin
        raise exception 'wallet %: its counter never goes back', new.id using errcode = 'check_violation';
      end $$;
      create trigger wallets_keep_counter before update of next_index on wallets
        for each row when (new.next_index < old.next_index) execute function wallets_keep_counter();
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('AddressCounters1795224000028 cannot be reverted; restore a backup instead');
  }
}
