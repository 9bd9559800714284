import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A transfer may wait for a block that the chain itself calls safe or finalized (specification/chains.md#finality). The
 * previous release inserts rows without it, which wait for their number of blocks. A large one may also wait until a
 * second node has shown it (specification/chains.md#agreement).
 */
export class FinalityByTransfer1795310408000 implements MigrationInterface {
  name = 'FinalityByTransfer1795310408000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table payment_transfers add column finality_required text
        check (finality_required in ('safe', 'finalized')),
      add column awaits_agreement boolean not null default false,
      add constraint payment_transfers_agreement_check check (not (awaits_agreement and state = 'confirmed'))`);
    await queryRunner.query(`
      create index payment_transfers_awaiting_agreement on payment_transfers (chain)
        where awaits_agreement and state = 'pending'`);
    await queryRunner.query(`
      create or replace function payment_transfers_guard_confirmations() returns trigger language plpgsql as $$
      declare
        tags constant text[] := array['safe', 'finalized'];
      begin
        if new.confirmations_required < old.confirmations_required
           or coalesce(array_position(tags, new.finality_required), 0)
              < coalesce(array_position(tags, old.finality_required), 0)
           or (old.state = 'confirmed' and (new.confirmations_required, new.finality_required)
              is distinct from (old.confirmations_required, old.finality_required)) then
          raise exception 'transfer %: its required confirmations only rise, and only while it waits', old.id
            using errcode = 'check_violation';
        end if;
        return new;
      end $$`);
    await queryRunner.query('drop trigger payment_transfers_guard_confirmations on payment_transfers');
    await queryRunner.query(`
      create trigger payment_transfers_guard_confirmations
        before update of confirmations_required, finality_required on payment_transfers
        for each row execute function payment_transfers_guard_confirmations()`);
  }

  async down(): Promise<void> {
    throw new Error('FinalityByTransfer1795310408000 cannot be reverted; restore a backup instead');
  }
}
