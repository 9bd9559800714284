import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payment applications, their site, their client tokens (spec.md, api.md A3 and F). */
export class ApplicationsAndTokens1795224000001 implements MigrationInterface {
  name = 'ApplicationsAndTokens1795224000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table payment_applications (
        id uuid primary key,
        user_id text not null,
        name text not null check (length(name) between 3 and 255),
        client_id text not null check (client_id ~ '^[a-z0-9]{32}$'),
        -- Webhook signing secret, sealed (AES-256-GCM): it must be read back to sign.
        sealed_secret text not null,
        sealed_previous_secret text,
        -- The previous secret signs beside the new one until then (api.md G3: 24 h).
        previous_secret_until timestamptz,
        currency_whitelist text[] not null default '{}',
        created_at timestamptz not null,
        deleted_at timestamptz,
        unique (id, user_id),
        check ((sealed_previous_secret is null) = (previous_secret_until is null))
      );
      create unique index payment_applications_client_id_key on payment_applications (client_id);
      create index payment_applications_owner on payment_applications (user_id, created_at desc, id desc);

      create table sites (
        id uuid primary key,
        application_id uuid not null unique,
        user_id text not null,
        title text not null,
        url text,
        callback_url text,
        setting_id uuid not null,
        setting_title text not null default 'Default Settings',
        allow_overpay boolean not null default true,
        allow_underpay boolean not null default false,
        foreign key (application_id, user_id) references payment_applications (id, user_id)
      );

      create table client_tokens (
        id uuid primary key,
        application_id uuid not null,
        user_id text not null,
        label text not null check (length(label) between 1 and 255),
        scopes text[] not null check (
          cardinality(scopes) between 1 and 4
          and scopes <@ array['payments.create', 'payments.get', 'payments.user-instructions.get', '*']
        ),
        token_hash bytea not null unique check (length(token_hash) = 32),
        -- The first 8 characters, shown in lists so that people can tell tokens apart.
        token_prefix text not null,
        expires_at timestamptz,
        last_used_at timestamptz,
        revoked_at timestamptz,
        created_at timestamptz not null,
        foreign key (application_id, user_id) references payment_applications (id, user_id)
      );
      create index client_tokens_application on client_tokens (application_id, created_at desc, id desc);
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('ApplicationsAndTokens1795224000001 cannot be reverted; restore a backup instead');
  }
}
