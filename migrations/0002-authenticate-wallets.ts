import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keyring of the process that migrates (src/platform/security/keyring.ts). */
interface Keyring {
  seal(purpose: string, context: string, plaintext: string): string;
  unseal(purpose: string, context: string, sealed: string): string;
  mac(purpose: string, fields: readonly (string | null)[]): string;
}

interface Wallet {
  id: string;
  application_id: string | null;
  user_id: string | null;
  family: string;
  script_type: string | null;
  sealed: string;
  masked_key: string;
  fingerprint: string;
  key_hash: Buffer;
  retired_at: Date | null;
}

interface Address {
  id: string;
  payment_id: string;
  user_id: string;
  wallet_id: string;
  family: string;
  derivation_index: string;
  key: Buffer;
  address: string;
  is_of_owner: boolean;
}

const BATCH = 1_000;
const NIL = '00000000-0000-0000-0000-000000000000';
/** Of an address whose wallet was another user's or family's before this migration: no key accepts it. */
const NO_MAC = 'm0.';
const KEY = 'extended-public-key';

const WALLETS = `
  select id, application_id, user_id, family, script_type, sealed_extended_public_key as sealed, masked_key,
    fingerprint, key_hash, retired_at
  from wallets where id > $1 order by id limit ${BATCH}`;
const UPDATE_WALLET = 'update wallets set sealed_extended_public_key = $2, mac = $3 where id = $1';
const ADDRESSES = `
  select d.id, d.payment_id, d.user_id, d.wallet_id, d.family, d.derivation_index, d.key, d.address,
    (w.user_id is null or w.user_id = d.user_id) and w.family = d.family as is_of_owner
  from deposit_addresses d join wallets w on w.id = d.wallet_id where d.id > $1 order by d.id limit ${BATCH}`;
const UPDATE_ADDRESSES = `
  update deposit_addresses d set mac = row.mac from unnest($1::uuid[], $2::text[]) as row (id, mac) where d.id = row.id`;
const OWNERS = `
  select gen_random_uuid() as id, o.user_id, o.application_id, coalesce(
    (select jsonb_object_agg(w.family, w.id) from wallets w
     where w.user_id = o.user_id and w.application_id is not distinct from o.application_id and w.retired_at is null),
    '{}') as wallets
  from (
    select user_id, id as application_id from payment_applications
    union select user_id, null from payment_applications
    union select user_id, null from wallets where user_id is not null
  ) o`;
const INSERT_CHOICE =
  'insert into wallet_choices (id, user_id, application_id, wallets, mac) values ($1, $2, $3, $4, $5)';

/**
 * Binds every wallet to its owner and every address to its payment, with MACs under APP_KEYS. Only keys that are
 * encrypted as the release before encrypted them are accepted: taking the schema back and migrating again does not
 * authenticate rows that were changed meanwhile.
 */
export class AuthenticateWallets1795310402000 implements MigrationInterface {
  name = 'AuthenticateWallets1795310402000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(await sqlOf('before'));
    const keyring = queryRunner.data['keyring'] as Keyring | undefined;
    await authenticate<Wallet>(queryRunner, WALLETS, (wallets) =>
      this.wallets(queryRunner, keyring, wallets),
    );
    await authenticate<Address>(queryRunner, ADDRESSES, (addresses) =>
      this.addresses(queryRunner, keyring, addresses),
    );
    for (const owner of (await queryRunner.query(OWNERS)) as Owner[])
      await queryRunner.query(INSERT_CHOICE, [
        owner.id,
        owner.user_id,
        owner.application_id,
        owner.wallets,
        required(keyring).mac('wallet-choice', choiceFields(owner)),
      ]);
    await queryRunner.query(await sqlOf('after'));
  }

  /** Forward only: without the MACs, rows that were changed could not be told from the others. */
  async down(): Promise<void> {
    throw new Error('AuthenticateWallets1795310402000 cannot be reverted; restore a backup instead');
  }

  private async wallets(
    queryRunner: QueryRunner,
    ring: Keyring | undefined,
    wallets: Wallet[],
  ): Promise<void> {
    const keyring = required(ring);
    for (const wallet of wallets) {
      const sealed = keyring.seal(KEY, contextOf(wallet), unseal(keyring, wallet));
      const mac = keyring.mac('wallet', walletFields(wallet));
      await queryRunner.query(UPDATE_WALLET, [wallet.id, sealed, mac]);
    }
  }

  private async addresses(
    queryRunner: QueryRunner,
    ring: Keyring | undefined,
    rows: Address[],
  ): Promise<void> {
    const keyring = required(ring);
    const macs = rows.map((row) =>
      row.is_of_owner ? keyring.mac('deposit-address', addressFields(row)) : NO_MAC,
    );
    await queryRunner.query(UPDATE_ADDRESSES, [rows.map(({ id }) => id), macs]);
  }
}

interface Owner {
  id: string;
  user_id: string;
  application_id: string | null;
  wallets: Record<string, string>;
}

async function sqlOf(part: 'before' | 'after'): Promise<string> {
  return readFile(new URL(`./0002-authenticate-wallets/${part}.sql`, import.meta.url), 'utf8');
}

/** Passes all rows of a statement on, a batch at a time. */
async function authenticate<Row extends { id: string }>(
  queryRunner: QueryRunner,
  select: string,
  work: (rows: Row[]) => Promise<void>,
): Promise<void> {
  for (let after: string | undefined = NIL; after !== undefined;) {
    const rows = (await queryRunner.query(select, [after])) as Row[];
    if (rows.length > 0) await work(rows);
    after = rows.at(-1)?.id;
  }
}

function required(keyring: Keyring | undefined): Keyring {
  if (!keyring) throw new Error('the rows of the release before can only be migrated with APP_KEYS');
  return keyring;
}

function unseal(keyring: Keyring, { id, sealed }: Wallet): string {
  try {
    return keyring.unseal(KEY, id, sealed);
  } catch (error) {
    throw new Error(`wallet ${id}: no key of APP_KEYS decrypts its extended public key`, { cause: error });
  }
}

function contextOf({ id, application_id, user_id, family, script_type }: Wallet): string {
  return JSON.stringify([id, application_id, user_id, family, script_type]);
}

function walletFields(wallet: Wallet): (string | null)[] {
  return [
    wallet.id,
    wallet.application_id,
    wallet.user_id,
    wallet.family,
    wallet.script_type,
    wallet.masked_key,
    wallet.fingerprint,
    wallet.key_hash.toString('hex'),
    wallet.retired_at === null ? null : wallet.retired_at.toISOString(),
  ];
}

function addressFields(row: Address): string[] {
  return [
    row.id,
    row.payment_id,
    row.user_id,
    row.wallet_id,
    row.family,
    row.derivation_index,
    row.key.toString('hex'),
    row.address,
  ];
}

function choiceFields({ id, user_id, application_id, wallets }: Owner): (string | null)[] {
  const chosen = Object.entries(wallets).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [id, user_id, application_id, ...chosen.flat()];
}
