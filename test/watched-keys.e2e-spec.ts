/**
 * @inOrder One table that grows and is vacuumed.
 */
import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { BlockMatcher } from '../src/chain-watcher/block-matcher.service.js';
import type { ChainAdapter, ObservedBlock, TransferCandidate } from '../src/chains/chain-adapter.pure.js';
import { ChainsService } from '../src/chains/chains.service.js';
import { DepositAddressRepository } from '../src/wallets/deposit-address.repository.js';
import { DepositAddressesService } from '../src/wallets/deposit-addresses.service.js';
import { WatchedKeys } from '../src/wallets/watched-keys.service.js';
import { insertPayment } from './support/payment-rows.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { newAccount, WalletsApi } from './support/wallets-api.js';

/** More keys than a live block has, so that the filter is used. */
const FOREIGN = 2_000;
const ENV = { WALLET_EVM_XPUB: newAccount().publicExtendedKey, CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:9' };

/** Accepts every candidate without verification. */
const believer = {
  verify: async (_block, candidates) =>
    candidates.map(({ txHash, asset, key, amount }) => ({ txHash, asset, key, amount, ordinal: 'value' })),
} as Partial<ChainAdapter> as ChainAdapter;

/** One process issues addresses, and another one watches them. */
describe('the filter of watched keys', () => {
  let issuer: TestGateway;
  let watcher: TestGateway;
  /** With a wallet of its own, and with the operator's. */
  let owners: { userId: string; applicationId: string }[];

  beforeAll(async () => {
    issuer = await startTestGateway(ENV);
    watcher = await startTestGateway(ENV, undefined, issuer.databaseUrl);
    const [own, default_] = [await WalletsApi.open(issuer), await WalletsApi.open(issuer)];
    await own.putKey(newAccount());
    owners = [own, default_].map((api) => ({ userId: api.owner.userId, applicationId: api.applicationId }));
  });
  afterAll(async () => {
    await watcher.close();
    await issuer.close();
  });

  async function issue(n: number): Promise<Buffer> {
    const owner = owners[n % owners.length];
    if (!owner) throw new Error('no owner');
    const paymentId = await insertPayment(issuer, owner);
    const addresses = issuer.get(DepositAddressesService);
    return (await addresses.allocate({ ...owner, paymentId, family: 'evm' })).key;
  }

  /** @returns the number of the keys that are found among many foreign keys */
  async function found(keys: readonly Buffer[]): Promise<number> {
    const foreign = Array.from({ length: FOREIGN }, () => randomBytes(20));
    const block = blockOf([...foreign, ...keys]);
    const chain = watcher.get(ChainsService).get('ethereum');
    return (await watcher.get(BlockMatcher).match(chain, believer, [block])).transfers.length;
  }

  it('contains every address, whichever process issued it and when', async () => {
    const early = await Promise.all(Array.from({ length: 10 }, (_, n) => issue(n)));
    // The filter is empty: the first call waits until it is filled.
    expect(await found(early)).toBe(10);
    const meanwhile = await Promise.all(Array.from({ length: 10 }, (_, n) => issue(n)));
    expect(await found([...early, ...meanwhile])).toBe(20);

    const late = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const key = await issue(n);
        // Paid immediately, while others are being issued.
        return { key, count: await found([key]) };
      }),
    );
    expect(late.filter(({ count }) => count !== 1)).toEqual([]);
    expect(await found(late.map(({ key }) => key))).toBe(60);
  });

  it('leaves almost no foreign keys to look up in the database', async () => {
    const keys = [await issue(0), await issue(1)];
    const lookUp = jest.spyOn(watcher.get(DepositAddressesService), 'match');
    try {
      expect(await found(keys)).toBe(2);
      const asked = lookUp.mock.calls.flatMap(([, suspects]) => suspects);
      expect(asked.length).toBeLessThan(5);
    } finally {
      lookUp.mockRestore();
    }
  });

  it('contains an address whose transaction began before a refresh and ended after it', async () => {
    const [owner] = owners;
    if (!owner) throw new Error('no owner');
    const paymentId = await insertPayment(issuer, owner);
    const addresses = issuer.get(DepositAddressesService);
    let [begun, end]: [(key: Buffer) => void, () => void] = [() => undefined, () => undefined];
    const issued = new Promise<Buffer>((resolve) => (begun = resolve));
    const ended = new Promise<void>((resolve) => (end = resolve));
    const unit = issuer.sql.unitOfWork(async () => {
      begun((await addresses.allocate({ ...owner, paymentId, family: 'evm' })).key);
      await ended;
      return Buffer.alloc(0);
    });
    const key = await Promise.race([issued, unit]);
    // The other wallet issues addresses meanwhile, which are added to the filter.
    expect(await found([await issue(1), key])).toBe(1);
    end();
    await unit;
    expect(await found([key])).toBe(1);
  });

  it('is discarded when an older database was restored', async () => {
    const keys = [await issue(0), await issue(1)];
    expect(await found(keys)).toBe(2);
    await issuer.sql.query('alter table wallets disable trigger wallets_keep_counter');
    await issuer.sql.query('update wallets set next_index = next_index - 1 where next_index > 0');
    await issuer.sql.query('alter table wallets enable trigger wallets_keep_counter');
    const lookUp = jest.spyOn(watcher.get(DepositAddressesService), 'match');
    try {
      expect(await found(keys)).toBe(2);
      expect(lookUp.mock.calls[0]?.[1].length).toBeGreaterThan(FOREIGN);
    } finally {
      lookUp.mockRestore();
    }
  });
});

