import { decodeFunctionData, type Hex } from 'viem';
import { Collector } from './treasury/collector-contract.pure.js';
import {
  CollectionError,
  collectionsOf,
  deployFactoryCall,
  findDepositOf,
  MAX_TOKENS,
} from './collection.pure.js';
import {
  COLLECTOR_FACTORY,
  DEPLOYMENT_PROXY,
  depositAddressOf,
  depositSaltOf,
  readTreasury,
  TreasuryError,
} from './treasury/treasury-address.pure.js';

const NAMESPACE = '00112233445566778899aabbccddeeff';
const SAFE = '0x52908400098527886E0F7030069857D2E4169EE7';
const USDC = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const USDT = '0xde709f2102306220921060314715629080e2fb77';
const treasury = readTreasury({ treasury: SAFE, namespace: NAMESPACE });
const deposit = (index: number, ...tokens: string[]) => ({ treasury, index, tokens });

/** By another library than ours. */
const read = (data: string) => decodeFunctionData({ abi: Collector.abi, data: data as Hex });
const salt = (index: number): Hex => `0x${Buffer.from(depositSaltOf(NAMESPACE, index)).toString('hex')}`;

describe('collections', () => {
  it('are calls of the contract that collects', () => {
    const [one, ...others] = collectionsOf([deposit(7, USDC), deposit(3, USDC.toLowerCase())]);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ tokens: [USDC], call: { to: COLLECTOR_FACTORY, value: '0x0' } });
    expect(one?.deposits).toEqual(
      [3, 7].map((index) => ({ index, address: depositAddressOf(treasury, index).address })),
    );
    expect(read(one?.call.data ?? '')).toEqual({
      functionName: 'collect',
      args: [SAFE, [salt(3), salt(7)], [USDC]],
    });
  });

  it('are of the coin alone where there is no token', () => {
    const [one] = collectionsOf([deposit(0)]);
    expect(read(one?.call.data ?? '').args).toEqual([SAFE, [salt(0)], []]);
  });

  it('have each deposit once, with all its tokens', () => {
    const collections = collectionsOf([deposit(1, USDC), deposit(1, USDT, USDC), deposit(1)]);
    expect(collections.map(({ deposits, tokens }) => [deposits.length, tokens.length])).toEqual([[1, 2]]);
  });

  it('are apart by tokens, treasury, factory and namespace', () => {
    const others = [{ treasury: USDC }, { factory: USDC }, { namespace: NAMESPACE.replace('0', '1') }].map(
      (change) => ({
        ...deposit(1),
        treasury: readTreasury({ treasury: SAFE, namespace: NAMESPACE, ...change }),
      }),
    );
    const calls = collectionsOf([deposit(1), deposit(2, USDC), deposit(3), ...others]);
    expect(calls.map(({ deposits }) => deposits.length)).toEqual([2, 1, 1, 1, 1]);
    expect(calls.map(({ call }) => call.to)).toEqual(
      [1, 1, 1, 0, 1].map((ours) => (ours ? COLLECTOR_FACTORY : USDC)),
    );
  });

  it.each([
    [0, []],
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])('of %d deposits have at most 100 each', (count, sizes) => {
    const all = collectionsOf(Array.from({ length: count }, (_, index) => deposit(index)));
    expect(all.map(({ deposits }) => deposits.length)).toEqual(sizes);
    expect(all.flatMap(({ deposits }) => deposits.map(({ index }) => index))).toEqual([
      ...Array(count).keys(),
    ]);
  });

  it.each([
    ['a name', 'USDC'],
    ['a mistyped address', USDC.replace('E', 'e')],
    ['nothing', ''],
  ])('are refused with %s as token', (_why, token) => {
    expect(() => collectionsOf([deposit(0, token)])).toThrow(CollectionError);
  });

  it('are refused with more tokens than fit, and with an index that is none', () => {
    const many = Array.from({ length: MAX_TOKENS + 1 }, (_, i) => `0x${String(i + 1).padStart(40, '0')}`);
    expect(() => collectionsOf([deposit(0, ...many)])).toThrow('tokens: at most 20');
    expect(() => collectionsOf([deposit(-1)])).toThrow(TreasuryError);
  });
});

it('the contract is deployed by the proxy, with salt 0', () => {
  const { to, data } = deployFactoryCall();
  expect([to, data]).toEqual([DEPLOYMENT_PROXY, `0x${'0'.repeat(64)}${Collector.bytecode.slice(2)}`]);
});

describe('a row of an export', () => {
  const row = {
    address: depositAddressOf(treasury, 5).address,
    index: 5,
    namespace: NAMESPACE,
    treasury: SAFE,
    factory: COLLECTOR_FACTORY,
    tokens: [USDC],
  };

  it('is a deposit where its address is computed again', () => {
    expect(findDepositOf(row)).toEqual({ treasury, index: 5, tokens: [USDC] });
    expect(findDepositOf({ ...row, address: row.address.toLowerCase() })).not.toBeNull();
  });

  it.each([
    ['another index', { index: 6 }],
    ['a swapped treasury', { treasury: USDC }],
    ['another factory', { factory: USDC }],
    ['another namespace', { namespace: NAMESPACE.replace('f', 'e') }],
    ['another address', { address: USDC }],
    ['no address', { address: '' }],
  ])('is refused with %s', (_why, change) => {
    expect(findDepositOf({ ...row, ...change })).toBeNull();
  });
});
