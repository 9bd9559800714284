/**
 * @inOrder One chain that grows: each test waits for the block after those before it.
 */
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { UtxoAdapter } from '../src/chains/utxo/utxo-adapter.js';
import { describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { RpcProxy } from './support/rpc-proxy.js';
import { UtxoAdapters } from './support/utxo-chain.js';

/** Longer than a test may take: only a block ends such a wait. */
const LONG_MS = 600_000;

describeWithNode('blocks that a UTXO node announces', () => {
  const adapters = new UtxoAdapters();
  let node: UtxoNode;
  let adapter: UtxoAdapter;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    node = await startUtxoNode();
    adapter = adapters.create(node.url);
  });
  afterAll(async () => {
    await adapters.close();
    await node?.stop();
  });

  /** Mines until a wait has ended: a block may come before the request to wait has reached the node. */
  const mineWhile = async (waiting: Promise<unknown> | undefined) => {
    let isWaiting = true;
    const ended = waiting?.finally(() => {
      isWaiting = false;
    });
    while (isWaiting) await node.mine();
    await ended;
  };

  it('reports a new block, and stops waiting on abort', async () => {
    const patience = new AbortController();
    await mineWhile(adapter.waitForBlock?.(LONG_MS, patience.signal));
    const again = adapter.waitForBlock?.(LONG_MS, patience.signal);
    patience.abort();
    await expect(again).rejects.toThrow(/did not answer/);
  });

  it('returns the awaited block once, the same as any other', async () => {
    const { signal } = new AbortController();
    // The time is up at once, and nothing is new.
    await adapter.waitForBlock?.(1, signal);
    expect(adapter.takeAnnounced()).toBeNull();
    await mineWhile(adapter.waitForBlock?.(LONG_MS, signal));
    const announced = adapter.takeAnnounced();
    if (!announced) throw new Error('no announced block');
    expect(announced.hash).toBe(await node.hashAt(announced.height));
    expect(adapter.takeAnnounced()).toBeNull();
    expect(await adapter.block(announced.height)).toMatchObject({ hash: announced.hash });
    expect((await adapter.tip()).height).toBeGreaterThanOrEqual(announced.height);
  });

  it('requests an announced block before it is asked for it, and only once', async () => {
    const proxy = await RpcProxy.start(node.url);
    try {
      const watching = adapters.create(proxy.url);
      const requested = () => proxy.seen.filter(({ method }) => method === 'getblock').length;
      const { signal } = new AbortController();
      await watching.waitForBlock?.(1, signal);
      await mineWhile(watching.waitForBlock?.(LONG_MS, signal));
      const announced = watching.takeAnnounced();
      if (!announced) throw new Error('no announced block');
      while (requested() === 0) await turnOfTheLoop();
      expect(await watching.block(announced.height)).toMatchObject({ hash: announced.hash });
      expect(requested()).toBe(1);
      // Without an announcement, the block is requested when it is read.
      await watching.block(announced.height);
      expect(requested()).toBe(2);
    } finally {
      await proxy.stop();
    }
  });
});
