import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Extended public keys and the registry of deposit addresses (api.md M, design.md Keys per family). */
export class Wallets1795224000002 implements MigrationInterface {
  name = 'Wallets1795224000002';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table wallets (
        id uuid primary key,
        -- Both null: the operator's default key for the family.
        application_id uuid,
        user_id text,
        family text not null check (family in ('evm', 'bitcoin', 'litecoin', 'dogecoin', 'bitcoincash', 'tron')),
        script_type text,
        -- Sealed (AES-256-GCM): whoever reads it sees the merchant's whole income.
        sealed_extended_public_key text not null,
        masked_key text not null,
        -- BIP32 fingerprint of the key, for display.
        fingerprint text not null check (fingerprint ~ '^[0-9a-f]{8}$'),
        -- SHA-256 of public key and chain code: one key serves one wallet, for ever,
        -- because two counters on one key would hand out the same address twice.
        key_hash bytea not null unique check (length(key_hash) = 32),
        next_index bigint not null default 0 check (next_index between 0 and 2147483648),
        created_at timestamptz not null,
        -- Set when another key took its place; addresses already handed out stay watched.
        retired_at timestamptz,
        foreign key (application_id, user_id) references payment_applications (id, user_id),
        check ((application_id is null) = (user_id is null))
      );
      create unique index wallets_active on wallets (application_id, family) nulls not distinct
        where retired_at is null;
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('Wallets1795224000002 cannot be reverted; restore a backup instead');
  }
}
