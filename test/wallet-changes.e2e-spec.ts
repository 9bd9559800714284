import type { HDKey } from '@scure/bip32';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { WalletChangeRepository } from '../src/wallets/wallet-change.repository.js';
import { WalletChanges } from '../src/wallets/wallet-changes.service.js';
import { DatabaseThief, type Statement } from './support/database-thief.js';
import { createOwner } from './support/principals.js';
import type { ReportView } from './support/reconciliation-harness.js';
import { Shop, type ShopApplication } from './support/shop.js';
import { addressesOf, newAccount, type WalletDto } from './support/wallets-api.js';

const DELAY = 60;
const ACCOUNT = '/api/account/wallets/evm';

let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  shop = await Shop.open({ WALLET_CHANGE_DELAY: String(DELAY) });
});
beforeEach(async () => {
  application = await shop.application();
});
afterAll(() => shop.close());

const OWN = () => `/api/payment-applications/${application.id}/wallets/evm`;
const call = <T = WalletDto>(method: string, path = OWN(), body?: unknown) =>
  shop.call<T>(method, path, shop.owner.accessToken, body);
const get = async (path = OWN()) => (await call('GET', path)).body.data;

async function put(key: HDKey, path = OWN()): Promise<WalletDto> {
  const { status, body } = await call('PUT', path, { extendedPublicKey: key.publicExtendedKey });
  expect(status).toBe(200);
  return body.data;
}
const run = (gateway = shop.gateway) => gateway.get(WalletChanges).runOnce();
async function waitAndRun(seconds = DELAY): Promise<void> {
  shop.gateway.clock.advanceSeconds(seconds);
  await run();
}
const fingerprintOf = (key: HDKey) => key.fingerprint.toString(16).padStart(8, '0');
const iso = (secondsFromNow = 0) =>
  new Date(shop.gateway.clock.now().getTime() + secondsFromNow * 1_000).toISOString().replace('.000Z', 'Z');

const pay = async () => {
  const payment = await shop.createPayment(application);
  return { payment, address: (await shop.instructions(payment)).address };
};

async function actsOf(): Promise<string[]> {
  const rows = await shop.gateway.sql.query<{ act: string }>(
    `select act from audit_log where act like 'wallet.%' and details::jsonb ->> 'applicationId' = $1 order by seq`,
    [application.id],
  );
  return rows.map(({ act }) => act);
}

describe('a key', () => {
  it('takes effect at once if it is the first', async () => {
    const key = newAccount();
    expect(await put(key)).toMatchObject({
      status: 'active',
      fingerprint: fingerprintOf(key),
      changedAt: iso(),
      changedBy: 'server',
      previousFingerprint: null,
      pending: null,
    });
    expect(addressesOf(key)).toContain((await pay()).address);
    expect(await actsOf()).toEqual(['wallet.activated']);
  });

  it('that replaces another waits, then serves new payments; older ones keep their addresses', async () => {
    const [one, two] = [newAccount(), newAccount()];
    const first = await put(one);
    const masked = `${two.publicExtendedKey.slice(0, 6)}...${two.publicExtendedKey.slice(-4)}`;
    const pending = {
      fingerprint: fingerprintOf(two),
      maskedKey: masked,
      treasury: null,
      effectiveAt: iso(DELAY),
      requestedBy: 'server',
    };
    expect(await put(two)).toEqual({ ...first, pending });
    const older = await pay();
    expect(addressesOf(one)).toContain(older.address);

    await waitAndRun(DELAY - 1);
    expect(await get()).toMatchObject({ fingerprint: fingerprintOf(one), pending });
    expect(addressesOf(one)).toContain((await pay()).address);

    await waitAndRun(1);
    expect(await get()).toMatchObject({
      fingerprint: fingerprintOf(two),
      previewAddresses: addressesOf(two),
      changedAt: iso(),
      previousFingerprint: fingerprintOf(one),
      pending: null,
    });
    expect(addressesOf(two)).toContain((await pay()).address);
    expect((await shop.instructions(older.payment)).address).toBe(older.address);
    expect(await actsOf()).toEqual([
      'wallet.activated',
      'wallet.change_requested',
      'wallet.activated',
      'wallet.change_applied',
    ]);
  });

  it('that waits can be cancelled, repeatedly', async () => {
    const [one, two] = [newAccount(), newAccount()];
    const first = await put(one);
    await put(two);
    expect((await call('DELETE', `${OWN()}/pending`)).status).toBe(204);
    expect((await call('DELETE', `${OWN()}/pending`)).status).toBe(204);
    await waitAndRun();
    expect(await get()).toEqual(first);
    expect(addressesOf(one)).toContain((await pay()).address);
    expect(await actsOf()).toEqual([
      'wallet.activated',
      'wallet.change_requested',
      'wallet.change_cancelled',
    ]);
    await put(two);
    await waitAndRun();
    expect(await get()).toMatchObject({ fingerprint: fingerprintOf(two), pending: null });
  });

  it('that waits is cancelled by the active key', async () => {
    const [one, two] = [newAccount(), newAccount()];
    const first = await put(one);
    await put(two);
    expect(await put(one)).toEqual(first);
  });

  it('that waits is replaced by a third one, whose time begins anew; the same one again changes nothing', async () => {
    const [one, two, three] = [newAccount(), newAccount(), newAccount()];
    await put(one);
    await put(two);
    shop.gateway.clock.advanceSeconds(DELAY - 1);
    const waiting = await put(three);
    expect(waiting.pending).toMatchObject({ fingerprint: fingerprintOf(three), effectiveAt: iso(DELAY) });
    shop.gateway.clock.advanceSeconds(1);
    expect(await put(three)).toEqual(waiting);
    await run();
    expect(await get()).toEqual(waiting);
    await waitAndRun(DELAY - 1);
    expect(await get()).toMatchObject({
      fingerprint: fingerprintOf(three),
      previousFingerprint: fingerprintOf(one),
    });
    await put(two);
    await waitAndRun();
    expect(await get()).toMatchObject({
      fingerprint: fingerprintOf(two),
      previousFingerprint: fingerprintOf(three),
    });
  });

  it('is refused at once if another wallet has it, and cancelled if another takes it meanwhile', async () => {
    const [one, taken, raced] = [newAccount(), newAccount(), newAccount()];
    const other = await shop.application();
    const otherPath = OWN().replace(application.id, other.id);
    await put(taken, otherPath);
    await put(one);
    const body = { extendedPublicKey: taken.publicExtendedKey };
    expect((await call('PUT', OWN(), body)).status).toBe(422);
    await put(raced);
    await put(raced, OWN().replace(application.id, (await shop.application()).id));
    await waitAndRun();
    expect(await get()).toMatchObject({ fingerprint: fingerprintOf(one), pending: null });
    expect(await actsOf()).toEqual([
      'wallet.activated',
      'wallet.change_requested',
      'wallet.change_cancelled',
    ]);
  });
});

