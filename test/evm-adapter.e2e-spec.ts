import { randomBytes } from 'node:crypto';
import type { ChainAdapter, ObservedTransfer } from '../src/chains/chain-adapter.js';
import { creditsAt, type ChainDriver, describeChainAdapter } from './chain-adapter.contract.js';
import { type Deployed, type Hex, startAnvil, type TestChain } from './support/anvil.js';
import {
  FakeToken,
  Forwarder,
  MultiSend,
  OddLogs,
  RevertingInner,
  SelfDestructInConstructor,
  SelfDestructSender,
} from './support/contracts/artifacts.js';
import { EvmAdapters, keyOf, mineOne, rawTransaction } from './support/evm-chain.js';
import { RpcProxy } from './support/rpc-proxy.js';

type Token = Awaited<ReturnType<TestChain['deployToken']>>;

const ZERO: Hex = `0x${'0'.repeat(40)}`;
const adapters = new EvmAdapters();
let node: TestChain;
let proxy: RpcProxy;

/** Nobody has used it, so its balance is what it was paid. */
function newAddress(): Hex {
  return `0x${randomBytes(20).toString('hex')}`;
}

beforeAll(async () => {
  node = await startAnvil();
  proxy = await RpcProxy.start(node.url);
});
afterAll(async () => {
  await adapters.close();
  await proxy.stop();
  await node.stop();
});

async function startDriver(): Promise<ChainDriver> {
  const sender = await node.deploy(MultiSend);
  return {
    adapter: adapters.create(node.url),
    misnamed: adapters.create(node.url, { chainId: 1 }),
    newKey: () => keyOf(newAddress()),
    pay: async (outputs) => {
      const sends = outputs.map(({ key, amount }) => {
        const to: Hex = `0x${key.toString('hex')}`;
        return { token: ZERO, to, value: amount };
      });
      const [only] = sends;
      if (only && sends.length === 1) return node.sendEth(only);
      const value = outputs.reduce((sum, { amount }) => sum + amount, 0n);
      return node.call(sender, 'send', [sends], { value });
    },
    mine: async (blocks) => {
      await node.mine(blocks);
      return node.blockNumber();
    },
    fork: async (depth, keep) => {
      const raw = await Promise.all(keep.map((hash) => rawTransaction(node, hash)));
      await node.reorg(
        depth,
        raw.map((one) => [one, 0]),
      );
    },
    rollback: async (depth) => {
      await node.rpc('anvil_rollback', [depth]);
    },
  };
}

describeChainAdapter('EVM', startDriver);

/** The three ways in which nodes show native coin; the proxy hides what the node has beyond. */
const NODES: [name: string, hidden: string[]][] = [
  ['trace_block', []],
  ['debug_traceBlockByHash', ['trace_block']],
  ['full blocks', ['trace_block', 'debug_traceBlockByHash']],
];

