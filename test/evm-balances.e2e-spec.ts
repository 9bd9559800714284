import { randomBytes } from 'node:crypto';
import { toHex } from 'viem';
import { EvmBalances } from '../src/chains/evm/evm-balances.js';
import { MULTICALL3 } from '../src/chains/evm/multicall.pure.js';
import { JsonRpc, type RpcCall } from '../src/chains/json-rpc.js';
import { RpcError } from '../src/chains/rpc-error.pure.js';
import { type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { installMulticall3 } from './support/multicall3.js';

/** More than fit into one call of three balances each. */
const KEYS = Array.from({ length: 450 }, () => randomBytes(20));
/** An address without a contract, listed as a token: its balance is zero. */
const NO_CONTRACT = `0x${'ab'.repeat(20)}`;

/** Counts requests by method, and refuses calls of Multicall3 with more than `most` bytes of data. */
class CountedRpc {
  calls: Record<string, number> = {};
  most = Infinity;

  constructor(private readonly rpc: JsonRpc) {}

  async batch(calls: readonly RpcCall[]): Promise<unknown[]> {
    this.count(calls);
    return this.rpc.batch(calls);
  }

  async settle(calls: readonly RpcCall[]): Promise<unknown[]> {
    this.count(calls);
    const isTooLarge = ([method, [call]]: RpcCall) =>
      method === 'eth_call' && (call as { data: string }).data.length / 2 > this.most;
    if (calls.some(isTooLarge)) return calls.map(() => new RpcError('eth_call', 'out of gas', REFUSED));
    return this.rpc.settle(calls);
  }

  private count(calls: readonly RpcCall[]): void {
    for (const [method] of calls) this.calls[method] = (this.calls[method] ?? 0) + 1;
  }
}

const REFUSED = new RpcError('eth_call', 'refused').refusal;

describe('EvmBalances', () => {
  let chain: TestChain;
  let rpc: JsonRpc;
  let token: Hex;
  let expected: bigint[][];
  let code: Hex;

  beforeAll(async () => {
    chain = await startAnvil();
    rpc = new JsonRpc(chain.url);
    ({ address: token } = await chain.deployToken());
    for (const [i, value] of [
      [3, 5n],
      [449, 7n],
    ] as const)
      await chain.sendToken({ token, to: addressOf(i), value });
    await chain.rpc('anvil_setBalance', [addressOf(0), toHex(11n)]);
    await chain.rpc('anvil_setBalance', [addressOf(449), toHex(2n ** 255n)]);
    code = await installMulticall3(chain);
    await chain.mine();
    expected = KEYS.map((_key, i) => [
      i === 0 ? 11n : i === 449 ? 2n ** 255n : 0n,
      i === 3 ? 5n : i === 449 ? 7n : 0n,
      0n,
    ]);
  });
  afterEach(() => chain.rpc('anvil_setCode', [MULTICALL3, code]));
  afterAll(async () => {
    await rpc.close();
    await chain.stop();
  });

  const addressOf = (i: number): Hex => `0x${KEYS[i]?.toString('hex') ?? ''}`;
  const tip = async () => {
    const height = await chain.blockNumber();
    return { height, hash: (await chain.blockHash(height)) ?? '' };
  };
  const open = (most = Infinity) => {
    const counted = new CountedRpc(rpc);
    counted.most = most;
    return { counted, balances: new EvmBalances(counted, ['native', token, NO_CONTRACT]) };
  };

  it('reads all balances in a few calls where the chain has Multicall3', async () => {
    const { counted, balances } = open();
    expect(await balances.read(await tip(), KEYS)).toEqual(expected);
    expect(counted.calls).toEqual({ eth_getBalance: 1, eth_call: 1 + 3 });
    // It is looked for once.
    await balances.read(await tip(), KEYS.slice(0, 1));
    expect(counted.calls).toEqual({ eth_getBalance: 1, eth_call: 1 + 3 + 1 });
  });

  it('reads them one by one where it is missing', async () => {
    await chain.rpc('anvil_setCode', [MULTICALL3, '0x']);
    const { counted, balances } = open();
    expect(await balances.read(await tip(), KEYS)).toEqual(expected);
    expect(counted.calls).toEqual({ eth_getBalance: 1 + 450, eth_call: 1 + 900 });
  });

  it('reads them one by one where another contract has its address', async () => {
    await chain.rpc('anvil_setCode', [MULTICALL3, await chain.rpc('eth_getCode', [token, 'latest'])]);
    const { balances } = open();
    expect(await balances.read(await tip(), KEYS.slice(0, 5))).toEqual(expected.slice(0, 5));
  });

  it('makes smaller calls after a refusal, and keeps their size', async () => {
    const { counted, balances } = open(20_000);
    expect(await balances.read(await tip(), KEYS)).toEqual(expected);
    const before = counted.calls['eth_call'] ?? 0;
    expect(await balances.read(await tip(), KEYS)).toEqual(expected);
    // 25 keys each, without another refusal.
    expect((counted.calls['eth_call'] ?? 0) - before).toBe(18);
  });

  it('reads one by one in the end when every call of Multicall3 is refused', async () => {
    const { counted, balances } = open(400);
    expect(await balances.read(await tip(), KEYS.slice(0, 3))).toEqual(expected.slice(0, 3));
    expect(counted.calls['eth_getBalance']).toBe(1 + 3);
  });

  it("throws the node's reason when a token cannot be asked", async () => {
    const reverting = '0x00000000000000000000000000000000000000ff';
    // PUSH1 0 PUSH1 0 REVERT
    await chain.rpc('anvil_setCode', [reverting, '0x60006000fd']);
    const balances = new EvmBalances(new CountedRpc(rpc), ['native', reverting]);
    await expect(balances.read(await tip(), KEYS.slice(0, 2))).rejects.toThrow(/revert/i);
  });

  it('throws when the block has left the chain', async () => {
    const gone = { height: 1, hash: `0x${'12'.repeat(32)}` };
    await expect(open().balances.read(gone, KEYS.slice(0, 2))).rejects.toThrow(RpcError);
  });
});
