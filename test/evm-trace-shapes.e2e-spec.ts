import { Logger } from '@nestjs/common';
import { EvmAuditor } from '../src/chains/evm/evm-auditor.js';
import { JsonRpc } from '../src/chains/json-rpc.js';
import { creditsAt } from './chain-adapter.contract.js';
import { type Deployed, type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { addressOf, collectCall, deployFactory, newTreasury, saltOf } from './support/collecting.js';
import { MultiSend } from './support/contracts/artifacts.js';
import { Actor } from './support/contracts/collecting/artifacts.js';
import { evmChain, EvmAdapters, keyOf, mineOne, newAddress } from './support/evm-chain.js';
import { RpcProxy } from './support/rpc-proxy.js';
import { withCallsThatNeverBegan, withoutIdleCalls } from './support/trace-shapes.js';

const ZERO: Hex = `0x${'0'.repeat(40)}`;
/** Hashes and copies: what contracts call in passing. */
const SHA256: Hex = `0x${'2'.padStart(40, '0')}`;
const IDENTITY: Hex = `0x${'4'.padStart(40, '0')}`;

/** One transaction that pays by calls, with calls to precompiles in between that hand over nothing. */
function payInPassing(node: TestChain, sender: Deployed<typeof MultiSend.abi>, to: Hex, amounts: bigint[]) {
  const idle = (precompile: Hex) => ({ token: ZERO, to: precompile, value: 0n });
  const sends = amounts.flatMap((value) => [idle(IDENTITY), { token: ZERO, to, value }, idle(SHA256)]);
  const value = amounts.reduce((sum, amount) => sum + amount, 0n);
  return node.call(sender, 'send', [sends], { value });
}

describe('nodes that count calls to precompiles, and nodes that do not', () => {
  const adapters = new EvmAdapters();
  const us = newAddress();
  let node: TestChain;
  let rpc: JsonRpc;
  /** `callTracer` counts them, `trace_block` of erigon does not, that of anvil does. */
  let geth: RpcProxy;
  let erigon: RpcProxy;
  let anvil: RpcProxy;
  let urls: string[];
  let height: number;
  let txHash: Hex;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    node = await startAnvil();
    [geth, erigon] = [await RpcProxy.start(node.url), await RpcProxy.start(node.url)];
    anvil = await RpcProxy.start(node.url);
    urls = [geth.url, erigon.url, anvil.url];
    geth.hide(['trace_block', 'trace_transaction']);
    erigon.setFaults({ trace_block: withoutIdleCalls, trace_transaction: withoutIdleCalls });
    rpc = new JsonRpc(node.url);
    txHash = await payInPassing(node, await node.deploy(MultiSend), us, [5n, 5n, 7n]);
    height = await mineOne(node);
  });
  afterAll(async () => {
    await Promise.all([adapters.close(), rpc.close()]);
    await Promise.all([geth.stop(), erigon.stop(), anvil.stop()]);
    await node.stop();
  });

  it('are detected by their responses', async () => {
    const shown = (await rpc.call('trace_block', `0x${height.toString(16)}`)) as unknown[];
    expect(shown).toHaveLength(10);
    const result = await rpc.call('debug_traceTransaction', txHash, { tracer: 'callTracer' });
    expect((result as { calls: unknown[] }).calls).toHaveLength(9);
    const less = new JsonRpc(erigon.url);
    expect(await less.call('trace_block', `0x${height.toString(16)}`)).toHaveLength(4);
    await less.close();
  });

  it('report the same payments at the same positions', async () => {
    for (const url of urls) {
      const credits = await creditsAt(adapters.create(url), height, [keyOf(us)]);
      const places = credits.map(({ ordinal, amount }) => [ordinal, amount] as const);
      expect(places.toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
        ['call:0', 5n],
        ['call:1', 5n],
        ['call:2', 7n],
      ]);
    }
  });

  it.each(['0 1', '1 0', '0 1 2', '1 0 2'])('agree on a large payment in the order %s', async (order) => {
    const asked = order.split(' ').flatMap((i) => urls[Number(i)] ?? []);
    const { pool } = adapters.createPool(asked, { agreeFrom: new Map([['native', 1n]]) });
    await pool.probe();
    expect(await creditsAt(pool, height, [keyOf(us)])).toHaveLength(3);
    expect(pool.report().map(({ failures }) => failures)).toEqual(asked.map(() => 0));
  });

  it('agree on a large payment although one counts differently', async () => {
    anvil.setFaults({ trace_block: withCallsThatNeverBegan });
    const { pool } = adapters.createPool([anvil.url, geth.url], {
      agreeFrom: new Map([['native', 1n]]),
    });
    await pool.probe();
    const credits = await creditsAt(pool, height, [keyOf(us)]);
    expect(credits.map(({ ordinal }) => ordinal)).toEqual(['call:1', 'call:2', 'call:3']);
    expect(anvil.faulted).toBeGreaterThan(0);
    anvil.setFaults({});
  });

  it('confirm records made when such calls were counted, and no others', async () => {
    const hash = (await node.blockHash(height)) ?? '';
    const claim = (ordinal: string, amount: bigint) => ({
      txHash,
      ordinal,
      height,
      blockHash: hash,
      asset: 'native',
      key: keyOf(us),
      amount,
    });
    const claims = [claim('call:0', 5n), claim('call:1', 5n), claim('call:2', 7n), claim('call:7', 7n)];
    for (const url of urls) {
      const client = new JsonRpc(url);
      const auditor = new EvmAuditor(evmChain([], node.chainId), client);
      expect(await auditor.examine(claims)).toEqual([null, null, null, null]);
      expect(await auditor.examine([claim('call:8', 7n), claim('call:7', 5n)])).toEqual([
        expect.stringContaining('moves nothing'),
        expect.stringContaining('moves'),
      ]);
      await client.close();
    }
  });
});

describe('a coin that comes to a deposit after its collection, in the same transaction', () => {
  const adapters = new EvmAdapters();
  let node: TestChain;
  /** By `trace_block`, and by `callTracer`. */
  let urls: string[];
  let geth: RpcProxy;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    node = await startAnvil();
    await deployFactory(node);
    geth = await RpcProxy.start(node.url);
    geth.hide(['trace_block', 'trace_transaction']);
    urls = [node.url, geth.url];
  });
  afterAll(async () => {
    await Promise.all([adapters.close(), geth.stop()]);
    await node.stop();
  });

  it.each([
    ['is destroyed, and credited by no node', [0, 1], 0n, []],
    ['is credited when it came before', [1, 0], 10n, ['call:0 10']],
  ])('%s', async (_what, order, arrived, credited) => {
    const safe = await node.deploy(Actor);
    const treasury = newTreasury(safe.address);
    const deposit = addressOf(treasury, 0);
    const collect = { ...collectCall(safe.address, [saltOf(treasury, 0)], []), value: 0n };
    const calls = order.map((i) => [collect, { to: deposit, data: '0x', value: 10n }][i] ?? collect);
    const args: [Hex[], bigint[], Hex[]] = [
      calls.map(({ to }) => to as Hex),
      calls.map(({ value }) => value),
      calls.map(({ data }) => data as Hex),
    ];
    await node.call(safe, 'act', args, { value: 10n });
    const height = await mineOne(node);
    expect([await node.balance(safe.address), await node.balance(deposit)]).toEqual([arrived, 0n]);
    for (const url of urls) {
      const credits = await creditsAt(adapters.create(url), height, [keyOf(deposit)]);
      expect(credits.map(({ ordinal, amount }) => `${ordinal} ${amount}`)).toEqual(credited);
    }
  });
});
