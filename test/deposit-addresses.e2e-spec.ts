import { jest } from '@jest/globals';
import type { HDKey } from '@scure/bip32';
import type { ConfigError } from '../src/config.js';
import { evmAddressOfPublicKey, toChecksumAddress } from '../src/chains/evm/evm-address.pure.js';
import {
  type DepositAddress,
  DepositAddressesService,
  WalletNotConfiguredError,
} from '../src/wallets/deposit-addresses.service.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { RecentReads } from '../src/platform/database/recent-reads.js';
import { AddressIntegrityError } from '../src/wallets/integrity-errors.pure.js';
import { EarlierUse } from '../src/wallets/earlier-use/earlier-use.service.js';
import { DefaultWallets } from '../src/wallets/default-wallets.service.js';
import { WalletActivation } from '../src/wallets/wallet-activation.service.js';
import { WalletKeys } from '../src/wallets/wallet-keys.service.js';
import { insertPayment } from './support/payment-rows.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { newAccount, WalletsApi } from './support/wallets-api.js';

const DEFAULT = newAccount();
const FAMILY = 'evm' as const;

/** The address at an index of the merchant's own wallet, derived from the private key. */
function addressOf(account: HDKey, index: number): string {
  const { publicKey } = account.derive(`m/0/${index}`);
  if (!publicKey) throw new Error('no key');
  return toChecksumAddress(evmAddressOfPublicKey(publicKey));
}

const gateways: TestGateway[] = [];
async function start(env: Record<string, string>, database?: string): Promise<TestGateway> {
  const gateway = await startTestGateway(env, undefined, database);
  gateways.push(gateway);
  return gateway;
}

let gateway: TestGateway;
let addresses: DepositAddressesService;
let api: WalletsApi;

beforeAll(async () => {
  gateway = await start({ WALLET_EVM_XPUB: DEFAULT.publicExtendedKey });
  addresses = gateway.get(DepositAddressesService);
});
beforeEach(async () => {
  api = await WalletsApi.open(gateway);
});
afterAll(async () => {
  for (const one of gateways) await one.close();
});

const insert = () => insertPayment(gateway, { userId: api.owner.userId, applicationId: api.applicationId });
function allocate(paymentId: string, service = addresses): Promise<DepositAddress> {
  return service.allocate({
    paymentId,
    userId: api.owner.userId,
    applicationId: api.applicationId,
    family: FAMILY,
  });
}
async function nextIndex(): Promise<number> {
  return (await api.get()).data.nextIndex;
}

