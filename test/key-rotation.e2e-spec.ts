import { runCli } from '../src/cli.js';
import { ENCRYPTED_SECRETS } from '../src/applications/encrypted-columns.js';
import { checkAppKeys } from '../src/operations/doctor/app-keys-check.js';
import { Keyring } from '../src/platform/kernel/keyring.js';
import { ENCRYPTED_KEYS as ENCRYPTED_OAUTH_KEYS } from '../src/identity/oauth/encrypted-columns.js';
import { NOTICE_SECRETS } from '../src/notices/notice-content.js';
import { ENCRYPTED_KEYS as ENCRYPTED_WALLET_KEYS, WALLET_MACS } from '../src/wallets/encrypted-columns.js';
import { OwnFundsService } from '../src/payments/own-funds/own-funds.service.js';
import { PLACE_MACS } from '../src/payments/transfers/place-macs.js';
import { CURSOR_KEYS } from '../src/platform/cursor-keys.js';
import { AUDIT_MACS } from '../src/platform/integrity/keyed-columns.js';
import { AuditVerification } from '../src/platform/integrity/audit-verification.service.js';
import { AccountApi } from './support/account-api.js';
import { DatabaseThief } from './support/database-thief.js';
import { Shop, type ShopApplication } from './support/shop.js';
import { startTestGateway } from './support/test-gateway.js';
import { TwoFactorApi } from './support/two-factor.js';
import { newAccount } from './support/wallets-api.js';

// The configuration accepts only keys that look random.
const OLD = `old:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`;
const NEW = `new:${Buffer.from('vutsrqponmlkjihgfedcba9876543210').toString('base64')}`;
const MACS = [...WALLET_MACS, ...PLACE_MACS, ...AUDIT_MACS];
const AUTHENTICATED = [
  'users',
  'recovery_codes',
  'oauth_clients',
  'oidc_payloads',
  'client_tokens',
  'sites',
  'payments',
  'quotes',
  'payment_transfers',
  'payment_events',
  'payment_status_history',
  'refunds',
  'refund_history',
];
const COLUMNS = [
  ...ENCRYPTED_SECRETS,
  ...ENCRYPTED_WALLET_KEYS,
  ...ENCRYPTED_OAUTH_KEYS,
  ...CURSOR_KEYS,
  ...NOTICE_SECRETS,
];

let shop: Shop;
let application: ShopApplication;

beforeEach(async () => {
  // Notices wait: nobody sends them here.
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'gateway@example.test' };
  shop = await Shop.open({ APP_KEYS: OLD, WALLET_CHANGE_DELAY: '60', ...mail });
  application = await shop.application();
});
afterEach(() => shop.close());

async function reseal(appKeys: string, environment: Record<string, string> = {}) {
  const output: string[] = [];
  const errors: string[] = [];
  const env = {
    ...shop.gateway.environment,
    APP_KEYS: appKeys,
    DATABASE_MIGRATION_URL: shop.gateway.databaseUrl,
    ...environment,
  };
  const code = await runCli(['reseal-secrets'], env, {
    input: (async function* () {})(),
    write: (text) => output.push(text),
    writeError: (text) => errors.push(text),
  });
  return { code, output: output.join(''), errors: errors.join('') };
}

/** Ids of the keys that encrypted or authenticated the stored values, by column. */
async function sealedBy(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name } of [...COLUMNS, ...MACS]) {
    const [table = '', column = ''] = name.split('.');
    const rows = await shop.gateway.sql.query<{ id: string }>(
      `select distinct split_part(${column}, '.', 2) as id from ${table} where ${column} is not null`,
    );
    found[name] = rows.map(({ id }) => id);
  }
  return found;
}

/** Ids of the keys that authenticated rows. */
async function macsBy(): Promise<string[]> {
  const found = new Set<string>();
  for (const table of AUTHENTICATED) {
    const rows = await shop.gateway.sql.query<{ id: string }>(
      `select distinct coalesce(split_part(mac, '.', 2), 'none') as id from ${table}`,
    );
    for (const { id } of rows) found.add(id);
  }
  return [...found];
}

const everywhere = (id: string) => Object.fromEntries([...COLUMNS, ...MACS].map(({ name }) => [name, [id]]));

const restart = async (appKeys: string) => {
  shop.gateway = await shop.gateway.restart({ APP_KEYS: appKeys });
};

const changeSecret = (secret: string) =>
  shop.call('PUT', `/api/payment-applications/${application.id}`, shop.owner.accessToken, { secret });

