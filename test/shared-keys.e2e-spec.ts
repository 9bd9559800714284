import { jest } from '@jest/globals';
import { HDKey } from '@scure/bip32';
import { ChainCursorRepository } from '../src/chain-watcher/chain-cursor.repository.js';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { evmAddressOfPublicKey, toChecksumAddress } from '../src/chains/evm/evm-address.pure.js';
import { EarlierUse } from '../src/wallets/earlier-use/earlier-use.service.js';
import { StrayReceiptRepository } from '../src/wallets/earlier-use/stray-receipt.repository.js';
import { SpareAddresses } from '../src/wallets/earlier-use/spare-addresses.service.js';
import { WalletChanges } from '../src/wallets/wallet-changes.service.js';
import type { Hex } from './support/anvil.js';
import { describeWithLitecoin, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { RpcProxy } from './support/rpc-proxy.js';
import { Shop, type ShopApplication } from './support/shop.js';
import { newAccount, type WalletDto } from './support/wallets-api.js';

const DELAY = 60;
const PAUSE = 61;
const TPUB = { private: 0x04358394, public: 0x043587cf };

let shop: Shop;
let proxy: RpcProxy;
let application: ShopApplication;

beforeAll(async () => {
  shop = await Shop.open(
    { WALLET_CHANGE_DELAY: String(DELAY), CHAIN_RPC_TIMEOUT_MS: '30000' },
    async (url) => {
      proxy = await RpcProxy.start(url);
      return proxy.url;
    },
  );
  // A node of a busy machine is slow, and not silent.
  shop.gateway.get(EarlierUse).patienceMs = 60_000;
});
beforeEach(async () => {
  application = await shop.application();
});
afterEach(() => {
  proxy.setFaults({});
  jest.restoreAllMocks();
});
afterAll(async () => {
  await shop?.close();
  await proxy?.stop();
});

/** The address that every program derives from the key. */
function addressOf(account: HDKey, index: number): Hex {
  const { publicKey } = account.derive(`m/0/${index}`);
  if (!publicKey) throw new Error('no key');
  return toChecksumAddress(evmAddressOfPublicKey(publicKey)) as Hex;
}

const path = (family = 'evm') => `/api/payment-applications/${application.id}/wallets/${family}`;

async function call(method: string, body?: unknown, family?: string): Promise<WalletDto> {
  const answer = await shop.call<WalletDto>(method, path(family), shop.owner.accessToken, body);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  return answer.body.data;
}

const put = (account: HDKey) => call('PUT', { extendedPublicKey: account.publicExtendedKey });

/** Another program hands out these addresses, and is paid. */
async function usedElsewhere(account: HDKey, ...indexes: number[]): Promise<void> {
  for (const index of indexes) await shop.chain.sendEth({ to: addressOf(account, index), value: 1_000n });
  await shop.chain.mine();
}

async function handOut(): Promise<string> {
  return (await shop.instructions(await shop.createPayment(application))).address;
}

/** No node says how many transactions an account has made. */
function silence(): void {
  proxy.setFaults({
    eth_getTransactionCount: ({ id }) => ({ id, error: { code: -32_000, message: 'busy' } }),
  });
}

const later = () => shop.gateway.get(EarlierUse).runOnce();

/** What came to addresses of the application's key that no payment has. */
async function strays(): Promise<object[]> {
  const url = `/api/attention?kind=key_shared&paymentApplicationId=${application.id}`;
  const { body } = await shop.call<{ strays: object[] }[]>('GET', url, shop.owner.accessToken);
  return body.data.flatMap((item) => item.strays);
}

async function applyChanges(): Promise<void> {
  shop.gateway.clock.advanceSeconds(DELAY);
  await shop.gateway.get(WalletChanges).runOnce();
}

/** The first key takes effect at once, one that replaces it waits. */
async function putAndApply(account: HDKey): Promise<WalletDto> {
  await put(account);
  await applyChanges();
  return call('GET');
}

describe('a key that another program uses', () => {
  it('begins with its first address where no chain knows it', async () => {
    const account = newAccount();
    expect(await putAndApply(account)).toMatchObject({
      nextIndex: 0,
      earlierUse: { state: 'known', skippedAddresses: 0, continuedAt: null, unseenOn: [] },
    });
    expect(await handOut()).toBe(addressOf(account, 0));
  });

  it('begins past the last used address, and says so in the answer', async () => {
    const account = newAccount();
    await usedElsewhere(account, 0, 11);
    expect(await put(account)).toMatchObject({
      nextIndex: 12,
      earlierUse: { state: 'known', skippedAddresses: 12, continuedAt: 12, unseenOn: [] },
    });
    expect(await handOut()).toBe(addressOf(account, 12));
  });

  it('that waits is looked at when it takes effect', async () => {
    const account = newAccount();
    await put(newAccount());
    await usedElsewhere(account, 0, 4);
    expect(await put(account)).toMatchObject({ pending: { requestedBy: expect.any(String) } });
    await usedElsewhere(account, 11);
    await applyChanges();
    expect(await call('GET')).toMatchObject({
      nextIndex: 12,
      earlierUse: { state: 'known', skippedAddresses: 12, continuedAt: 12, unseenOn: [] },
    });
    expect(await handOut()).toBe(addressOf(account, 12));
  });

  it('sees a token, and an account that has sent all away', async () => {
    const [withToken, emptied] = [newAccount(), newAccount()];
    await shop.chain.sendToken({ token: shop.tokens.USDC, to: addressOf(withToken, 2), value: 5n });
    await shop.chain.mine();
    await shop.chain.rpc('anvil_setNonce', [addressOf(emptied, 6), '0x1']);
    expect(await putAndApply(withToken)).toMatchObject({ nextIndex: 3 });
    expect(await putAndApply(emptied)).toMatchObject({ nextIndex: 7 });
  });

  it('is looked at later, and said as unknown, where a node does not answer', async () => {
    const account = newAccount();
    await usedElsewhere(account, 0, 1, 2);
    silence();
    expect(await putAndApply(account)).toMatchObject({
      status: 'active',
      nextIndex: 0,
      earlierUse: { state: 'unknown', skippedAddresses: 0, continuedAt: null },
    });
    await later();
    expect(await call('GET')).toMatchObject({ nextIndex: 0, earlierUse: { state: 'unknown' } });
    proxy.setFaults({});
    shop.gateway.clock.advanceSeconds(PAUSE);
    await Promise.all([later(), later()]);
    expect(await call('GET')).toMatchObject({
      nextIndex: 3,
      earlierUse: { state: 'known', skippedAddresses: 3, continuedAt: 3 },
    });
    const questions = proxy.seen.length;
    await later();
    expect(proxy.seen).toHaveLength(questions);
  });

  it('keeps what was handed out meanwhile, and takes its own payments for no sign of another program', async () => {
    const account = newAccount();
    silence();
    await putAndApply(account);
    expect(await handOut()).toBe(addressOf(account, 0));
    proxy.setFaults({});
    await usedElsewhere(account, 0);
    shop.gateway.clock.advanceSeconds(PAUSE);
    await later();
    expect(await call('GET')).toMatchObject({
      nextIndex: 1,
      earlierUse: { state: 'known', skippedAddresses: 0 },
    });
    expect(await handOut()).toBe(addressOf(account, 1));
  });

  it('is looked at once more when it comes back', async () => {
    const account = newAccount();
    await putAndApply(account);
    await handOut();
    await putAndApply(newAccount());
    await usedElsewhere(account, 3);
    expect(await putAndApply(account)).toMatchObject({
      nextIndex: 4,
      earlierUse: { state: 'known', skippedAddresses: 3, continuedAt: 4 },
    });
  });

  it('moves the counter once, whoever looked, and never back', async () => {
    const account = newAccount();
    await usedElsewhere(account, 8);
    silence();
    await putAndApply(account);
    proxy.setFaults({});
    const other = await shop.gateway.another();
    try {
      shop.gateway.clock.advanceSeconds(PAUSE);
      await Promise.all([later(), other.get(EarlierUse).runOnce()]);
    } finally {
      await other.close();
    }
    expect(await call('GET')).toMatchObject({
      nextIndex: 9,
      earlierUse: { skippedAddresses: 9, continuedAt: 9 },
    });
  });

  it('is noticed when money comes to an address that was not handed out, which no payment is credited with', async () => {
    const account = newAccount();
    await putAndApply(account);
    await shop.settle();
    expect(await handOut()).toBe(addressOf(account, 0));
    await shop.gateway.get(SpareAddresses).runOnce();
    const payment = await shop.createPayment(application);
    expect((await shop.instructions(payment)).address).toBe(addressOf(account, 1));
    await usedElsewhere(account, 4);
    await shop.settle();
    expect(await call('GET')).toMatchObject({
      nextIndex: 5,
      earlierUse: { state: 'known', skippedAddresses: 3, continuedAt: 5 },
    });
    expect(await shop.status(payment)).toBe('OPEN');
    expect(await handOut()).toBe(addressOf(account, 5));
    const { body } = await shop.call<{ kind: string; strays: object[]; actions: object[] }[]>(
      'GET',
      '/api/attention?kind=key_shared',
      shop.owner.accessToken,
    );
    expect(body.data).toMatchObject([
      {
        paymentApplicationId: application.id,
        payment: null,
        strays: [{ blockchain: 'ethereum', address: addressOf(account, 4), derivationIndex: 4 }],
        actions: [{ name: 'wallets', path: `/api/payment-applications/${application.id}/wallets` }],
      },
    ]);
    const [credited] = await shop.gateway.sql.query(
      `select count(*)::int as count from payment_transfers t join deposit_addresses d on d.id = t.deposit_address_id
       join wallets w on w.id = d.wallet_id where w.application_id = $1`,
      [application.id],
    );
    expect(credited).toEqual({ count: 0 });

    await shop.gateway.get(SpareAddresses).runOnce();
    await usedElsewhere(account, 24);
    await usedElsewhere(account, 2, 24);
    await shop.settle();
    expect(await call('GET')).toMatchObject({
      nextIndex: 25,
      earlierUse: { skippedAddresses: 22, continuedAt: 25 },
    });
  });

  it.each<[what: string, stopped: () => jest.Spied<(...args: never[]) => Promise<void>>]>([
    ['nothing is written', () => jest.spyOn(shop.gateway.get(StrayReceiptRepository), 'insert')],
    ['what came is written', () => jest.spyOn(shop.gateway.get(EarlierUse), 'goPast')],
    ['the counter has moved', () => jest.spyOn(shop.gateway.get(ChainCursorRepository), 'advance')],
  ])('says once what came, and goes on past it, if it is stopped when %s', async (_what, stopped) => {
    const account = newAccount();
    await putAndApply(account);
    expect(await handOut()).toBe(addressOf(account, 0));
    await shop.gateway.get(SpareAddresses).runOnce();
    await shop.settle();
    const spy = stopped();
    spy.mockRejectedValueOnce(new Error('stopped'));
    await usedElsewhere(account, 4);
    await shop.gateway.get(ChainWatcherService).drain('ethereum');
    await shop.settle();
    await expect(spy.mock.results[0]?.value).rejects.toThrow('stopped');
    expect(await call('GET')).toMatchObject({ nextIndex: 5, earlierUse: { skippedAddresses: 4 } });
    expect(await strays()).toMatchObject([{ address: addressOf(account, 4), derivationIndex: 4 }]);
    expect(await handOut()).toBe(addressOf(account, 5));
  });

  it('does not apply to a treasury, whose addresses nobody else has', async () => {
    await call('PUT', { treasury: addressOf(newAccount(), 0) });
    await applyChanges();
    expect(await call('GET')).toMatchObject({
      kind: 'treasury',
      nextIndex: 0,
      earlierUse: null,
      addressGap: null,
    });
    expect(await later()).toBe(false);
  });

  it('of the operator begins past what another installation has used', async () => {
    const account = newAccount();
    await usedElsewhere(account, 0, 1);
    const other = await shop.gateway.another({ WALLET_EVM_XPUB: account.publicExtendedKey });
    await other.close();
    const [row] = await shop.gateway.sql.query(
      'select next_index as next from wallets where user_id is null and retired_at is null',
    );
    expect(row).toEqual({ next: '2' });
  });
});

describeWithLitecoin('a key of Litecoin that another program uses', () => {
  let node: UtxoNode;
  let front: RpcProxy;

  beforeAll(async () => {
    node = await startUtxoNode();
    front = await RpcProxy.start(node.url);
    await shop.close();
    shop = await Shop.open({ CHAIN_LITECOIN_RPC_URL: front.url, CHAIN_LITECOIN_NETWORK: 'regtest' });
    shop.rates.setPrice('LTC', 'USD', '80');
  });
  afterAll(async () => {
    await front?.stop();
    await node?.stop();
  });

  it('is looked at after it was set, because a scan takes the node minutes, and begins past what holds money', async () => {
    const account = HDKey.fromMasterSeed(Buffer.alloc(32, 77), TPUB).derive("m/44'/1'/0'");
    const body = { extendedPublicKey: account.publicExtendedKey, scriptType: 'p2pkh' };
    const first = await call('PUT', body, 'litecoin');
    expect(first).toMatchObject({ nextIndex: 0, earlierUse: { state: 'unknown' } });
    expect(front.seen.map(({ method }) => method)).not.toContain('scantxoutset');

    const { identifier } = account.derive('m/0/25');
    if (!identifier) throw new Error('no key');
    const script = Buffer.concat([Buffer.from('76a914', 'hex'), identifier, Buffer.from('88ac', 'hex')]);
    await node.pay([{ key: script, amount: 10_000_000n }]);
    await node.mine();
    front.setFaults({
      scantxoutset: ({ id }) => ({ id, error: { code: -8, message: 'Scan already in progress' } }),
    });
    await later();
    expect(await call('GET', undefined, 'litecoin')).toMatchObject({ earlierUse: { state: 'unknown' } });
    front.setFaults({});
    shop.gateway.clock.advanceSeconds(PAUSE);
    await later();
    expect(await call('GET', undefined, 'litecoin')).toMatchObject({
      nextIndex: 26,
      earlierUse: { state: 'known', skippedAddresses: 26, continuedAt: 26, unseenOn: [] },
    });
    expect(front.seen.filter(({ method }) => method === 'scantxoutset')).toHaveLength(1);
  });

  it('is noticed when the money is in a block, and not while the mempool has it', async () => {
    const account = HDKey.fromMasterSeed(Buffer.alloc(32, 78), TPUB).derive("m/44'/1'/0'");
    const body = { extendedPublicKey: account.publicExtendedKey, scriptType: 'p2pkh' };
    await call('PUT', body, 'litecoin');
    const watcher = shop.gateway.get(ChainWatcherService);
    await watcher.drain('litecoin');
    await shop.gateway.get(SpareAddresses).runOnce();
    const { identifier } = account.derive('m/0/2');
    if (!identifier) throw new Error('no key');
    const script = Buffer.concat([Buffer.from('76a914', 'hex'), identifier, Buffer.from('88ac', 'hex')]);
    await node.pay([{ key: script, amount: 10_000_000n }]);
    await watcher.drain('litecoin');
    expect(await call('GET', undefined, 'litecoin')).toMatchObject({ nextIndex: 0 });
    expect(await strays()).toEqual([]);
    await node.mine();
    await watcher.drain('litecoin');
    expect(await call('GET', undefined, 'litecoin')).toMatchObject({ nextIndex: 3 });
    expect(await strays()).toMatchObject([{ blockchain: 'litecoin', derivationIndex: 2 }]);
  });
});
