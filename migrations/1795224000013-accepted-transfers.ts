import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A merchant accepts funds that nobody asked for: by a quote of their own, and never silently (api.md C5, H10). */
export class AcceptedTransfers1795224000013 implements MigrationInterface {
  name = 'AcceptedTransfers1795224000013';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table payment_transfers add unique (id, payment_id);
      -- What nobody asked for has no value.
      alter table payment_transfers add constraint payment_transfers_unmatched_check
        check (is_matched or quote_id is null);

      -- The acceptance itself is the quote that was made for it: quotes are append-only, locked_at is its time.
      alter table quotes
        -- The one transfer that it values. Null: a rate lock, for whatever is paid under it.
        add column accepted_transfer_id uuid unique,
        -- The user who accepted it, and the client token that was used; null: an OAuth2 token.
        add column accepted_by text,
        add column accepted_token_id uuid,
        add constraint quotes_acceptance_check check (
          (accepted_transfer_id is null) = (accepted_by is null)
          and (accepted_token_id is null or accepted_by is not null)
          and (accepted_transfer_id is null or not is_late)),
        add foreign key (accepted_transfer_id, payment_id) references payment_transfers (id, payment_id);

      -- An acceptance without its effect does not commit.
      create function quotes_require_accepted_transfer() returns trigger language plpgsql as $$
      begin
        if not exists (
          select from payment_transfers t where t.id = new.accepted_transfer_id and t.is_matched and t.quote_id = new.id
        ) then
          raise exception 'quote %: the transfer it accepts does not count', new.id using errcode = 'check_violation';
        end if;
        return null;
      end $$;
      create constraint trigger quotes_require_accepted_transfer after insert on quotes
        deferrable initially deferred for each row when (new.accepted_transfer_id is not null)
        execute function quotes_require_accepted_transfer();

      -- Nor is there an effect without its acceptance. What counts is never taken out again. Updates only: the
      -- previous release takes an acceptance for a rate lock, and must still be able to record what it sees.
      create function payment_transfers_guard_acceptance() returns trigger language plpgsql as $$
      declare
        accepted uuid := (select accepted_transfer_id from quotes where id = new.quote_id);
      begin
        if old.is_matched and not new.is_matched then
          raise exception 'transfer %: what counts is never taken out', old.id using errcode = 'check_violation';
        end if;
        if new.is_matched and not old.is_matched and accepted is distinct from new.id then
          raise exception 'transfer %: it counts only once it is accepted', old.id using errcode = 'check_violation';
        end if;
        if accepted <> new.id then
          raise exception 'transfer %: the quote accepts another one', old.id using errcode = 'check_violation';
        end if;
        return new;
      end $$;
      create trigger payment_transfers_guard_acceptance before update on payment_transfers for each row
        when (old.is_matched <> new.is_matched or old.quote_id is distinct from new.quote_id)
        execute function payment_transfers_guard_acceptance();
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('AcceptedTransfers1795224000013 cannot be reverted; restore a backup instead');
  }
}
