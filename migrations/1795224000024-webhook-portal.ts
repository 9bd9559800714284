import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What merchants do about their webhooks: pause, replay, test (api.md G6). */
export class WebhookPortal1795224000024 implements MigrationInterface {
  name = 'WebhookPortal1795224000024';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- A pause after a 410 ends when the URL is saved again; the merchant's own only by resuming.
      alter table webhook_endpoints add column paused_by text not null default 'gone'
        check (paused_by in ('gone', 'merchant'));

      -- Replays walk the exhausted ones of an application by age.
      drop index webhook_deliveries_exhausted;
      create index webhook_deliveries_exhausted on webhook_deliveries (application_id, created_at desc, id desc)
        where state = 'exhausted';
      -- The newest success of an endpoint is one probe.
      create index webhook_deliveries_succeeded on webhook_deliveries (application_id, succeeded_at desc)
        where succeeded_at is not null;

      -- Paid, and the shop does not know: few, and found without reading all other payments.
      create index payments_unacknowledged on payments (application_id, received_at, id)
        where status = 'RECEIVED' and acknowledged_at is null;

      -- Test events are no events: no payment, no history, no feed, one attempt.
      create table webhook_tests (
        id uuid primary key,
        application_id uuid not null references payment_applications (id),
        user_id text not null,
        -- Made up, both of them; unique, so that a receiver may keep them like others.
        event_id uuid not null unique,
        payment_id uuid not null unique,
        type text not null,
        body text not null,
        state text not null default 'pending' check (state in ('pending', 'succeeded', 'exhausted', 'blocked', 'skipped')),
        created_at timestamptz not null,
        lease_token uuid,
        lease_until timestamptz,
        -- The one attempt, as in webhook_attempts.
        url text,
        http_status integer,
        error text,
        response_body text,
        duration_ms integer check (duration_ms >= 0),
        started_at timestamptz,
        check ((url is null) = (started_at is null) and (url is null) = (duration_ms is null))
      );
      create index webhook_tests_application on webhook_tests (application_id, created_at desc, id desc);
      create index webhook_tests_pending on webhook_tests (application_id, created_at) where state = 'pending';
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('WebhookPortal1795224000024 cannot be reverted; restore a backup instead');
  }
}
