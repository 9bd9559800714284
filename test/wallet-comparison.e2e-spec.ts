import type { HDKey } from '@scure/bip32';
import { WalletChanges } from '../src/wallets/wallet-changes.service.js';
import { createOwner } from './support/principals.js';
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
const call = (method: string, path = OWN(), body?: unknown) =>
  shop.call<WalletDto>(method, path, shop.owner.accessToken, body);
const get = async () => (await call('GET')).body.data;
const put = async (key: HDKey, path = OWN()) =>
  (await call('PUT', path, { extendedPublicKey: key.publicExtendedKey })).body.data;
const fingerprintOf = (key: HDKey) => key.fingerprint.toString(16).padStart(8, '0');
const iso = () => shop.gateway.clock.now().toISOString().replace('.000Z', 'Z');
async function waitAndRun(): Promise<void> {
  shop.gateway.clock.advanceSeconds(DELAY);
  await shop.gateway.get(WalletChanges).runOnce();
}

async function actsOf(): Promise<string[]> {
  const rows = await shop.gateway.sql.query<{ act: string }>(
    `select act from audit_log where act like 'wallet.%' and details::jsonb ->> 'applicationId' = $1 order by seq`,
    [application.id],
  );
  return rows.map(({ act }) => act);
}

describe('a comparison of the first addresses', () => {
  const compare = (addresses: unknown, path = OWN()) => call('PUT', `${path}/comparison`, { addresses });

  it('is kept with its time and its user, and a change of the key clears it, also back to the same key', async () => {
    const [one, two] = [newAccount(), newAccount()];
    expect((await put(one)).comparedAt).toBeNull();
    const { status, body } = await compare(addressesOf(one));
    expect([status, body.data.comparedAt]).toEqual([200, iso()]);
    expect(await get()).toEqual(body.data);
    const [row] = await shop.gateway.sql.query<object>(
      'select compared_by from wallets where application_id = $1 and retired_at is null',
      [application.id],
    );
    expect(row).toEqual({ compared_by: shop.owner.userId });
    await put(two);
    // The key that serves is still the one that was compared.
    expect((await get()).comparedAt).not.toBeNull();
    await waitAndRun();
    expect(await get()).toMatchObject({ fingerprint: fingerprintOf(two), comparedAt: null });
    await put(one);
    await waitAndRun();
    expect(await get()).toMatchObject({ fingerprint: fingerprintOf(one), comparedAt: null });
  });

  it('is refused by the name of every address that differs, and the refusal is in the audit log', async () => {
    const [key, other] = [newAccount(), newAccount()];
    await put(key);
    const [first = '', , third = ''] = addressesOf(key);
    const { status, body } = await compare([first, addressesOf(other)[1], third]);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['addresses.1']]);
    const all = await compare(addressesOf(key).toReversed());
    expect(Object.keys(all.body.errors ?? {})).toEqual(['addresses.0', 'addresses.2']);
    expect((await get()).comparedAt).toBeNull();
    expect(await actsOf()).toEqual([
      'wallet.activated',
      'wallet.comparison_failed',
      'wallet.comparison_failed',
    ]);
  });

  it.each([[[]], [['0x01', '0x02']], [null], ['0x01'], [[1, 2, 3]], [['a', 'b', 'c', 'd']]])(
    'takes three texts, not %j',
    async (addresses) => {
      await put(newAccount());
      const { status, body } = await compare(addresses);
      expect([status, Object.keys(body.errors ?? {})[0]]).toEqual([
        422,
        expect.stringMatching(/^addresses(\.0)?$/),
      ]);
    },
  );

  it('needs an active wallet: there is none before the first one, nor while it waits', async () => {
    expect((await compare(addressesOf(newAccount()))).status).toBe(404);
    const [standard, own] = [newAccount(), newAccount()];
    await put(standard, ACCOUNT);
    await put(own);
    expect((await compare(addressesOf(own))).status).toBe(404);
    const { status, body } = await compare(addressesOf(standard), ACCOUNT);
    expect([status, body.data.comparedAt]).toEqual([200, iso()]);
    await call('DELETE', ACCOUNT);
    await waitAndRun();
  });

  it('is of the application of its owner alone', async () => {
    const key = newAccount();
    await put(key);
    const { accessToken } = await createOwner(shop.gateway);
    const addresses = addressesOf(key);
    expect((await shop.call('PUT', `${OWN()}/comparison`, accessToken, { addresses })).status).toBe(404);
    expect((await get()).comparedAt).toBeNull();
  });
});
