import { randomBytes } from 'node:crypto';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { ChainsService } from '../src/chains/chains.service.js';
import { DoctorRepository } from '../src/operations/doctor/doctor.repository.js';
import { checkTreasuries } from '../src/operations/doctor/treasuries-check.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { toChecksumAddress } from '../src/chains/evm/evm-address.pure.js';
import { CHAIN_CATALOG } from '../src/chains/chain-catalog.pure.js';
import { COLLECTOR_FACTORY, depositAddressOf } from '../src/wallets/treasury/treasury-address.pure.js';
import { findAddressOfTreasury } from '../src/wallets/treasury/treasury-question.pure.js';
import { WalletChanges } from '../src/wallets/wallet-changes.service.js';
import { type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { DatabaseThief } from './support/database-thief.js';
import { createOwner } from './support/principals.js';
import type { ReportView } from './support/reconciliation-harness.js';
import { RpcProxy } from './support/rpc-proxy.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';
import { WALLET_MANIPULATIONS } from './support/wallet-manipulations.js';
import { newAccount, type WalletDto, WalletsApi } from './support/wallets-api.js';

const ACCOUNT = '/api/account/wallets/evm';
const DELAY = 60;

let bsc: TestChain;
let proxy: RpcProxy;
let shop: Shop;
let application: ShopApplication;
let operatorToken: string;

beforeAll(async () => {
  bsc = await startAnvil({ chainId: 56 });
  proxy = await RpcProxy.start(bsc.url);
  shop = await Shop.open({
    CHAIN_BSC_RPC_URL: proxy.url,
    WALLET_CHANGE_DELAY: String(DELAY),
    CHAIN_RPC_TIMEOUT_MS: '2000',
  });
  shop.rates.setPrice('BNB', 'USD', '500');
  const operator = await createOwner(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(operator.userId, true);
  operatorToken = operator.accessToken;
});
beforeEach(async () => {
  application = await shop.application();
});
afterAll(async () => {
  await shop?.close();
  await proxy?.stop();
  await bsc?.stop();
});

const newAddress = () => toChecksumAddress(randomBytes(20));
const own = ({ id } = application) => `/api/payment-applications/${id}/wallets/evm`;
const call = <T = WalletDto>(method: string, path = own(), body?: unknown) =>
  shop.call<T>(method, path, shop.owner.accessToken, body);
const put = (treasury: string, path = own()) => call('PUT', path, { treasury });

async function set(treasury: string, path = own()): Promise<WalletDto> {
  const { status, body } = await put(treasury, path);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.data;
}

async function waitAndApply(): Promise<void> {
  shop.gateway.clock.advanceSeconds(DELAY);
  await shop.gateway.get(WalletChanges).runOnce();
}

async function removeDefault(): Promise<void> {
  expect((await call('DELETE', ACCOUNT)).status).toBe(204);
  await waitAndApply();
}

async function verify(): Promise<ReportView> {
  await shop.gateway.get(ChainWatcherService).drain('bsc');
  const answer = await shop.call<ReportView>('GET', '/api/admin/reconciliation', operatorToken);
  return answer.body.data;
}

const setCode = (chain: TestChain, address: string, code: string) =>
  chain.rpc('anvil_setCode', [address, code]);

describe('a treasury', () => {
  it('is set with an address alone, and shown with everything that its addresses follow from', async () => {
    const address = newAddress();
    const wallet = await set(address.toLowerCase());
    const { treasury } = wallet;
    expect(treasury).toEqual({
      address,
      factory: COLLECTOR_FACTORY,
      kind: 'passing',
      namespace: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    if (!treasury) throw new Error('no treasury');
    expect(wallet).toMatchObject({
      family: 'evm',
      kind: 'treasury',
      status: 'active',
      extendedPublicKey: null,
      scriptType: null,
      masterFingerprint: null,
      accountPath: null,
      pending: null,
      previewAddresses: [0, 1, 2].map((index) => depositAddressOf(treasury, index).address),
    });
    expect((await call('GET')).body.data).toEqual(wallet);
    const path = `/api/payment-applications/${application.id}/destinations`;
    expect((await call('GET', path)).body.data).toMatchObject([{ owner: 'application', treasury }]);
  });

  it('that is set once more changes nothing, and cancels what waits', async () => {
    const address = newAddress();
    const first = await set(address);
    shop.gateway.clock.advanceSeconds(5);
    expect(await set(` ${address.toLowerCase()} `)).toEqual(first);
    expect(await set(newAddress())).toMatchObject({ pending: { maskedKey: expect.any(String) } });
    expect(await set(`eth:${address}`)).toEqual(first);
  });

  it('serves many wallets, and none of their addresses twice', async () => {
    const [address, other] = [newAddress(), await shop.application()];
    const wallets = [await set(address), await set(address, own(other)), await set(address, ACCOUNT)];
    await removeDefault();
    expect(new Set(wallets.flatMap(({ previewAddresses }) => previewAddresses)).size).toBe(9);
    expect(new Set(wallets.map(({ fingerprint }) => fingerprint)).size).toBe(1);
  });

  it('replaces a key, and a key a treasury, only after the delay; what waits is shown whole', async () => {
    const key = newAccount();
    await call('PUT', own(), { extendedPublicKey: key.publicExtendedKey });
    const address = newAddress();
    const { pending, kind } = await set(address);
    expect([kind, pending]).toEqual([
      'key',
      expect.objectContaining({ maskedKey: address, treasury: expect.objectContaining({ address }) }),
    ]);
    // The same again while it waits: the namespace stays, too.
    expect((await set(address)).pending).toEqual(pending);
    await waitAndApply();
    const { data: changed } = (await call('GET')).body;
    expect(changed).toMatchObject({ kind: 'treasury', treasury: pending?.treasury, pending: null });
    expect(changed.fingerprint).toBe(pending?.fingerprint);
    const { status, body } = await call('PUT', own(), { extendedPublicKey: key.publicExtendedKey });
    expect([status, body.data.kind, body.data.pending?.treasury]).toEqual([200, 'treasury', null]);
  });

  it('that waits as the first of an application is shown, too', async () => {
    await call('PUT', ACCOUNT, { extendedPublicKey: newAccount().publicExtendedKey });
    const address = newAddress();
    expect(await set(address)).toMatchObject({
      status: 'pending',
      kind: 'treasury',
      treasury: { address },
      extendedPublicKey: null,
    });
    expect((await call('DELETE', `${own()}/pending`)).status).toBe(204);
    await removeDefault();
  });
});

describe('a treasury is refused', () => {
  const usdc = CHAIN_CATALOG.find(({ slug }) => slug === 'polygon')?.assets.find(
    ({ currencyCode }) => currencyCode === 'USDC',
  )?.asset;

  it.each<[string, unknown, string, string]>([
    ['mistyped', { treasury: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, 'treasury', 'is mistyped'],
    ['no address', { treasury: 'shop.eth' }, 'treasury', 'not a name'],
    ['a key', { treasury: newAccount().publicExtendedKey }, 'treasury', 'belongs into extendedPublicKey'],
    ['a private key', { treasury: `0x${'4f'.repeat(32)}` }, 'treasury', 'a private key'],
    ['zero', { treasury: `0x${'0'.repeat(40)}` }, 'treasury', 'zero address'],
    ['precompiled', { treasury: `0x${'0'.repeat(39)}1` }, 'treasury', 'belongs to the blockchain'],
    ['burnt', { treasury: '0x000000000000000000000000000000000000dEaD' }, 'treasury', 'burnt'],
    ['the collecting contract', { treasury: COLLECTOR_FACTORY }, 'treasury', 'the contract that collects'],
    ['a token of another chain', { treasury: usdc }, 'treasury', 'the contract of USDC on Polygon'],
    ['no text', { treasury: 7 }, 'treasury', 'must be a string'],
    ['empty', { treasury: '' }, 'treasury', 'treasury'],
    ['too long', { treasury: '0'.repeat(5_000) }, 'treasury', '4096'],
    ['neither', {}, 'extendedPublicKey', 'Give it, or a treasury.'],
    ['neither, but null', { treasury: null, extendedPublicKey: null }, 'extendedPublicKey', 'is required'],
    [
      'both',
      { treasury: newAddress(), extendedPublicKey: newAccount().publicExtendedKey },
      'treasury',
      'exclude each other',
    ],
    ['with a script type', { treasury: newAddress(), scriptType: 'p2pkh' }, 'scriptType', 'does not apply'],
  ])('where it is %s, by the name of the field', async (_what, body, field, reason) => {
    const { status, body: answer } = await call('PUT', own(), body);
    expect([status, Object.keys(answer.errors ?? {})]).toEqual([422, [field]]);
    expect(answer.errors?.[field]?.join()).toContain(reason);
  });

  it.each(['bitcoin', 'litecoin', 'dogecoin', 'bitcoincash', 'tron'])('for %s', async (family) => {
    const path = `/api/payment-applications/${application.id}/wallets/${family}`;
    const { status, body } = await put(newAddress(), path);
    expect([status, body.errors]).toEqual([
      422,
      { treasury: [`The treasury field does not apply to ${family} wallets. Give the extendedPublicKey.`] },
    ]);
  });

  it('where it is a token that the operator lists', async () => {
    const { body } = await put(shop.tokens.USDT);
    expect(body.errors?.['treasury']?.join()).toContain('the contract of USDT on');
  });

  it('where it is a deposit address, of any owner', async () => {
    await set(newAddress());
    const { address } = await shop.instructions(await shop.createPayment(application));
    const other = await WalletsApi.open(shop.gateway);
    const { status, text } = await other.put({ treasury: address });
    expect([status, text]).toEqual([422, expect.stringContaining('made by this gateway for a payment')]);
  });
});

describe('an address that may be a contract', () => {
  it('is refused where it is one on some chains only, whose names are said', async () => {
    const safe = newAddress();
    await setCode(shop.chain, safe, '0x6000');
    const { status, body } = await put(safe);
    expect([status, body.errors?.['treasury']?.join()]).toEqual([
      422,
      expect.stringMatching(/is a contract, as a Safe is, on Ethereum.* and not on B.*;/),
    ]);
    await setCode(bsc, safe, '0x6000');
    expect(await set(safe)).toMatchObject({ treasury: { address: safe } });
  });

  it('is a wallet where it only delegates (EIP-7702)', async () => {
    const wallet = newAddress();
    await setCode(bsc, wallet, `0xef0100${'ab'.repeat(20)}`);
    await set(wallet);
  });

  it('is neither taken nor refused for good while a node does not answer', async () => {
    const address = newAddress();
    proxy.setFaults({ eth_getCode: async () => ({ error: { code: -32_000, message: 'overloaded' } }) });
    const answer = await fetch(`${shop.gateway.baseUrl}${own()}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${shop.owner.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ treasury: address }),
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await answer.text()).toMatch(/could not be checked on B.*Nothing was changed; try again/);
    expect((await call('GET')).status).toBe(404);
    proxy.setFaults({});
    await set(address);
  });
});

it('a Safe that a chain lacks, as one that was added later does, is found by the doctor', async () => {
  const examine = () =>
    checkTreasuries(shop.gateway.get(ChainsService), new DoctorRepository(shop.gateway.sql));
  const safe = newAddress();
  for (const chain of [shop.chain, bsc]) await setCode(chain, safe, '0x6000');
  await set(safe);
  const about = async () => (await examine()).filter(({ found }) => found.includes(safe));
  expect(await about()).toEqual([]);
  proxy.setFaults({ eth_getCode: async () => ({ error: { code: -32_000, message: 'overloaded' } }) });
  expect(await about()).toMatchObject([{ severity: 'warning', found: expect.stringContaining('on B') }]);
  proxy.setFaults({});
  await setCode(bsc, safe, '0x');
  expect(await about()).toMatchObject([
    { subject: 'treasuries', severity: 'failure', found: expect.stringContaining('not on B') },
  ]);
});

describe('a payment to a treasury', () => {
  let payment: CreatedPayment;

  beforeEach(async () => {
    await set(newAddress());
    payment = await shop.createPayment(application);
  });

  it.each(['eth', 'usdt'])('is completed in %s, and the records agree with the chain', async (method) => {
    const instructions = await shop.instructions(payment, method);
    await shop.send(instructions);
    await shop.mine();
    expect(await shop.status(payment)).toBe('FOUND');
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(shop.events(payment)).toContain('payment.completed');
    expect(await shop.chain.rpc('eth_getCode', [instructions.address, 'latest'])).toBe('0x');
    expect(await verify()).toMatchObject({ consistent: true, complete: true, differences: [] });
  });

  it('shows the merchant what its address follows from', async () => {
    const [first, second] = [payment, await shop.createPayment(application)];
    const { treasury } = (await call('GET')).body.data;
    if (!treasury) throw new Error('no treasury');
    for (const [index, one] of [first, second].entries()) {
      const { address } = await shop.instructions(one);
      expect(address).toBe(depositAddressOf(treasury, index).address);
      const path = `/api/payment/${one.id}/deposit-addresses`;
      const { body } = await shop.call('GET', path, application.clientToken);
      // As the merchant's server asks, with nothing of the gateway but the namespace and the index.
      const question = { treasury: treasury.address, namespace: treasury.namespace, index, address };
      expect(findAddressOfTreasury(question)?.address).toBe(address);
      expect(findAddressOfTreasury({ ...question, treasury: newAddress() })).toBeNull();
      expect(body.data).toMatchObject([
        { address, derivation: { kind: 'treasury', treasury, index, path: null, walletPath: null } },
      ]);
    }
  });
});

describe('a writer of the database without APP_KEYS, where the wallets are treasuries', () => {
  it.each(WALLET_MANIPULATIONS)(
    'changes them so that $what: no address is shown, and verify names it',
    async ({ statements, named }) => {
      const victim = await WalletsApi.open(shop.gateway, shop.owner);
      const thiefApi = await WalletsApi.open(shop.gateway);
      const path = `/api/payment-applications/${application.id}/wallets/evm`;
      for (const place of [path, path, ACCOUNT]) {
        await set(newAddress(), place);
        await waitAndApply();
      }
      await thiefApi.put({ treasury: newAddress() });
      const rows = await shop.gateway.sql.query<{ id: string; application_id: string; active: boolean }>(
        'select id, application_id, retired_at is null as active from wallets where user_id is not null order by id desc',
      );
      const idOf = (applicationId: string | null, active: boolean) =>
        rows.find((row) => row.application_id === applicationId && row.active === active)?.id ?? '';
      const scene = {
        userId: victim.owner.userId,
        applicationId: application.id,
        activeId: idOf(application.id, true),
        retiredId: idOf(application.id, false),
        defaultId: idOf(null, true),
        thiefWalletId: idOf(thiefApi.applicationId, true),
        thiefUserId: thiefApi.owner.userId,
        thiefApplicationId: thiefApi.applicationId,
      };
      const payment = await shop.createPayment(application);
      await new DatabaseThief(shop.gateway.sql).whileTampered(statements(scene), async () => {
        const asked = await shop.checkout(payment, `payment/${payment.id}/provider/ethereum/method/eth`);
        expect(asked).toMatchObject({ status: 409, body: { code: 'payment_not_payable' } });
        expect((await verify()).differences).toContainEqual(
          expect.objectContaining({ check: 'wallet', subject: named(scene) }),
        );
      });
      const { address } = await shop.instructions(await shop.createPayment(application));
      expect(address as Hex).toMatch(/^0x/);
    },
  );
});
