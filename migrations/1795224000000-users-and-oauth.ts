import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who signs in, and what the authorization server remembers (api.md A1). */
export class UsersAndOauth1795224000000 implements MigrationInterface {
  name = 'UsersAndOauth1795224000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table users (
        id uuid primary key,
        email text not null check (email = lower(email) and length(email) between 3 and 254),
        password_hash text not null,
        is_operator boolean not null default false,
        disabled_at timestamptz,
        created_at timestamptz not null default now()
      );
      create unique index users_email_key on users (email);

      -- One row per token, grant, session, code or client of the authorization server.
      -- Ids that are bearer secrets are stored as SHA-256; see oauth/oidc-adapter.ts.
      create table oidc_payloads (
        kind text not null,
        id text not null,
        payload jsonb not null,
        grant_id text,
        uid text,
        expires_at timestamptz,
        consumed_at timestamptz,
        primary key (kind, id)
      );
      create index oidc_payloads_grant on oidc_payloads (grant_id) where grant_id is not null;
      create unique index oidc_payloads_uid on oidc_payloads (kind, uid) where uid is not null;
      create index oidc_payloads_expiry on oidc_payloads (expires_at) where expires_at is not null;

      create table oauth_clients (
        client_id text primary key,
        name text not null,
        -- Null for a public client (PKCE only).
        secret_hash bytea check (length(secret_hash) = 32),
        -- The user that a client_credentials client acts for.
        user_id uuid references users (id),
        grant_types text[] not null,
        redirect_uris text[] not null default '{}',
        created_at timestamptz not null default now(),
        revoked_at timestamptz
      );

      -- The key pair that signs ID tokens; the private half is sealed by the keyring.
      create table oauth_signing_keys (
        kid text primary key,
        sealed_jwk text not null,
        created_at timestamptz not null default now()
      );
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('UsersAndOauth1795224000000 cannot be reverted; restore a backup instead');
  }
}
