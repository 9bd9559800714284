import { Logger } from '@nestjs/common';
import { encodeDeployData, encodeFunctionData } from 'viem';
import type { ChainAdapter, ObservedTransfer } from '../src/chains/chain-adapter.pure.js';
import { creditsAt, describeChainAdapter } from './chain-adapter.contract.js';
import {
  type Artifact,
  type Deployed,
  type Hex,
  startAnvil,
  type TestChain,
  type TransactionRequest,
} from './support/anvil.js';
import {
  FakeToken,
  Forwarder,
  MultiSend,
  OddLogs,
  RevertingInner,
  SelfDestructInConstructor,
  SelfDestructSender,
} from './support/contracts/artifacts.js';
import { EvmAdapters, keyOf, mineOne, newAddress, rawTransaction, startDriver } from './support/evm-chain.js';
import { RpcProxy } from './support/rpc-proxy.js';

type Token = Awaited<ReturnType<TestChain['deployToken']>>;

const ZERO: Hex = `0x${'0'.repeat(40)}`;
const adapters = new EvmAdapters();
let node: TestChain;
let proxy: RpcProxy;

/** Gas is fixed: the node would refuse to estimate what fails, or what needs a transaction still pending. */
const gas = 2_000_000n;

function call(contract: Deployed, functionName: string, args: unknown[], more: TransactionRequest = {}) {
  const data = encodeFunctionData({ abi: contract.abi, functionName, args });
  return node.send({ gas, ...more, to: contract.address, data });
}

function create({ abi, bytecode }: Artifact, args: unknown[], value: bigint) {
  return node.send({ gas, value, data: encodeDeployData({ abi, bytecode, args }) });
}

beforeAll(async () => {
  Logger.overrideLogger(false);
  node = await startAnvil();
  proxy = await RpcProxy.start(node.url);
});
afterAll(async () => {
  await adapters.close();
  await proxy.stop();
  await node.stop();
});

describeChainAdapter('EVM', () =>
  startDriver(node, adapters.create(node.url), adapters.create(node.url, { chainId: 1 })),
);

/** The three ways in which nodes show native coin; the proxy hides what anvil has beyond. */
const NODES: [name: string, hidden: string[]][] = [
  ['trace_block', []],
  ['debug_traceBlockByHash', ['trace_block']],
  ['full blocks', ['trace_block', 'debug_traceBlockByHash']],
];

