import type { MigrationInterface, QueryRunner } from 'typeorm';

/** payment.found, payment.expired and payment.cancelled, for the applications that ask for them (api.md N6). */
export class OptInEvents1795224000039 implements MigrationInterface {
  name = 'OptInEvents1795224000039';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table sites
        add column events text[] not null
          default '{payment.received,payment.completed,payment.underpaid,payment.refund}'
          check (
            events @> '{payment.received,payment.completed,payment.underpaid,payment.refund}'
            and events <@ '{payment.received,payment.completed,payment.underpaid,payment.refund,payment.found,payment.expired,payment.cancelled}'
          ),
        -- Since when payment.expired is listed: links that ended before are never announced.
        add column expired_since timestamptz,
        add constraint sites_expired_since_check
          check (('payment.expired' = any (events)) = (expired_since is not null));

      alter table payment_events drop constraint payment_events_type_check;
      alter table payment_events add constraint payment_events_type_check check (type in
        ('payment.received', 'payment.completed', 'payment.underpaid', 'payment.refund',
         'payment.found', 'payment.expired', 'payment.cancelled'));
      -- Set on an opt-in event when a standard one of its payment was born: no webhook is worth sending any more. The
      -- feed keeps it. On its delivery as well, because that is what a sender locks.
      alter table payment_events add column overtaken_at timestamptz;
      alter table webhook_deliveries add column overtaken_at timestamptz;
      create index payment_events_overtakable on payment_events (payment_id)
        where type in ('payment.found', 'payment.expired', 'payment.cancelled') and overtaken_at is null;
      create index webhook_deliveries_overtakable on webhook_deliveries (payment_id)
        where type in ('payment.found', 'payment.expired', 'payment.cancelled') and state in ('pending', 'blocked');
      create unique index payment_events_expired_once on payment_events (payment_id) where type = 'payment.expired';

      -- Each belongs to a row of the history: to the entry that it announces, or the one during which the link ended.
      create function payment_events_guard_opt_in() returns trigger language plpgsql as $$
      declare
        entered text;
      begin
        select to_status into entered from payment_status_history h
        where h.payment_id = new.payment_id and h.seq = new.seq;
        if entered is distinct from (case new.type
             when 'payment.found' then 'FOUND' when 'payment.cancelled' then 'CANCELLED' else 'OPEN' end) then
          raise exception 'event %: % does not belong to an entry into %', new.id, new.type, entered
            using errcode = 'check_violation';
        end if;
        if new.type = 'payment.expired' and (
          exists (
            select from payments p where p.id = new.payment_id
              and (p.status <> 'OPEN' or p.status_seq <> new.seq or p.expires_at >= new.created_at))
          or exists (
            select from payment_transfers t where t.payment_id = new.payment_id and t.state in ('pending', 'confirmed'))
        ) then
          raise exception 'event %: payment % has not expired unpaid', new.id, new.payment_id
            using errcode = 'check_violation';
        end if;
        return new;
      end $$;
      create trigger payment_events_guard_opt_in before insert on payment_events for each row
        when (new.type in ('payment.found', 'payment.expired', 'payment.cancelled'))
        execute function payment_events_guard_opt_in();

      -- When to look whether an open payment has expired: null is the end of its link, 'infinity' never. Payments that
      -- are there already read 'infinity' without being rewritten; those whose link is still good take part.
      alter table payments add column expiry_check_at timestamptz default 'infinity';
      alter table payments alter column expiry_check_at drop default;
      update payments set expiry_check_at = null where status = 'OPEN' and expires_at > now();
      create index payments_expiry on payments ((coalesce(expiry_check_at, expires_at)))
        where status = 'OPEN' and expiry_check_at is distinct from 'infinity';

      -- Until when the watcher has certainly seen all that the node had: blocks up to the tip, and the mempool.
      alter table chain_cursors add column caught_up_at timestamptz;
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('OptInEvents1795224000039 cannot be reverted; restore a backup instead');
  }
}
