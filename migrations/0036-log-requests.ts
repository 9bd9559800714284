import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What merchants' servers have asked (docs/decisions/0907-a-log-of-requests.md). */
export class LogRequests1795996836000 implements MigrationInterface {
  name = 'LogRequests1795996836000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- One row per request with a client token or an OAuth2 token of a server; of an account, the newest.
      create table request_log (
        user_id text not null,
        at timestamptz not null,
        request_id uuid not null,
        application_id uuid,
        token_id uuid,
        oauth_client_id text,
        method text not null check (length(method) <= 32),
        route text not null check (length(route) <= 255),
        -- Without secrets.
        path text not null check (length(path) <= 512),
        status smallint not null check (status between 100 and 599),
        duration_ms integer not null check (duration_ms >= 0),
        idempotency_key text check (length(idempotency_key) <= 255),
        -- Of the network.
        address text not null,
        error_code text,
        error_body text check (length(error_body) <= 2048),
        primary key (user_id, at, request_id)
      )`);
    await queryRunner.query('create index request_log_at on request_log (at)');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('LogRequests1795996836000 cannot be reverted; restore a backup instead');
  }
}
