import { Logger } from '@nestjs/common';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EvmPool } from '../src/chains/evm/evm-pool.js';
import { NewHeads } from '../src/chains/evm/new-heads.js';
import { startAnvil, type TestChain } from './support/anvil.js';
import { evmChain } from './support/evm-chain.js';
import { TestClock } from './support/test-clock.js';

const LONG_MS = 30_000;
const opened: NewHeads[] = [];
const never = new AbortController().signal;
let node: TestChain;
let deaf: Server;

function headsOf(url: string): NewHeads {
  const heads = new NewHeads(url);
  opened.push(heads);
  return heads;
}

/** Waits, and mines until that ends: the subscription may come later than the first blocks. */
async function waitWhileMining(wait: (signal: AbortSignal) => Promise<boolean | undefined>): Promise<void> {
  let isOver = false;
  const waiting = wait(never).finally(() => (isOver = true));
  while (!isOver) {
    await node.mine();
    await Promise.race([waiting, new Promise((resolve) => setImmediate(resolve))]);
  }
  expect(await waiting).toBe(true);
}

beforeAll(async () => {
  Logger.overrideLogger(false);
  node = await startAnvil();
  deaf = createServer((_, response) => response.writeHead(400).end());
  await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const heads of opened) await heads.close();
  await new Promise((resolve) => deaf.close(resolve));
  await node.stop();
});
const deafUrl = () => `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`;

describe('new heads of an EVM node', () => {
  it('wake the waiting loop repeatedly over one connection', async () => {
    const heads = headsOf(node.url);
    for (let i = 0; i < 3; i++) await waitWhileMining((signal) => heads.wait(LONG_MS, signal));
  });

  it('wake a caller at once that starts waiting after the head arrived', async () => {
    const heads = headsOf(node.url);
    await waitWhileMining((signal) => heads.wait(LONG_MS, signal));
    const other = headsOf(node.url);
    await node.mine();
    await waitWhileMining((signal) => other.wait(LONG_MS, signal));
    await heads.wait(LONG_MS, never);
  });

  it('are not waited for after the timeout or an abort', async () => {
    const heads = headsOf(node.url);
    expect(await heads.wait(1, never)).toBe(false);
    const stop = new AbortController();
    const waiting = heads.wait(LONG_MS, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toThrow('no longer');
    await expect(heads.wait(LONG_MS, stop.signal)).rejects.toThrow('abort');
  });

  it('are unavailable without a WebSocket, and not retried soon', async () => {
    const heads = headsOf(deafUrl());
    await expect(heads.wait(LONG_MS, never)).rejects.toThrow('does not answer');
    await expect(heads.wait(LONG_MS, never)).rejects.toThrow('has no WebSocket');
  });

  it.each([
    ['after half of ten seconds at least', '', 'does not answer; next attempt in 5 s'],
    ['not before the time that it asks for', 'Retry-After: 30\r\n', 'does not answer; next attempt in 30 s'],
  ])(
    'are looked for again %s when the node refuses the handshake with 429',
    async (_when, header, message) => {
      const busy = createServer();
      busy.on('upgrade', (_request, socket) => {
        socket.end(
          `HTTP/1.1 429 Too Many Requests\r\n${header}Content-Length: 0\r\nConnection: close\r\n\r\n`,
        );
      });
      await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
      const heads = new NewHeads(`http://127.0.0.1:${(busy.address() as AddressInfo).port}`, () => 0);
      opened.push(heads);
      await expect(heads.wait(LONG_MS, never)).rejects.toThrow(message);
      await new Promise((resolve) => busy.close(resolve));
    },
  );

  it('come from any endpoint that offers them', async () => {
    const heads = [headsOf(deafUrl()), headsOf(node.url)];
    const pool = new EvmPool(evmChain([], 31_337), [], new TestClock(), 1_000, heads);
    await waitWhileMining(async (signal) => pool.waitForBlock?.(LONG_MS, signal));
    await waitWhileMining(async (signal) => pool.waitForBlock?.(LONG_MS, signal));
    const deafPool = new EvmPool(evmChain([], 31_337), [], new TestClock(), 1_000, [headsOf(deafUrl())]);
    await expect(deafPool.waitForBlock?.(LONG_MS, never)).rejects.toThrow(AggregateError);
    expect(new EvmPool(evmChain([], 31_337), [], new TestClock()).waitForBlock).toBeUndefined();
  });
});