describe('the rotation of APP_KEYS', () => {
  it('covers every encrypted column but those that are not missed: stored responses and the progress of verify', async () => {
    const rows = await shop.gateway.sql.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and column_name like 'sealed%'`,
    );
    // Responses expire. Without its progress, verify compares all payments.
    const lost = ['idempotency_keys.sealed_body', 'reconciliation_progress.sealed_progress'];
    const known = [...COLUMNS.map(({ name }) => name), ...lost];
    expect(rows.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
  });

  it('encrypts everything with the new key, so that the old one can be removed', async () => {
    const account = await AccountApi.open(shop.gateway);
    const factor = await TwoFactorApi.open(account);
    const path = `/api/payment-applications/${application.id}/wallets/evm`;
    const treasury = { treasury: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
    expect((await shop.call('PUT', path, shop.owner.accessToken, treasury)).status).toBe(200);
    const next = { extendedPublicKey: newAccount().publicExtendedKey };
    expect((await shop.call('PUT', path, shop.owner.accessToken, next)).status).toBe(200);
    const wallet = await shop.call('GET', path, shop.owner.accessToken);
    // The merchant goes on with the previous one for a day.
    expect((await changeSecret('another-secret-of-enough-length')).status).toBe(200);
    const earlier = await shop.createPayment(application);
    const { address } = await shop.instructions(earlier);
    await shop.send(await shop.instructions(earlier));
    await shop.mine();
    const [own] = await shop.gateway.sql.query<{ id: string; userId: string; key: Buffer }>(
      'select id, user_id as "userId", key from deposit_addresses where payment_id = $1',
      [earlier.id],
    );
    if (!own) throw new Error('no address');
    await shop.gateway.get(OwnFundsService).record('ethereum', [
      {
        userId: own.userId,
        paymentId: earlier.id,
        depositAddressId: own.id,
        txHash: '0x01',
        ordinal: 'value',
        sender: own.key,
        currencyCode: 'ETH',
        decimals: 18,
        amount: 1n,
        block: { height: 1, hash: '0x02', time: shop.gateway.clock.now() },
      },
    ]);
    expect(await sealedBy()).toEqual(everywhere('old'));
    expect(await macsBy()).toEqual(['old']);
    const feed = async (after = '') => {
      const { status, body } = await shop.call('GET', `/api/events${after}`, shop.owner.accessToken);
      return { status, meta: (body as { meta?: { cursor: { next: string } } }).meta };
    };
    const cursor = (await feed()).meta?.cursor.next;

    await restart(`${NEW},${OLD}`);
    // What the old key has authenticated goes on while both are there: read, locked and moved.
    expect(await shop.status(earlier)).toBe('FOUND');
    await shop.mine(2);
    expect(await shop.payment(earlier)).toMatchObject({ reviewReason: null });
    const { code, output, errors } = await reseal(`${NEW},${OLD}`);
    expect([code, errors]).toEqual([0, '']);
    for (const { name } of COLUMNS)
      expect(output).toMatch(new RegExp(`^${name}: [1-9]\\d* encrypted again$`, 'm'));
    for (const { name } of WALLET_MACS)
      expect(output).toMatch(new RegExp(`^${name}: [1-9]\\d* authenticated again$`, 'm'));
    expect(await sealedBy()).toEqual(everywhere('new'));
    expect(await macsBy()).toEqual(['new']);
    expect(output).toMatch(/^passwords that still need an older key: [1-9]/m);
    expect(output).toMatch(/^ {2}\S+@\S+: to sign in before the older key is removed$/m);
    const locked = await checkAppKeys(
      { ...shop.gateway.config, appKeys: shop.gateway.config.appKeys.slice(0, 1) },
      shop.gateway.sql,
    );
    expect(locked.map(({ severity }) => severity)).toContain('warning');
    expect(
      (await checkAppKeys(shop.gateway.config, shop.gateway.sql)).map(({ severity }) => severity),
    ).toEqual(['ok']);
    // Signing in hashes a password again with the newest key.
    account.gateway = shop.gateway;
    factor.nextStep();
    expect(await factor.signInStatus(factor.code())).toBe(303);
    // The owner's connection is direct, whatever the gateway's own goes through.
    const again = await reseal(`${NEW},${OLD}`, { DATABASE_POOL_MODE: 'transaction' });
    expect(again.errors).toBe('');
    expect(again.output.match(/: 0 encrypted again/g)).toHaveLength(COLUMNS.length);

    await restart(NEW);
    // Merchants keep cursors for months.
    expect(await feed(`?after=${cursor}`)).toMatchObject({ status: 200, meta: { cursor: { next: cursor } } });
    expect((await shop.gateway.get(AuditVerification).run()).problem).toBeNull();
    account.gateway = shop.gateway;
    expect((await account.get()).status).toBe(200);
    factor.nextStep();
    expect(await factor.signInStatus(factor.code())).toBe(303);
    const after = await shop.call<object>('GET', path, shop.owner.accessToken);
    expect(after.body.data).toEqual({ ...(wallet.body.data as object), nextIndex: 1 });
    expect(await shop.instructions(earlier)).toMatchObject({ address });
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    await shop.mine(12);
    for (const each of [earlier, payment])
      expect(shop.events(each)).toEqual(['payment.received', 'payment.completed']);
  });

  it('leaves the MAC of a changed row as it is, and names the row', async () => {
    const thief = new DatabaseThief(shop.gateway.sql);
    await shop.instructions(await shop.createPayment(application));
    await thief.tamper([[`update deposit_addresses set address = '0x00'`]]);
    const { code, errors } = await reseal(`${NEW},${OLD}`);
    expect(code).toBe(1);
    expect(errors).toMatch(/^deposit_addresses\.mac of [\da-f-]{36}: no key of APP_KEYS authenticates it\n$/);
    expect(await sealedBy()).toMatchObject({ 'deposit_addresses.mac': ['old'], 'wallets.mac': ['new'] });
  });

  it('is completed before the gateway starts without the old key', async () => {
    await expect(restart(NEW)).rejects.toThrow('APP_KEYS: lacks "old"');
    shop.gateway = await startTestGateway({ APP_KEYS: OLD }, undefined, shop.gateway.databaseUrl);
  });

  it('resumes after an interruption', async () => {
    const { sql } = shop.gateway;
    const keyring = new Keyring(shop.gateway.config.appKeys);
    // More than two batches. The row's id is part of its encrypted value.
    const ids = Array.from({ length: 250 }, () => crypto.randomUUID());
    for (const id of ids) {
      await sql.query(
        `insert into payment_applications (id, user_id, name, client_id, sealed_secret, currency_whitelist, created_at)
         select $1, user_id, name, $2, $3, currency_whitelist, created_at from payment_applications where id = $4`,
        [id, id.replaceAll('-', ''), keyring.seal('webhook-secret', id, 'a-secret'), application.id],
      );
    }
    const last = ids.toSorted().at(-1) ?? '';
    await sql.query(
      `create function fail_once() returns trigger language plpgsql as $$ begin
         if old.id::text = '${last}' then raise exception 'power cut'; end if; return new; end $$`,
    );
    await sql.query(
      'create trigger fail_once before update on payment_applications for each row execute function fail_once()',
    );
    const cut = await reseal(`${NEW},${OLD}`);
    expect(cut).toMatchObject({ code: 1, errors: expect.stringContaining('power cut') });
    expect((await sealedBy())['payment_applications.sealed_secret']?.toSorted()).toEqual(['new', 'old']);
    await sql.query('drop trigger fail_once on payment_applications');
    const again = await reseal(`${NEW},${OLD}`);
    expect(again.code).toBe(0);
    const count = Number(/^payment_applications\.sealed_secret: (\d+) encrypted/m.exec(again.output)?.[1]);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(251);
    expect((await sealedBy())['payment_applications.sealed_secret']).toEqual(['new']);
  });

  it('reports values that no key decrypts, and rotates the others', async () => {
    const other = await shop.application();
    await shop.gateway.sql.query(
      `update payment_applications set sealed_secret = 'v1.lost.' || split_part(sealed_secret, '.', 3) || '.a.b'
       where id = $1`,
      [other.id],
    );
    const { code, errors } = await reseal(`${NEW},${OLD}`);
    expect(code).toBe(1);
    expect(errors).toBe(
      `payment_applications.sealed_secret of ${other.id}: no key of APP_KEYS decrypts it\n`,
    );
    expect((await sealedBy())['payment_applications.sealed_secret']?.toSorted()).toEqual(['lost', 'new']);
  });

  it('removes previous webhook secrets that have expired', async () => {
    await changeSecret('another-secret-of-enough-length');
    await shop.gateway.sql.query(
      `update payment_applications set previous_secret_until = now() - interval '1 second' where id = $1`,
      [application.id],
    );
    expect((await reseal(OLD)).output).toContain('expired webhook secrets deleted: 1\n');
    expect((await sealedBy())['payment_applications.sealed_previous_secret']).toEqual([]);
    expect((await reseal(OLD)).output).toContain('deleted: 0\n');
  });

  it('may change the encryption of a second factor and nothing else of it', async () => {
    await TwoFactorApi.open(await AccountApi.open(shop.gateway));
    const { sql } = shop.gateway;
    const change = (assignment: string, isResealing: boolean) =>
      sql.transaction(async (tx) => {
        if (isResealing) await tx.query(`select set_config('gateway.resealing', 'on', true)`);
        await tx.query(`update second_factors set ${assignment}`);
      });
    await expect(change(`sealed_secret = 'x'`, false)).rejects.toThrow('fixed once confirmed');
    await expect(change(`sealed_secret = 'x', last_step = 1`, true)).rejects.toThrow('fixed once confirmed');
    await expect(change(`created_at = now(), last_step = last_step + 1`, true)).rejects.toThrow(
      'fixed once confirmed',
    );
    await change(`sealed_secret = 'x'`, true);
    // The permission ended with its transaction.
    await expect(change(`sealed_secret = 'y'`, false)).rejects.toThrow('fixed once confirmed');
  });
});
