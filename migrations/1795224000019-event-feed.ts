import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events in an order that readers can resume from (api.md M, GET /events). */
export class EventFeed1795224000019 implements MigrationInterface {
  name = 'EventFeed1795224000019';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- The place of the newest event in the feed. Whoever gives out places holds the row until it commits, so no
      -- reader ever sees a place before all smaller ones; a sequence could not promise that.
      create table event_feed (
        is_only boolean primary key default true check (is_only),
        last_position bigint not null check (last_position >= 0)
      );

      -- Null: not dispatched yet.
      alter table payment_events add column position bigint check (position >= 1);
      with numbered as (
        select id, row_number() over (order by dispatched_at, created_at, seq, id) as place
        from payment_events where dispatched_at is not null
      )
      update payment_events e set position = numbered.place from numbered where numbered.id = e.id;
      insert into event_feed (last_position) select coalesce(max(position), 0) from payment_events;

      create unique index payment_events_of_user on payment_events (user_id, position) where position is not null;
      create index payment_events_of_application on payment_events (application_id, position)
        where position is not null;

      create or replace function payment_events_guard_body() returns trigger language plpgsql as $$
      begin
        if (new.id, new.payment_id, new.seq, new.type, new.body, new.created_at)
           is distinct from (old.id, old.payment_id, old.seq, old.type, old.body, old.created_at) then
          raise exception 'event %: what was announced is immutable', old.id using errcode = 'check_violation';
        end if;
        if old.position is not null and new.position is distinct from old.position then
          raise exception 'event %: its place in the feed is fixed', old.id using errcode = 'check_violation';
        end if;
        return new;
      end $$;
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('EventFeed1795224000019 cannot be reverted; restore a backup instead');
  }
}