describe.each(NODES)('the EVM adapter on a node with %s', (way, hidden) => {
  const isTraced = way !== 'full blocks';
  let adapter: ChainAdapter;
  let token: Token;
  let us: Hex;

  /** Mines, and reads what the new block credits to us. */
  const credits = async (): Promise<[ordinal: string, asset: string, amount: bigint][]> => {
    const transfers = await creditsAt(adapter, await mineOne(node), [keyOf(us)]);
    return transfers.map(({ ordinal, asset, amount }) => [ordinal, asset, amount]);
  };
  const pay = (to: Hex, value: bigint, more: TransactionRequest = {}) =>
    call(token, 'transfer', [to, value], more);

  beforeAll(async () => {
    token = await node.deployToken();
    proxy.hide(hidden);
    adapter = adapters.create(proxy.url, { tokens: [token.address] });
    await adapter.probe();
  });
  afterAll(() => proxy.hide([]));
  beforeEach(() => {
    us = newAddress();
  });

  it('credits the native coin', async () => {
    await node.sendEth({ to: us, value: 7n });
    expect(await credits()).toEqual([['value', 'native', 7n]]);
  });

  it('credits a listed token', async () => {
    await pay(us, 2_000_000n);
    expect(await credits()).toEqual([['log:0', token.address, 2_000_000n]]);
  });

  it('credits a token sent by a spender with an allowance', async () => {
    await call(token, 'approve', [node.account(1), 100n]);
    await call(token, 'transferFrom', [node.account(0), us, 9n], { from: node.account(1) });
    expect(await credits()).toEqual([['log:0', token.address, 9n]]);
  });

  it('credits an internal payment by a contract, where the node can trace', async () => {
    const forwarder = await node.deploy(Forwarder, [us]);
    await node.send({ gas, to: forwarder.address, value: 11n });
    expect(await credits()).toEqual(isTraced ? [['call:0', 'native', 11n]] : []);
    expect(await node.balance(us)).toBe(11n);
  });

  it('credits a payment by a constructor, where the node can trace', async () => {
    await create(Forwarder, [us], 12n);
    expect(await credits()).toEqual(isTraced ? [['call:0', 'native', 12n]] : []);
  });

  it('credits a selfdestruct, where the node can trace', async () => {
    const sender = await node.deploy(SelfDestructSender);
    await node.send({ gas, to: sender.address, value: 3n });
    await call(sender, 'destroy', [us], { value: 4n });
    expect(await credits()).toEqual(isTraced ? [['call:0', 'native', 7n]] : []);
    await create(SelfDestructInConstructor, [us], 8n);
    expect(await credits()).toEqual(isTraced ? [['call:0', 'native', 8n]] : []);
    expect(await node.balance(us)).toBe(15n);
  });

  it('credits nothing that an inner frame reverted', async () => {
    const trick = await node.deploy(RevertingInner);
    await pay(trick.address, 50n);
    await call(trick, 'pretendToPay', [us], { value: 13n });
    await call(trick, 'pretendToPayToken', [token.address, us, 50n]);
    expect(await credits()).toEqual([]);
    expect(await node.balance(us)).toBe(0n);
    expect(await node.tokenBalance(token.address, us)).toBe(0n);
  });

  it('credits nothing for a failed transaction', async () => {
    // The recipient's code reverts, so the value comes back although the transaction names it.
    const trick = await node.deploy(RevertingInner);
    us = trick.address;
    const hash = await call(trick, 'fail', [], { value: 14n });
    expect(await credits()).toEqual([]);
    expect((await node.receipt(hash))?.status).toBe('0x0');
    const { height, hash: blockHash } = await adapter.tip();
    expect(await adapter.transaction(hash)).toEqual({
      fate: 'mined',
      block: { height, hash: blockHash },
      confirmations: 1,
      succeeded: false,
      credits: [],
      unlisted: [],
    });
  });

  it('returns a token payout with its contract', async () => {
    const hash = await pay(us, 2_000_000n);
    await mineOne(node);
    expect(await adapter.transaction(hash)).toMatchObject({
      succeeded: true,
      credits: [{ asset: token.address, key: keyOf(us), amount: 2_000_000n }],
    });
  });

  it('credits nothing for a token transfer that failed', async () => {
    const hash = await pay(us, 5n, { from: node.account(2) });
    expect(await credits()).toEqual([]);
    expect((await node.receipt(hash))?.status).toBe('0x0');
  });

  it('counts every transfer of one transaction', async () => {
    const sender = await node.deploy(MultiSend);
    await pay(sender.address, 100n);
    await node.mine();
    const send = (asset: Hex, to: Hex, value: bigint) => ({ token: asset, to, value });
    const sends = [
      send(token.address, us, 5n),
      send(token.address, newAddress(), 6n),
      send(ZERO, us, 7n),
      send(token.address, us, 5n),
    ];
    await call(sender, 'send', [sends], { value: 7n });
    expect(await credits()).toEqual([
      ...(isTraced ? [['call:2', 'native', 7n]] : []),
      ['log:0', token.address, 5n],
      ['log:2', token.address, 5n],
    ]);
  });

  it('credits no unlisted token, whatever its name', async () => {
    const fake = await node.deploy(FakeToken, ['Tether USD', 'USDT']);
    await call(fake, 'transfer', [us, 10n ** 9n]);
    await call(fake, 'forge', [node.account(0), us, 10n ** 9n]);
    expect(await credits()).toEqual([]);
  });

  it('credits no log that only resembles a transfer, even of a listed token', async () => {
    const odd = await node.deploy(OddLogs);
    const listed = adapters.create(proxy.url, { tokens: [odd.address] });
    const from = node.account(0);
    const word = `0x${'5'.padStart(64, '0')}`;
    const topic = (address: Hex, dirt: string) => `0x${dirt.padEnd(24, '0')}${address.slice(2)}`;
    await call(odd, 'fourTopics', [from, us, 5n]);
    await call(odd, 'twoTopics', [from, us, 5n]);
    await call(odd, 'oneTopic', [from, us, 5n]);
    for (const data of ['0x', word.slice(0, -2), `${word}00`]) await call(odd, 'anyData', [from, us, data]);
    await call(odd, 'dirtyTopics', [topic(from, ''), topic(us, '01'), 5n]);
    await call(odd, 'dirtyTopics', [topic(from, '01'), topic(us, ''), 5n]);
    const height = await mineOne(node);
    expect((await node.rpc<unknown[]>('eth_getLogs', [{ address: odd.address }])).length).toBe(8);
    expect(await creditsAt(listed, height, [keyOf(us)])).toEqual([]);
    // The right shape from the same contract: the test could fail.
    await call(odd, 'anyData', [from, us, word]);
    expect(await creditsAt(listed, await mineOne(node), [keyOf(us)])).toMatchObject([{ amount: 5n }]);
  });

  it('credits no transfer of zero and none to the sender itself', async () => {
    await pay(us, 0n);
    await node.sendEth({ to: us, value: 0n });
    expect(await credits()).toEqual([]);
    us = node.account(0);
    await pay(us, 5n);
    await node.sendEth({ to: us, value: 5n });
    expect(await credits()).toEqual([]);
  });

  it('keeps the ordinal of a transfer that is mined again at another log index', async () => {
    const ours = await pay(us, 5n);
    const height = await mineOne(node);
    const before = await creditsAt(adapter, height, [keyOf(us)]);
    expect(before).toMatchObject([{ txHash: ours, ordinal: 'log:0', amount: 5n }]);
    const blockWideIndex = async () => (await node.receipt(ours))?.logs.map(({ logIndex }) => logIndex);
    expect(await blockWideIndex()).toEqual(['0x0']);
    const data = encodeFunctionData({ abi: token.abi, functionName: 'mint', args: [newAddress(), 1n] });
    const first: TransactionRequest = { gas, from: node.account(3), to: token.address, data };
    await node.reorg(1, [
      [first, 0],
      [await rawTransaction(node, ours), 0],
    ]);
    expect(await blockWideIndex()).toEqual(['0x1']);
    expect(await creditsAt(adapter, height, [keyOf(us)])).toEqual(before);
  });
});

