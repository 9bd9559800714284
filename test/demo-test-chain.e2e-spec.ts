import { zeroAddress } from 'viem';
import { type Hex, startAnvil, type TestChain } from './support/anvil.js';
import {
  FakeToken,
  FeeToken,
  Forwarder,
  MultiSend,
  OddLogs,
  RevertingInner,
  SelfDestructInConstructor,
  SelfDestructSender,
} from './support/contracts/artifacts.js';

/** keccak256("Transfer(address,address,uint256)") */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

interface Trace {
  type: string;
  action: { from?: Hex; to?: Hex; value?: Hex; address?: Hex; refundAddress?: Hex; balance?: Hex };
  error?: string;
  traceAddress: number[];
  transactionHash: Hex;
}

let chain: TestChain;
let count = 0;
/** An address that nothing else in this file pays. */
const newAddress = (): Hex => `0x${(++count).toString(16).padStart(40, 'c')}`;

const asTopic = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;

async function traces(): Promise<Trace[]> {
  return chain.rpc<Trace[]>('trace_block', ['latest']);
}

const paying = (all: Trace[], to: Hex) => all.filter(({ action }) => action.to === to);

beforeAll(async () => {
  chain = await startAnvil();
});

afterAll(() => chain.stop());

describe('the chain that tests run on', () => {
  it('mines only on request and reports the last final block', async () => {
    const before = await chain.blockNumber();
    const to = newAddress();
    const hash = await chain.sendEth({ to, value: 5n });
    expect(await chain.receipt(hash)).toBeNull();
    await chain.mine(3);
    expect(await chain.blockNumber()).toBe(before + 3);
    expect(await chain.balance(to)).toBe(5n);
    expect((await chain.receipt(hash))?.status).toBe('0x1');
    const finalized = await chain.rpc<{ number: Hex }>('eth_getBlockByNumber', ['finalized', false]);
    expect(Number(finalized.number)).toBe(before + 1);
  });

  it('drops a transaction in a reorganization, or mines it again elsewhere', async () => {
    const [dropped, kept] = [newAddress(), newAddress()];
    const first = await chain.sendEth({ to: dropped, value: 7n });
    await chain.mine(3);
    const tip = await chain.blockNumber();
    const hash = await chain.blockHash(tip);
    await chain.reorg(3, [[{ to: kept, value: 9n, gas: 21_000n }, 1]]);
    expect(await chain.blockNumber()).toBe(tip);
    expect(await chain.blockHash(tip)).not.toBe(hash);
    expect(await chain.receipt(first)).toBeNull();
    expect([await chain.balance(dropped), await chain.balance(kept)]).toEqual([0n, 9n]);
  });

  it('transfers tokens', async () => {
    const usdc = await chain.deployToken('USDC');
    const to = newAddress();
    const hash = await chain.sendToken({ token: usdc.address, to, value: 1_500_000n });
    await chain.mine();
    expect(await chain.tokenBalance(usdc.address, to)).toBe(1_500_000n);
    expect((await chain.receipt(hash))?.logs).toMatchObject([
      { address: usdc.address, topics: [TRANSFER, asTopic(chain.account(0)), asTopic(to)] },
    ]);
    await chain.call(usdc, 'transferFrom', [chain.account(0), to, 1n], { from: chain.account(1) });
    await chain.mine();
    expect(await chain.tokenBalance(usdc.address, to)).toBe(1_500_000n);
  });
});

