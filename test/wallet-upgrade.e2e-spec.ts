import { randomBytes, randomUUID } from 'node:crypto';
import type { HDKey } from '@scure/bip32';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { migrations } from '../migrations/index.js';
import { evmAddressOfPublicKey, toChecksumAddress } from '../src/chains/evm/evm-address.pure.js';
import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import { dataSourceOptions } from '../src/platform/database/database.js';
import { migrate as migrateWith } from '../src/platform/database/migrate.js';
import { Keyring } from '../src/platform/security/keyring.js';
import { DepositAddressesService } from '../src/wallets/deposit-addresses.service.js';
import { insertPayment } from './support/payment-rows.js';
import { startTestGateway } from './support/test-gateway.js';
import { asGateway, databaseUrl } from './support/test-server.js';
import { newAccount } from './support/wallets-api.js';

const KEY = { id: 'k1', key: randomBytes(32) };
const migrate = (url: string, appKeys = [KEY]) =>
  migrateWith({
    databaseUrl: asGateway(url),
    databaseMigrationUrl: url,
    databasePoolMode: 'session',
    appKeys,
  });
const keyring = new Keyring([KEY]);
const USER = randomUUID();
const APPLICATION = randomUUID();
const [PAYMENT, STRAY_PAYMENT] = [randomUUID(), randomUUID()];

interface OldWallet {
  id: string;
  account: HDKey;
  applicationId: string | null;
  userId: string;
  isRetired: boolean;
}
const wallet = (applicationId: string | null, isRetired = false, userId = USER): OldWallet => ({
  id: randomUUID(),
  account: newAccount(),
  applicationId,
  userId,
  isRetired,
});
const REPLACED = wallet(APPLICATION, true);
const OWN = wallet(APPLICATION);
const DEFAULT = wallet(null);
const FOREIGN = wallet(null, false, randomUUID());