describe.each(NODES)('the EVM adapter on a node with %s', (way, hidden) => {
  let adapter: ChainAdapter;
  let token: Token;
  let us: Hex;
  const isTraced = way !== 'full blocks';
  const credits = async (): Promise<[ordinal: string, asset: string, amount: bigint][]> => {
    const transfers = await creditsAt(adapter, await mineOne(node), [keyOf(us)]);
    return transfers.map(({ ordinal, asset, amount }) => [ordinal, asset, amount]);
  };
  const pay = (to: Hex, value: bigint) => node.sendToken({ token: token.address, to, value });

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

  it('credits a token sent by somebody with an allowance', async () => {
    await node.call(token, 'approve', [node.account(1), 100n]);
    await node.call(token, 'transferFrom', [node.account(0), us, 9n], { from: node.account(1) });
    expect(await credits()).toEqual([['log:0', token.address, 9n]]);
  });

  it('credits what a contract pays on, where the node can trace', async () => {
    const forwarder = await node.deploy(Forwarder, [us]);
    await node.sendEth({ to: forwarder, value: 11n });
    expect(await credits()).toEqual(isTraced ? [['call:0', 'native', 11n]] : []);
    expect(await node.balance(us)).toBe(11n);
  });

  it('credits what a constructor pays on, where the node can trace', async () => {
    await node.create(Forwarder, [us], 12n);
    expect(await credits()).toEqual(isTraced ? [['call:0', 'native', 12n]] : []);
  });

  it('credits a selfdestruct, where the node can trace', async () => {
    const sender = await node.deploy(SelfDestructSender);
    await node.sendEth({ to: sender, value: 3n });
    await node.call(sender, 'destroy', [us], { value: 4n });
    expect(await credits()).toEqual(isTraced ? [['call:0', 'native', 7n]] : []);
    await node.create(SelfDestructInConstructor, [us], 8n);
    expect(await credits()).toEqual(isTraced ? [['call:0', 'native', 8n]] : []);
    expect(await node.balance(us)).toBe(15n);
  });

  it('credits nothing that an inner frame took back', async () => {
    const trick = await node.deploy(RevertingInner);
    await pay(trick.address, 50n);
    await node.call(trick, 'pretendToPay', [us], { value: 13n });
    await node.call(trick, 'pretendToPayToken', [token, us, 50n]);
    expect(await credits()).toEqual([]);
    expect(await node.balance(us)).toBe(0n);
    expect(await node.tokenBalance(token, us)).toBe(0n);
  });

  it('credits nothing for a failed transaction', async () => {
    // The recipient has code that reverts, so the value comes back although the transaction names it.
    const trick = await node.deploy(RevertingInner);
    us = trick;
    const hash = await node.call(trick, 'fail', [], { value: 14n });
    expect(await credits()).toEqual([]);
    expect(await node.rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x0' });
  });

  it('credits nothing for a token transfer that failed', async () => {
    await node.call(token, 'transfer', [us, 5n], { account: 2 });
    expect(await credits()).toEqual([]);
  });

  it('counts every transfer of one transaction', async () => {
    const sender = await node.deploy(MultiSend);
    await pay(sender.address, 100n);
    await node.mine();
    const send = (asset: string, to: string, value: bigint) => ({ token: asset, to, value });
    const sends = [
      send(token, us, 5n),
      send(token, newAddress(), 6n),
      send(ZERO, us, 7n),
      send(token, us, 5n),
    ];
    await node.call(sender, 'send', [sends], { value: 7n });
    const found = await credits();
    expect(found).toEqual([
      ...(isTraced ? [['call:2', 'native', 7n]] : []),
      ['log:0', token.address, 5n],
      ['log:2', token.address, 5n],
    ]);
  });

  it('credits no token that is not listed, whatever it calls itself', async () => {
    const fake = await node.deploy(FakeToken, ['Tether USD', 'USDT']);
    await node.call(fake, 'transfer', [us, 10n ** 9n]);
    await node.call(fake, 'forge', [node.account(0), us, 10n ** 9n]);
    expect(await credits()).toEqual([]);
  });

  it('credits no log that only looks like a transfer, even of a listed token', async () => {
    const odd = await node.deploy(OddLogs);
    const listed = adapterFor(proxy.url, [token, odd]);
    const topic = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;
    const word = `0x${'5'.padStart(64, '0')}`;
    await node.call(odd, 'fourTopics', [node.account(0), us, 5n]);
    await node.call(odd, 'twoTopics', [node.account(0), us, 5n]);
    await node.call(odd, 'oneTopic', [node.account(0), us, 5n]);
    await node.call(odd, 'anyData', [node.account(0), us, '0x']);
    await node.call(odd, 'anyData', [node.account(0), us, word.slice(0, -2)]);
    await node.call(odd, 'anyData', [node.account(0), us, `${word}00`]);
    await node.call(odd, 'dirtyTopics', [topic(node.account(0)), `0x01${topic(us).slice(4)}`, 5n]);
    const height = await node.mine();
    const block = await listed.block(height);
    expect(block?.candidates.filter(({ asset }) => asset !== 'native')).toEqual([]);
    // The same contract with the right shape, so that the test can fail.
    await node.call(odd, 'anyData', [node.account(0), us, word]);
    expect(await creditsAt(listed, await node.mine(), [bytes(us)])).toMatchObject([
      { asset: odd, amount: 5n },
    ]);
  });

  it('credits no transfer of nothing and none to oneself', async () => {
    await pay(us, 0n);
    await node.sendEth({ to: us, value: 0n });
    us = node.account(0);
    await pay(us, 5n);
    await node.sendEth({ to: us, value: 5n });
    expect(await credits()).toEqual([]);
  });

  it('keeps the ordinal of a transfer that is mined again at another log index', async () => {
    const other = newAddress();
    const ours = await node.call(token, 'transfer', [us, 5n]);
    const theirs = await node.call(token, 'transfer', [other, 6n], { account: 0 });
    const height = await node.mine();
    const before = await creditsAt(adapter, height, [bytes(us)]);
    expect(before).toMatchObject([{ txHash: ours, ordinal: 'log:0', amount: 5n }]);
    const index = async () => {
      const { logs } = await node.rpc<{ logs: { logIndex: string }[] }>('eth_getTransactionReceipt', ours);
      return logs.map(({ logIndex }) => Number(logIndex));
    };
    expect(await index()).toEqual([0]);
    // Another sender's transfer comes first in the new block and takes log index 0.
    const mint = await node.sign({ ...mintCall(token, other), account: 3 });
    await node.reorg(1, [
      [mint, 0],
      [ours, 0],
      [theirs, 0],
    ]);
    expect(await index()).toEqual([1]);
    expect(await creditsAt(adapter, height, [bytes(us)])).toEqual(before);
  });
});

function mintCall(token: string, to: string): { to: string; data: string } {
  return { to: token, data: `0x40c10f19${to.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}` };
}

describe('the EVM adapter, by the sum of it all', () => {
  /** A small generator of our own, so that a failing run can be run again by its seed. */
  function random(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state % below;
    };
  }

  it.each([1, 2, 3])(
    'credits exactly what the addresses hold after random payments and forks (seed %i)',
    async (seed) => {
      const pick = random(seed);
      const token = await node.deploy(TestToken, ['USD Coin', 'USDC', 6, node.account(0), 10n ** 15n]);
      const [sender, trick] = [await node.deploy(MultiSend), await node.deploy(RevertingInner)];
      const start = await node.mine(4);
      const us = Array.from({ length: 5 }, () => newAddress());
      const forwarders = await Promise.all([node.deploy(Forwarder, [us[0]])]);
      const adapter = adapterFor(node.url, [token]);
      const someone = () => us[pick(us.length)] ?? ZERO;
      const amount = () => BigInt(1 + pick(1_000_000));
      const acts: (() => Promise<unknown>)[] = [
        async () => node.send({ to: someone(), value: amount() }),
        async () => node.call(token, 'transfer', [someone(), amount()]),
        async () => node.send({ to: forwarders[0] ?? ZERO, value: amount() }),
        async () => node.create(SelfDestructInConstructor, [someone()], amount()),
        async () => node.call(trick, 'pretendToPay', [someone()], { value: amount() }),
        async () => node.call(trick, 'fail', [], { value: amount() }),
        async () => {
          const sends = Array.from({ length: 3 }, () => ({ token: ZERO, to: someone(), value: amount() }));
          return node.call(sender, 'send', [sends], {
            value: sends.reduce((sum, one) => sum + one.value, 0n),
          });
        },
      ];
      for (let step = 0; step < 60; step++) {
        await acts[pick(acts.length)]?.();
        if (pick(3) === 0) await node.mine();
        if (pick(12) === 0) {
          await node.mine();
          await node.reorg(1 + pick(3));
        }
      }
      const height = await node.mine();
      const found: ObservedTransfer[] = [];
      for (let at = start; at <= height; at++) found.push(...(await creditsAt(adapter, at, us.map(bytes))));
      expect(found.length).toBeGreaterThan(10);
      for (const address of us) {
        const sum = (asset: string) =>
          found
            .filter((one) => one.asset === asset && one.key.equals(bytes(address)))
            .reduce((total, one) => total + one.amount, 0n);
        expect(sum('native')).toBe(await node.balance(address));
        expect(sum(token)).toBe(await node.tokenBalance(token, address));
      }
    },
  );
});
