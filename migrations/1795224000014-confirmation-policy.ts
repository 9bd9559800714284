import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confirmations by application and amount: what a site asks for, and what a waiting transfer was told. */
export class ConfirmationPolicy1795224000014 implements MigrationInterface {
  name = 'ConfirmationPolicy1795224000014';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- By chain, e.g. {"bitcoin": 3}; whole numbers from 1, nothing unconfirmed ever counts (api.md H7).
      alter table sites add column confirmations jsonb not null default '{}'
        check (
          jsonb_typeof(confirmations) = 'object'
          and not jsonb_path_exists(confirmations, 'strict $.* ? (@.type() != "number" || @ < 1 || @ != @.floor())')
        );

      -- What of a payment waits in one asset waits for the same depth: the most demanding of what they were told.
      update payment_transfers t set confirmations_required = most.required
      from (
        select payment_id, chain, asset, max(confirmations_required) as required
        from payment_transfers where state = 'pending' group by payment_id, chain, asset
      ) most
      where t.state = 'pending' and (t.payment_id, t.chain, t.asset) = (most.payment_id, most.chain, most.asset)
        and t.confirmations_required < most.required;

      -- It rises while the transfer waits, and is a fact once it counted.
      create function payment_transfers_guard_confirmations() returns trigger language plpgsql as $$
      begin
        if new.confirmations_required < old.confirmations_required
           or (old.state = 'confirmed' and new.confirmations_required <> old.confirmations_required) then
          raise exception 'transfer %: its required confirmations only rise, and only while it waits', old.id
            using errcode = 'check_violation';
        end if;
        return new;
      end $$;
      create trigger payment_transfers_guard_confirmations before update of confirmations_required on payment_transfers
        for each row execute function payment_transfers_guard_confirmations();
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('ConfirmationPolicy1795224000014 cannot be reverted; restore a backup instead');
  }
}