describe('allocate', () => {
  it('derives addresses from the application’s own key, in order of their index', async () => {
    const account = newAccount();
    await api.putKey(account);
    for (let index = 0; index < 3; index++) {
      const paymentId = await insert();
      const given = await allocate(paymentId);
      expect(given).toMatchObject({
        paymentId,
        family: FAMILY,
        derivationIndex: index,
        address: addressOf(account, index),
      });
      expect(given.key.toString('hex')).toBe(given.address.slice(2).toLowerCase());
      expect(await addresses.find(paymentId, FAMILY)).toEqual(given);
    }
    expect(await nextIndex()).toBe(3);
  });

  it('skips indexes that a restored database may have lost, once', async () => {
    const account = newAccount();
    await api.putKey(account);
    for (let i = 0; i < 3; i++) await allocate(await insert());
    // The lineage of another database, as in a restored backup.
    await gateway.sql.query(
      `update wallets set lineage = 'elsewhere' where application_id = $1 and retired_at is null`,
      [api.applicationId],
    );
    const first = await allocate(await insert());
    expect(first.derivationIndex).toBeGreaterThanOrEqual(3 + 1_000);
    expect(first.address).toBe(addressOf(account, first.derivationIndex));
    const second = await allocate(await insert());
    expect(second.derivationIndex).toBe(first.derivationIndex + 1);
  });

  it('returns the same address for a payment on every call', async () => {
    await api.putKey(newAccount());
    const paymentId = await insert();
    const given = await allocate(paymentId);
    expect(await allocate(paymentId)).toEqual(given);
    expect(await nextIndex()).toBe(1);
  });

  it('allocates 50 addresses without a gap to 50 simultaneous payments', async () => {
    const account = newAccount();
    await api.putKey(account);
    const payments = await Promise.all(Array.from({ length: 50 }, insert));
    const given = await Promise.all(payments.map((paymentId) => allocate(paymentId)));
    const byIndex = given.toSorted((a, b) => a.derivationIndex - b.derivationIndex);
    expect(byIndex.map(({ derivationIndex }) => derivationIndex)).toEqual(
      Array.from({ length: 50 }, (_, i) => i),
    );
    expect(byIndex.map(({ address }) => address)).toEqual(
      Array.from({ length: 50 }, (_, i) => addressOf(account, i)),
    );
    expect(await nextIndex()).toBe(50);
  });

  it('loses no index when 50 simultaneous calls are for one payment, with others between them', async () => {
    await api.putKey(newAccount());
    const [one = '', ...others] = await Promise.all(Array.from({ length: 6 }, insert));
    // One call for another payment after every ten for the first.
    const asked = others.flatMap((other) => [...Array.from({ length: 10 }, () => one), other]);
    const given = await Promise.all(asked.map((paymentId) => allocate(paymentId)));
    expect(new Set(given.map(({ address }) => address)).size).toBe(6);
    expect(new Set(given.filter(({ paymentId }) => paymentId === one).map(({ id }) => id)).size).toBe(1);
    expect(new Set(given.map(({ derivationIndex }) => derivationIndex))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    expect(await nextIndex()).toBe(6);
  });

  it('shares the counter with another process on the same database', async () => {
    await api.putKey(newAccount());
    const second = await start({ WALLET_EVM_XPUB: DEFAULT.publicExtendedKey }, gateway.databaseUrl);
    const payments = await Promise.all(Array.from({ length: 20 }, insert));
    const given = await Promise.all(
      payments.flatMap((paymentId) => [
        allocate(paymentId),
        allocate(paymentId, second.get(DepositAddressesService)),
      ]),
    );
    expect(new Set(given.map(({ address }) => address)).size).toBe(20);
    expect(await nextIndex()).toBe(20);
  });

  it('does not use up an index when the payment does not exist', async () => {
    await api.putKey(newAccount());
    await expect(allocate('00000000-0000-7000-8000-000000000000')).rejects.toThrow(/foreign key/);
    expect(await nextIndex()).toBe(0);
  });

  it('skips an index that has no valid key', async () => {
    const account = newAccount();
    await api.putKey(account);
    const keys = gateway.get(WalletKeys);
    const chain = keys.chain.bind(keys);
    // Such an index is too rare to be found.
    const spy = jest.spyOn(keys, 'chain').mockImplementation((wallet) => {
      const real = chain(wallet);
      const derive = (index: number) => (index === 0 ? null : real.derive(index));
      return { derive } as ReturnType<WalletKeys['chain']>;
    });
    expect(await allocate(await insert())).toMatchObject({
      derivationIndex: 1,
      address: addressOf(account, 1),
    });
    spy.mockRestore();
    expect(await nextIndex()).toBe(2);
  });
});

describe('the choice of the wallet', () => {
  it('is the operator’s while the application has none, and again after its own is removed', async () => {
    const counter = async () => (await allocate(await insert())).derivationIndex;
    const first = await counter();
    const account = newAccount();
    await api.putKey(account);
    expect(await allocate(await insert())).toMatchObject({
      derivationIndex: 0,
      address: addressOf(account, 0),
    });
    await api.remove();
    const paymentId = await insert();
    expect(await allocate(paymentId)).toMatchObject({
      derivationIndex: first + 1,
      address: addressOf(DEFAULT, first + 1),
    });
  });

  it('does not change addresses that were already allocated', async () => {
    await api.putKey(newAccount());
    const paymentId = await insert();
    const given = await allocate(paymentId);
    await api.putKey(newAccount());
    expect(await allocate(paymentId)).toEqual(given);
    await api.remove();
    expect(await allocate(paymentId)).toEqual(given);
    expect(await addresses.match(FAMILY, [given.key])).toMatchObject([{ paymentId }]);
  });

  it('refuses a merchant who sets the operator’s key', async () => {
    expect(await api.putKey(DEFAULT)).toMatchObject({ status: 422 });
  });

  it('throws WalletNotConfiguredError and writes nothing without any wallet', async () => {
    const bare = await start({});
    const merchant = await WalletsApi.open(bare);
    const { applicationId, owner } = merchant;
    const service = bare.get(DepositAddressesService);
    const paymentId = await insertPayment(bare, { userId: owner.userId, applicationId });
    const input = { paymentId, userId: owner.userId, applicationId, family: FAMILY };
    expect(await service.hasWallet(input, FAMILY)).toBe(false);
    await expect(service.allocate(input)).rejects.toThrow(WalletNotConfiguredError);
    expect(await service.find(paymentId, FAMILY)).toBeNull();
    await merchant.putKey(newAccount());
    expect(await service.hasWallet(input, FAMILY)).toBe(true);
    expect(await service.allocate(input)).toMatchObject({ derivationIndex: 0 });
  });
});

describe('the operator’s key', () => {
  const count = async (where: TestGateway) =>
    where.sql.query(
      'select masked_key as key, retired_at is null as active from wallets where application_id is null order by created_at, id',
    );

  it('is one wallet when several processes start at once', async () => {
    const first = await start({});
    const env = { WALLET_EVM_XPUB: newAccount().publicExtendedKey };
    await Promise.all(Array.from({ length: 3 }, () => start(env, first.databaseUrl)));
    expect(await count(first)).toHaveLength(1);
  });

  it('may change at a restart, and each key continues with its own counter', async () => {
    const [one, two] = [newAccount(), newAccount()];
    let instance = await start({ WALLET_EVM_XPUB: one.publicExtendedKey });
    const merchant = await WalletsApi.open(instance);
    const give = async () => {
      const owner = { userId: merchant.owner.userId, applicationId: merchant.applicationId };
      const paymentId = await insertPayment(instance, owner);
      return instance.get(DepositAddressesService).allocate({ paymentId, ...owner, family: FAMILY });
    };
    expect(await give()).toMatchObject({ address: addressOf(one, 0) });
    for (const [key, address] of [
      [two, addressOf(two, 0)],
      [one, addressOf(one, 1)],
    ] as const) {
      await gateways.pop()?.close();
      instance = await start({ WALLET_EVM_XPUB: key.publicExtendedKey }, instance.databaseUrl);
      expect(await give()).toMatchObject({ address });
    }
    expect((await count(instance)).filter((row) => (row as { active: boolean }).active)).toHaveLength(1);
  });

  /** Runs the start hook of the default wallets only. */
  const starting = (value: string, where: TestGateway) => {
    const config = { ...where.config, defaultWallets: { evm: value } };
    return async () =>
      new DefaultWallets(
        config,
        where.get(WalletActivation),
        where.get(UsersService),
        where.get(EarlierUse),
        where.get(WalletKeys),
        where.get(RecentReads),
      ).onModuleInit();
  };

  it.each<[string, string, string]>([
    ['a private key', DEFAULT.privateExtendedKey, 'not a private key'],
    ['a key of another depth', newAccount().derive('m/0').publicExtendedKey, 'depth 3'],
  ])(
    'prevents the start when it is %s, with an error that names the variable and not the value',
    async (_what, value, reason) => {
      const message = await starting(value, gateway)().then(String, (error: ConfigError) => error.message);
      expect(message).toContain('WALLET_EVM_XPUB: must be');
      expect(message).toContain(reason);
      expect(message).not.toContain(value.slice(4, 20));
    },
  );

  it('stops the start when a merchant uses it already', async () => {
    const account = newAccount();
    await api.putKey(account);
    const start = starting(account.publicExtendedKey, gateway);
    await expect(start()).rejects.toThrow(/WALLET_EVM_XPUB: is already in use/);
  });
});

describe('address integrity', () => {
  /** Changes rows as an attacker with database access could; the gateway itself cannot change them. */
  async function tamper(text: string, values: unknown[]): Promise<void> {
    await gateway.sql.query('alter table deposit_addresses disable trigger deposit_addresses_append_only');
    await gateway.sql.query(text, values);
    await gateway.sql.query('alter table deposit_addresses enable trigger deposit_addresses_append_only');
  }

  const THEIRS = Buffer.alloc(20, 0xee);

  it.each<[string, string, unknown[]]>([
    [
      'another address',
      'update deposit_addresses set address = $2 where id = $1',
      [toChecksumAddress(THEIRS)],
    ],
    ['another key', 'update deposit_addresses set key = $2 where id = $1', [THEIRS]],
    [
      'another address and key',
      'update deposit_addresses set address = $2, key = $3 where id = $1',
      [toChecksumAddress(THEIRS), Buffer.alloc(20, 0xef)],
    ],
    ['another index', 'update deposit_addresses set derivation_index = $2 where id = $1', [1_000]],
  ])('refuses to hand out %s than the wallet derives', async (_what, text, values) => {
    await api.putKey(newAccount());
    const paymentId = await insert();
    const { id } = await allocate(paymentId);
    await tamper(text, [id, ...values]);
    await expect(addresses.find(paymentId, FAMILY)).rejects.toThrow(AddressIntegrityError);
    await expect(allocate(paymentId)).rejects.toThrow(AddressIntegrityError);
  });

  it("refuses to issue an address of another user's wallet", async () => {
    await api.putKey(newAccount());
    const paymentId = await insert();
    const { id } = await allocate(paymentId);
    const thief = await WalletsApi.open(gateway);
    const account = newAccount();
    await thief.putKey(account);
    const [wallet] = await gateway.sql.query<{ id: string }>(
      'select id from wallets where application_id = $1',
      [thief.applicationId],
    );
    await tamper(
      'update deposit_addresses set wallet_id = $2, derivation_index = 5, address = $3, key = $4 where id = $1',
      [id, wallet?.id, addressOf(account, 5), Buffer.from(addressOf(account, 5).slice(2), 'hex')],
    );
    await expect(addresses.find(paymentId, FAMILY)).rejects.toThrow(AddressIntegrityError);
  });
});

describe('match', () => {
  it('finds the deposit addresses among the keys of a block, and nothing in an empty list', async () => {
    await api.putKey(newAccount());
    const given = [await allocate(await insert()), await allocate(await insert())];
    const strangers = Array.from({ length: 300 }, (_, i) =>
      Buffer.from(i.toString(16).padStart(40, '0'), 'hex'),
    );
    const found = await addresses.match(FAMILY, [...strangers, ...given.map(({ key }) => key), ...strangers]);
    const expected = given.map(({ id, paymentId, key, walletId }) => ({
      id,
      paymentId,
      walletId,
      userId: api.owner.userId,
      key,
    }));
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining(expected));
    expect(await addresses.match(FAMILY, strangers)).toEqual([]);
    expect(await addresses.match(FAMILY, [])).toEqual([]);
  });
});
