import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `payment.updated` (docs/decisions/0703-tell-changes-of-sums.md). 0007 validates the new checks. */
const STATEMENTS = [
  // What the events of a payment have told; null on payments of before, of which nothing is news.
  `alter table payments add column told text`,
  `alter table payments alter column told set default '{}'`,

  // The events of a payment that announce no move: their place among the others, see payment-event.entity.ts.
  `alter table payment_events
     add column place integer,
     drop constraint payment_events_type_check,
     add constraint payment_events_type_check check (type in
       ('payment.received', 'payment.completed', 'payment.underpaid', 'payment.refund', 'payment.found', 'payment.expired',
        'payment.cancelled', 'payment.updated', 'wallet.changed', 'payment.refund_requested')) not valid,
     drop constraint payment_events_kind,
     add constraint payment_events_kind check (
       (payment_id is null) = (seq is null and place is null) and (seq is null or place is null)
       and (payment_id is null or test_payment_id is null)
       and (place is null or (place > 1000 and type = 'payment.updated'))
       and (seq is null or type <> 'payment.updated')
       and (type in ('wallet.changed', 'payment.refund_requested')) = (payment_id is null and test_payment_id is null))
       not valid`,
  `create or replace function payment_events_guard_body() returns trigger language plpgsql as $$
   begin
     if (new.id, new.payment_id, new.seq, new.place, new.type, new.body, new.created_at, new.test_payment_id)
        is distinct from
        (old.id, old.payment_id, old.seq, old.place, old.type, old.body, old.created_at, old.test_payment_id) then
       raise exception 'event %: what was announced is immutable', old.id using errcode = 'check_violation';
     end if;
     if old.position is not null and new.position is distinct from old.position then
       raise exception 'event %: its place in the feed is fixed', old.id using errcode = 'check_violation';
     end if;
     return new;
   end $$`,

  `alter table webhook_deliveries
     add column place integer,
     drop constraint webhook_deliveries_check1,
     add constraint webhook_deliveries_check1 check ((payment_id is null) = (seq is null and place is null)) not valid`,

  `alter table sites
     drop constraint sites_events_check,
     add constraint sites_events_check check (
       events @> '{payment.received,payment.completed,payment.underpaid,payment.refund}'
       and events <@ '{payment.received,payment.completed,payment.underpaid,payment.refund,payment.found,payment.expired,payment.cancelled,payment.updated,wallet.changed,payment.refund_requested}')
       not valid`,
];

export class TellChangesOfSums1795996802000 implements MigrationInterface {
  name = 'TellChangesOfSums1795996802000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('TellChangesOfSums1795996802000 cannot be reverted; restore a backup instead');
  }
}
