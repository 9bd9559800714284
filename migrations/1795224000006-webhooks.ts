import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Event -> delivery -> attempt (api.md G). */
export class Webhooks1795224000006 implements MigrationInterface {
  name = 'Webhooks1795224000006';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table webhook_deliveries (
        id uuid primary key,
        event_id uuid not null unique references payment_events (id),
        payment_id uuid not null,
        application_id uuid not null,
        user_id text not null,
        -- Order inside the payment: the event's number.
        seq integer not null,
        type text not null,
        state text not null default 'pending' check (state in
          ('pending', 'succeeded', 'exhausted', 'superseded', 'blocked', 'skipped')),
        attempts integer not null default 0 check (attempts >= 0),
        created_at timestamptz not null,
        first_attempt_at timestamptz,
        -- When the next attempt is due; only while pending.
        next_attempt_at timestamptz,
        -- A claim: who holds it may send; a crashed holder's claim runs out by itself.
        lease_token uuid,
        lease_until timestamptz,
        succeeded_at timestamptz,
        last_error text,
        foreign key (payment_id, user_id) references payments (id, user_id),
        check ((state = 'pending') = (next_attempt_at is not null))
      );
      -- The oldest due of each endpoint is one probe, however long its backlog is.
      create index webhook_deliveries_due on webhook_deliveries (application_id, next_attempt_at)
        where state = 'pending';
      create index webhook_deliveries_payment on webhook_deliveries (payment_id, seq);
      create index webhook_deliveries_blocked on webhook_deliveries (application_id) where state = 'blocked';
      create index webhook_deliveries_application on webhook_deliveries (application_id, created_at desc, id desc);

      create table webhook_attempts (
        id uuid primary key,
        delivery_id uuid not null references webhook_deliveries (id),
        number integer not null check (number >= 1),
        url text not null,
        http_status integer,
        error text,
        -- At most the first 4 KiB of the answer, as UTF-8 text.
        response_body text,
        duration_ms integer not null check (duration_ms >= 0),
        created_at timestamptz not null,
        unique (delivery_id, number)
      );

      -- An endpoint that answered 410 rests until its URL is saved again (api.md G4).
      create table webhook_endpoints (
        application_id uuid primary key references payment_applications (id),
        paused_at timestamptz not null,
        reason text not null
      );
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('Webhooks1795224000006 cannot be reverted; restore a backup instead');
  }
}
