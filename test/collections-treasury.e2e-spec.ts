/**
 * @inOrder One shop whose money is collected on one chain.
 */
import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { ChainsService } from '../src/chains/chains.service.js';
import { toChecksumAddress } from '../src/chains/evm/evm-address.pure.js';
import type { CollectionContract } from '../src/collections/collection.contract.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { WalletChanges } from '../src/wallets/wallet-changes.service.js';
import { safeChecksum } from '../src/wallets/safe-batch.pure.js';
import { type Deployed, type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { askMany, balanceCall, run } from './support/collecting.js';
import { OddToken } from './support/contracts/collecting/artifacts.js';
import { installMulticall3 } from './support/multicall3.js';
import { createOwner } from './support/principals.js';
import type { ReportView } from './support/reconciliation-harness.js';
import { RpcProxy } from './support/rpc-proxy.js';
import { Shop, type ShopApplication } from './support/shop.js';
import { newAccount } from './support/wallets-api.js';

const DEPOSITS = 120;
const FROZEN = 50;
const DELAY = 60;
const BNB = 10n ** 16n;
/** Ten US dollars. */
const TOKENS = 10n ** 7n;

let bsc: TestChain;
let proxy: RpcProxy;
let shop: Shop;
let application: ShopApplication;
let operatorToken: string;
let usdc: Hex;
let usdt: Deployed<typeof OddToken.abi>;
const treasury = toChecksumAddress(randomBytes(20)) as Hex;
const deposits: Hex[] = [];
let first: CollectionContract;

beforeAll(async () => {
  bsc = await startAnvil({ chainId: 56 });
  await installMulticall3(bsc);
  ({ address: usdc } = await bsc.deployToken('USDC'));
  usdt = await bsc.deploy(OddToken);
  proxy = await RpcProxy.start(bsc.url);
  shop = await Shop.open({
    CHAIN_BSC_RPC_URL: proxy.url,
    CHAIN_BSC_TOKENS: `USDC:${usdc}:6,USDT:${usdt.address}:6`,
    CHAIN_RPC_TIMEOUT_MS: '3000',
    WALLET_CHANGE_DELAY: String(DELAY),
  });
  shop.rates.setPrice('BNB', 'USD', '500');
  const operator = await createOwner(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(operator.userId, true);
  operatorToken = operator.accessToken;
  application = await shop.application();
  await setWallet({ treasury });
});
afterEach(() => proxy.setFaults({}));
afterAll(async () => {
  await shop?.close();
  await proxy?.stop();
  await bsc?.stop();
});

async function setWallet(body: object, { id } = application): Promise<void> {
  const path = `/api/payment-applications/${id}/wallets/evm`;
  const answer = await shop.call('PUT', path, shop.owner.accessToken, body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

async function collect(fields: object = {}, query = '', { id } = application): Promise<CollectionContract> {
  const path = `/api/payment-applications/${id}/collections${query}`;
  const body = { blockchain: 'bsc', ...fields };
  const answer = await shop.call<CollectionContract>('POST', path, shop.owner.accessToken, body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}

async function deposit(of = application): Promise<Hex> {
  const payment = await shop.createPayment(of);
  return (await shop.instructions(payment, 'bnb', 'bsc')).address as Hex;
}

async function watch(): Promise<void> {
  await bsc.mine(20);
  await shop.gateway.get(ChainWatcherService).drain('bsc');
}

async function verify(): Promise<ReportView> {
  await shop.gateway.get(ChainWatcherService).drain('bsc');
  const answer = await shop.call<ReportView>('GET', '/api/admin/reconciliation', operatorToken);
  return answer.body.data;
}

/** What is on some addresses: coin, USDC, USDT. */
async function sums(who: readonly Hex[]): Promise<bigint[]> {
  const coins = await Promise.all(who.map((one) => bsc.balance(one)));
  const ofToken = (token: Hex) =>
    askMany(
      bsc,
      who.map((one) => balanceCall(token, one)),
    );
  const all = [coins, await ofToken(usdc), await ofToken(usdt.address)];
  return all.map((some) => some.reduce((sum, amount) => sum + amount, 0n));
}

const expectedOf = ({ expected }: Pick<CollectionContract, 'expected'>) =>
  expected.map(({ amount }) => `${amount.atomic} ${amount.currency.code}`).toSorted();

async function execute({ transactions }: Pick<CollectionContract, 'transactions'>): Promise<void> {
  for (const { to, data, value, gasLimit } of transactions) {
    if (gasLimit === null) throw new Error('no gas limit');
    expect(await run(bsc, { to, data, value }, { gas: BigInt(gasLimit) })).toMatchObject({
      ok: true,
      left: [],
    });
  }
}

it('of an application that received nothing is of nothing', async () => {
  expect(await collect()).toEqual({
    psbts: [],
    transactions: [],
    safeBatches: [],
    plans: [],
    deployment: null,
    expected: [],
    leftOut: [],
    unpriced: [],
    next: null,
  });
});

it('says what is there, and the transaction that deploys the contract where the chain has none', async () => {
  await bsc.call(usdt, 'mint', [[bsc.account(0)], 1_000n * TOKENS]);
  for (let i = 0; i < DEPOSITS; i++) {
    const to = await deposit();
    deposits.push(to);
    if (i % 4 === 0) await bsc.sendEth({ to, value: BNB });
    if (i % 4 === 1 || i % 4 === 3) await bsc.sendToken({ token: usdc, to, value: TOKENS });
    if (i % 4 === 2 || i % 4 === 3) await bsc.call(usdt, 'transfer', [to, TOKENS]);
    if (i % 20 === 19) await bsc.mine();
  }
  await bsc.call(usdt, 'freeze', [deposits.slice(FROZEN, FROZEN + 1)]);
  await watch();
  first = await collect();
  expect(first.deployment).toMatchObject({ to: '0x4e59b44847b379578588920cA78FbF26c0B4956C', value: '0x0' });
  expect(first.transactions.map(({ gasLimit, fee }) => [gasLimit, fee])).toEqual(
    first.transactions.map(() => [null, null]),
  );
  expect(expectedOf(first)).toEqual([`${30n * BNB} BNB`, `${59n * TOKENS} USDT`, `${60n * TOKENS} USDC`]);
  expect(first.leftOut).toMatchObject([
    { address: deposits[FROZEN], reason: 'refused', amount: { atomic: String(TOKENS) }, txHash: null },
  ]);
  expect([first.unpriced, first.next, first.safeBatches]).toEqual([[], null, []]);
  const { deployment } = first;
  if (deployment) expect(await run(bsc, deployment)).toMatchObject({ ok: true });
});

it('brings every unit to the treasury or names it, and each transaction what it said', async () => {
  const answer = await collect();
  expect(answer.deployment).toBeNull();
  expect(answer.transactions.map(({ data }) => data)).toEqual(first.transactions.map(({ data }) => data));
  expect(answer.transactions.reduce((sum, one) => sum + one.deposits, 0)).toBe(DEPOSITS - 1);
  for (const one of answer.transactions) {
    expect(one).toMatchObject({ treasury, keyOwner: 'application', value: '0x0' });
    expect(Number(one.fee?.atomic)).toBeGreaterThan(0);
    const before = await sums([treasury]);
    await execute({ transactions: [one] });
    const arrived = (await sums([treasury])).map((sum, i) => sum - (before[i] ?? 0n));
    const said = ['BNB', 'USDC', 'USDT'].map((code) =>
      BigInt(one.expected.find(({ amount }) => amount.currency.code === code)?.amount.atomic ?? 0),
    );
    expect(arrived).toEqual(said);
  }
  expect(await sums([treasury])).toEqual([30n * BNB, 60n * TOKENS, 59n * TOKENS]);
  expect(await sums(deposits)).toEqual([0n, 0n, TOKENS]);
});

it('finds nothing more, but what is frozen, and the records agree with the chain', async () => {
  await watch();
  const again = await collect();
  expect([again.transactions, again.expected, again.leftOut.map(({ reason }) => reason)]).toEqual([
    [],
    [],
    ['refused'],
  ]);
  expect(await verify()).toMatchObject({ consistent: true, complete: true, differences: [] });
});

it('is still right when somebody was faster, and when more came', async () => {
  const [one, two, three] = [deposits[0], deposits[1], deposits[2]] as [Hex, Hex, Hex];
  await bsc.sendEth({ to: one, value: BNB });
  await bsc.sendToken({ token: usdc, to: two, value: TOKENS });
  await watch();
  const answer = await collect();
  expect(answer.transactions).toHaveLength(2);
  await execute(answer);
  await bsc.sendEth({ to: three, value: BNB });
  await watch();
  const before = await sums([treasury]);
  // Once more: it brings what came meanwhile to those addresses, which is nothing.
  await execute(answer);
  expect(await sums([treasury])).toEqual(before);
  const later = await collect();
  expect([expectedOf(later), later.transactions.map((some) => some.deposits)]).toEqual([[`${BNB} BNB`], [1]]);
  await execute(later);
  expect(await verify()).toMatchObject({ consistent: true, complete: true, differences: [] });
});

describe('an address', () => {
  let other: ShopApplication;
  const own = toChecksumAddress(randomBytes(20)) as Hex;
  const prepare = (fields: object = {}) => collect(fields, '', other);
  const reasons = ({ leftOut }: CollectionContract) =>
    leftOut.map(({ reason, amount }) => `${amount?.formatted} ${reason}`);

  beforeEach(async () => {
    other = await shop.application();
  });

  it('of a key is listed with its path, and in no transaction', async () => {
    await setWallet({ extendedPublicKey: newAccount().publicExtendedKey }, other);
    const to = await deposit(other);
    await bsc.sendEth({ to, value: BNB });
    await watch();
    const answer = await prepare();
    expect([answer.transactions, answer.deployment, answer.expected]).toEqual([[], null, []]);
    expect(answer.leftOut).toMatchObject([
      {
        address: to,
        amount: { atomic: String(BNB) },
        reason: 'of_key',
        derivation: { kind: 'key', index: 0, walletPath: "m/44'/60'/0'/0/0", treasury: null },
      },
    ]);
  });

  it('of each treasury is in a transaction of its own, and a Safe gets a file', async () => {
    await setWallet({ treasury: own }, other);
    const safe = toChecksumAddress(randomBytes(20));
    for (const chain of [bsc, shop.chain]) await chain.rpc('anvil_setCode', [safe, '0x6000']);
    await bsc.sendEth({ to: await deposit(other), value: BNB });
    await setWallet({ treasury: safe }, other);
    shop.gateway.clock.advanceSeconds(DELAY);
    await shop.gateway.get(WalletChanges).runOnce();
    await bsc.sendEth({ to: await deposit(other), value: BNB });
    await watch();
    const answer = await prepare();
    expect(answer.transactions.map((one) => one.treasury).toSorted()).toEqual([own, safe].toSorted());
    expect(answer.transactions.map(expectedOf)).toEqual([[`${BNB} BNB`], [`${BNB} BNB`]]);
    const [batch] = answer.safeBatches;
    expect(answer.safeBatches).toMatchObject([{ treasury: safe, deposits: 1 }]);
    const file = JSON.parse(batch?.file ?? '') as Parameters<typeof safeChecksum>[0] & {
      chainId: string;
      meta: { checksum: string; createdFromSafeAddress: string };
      transactions: { data: string }[];
    };
    expect(file.chainId).toBe('56');
    expect(file.meta.createdFromSafeAddress).toBe(safe);
    expect(file.transactions.map(({ data }) => data)).toEqual(
      answer.transactions.flatMap((one) => (one.treasury === safe ? [one.data] : [])),
    );
  });

  it('with less than it costs, or than is asked for, is left out; without a rate it is not', async () => {
    await setWallet({ treasury: own }, other);
    const [dust, small, large] = [await deposit(other), await deposit(other), await deposit(other)];
    await bsc.sendEth({ to: dust, value: 1_000n });
    await bsc.sendToken({ token: usdc, to: small, value: TOKENS / 10n });
    await bsc.sendToken({ token: usdc, to: large, value: TOKENS });
    await watch();
    expect(reasons(await prepare())).toEqual([expect.stringMatching(/BNB uneconomic$/)]);
    const answer = await prepare({ minimum: 500 });
    expect(reasons(answer).toSorted()).toEqual([
      expect.stringMatching(/^0\.00000.* BNB below_minimum$/),
      expect.stringMatching(/^1\.0*(?: USDC) below_minimum$/),
    ]);
    expect(expectedOf(answer)).toEqual([`${TOKENS} USDC`]);
    expect(expectedOf(await prepare({ coins: ['BNB'] }))).toEqual([]);
    expect(reasons(await prepare({ coins: ['USDC'] }))).toEqual([]);
    for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'down');
    shop.gateway.clock.advanceSeconds(1_200);
    const unknown = await prepare({ minimum: 500 });
    for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'ok');
    shop.gateway.clock.advanceSeconds(60);
    expect([unknown.unpriced.toSorted(), expectedOf(unknown)]).toEqual([
      ['BNB', 'USDC'],
      ['1000 BNB', `${TOKENS + TOKENS / 10n} USDC`],
    ]);
  });

  it('that the node says nothing about is listed, and a token that fails hides no other', async () => {
    await setWallet({ treasury: own }, other);
    const to = await deposit(other);
    await bsc.sendEth({ to, value: BNB });
    await watch();
    proxy.setFaults({
      eth_getBlockByNumber: async () => ({ error: { code: -32_000, message: 'overloaded' } }),
    });
    const silent = await prepare();
    expect([silent.transactions, reasons(silent)]).toEqual([
      [],
      ['undefined unread', 'undefined unread', 'undefined unread'],
    ]);
    proxy.setFaults({});
    const code = await bsc.rpc('eth_getCode', [usdc, 'latest']);
    await bsc.rpc('anvil_setCode', [usdc, '0x60006000fd']);
    const broken = await prepare();
    expect([expectedOf(broken), reasons(broken)]).toEqual([[`${BNB} BNB`], ['undefined unread']]);
    await bsc.rpc('anvil_setCode', [usdc, code]);
  });

  it('is on one of several pages, each address once', async () => {
    await setWallet({ treasury: own }, other);
    const paid = [await deposit(other), await deposit(other), await deposit(other)];
    for (const to of [...paid, ...paid]) await bsc.sendEth({ to, value: BNB });
    await watch();
    const reader = shop.gateway.get(ChainsService).findAccounts('bsc');
    if (!reader) throw new Error('no reader');
    const whole = jest.replaceProperty(reader, 'most', 2);
    try {
      const page = await prepare();
      expect([page.transactions.map((one) => one.deposits), typeof page.next]).toEqual([[2], 'string']);
      const rest = await collect({}, `?after=${page.next ?? ''}`, other);
      expect([rest.transactions.map((one) => one.deposits), rest.next]).toEqual([[1], null]);
      expect([...page.expected, ...rest.expected].map(({ amount }) => amount.atomic)).toEqual(
        [4n, 2n].map((count) => String(count * BNB)),
      );
    } finally {
      whole.restore();
    }
  });
});
