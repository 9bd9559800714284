import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Repeated requests that act once (api.md K), and counters that all instances share (api.md L1). */
export class IdempotencyAndLimits1795224000009 implements MigrationInterface {
  name = 'IdempotencyAndLimits1795224000009';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table idempotency_keys (
        user_id text not null,
        -- Whose key it is: an application's, for all of its client tokens; '' for the user's OAuth tokens.
        application text not null,
        method text not null,
        path text not null,
        key text not null check (length(key) between 1 and 255),
        body_hash bytea not null check (length(body_hash) = 32),
        -- The answer. Null only inside the transaction that makes it: key and effect are committed together.
        status smallint check (status between 200 and 499),
        sealed_body text,
        created_at timestamptz not null,
        expires_at timestamptz not null check (expires_at > created_at),
        primary key (user_id, application, method, path, key)
      );
      create index idempotency_keys_expiry on idempotency_keys (expires_at);

      -- One bucket of failures a row: it is full again at restored_at (generic cell rate algorithm).
      create table failed_attempts (
        kind text not null,
        subject text not null,
        restored_at timestamptz not null,
        primary key (kind, subject)
      );
      create index failed_attempts_expiry on failed_attempts (restored_at);
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('IdempotencyAndLimits1795224000009 cannot be reverted; restore a backup instead');
  }
}