describe('the removal of a wallet', () => {
  it('waits as well, and the next key is the first again', async () => {
    const [one, two] = [newAccount(), newAccount()];
    await put(one);
    expect((await call('DELETE')).status).toBe(204);
    expect(await get()).toMatchObject({
      fingerprint: fingerprintOf(one),
      pending: { fingerprint: null, maskedKey: null, effectiveAt: iso(DELAY) },
    });
    expect(addressesOf(one)).toContain((await pay()).address);
    await waitAndRun();
    expect((await call('GET')).status).toBe(404);
    expect(addressesOf(one)).not.toContain((await pay()).address);
    expect(await put(two)).toMatchObject({ fingerprint: fingerprintOf(two), pending: null });
  });
});

describe('a default wallet', () => {
  it('is replaced by the first key of an application only after the delay, and its own changes wait', async () => {
    const [standard, own, next] = [newAccount(), newAccount(), newAccount()];
    expect(await put(standard, ACCOUNT)).toMatchObject({ status: 'active', pending: null });
    const waiting = await put(own);
    expect(waiting).toMatchObject({
      status: 'pending',
      fingerprint: fingerprintOf(own),
      previewAddresses: [],
      changedAt: null,
      pending: { fingerprint: fingerprintOf(own), effectiveAt: iso(DELAY) },
    });
    expect(await get()).toEqual(waiting);
    expect(addressesOf(standard)).toContain((await pay()).address);
    await put(next, ACCOUNT);
    await call('DELETE', `${ACCOUNT}/pending`);
    await waitAndRun();
    expect(await get()).toMatchObject({ status: 'active', fingerprint: fingerprintOf(own), pending: null });
    expect(addressesOf(own)).toContain((await pay()).address);
    expect(await get(ACCOUNT)).toMatchObject({ fingerprint: fingerprintOf(standard), pending: null });
    await call('DELETE', ACCOUNT);
    await waitAndRun();
    expect((await call('GET', ACCOUNT)).status).toBe(404);
  });
});

describe('a process', () => {
  it('applies what another one was asked for, once, however many run', async () => {
    const [one, two] = [newAccount(), newAccount()];
    await put(one);
    await put(two);
    await shop.whileDown(async () => shop.gateway.clock.advanceSeconds(DELAY));
    const another = await shop.gateway.another();
    try {
      await Promise.all([run(), run(another)]);
    } finally {
      await another.close();
    }
    expect(await get()).toMatchObject({ fingerprint: fingerprintOf(two), pending: null });
    expect((await actsOf()).filter((act) => act === 'wallet.change_applied')).toHaveLength(1);
  });

  it('that dies before the commit leaves the wallet as it was; the next run applies the change', async () => {
    const [one, two] = [newAccount(), newAccount()];
    await put(one);
    const waiting = await put(two);
    const { sql } = shop.gateway;
    await sql.query(
      `create function no_room() returns trigger language plpgsql as $$
       begin raise exception 'no room'; end $$`,
    );
    await sql.query(
      `create trigger a_fault before insert on audit_log for each row when (new.act = 'wallet.change_applied')
       execute function no_room()`,
    );
    await waitAndRun();
    await sql.query('drop function no_room() cascade');
    expect(await get()).toEqual(waiting);
    expect(addressesOf(one)).toContain((await pay()).address);
    await run();
    expect(await get()).toMatchObject({ fingerprint: fingerprintOf(two), pending: null });
  });
});