function addressOf({ account }: OldWallet, index: number): { key: Buffer; address: string } {
  const { publicKey } = account.derive(`m/0/${index}`);
  if (!publicKey) throw new Error('no key');
  const key = Buffer.from(evmAddressOfPublicKey(publicKey));
  return { key, address: toChecksumAddress(key) };
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A database of the release before, with rows as it wrote them. */
async function oldDatabase(): Promise<string> {
  const adminUrl = process.env['TEST_ADMIN_URL'] ?? '';
  const name = `old_${randomBytes(8).toString('hex')}`;
  await withClient(adminUrl, (admin) => admin.query(`create database ${name}`));
  const url = databaseUrl(adminUrl, name);
  const options = { ...dataSourceOptions(url, 2), migrations: migrations.slice(0, 1) } as DataSourceOptions;
  const dataSource = await new DataSource(options).initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  await withClient(url, fill);
  return url;
}

async function fill(client: pg.Client): Promise<void> {
  await client.query(
    `insert into payment_applications (id, user_id, name, client_id, sealed_secret, created_at)
     values ($1, $2, 'Shop', repeat('a', 32), $3, now())`,
    [APPLICATION, USER, keyring.seal('webhook-secret', APPLICATION, 'a-secret-of-enough-length')],
  );
  await client.query(
    `insert into sites (id, application_id, user_id, title, setting_id) values ($1, $2, $3, 'Shop', $1)`,
    [randomUUID(), APPLICATION, USER],
  );
  for (const old of [REPLACED, OWN, DEFAULT, FOREIGN]) await insertWallet(client, old);
  for (const payment of [PAYMENT, STRAY_PAYMENT])
    await client.query(
      `with payment as (
         insert into payments (id, user_id, application_id, reference, reference_label, currency_code,
           settlement_currency_code, amount, expires_at, created_at)
         values ($1, $2, $3, 'R', 'L', 'USD', 'USD', 100, now() + interval '1 day', now()) returning id, created_at)
       insert into payment_status_history (payment_id, seq, to_status, reason, created_at)
       select id, 1, 'OPEN', 'created', created_at from payment`,
      [payment, USER, APPLICATION],
    );
  await insertAddress(client, PAYMENT, OWN);
  // Swapped before the upgrade: the address is of another user's wallet.
  await insertAddress(client, STRAY_PAYMENT, FOREIGN);
}

async function insertWallet(client: pg.Client, old: OldWallet): Promise<void> {
  const { id, account, applicationId, userId, isRetired } = old;
  const sealed = keyring.seal('extended-public-key', id, account.publicExtendedKey);
  const fingerprint = account.fingerprint.toString(16).padStart(8, '0');
  await client.query(
    `insert into wallets (id, application_id, user_id, family, sealed_extended_public_key, masked_key, fingerprint,
       key_hash, next_index, created_at, retired_at)
     values ($1, $2, $3, 'evm', $4, 'xpub…', $5, $6, 1, now(), case when $7 then now() end)`,
    [id, applicationId, userId, sealed, fingerprint, randomBytes(32), isRetired],
  );
  await client.query(
    `insert into audit_log (at, actor_kind, act, user_id, target_kind, target_id, details)
     values (now(), 'system', 'wallet.activated', $1, 'wallet', $2, $3)`,
    [userId, id, JSON.stringify({ family: 'evm', fingerprint, applicationId })],
  );
}

async function insertAddress(client: pg.Client, paymentId: string, of: OldWallet): Promise<void> {
  const { key, address } = addressOf(of, 0);
  await client.query(
    `insert into deposit_addresses (id, payment_id, user_id, family, key, address, wallet_id, derivation_index, created_at)
     values ($1, $2, $3, 'evm', $4, $5, $6, 0, now())`,
    [randomUUID(), paymentId, USER, key, address, of.id],
  );
}

describe('the upgrade of a database without MACs', () => {
  it('authenticates every row, so that addresses are shown, matched and handed out as before', async () => {
    const url = await oldDatabase();
    await migrate(url);
    const env = { APP_KEYS: `${KEY.id}:${KEY.key.toString('base64')}` };
    const gateway = await startTestGateway(env, undefined, url);
    try {
      const addresses = gateway.get(DepositAddressesService);
      const known = addressOf(OWN, 0);
      expect(await addresses.find(PAYMENT, 'evm')).toMatchObject(known);
      expect(await addresses.match('evm', [known.key])).toMatchObject([{ paymentId: PAYMENT }]);
      const owner = { userId: USER, applicationId: APPLICATION };
      const paymentId = await insertPayment(gateway, owner);
      expect(await addresses.allocate({ paymentId, ...owner, family: 'evm' })).toMatchObject(
        addressOf(OWN, 1),
      );
      const { differences } = await gateway.get(Reconciliation).run({ limit: 100, budget: null });
      expect(differences.filter(({ check }) => check === 'wallet')).toEqual([]);
    } finally {
      await gateway.close();
    }
  });

  it("accepts no address that was of another user's wallet", async () => {
    const url = await oldDatabase();
    await migrate(url);
    const env = { APP_KEYS: `${KEY.id}:${KEY.key.toString('base64')}` };
    const gateway = await startTestGateway(env, undefined, url);
    try {
      const addresses = gateway.get(DepositAddressesService);
      await expect(addresses.find(STRAY_PAYMENT, 'evm')).rejects.toThrow('is not of its wallet');
      expect(await addresses.match('evm', [addressOf(FOREIGN, 0).key])).toEqual([]);
    } finally {
      await gateway.close();
    }
  });

  it('changes nothing with other keys', async () => {
    const url = await oldDatabase();
    await expect(migrate(url, [{ id: 'k1', key: randomBytes(32) }])).rejects.toThrow(
      'no key of APP_KEYS decrypts its extended public key',
    );
    await migrate(url);
  });

  it('does not authenticate changed rows when the schema is taken back and migrated again', async () => {
    const url = await oldDatabase();
    await migrate(url);
    await withClient(url, async (client) => {
      await client.query(`delete from migrations where name like 'AuthenticateWallets%'`);
      await client.query('drop table wallet_choices');
      await client.query('drop trigger wallets_guard on wallets');
      await client.query('drop function wallets_guard');
      await client.query('drop trigger deposit_addresses_append_only on deposit_addresses');
      await client.query('drop function deposit_addresses_guard');
      await client.query(
        `create trigger deposit_addresses_append_only before update or delete on deposit_addresses
         for each row execute function refuse_change()`,
      );
      await client.query('alter table wallets drop column mac');
      await client.query('alter table deposit_addresses drop column mac');
      await client.query('update wallets set application_id = null, user_id = $2 where id = $1', [
        OWN.id,
        'thief',
      ]);
    });
    await expect(migrate(url)).rejects.toThrow('no key of APP_KEYS decrypts');
  });
});