/** More than a batch, of each family. */
const MANY = 101_000;
const FAMILIES = ['evm', 'litecoin'];
const KEY = `substr(sha256((family || ' address ' || n)::bytea), 1, 20)`;
/** Inserts without triggers as many addresses as years of use would create. */
const FILL = `
  insert into deposit_addresses (id, payment_id, user_id, family, key, address, wallet_id, derivation_index, created_at, mac)
  select gen_random_uuid(), gen_random_uuid(), 'somebody', family, ${KEY}, 'address ' || n, $1, n, now(), 'm1.t1.'
  from generate_series(0, ${MANY * FAMILIES.length - 1}) n
  cross join lateral (select case when n < ${MANY} then '${FAMILIES.join(`' else '`)}' end as family) families`;

describe('the first fill from a table of many pages', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway(ENV);
    await gateway.sql.query('alter table deposit_addresses set (autovacuum_enabled = false)');
    await gateway.sql.transaction(async (tx) => {
      const [wallet] = await tx.query<{ id: string }>(
        `update wallets set next_index = ${MANY * FAMILIES.length} where family = 'evm' returning id`,
      );
      await tx.query('set local session_replication_role = replica');
      await tx.query(FILL, [wallet?.id]);
    });
  }, 300_000);
  afterAll(() => gateway.close());

  it.each([
    { table: 'was never vacuumed', before: 'select', isVacuumed: false },
    { table: 'was vacuumed', before: 'vacuum deposit_addresses', isVacuumed: true },
  ])('contains every address when the table $table', async ({ before, isVacuumed }) => {
    await gateway.sql.query(before);
    const started = await startTestGateway(ENV, undefined, gateway.databaseUrl);
    try {
      const pages = await started.get(DepositAddressRepository).describePages();
      expect(pages).toEqual({ count: expect.any(Number), isVacuumed });
      expect(pages.count).toBeGreaterThan(2_560);
      const filter = await started.get(WatchedKeys).fresh();
      const rows = await gateway.sql.query<{ key: Buffer }>('select key from deposit_addresses');
      expect(rows).toHaveLength(MANY * FAMILIES.length);
      expect(rows.filter(({ key }) => !filter?.mayHold(key))).toEqual([]);
    } finally {
      await started.close();
    }
  });
});

/** A block that pays each key once. */
function blockOf(keys: readonly Buffer[]): ObservedBlock {
  const candidates = keys.map((key, n): TransferCandidate => ({
    key,
    asset: 'native',
    amount: 1n,
    txHash: `0x${n.toString(16).padStart(64, '0')}`,
    locator: null,
  }));
  const hash = `0x${'00'.repeat(32)}`;
  return { height: 1, hash, parentHash: hash, time: new Date(0), candidates };
}