describe('the contracts that tests pay with', () => {
  it('Forwarder pays by an internal call', async () => {
    const [target, other] = [newAddress(), newAddress()];
    const forwarder = await chain.deploy(Forwarder, [target], { value: 3n });
    expect(paying(await traces(), target)).toMatchObject([{ action: { value: '0x3' }, traceAddress: [0] }]);
    await chain.sendEth({ to: forwarder.address, value: 4n });
    await chain.call(forwarder, 'forwardTo', [other], { value: 5n });
    await chain.mine();
    expect([await chain.balance(target), await chain.balance(other)]).toEqual([7n, 5n]);
  });

  it('RevertingInner succeeds, shows a paying frame without an error, and pays nothing', async () => {
    const [target, token] = [newAddress(), await chain.deployToken()];
    const contract = await chain.deploy(RevertingInner);
    await chain.sendToken({ token: token.address, to: contract.address, value: 50n });
    await chain.mine();
    const hash = await chain.call(contract, 'pretendToPay', [target], { value: 11n });
    const tokenHash = await chain.call(contract, 'pretendToPayToken', [token.address, target, 50n]);
    const failed = await chain.call(contract, 'fail', [], { value: 1n });
    await chain.mine();
    expect((await chain.receipt(hash))?.status).toBe('0x1');
    expect((await chain.receipt(failed))?.status).toBe('0x0');
    const [frame] = paying(await traces(), target);
    expect(frame?.action.value).toBe('0xb');
    expect(frame?.error).toBeUndefined();
    const parent = (await traces()).find(
      (trace) => trace.transactionHash === hash && trace.traceAddress.join() === '0',
    );
    expect(parent?.error).toBeDefined();
    expect(await chain.balance(target)).toBe(0n);
    expect(await chain.tokenBalance(token.address, target)).toBe(0n);
    const logs = (await chain.receipt(tokenHash))?.logs ?? [];
    expect(logs.filter(({ topics }) => topics[0] === TRANSFER)).toEqual([]);
  });

  it('FakeToken logs transfers that did not happen', async () => {
    const to = newAddress();
    const fake = await chain.deploy(FakeToken, ['Tether USD', 'USDT']);
    expect(await chain.read(fake, 'symbol', [])).toBe('USDT');
    const hash = await chain.call(fake, 'forge', [chain.account(3), to, 999n]);
    await chain.mine();
    expect((await chain.receipt(hash))?.logs).toMatchObject([
      { address: fake.address, topics: [TRANSFER, asTopic(chain.account(3)), asTopic(to)] },
    ]);
  });

  it('FeeToken credits 98 % of the logged amount', async () => {
    const to = newAddress();
    const fee = await chain.deploy(FeeToken, [chain.account(0), 10_000n]);
    const hash = await chain.call(fee, 'transfer', [to, 1_000n]);
    await chain.mine();
    expect(await chain.read(fee, 'balanceOf', [to])).toBe(980n);
    expect(BigInt((await chain.receipt(hash))?.logs[0]?.data ?? '0x0')).toBe(1_000n);
  });

  it('MultiSend pays several coins and tokens in one transaction', async () => {
    const [one, two, token] = [newAddress(), newAddress(), await chain.deployToken()];
    const multi = await chain.deploy(MultiSend);
    await chain.sendToken({ token: token.address, to: multi.address, value: 100n });
    await chain.mine();
    const sends = [
      { token: zeroAddress, to: one, value: 1n },
      { token: zeroAddress, to: one, value: 2n },
      { token: token.address, to: one, value: 30n },
      { token: token.address, to: two, value: 40n },
      { token: token.address, to: one, value: 5n },
    ];
    const hash = await chain.call(multi, 'send', [sends], { value: 3n });
    await chain.mine();
    expect([await chain.balance(one), await chain.tokenBalance(token.address, one)]).toEqual([3n, 35n]);
    expect(await chain.tokenBalance(token.address, two)).toBe(40n);
    expect((await chain.receipt(hash))?.logs).toHaveLength(3);
    expect(paying(await traces(), one)).toHaveLength(2);
  });

  it('SelfDestruct pays without a call', async () => {
    const [one, two] = [newAddress(), newAddress()];
    const sender = await chain.deploy(SelfDestructSender);
    await chain.call(sender, 'destroy', [one], { value: 21n });
    await chain.mine();
    await chain.send({ ...deployment(two), value: 22n });
    await chain.mine();
    expect([await chain.balance(one), await chain.balance(two)]).toEqual([21n, 22n]);
    expect(paying(await traces(), two)).toEqual([]);
    expect(await traces()).toContainEqual(
      expect.objectContaining({ type: 'suicide', action: expect.objectContaining({ refundAddress: two }) }),
    );
  });

  it('OddLogs uses the topic of Transfer with other shapes', async () => {
    const [from, to] = [chain.account(0), newAddress()];
    const odd = await chain.deploy(OddLogs);
    const hashes = [
      await chain.call(odd, 'fourTopics', [from, to, 1n]),
      await chain.call(odd, 'twoTopics', [from, to, 1n]),
      await chain.call(odd, 'oneTopic', [from, to, 1n]),
      await chain.call(odd, 'anyData', [from, to, '0x']),
      await chain.call(odd, 'anyData', [from, to, `0x${'00'.repeat(33)}`]),
      await chain.call(odd, 'dirtyTopics', [asTopic(from), `0x${'f'.repeat(24)}${to.slice(2)}`, 1n]),
    ];
    await chain.mine();
    const shapes: [number, number][] = [];
    for (const hash of hashes) {
      const [log] = (await chain.receipt(hash))?.logs ?? [];
      expect(log?.topics[0]).toBe(TRANSFER);
      shapes.push([log?.topics.length ?? 0, ((log?.data.length ?? 2) - 2) / 2]);
    }
    expect(shapes).toEqual([
      [4, 0],
      [2, 64],
      [1, 96],
      [3, 0],
      [3, 33],
      [3, 32],
    ]);
  });
});

/** A contract that pays while it is being made and is gone afterwards. */
function deployment(target: Hex): { data: Hex } {
  return { data: `${SelfDestructInConstructor.bytecode}${asTopic(target).slice(2)}` };
}