describe('the EVM adapter in total', () => {
  /** A generator of our own, so that a failing run can be run again by its seed. */
  function random(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state >>> 8) % below;
    };
  }

  /** Everything that moves value, and what only pretends to. */
  async function actions(token: Token, us: readonly Hex[], pick: (below: number) => number) {
    const sender = await node.deploy(MultiSend);
    const trick = await node.deploy(RevertingInner);
    const forwarder = await node.deploy(Forwarder, [us[0]]);
    const someone = () => us[pick(us.length)] ?? ZERO;
    const amount = () => BigInt(1 + pick(1_000_000));
    return [
      () => node.sendEth({ to: someone(), value: amount() }),
      () => call(token, 'transfer', [someone(), amount()]),
      () => node.send({ gas, to: forwarder.address, value: amount() }),
      () => create(SelfDestructInConstructor, [someone()], amount()),
      () => call(trick, 'pretendToPay', [someone()], { value: amount() }),
      () => call(trick, 'fail', [], { value: amount() }),
      () => {
        const sends = Array.from({ length: 3 }, () => ({ token: ZERO, to: someone(), value: amount() }));
        const value = sends.reduce((sum, one) => sum + one.value, 0n);
        return call(sender, 'send', [sends], { value });
      },
    ];
  }

  it.each([1, 2, 3])(
    'credits exactly what the addresses hold after random payments and forks (seed %i)',
    async (seed) => {
      const pick = random(seed);
      const token = await node.deployToken('USDC');
      const us = Array.from({ length: 5 }, newAddress);
      const acts = await actions(token, us, pick);
      const adapter = adapters.create(node.url, { tokens: [token.address] });
      await node.mine(4);
      const start = await node.blockNumber();
      for (let step = 0; step < 60; step++) {
        await acts[pick(acts.length)]?.();
        if (pick(3) === 0) await node.mine();
        if (pick(12) === 0) {
          await node.mine();
          await node.reorg(1 + pick(3));
        }
      }
      const height = await mineOne(node);
      const found: ObservedTransfer[] = [];
      for (let at = start - 3; at <= height; at++)
        found.push(...(await creditsAt(adapter, at, us.map(keyOf))));
      expect(found.length).toBeGreaterThan(10);
      for (const address of us) {
        const sum = (asset: string) =>
          found
            .filter((one) => one.asset === asset && one.key.equals(keyOf(address)))
            .reduce((total, one) => total + one.amount, 0n);
        expect(sum('native')).toBe(await node.balance(address));
        expect(sum(token.address)).toBe(await node.tokenBalance(token.address, address));
      }
    },
  );
});