describe('a writer of the database without APP_KEYS', () => {
  const PENDING = 'applied_at is null and cancelled_at is null';
  const SHORTEN = `update wallet_changes set requested_at = now() - interval '1 day', effective_at = now() - interval '1 day'`;
  const cases: [what: string, statements: (id: string, thiefsId: string) => Statement[]][] = [
    ['shortens its time', (id) => [[`${SHORTEN} where id = $1`, [id]]]],
    [
      "moves it from the thief's application",
      (id, thiefsId) => [
        ['delete from wallet_changes where id = $1', [id]],
        [
          'update wallet_changes set application_id = $2, user_id = $3, effective_at = requested_at where id = $1',
          [thiefsId, application.id, shop.owner.userId],
        ],
      ],
    ],
    [
      "gives it the thief's key",
      (id, thiefsId) => [
        [
          `update wallet_changes set (sealed_key, fingerprint, masked_key) =
             (select sealed_key, fingerprint, masked_key from wallet_changes where id = $2) where id = $1`,
          [id, thiefsId],
        ],
      ],
    ],
    [
      'makes a removal of it',
      (id) => [
        [
          'update wallet_changes set sealed_key = null, fingerprint = null, masked_key = null where id = $1',
          [id],
        ],
      ],
    ],
  ];

  it.each(cases)('%s: it does not take effect, and verify names it', async (_what, statements) => {
    const [one, two] = [newAccount(), newAccount()];
    const thiefs = await createOwner(shop.gateway);
    const thiefsApp = await shop.call<{ id: string }>(
      'POST',
      '/api/payment-applications',
      thiefs.accessToken,
      {
        name: 'Thief',
        secret: 'a-secret-of-enough-length-for-us',
      },
    );
    const thiefsPath = `/api/payment-applications/${thiefsApp.body.data.id}/wallets/evm`;
    for (const key of [newAccount(), newAccount()])
      await shop.call('PUT', thiefsPath, thiefs.accessToken, { extendedPublicKey: key.publicExtendedKey });
    await put(one);
    await put(two);
    const rows = await shop.gateway.sql.query<{ id: string; application_id: string }>(
      `select id, application_id from wallet_changes where ${PENDING}`,
    );
    const idOf = (applicationId: string) =>
      rows.find(({ application_id }) => application_id === applicationId)?.id ?? '';
    const [id, thiefsId] = [idOf(application.id), idOf(thiefsApp.body.data.id)];
    const thief = new DatabaseThief(shop.gateway.sql);
    await thief.whileTampered(statements(id, thiefsId), async () => {
      expect(await call('GET')).toMatchObject({ status: 409, body: { code: 'wallet_integrity' } });
      await waitAndRun();
      expect(await get()).toMatchObject({ fingerprint: fingerprintOf(one), pending: null });
      expect(addressesOf(one)).toContain((await pay()).address);
      expect(await subjects()).toEqual(
        expect.arrayContaining([
          expect.stringMatching(new RegExp(`^evm wallet change (${id}|${thiefsId})$`)),
        ]),
      );
    });
  });

  it('shortens its time only while due changes are listed: it waits on', async () => {
    const [one, two] = [newAccount(), newAccount()];
    await put(one);
    const waiting = await put(two);
    // Postgres refuses it as well, which a writer who owns the schema can change.
    await shop.gateway.sql.query('alter table wallet_changes drop constraint wallet_changes_check1');
    const changes = shop.gateway.get(WalletChangeRepository);
    const listDue = changes.listDue.bind(changes);
    const owner = { userId: shop.owner.userId, applicationId: application.id };
    changes.listDue = () => changes.listPending(owner);
    await run();
    changes.listDue = listDue;
    expect(await get()).toEqual(waiting);
    await waitAndRun();
    expect(await get()).toMatchObject({ fingerprint: fingerprintOf(two), pending: null });
  });

  it('lets a cancelled change wait again: verify names it', async () => {
    await put(newAccount());
    await put(newAccount());
    const [row] = await shop.gateway.sql.query<{ id: string }>(
      `select id from wallet_changes where application_id = $1 and ${PENDING}`,
      [application.id],
    );
    const thief = new DatabaseThief(shop.gateway.sql);
    const earlier = await thief.copyOf('wallet_changes', row?.id ?? '');
    expect((await call('DELETE', `${OWN()}/pending`)).status).toBe(204);
    const before = await subjects();
    await thief.whileTampered(DatabaseThief.restore('wallet_changes', earlier), async () => {
      expect(await subjects()).toEqual([...before, `evm wallet change ${row?.id}`]);
    });
  });

  async function subjects(): Promise<string[]> {
    const operator = await createOwner(shop.gateway);
    await shop.gateway.get(UsersService).setOperator(operator.userId, true);
    const answer = await shop.call<ReportView>('GET', '/api/admin/reconciliation', operator.accessToken);
    return answer.body.data.differences
      .filter(({ check }) => check === 'wallet')
      .map(({ subject }) => subject);
  }
});
