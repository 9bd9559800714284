import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { limitConcurrency } from './concurrency-limit.js';
import { CAPACITY } from './fair-queue.pure.js';
import { currentRequest, requestContext } from '../../kernel/request-context.js';

/** A slot is free in the next turn of the event loop. */
const turn = () => new Promise(setImmediate);

describe('limitConcurrency', () => {
  let started: string[];
  /** Of a request that has started, by its name. */
  let slots: Map<string, () => void>;
  let turns: Map<string, () => Promise<void>>;
  let limit: ReturnType<typeof limitConcurrency>;
  beforeEach(() => {
    started = [];
    slots = new Map();
    turns = new Map();
    limit = limitConcurrency();
  });
  /** @returns its response, which ends when it emits `close` */
  const send = (name: string): EventEmitter => {
    const request = { path: '/api/payment/1', headers: {}, socket: { remoteAddress: '127.0.0.1' } };
    const response = Object.assign(new EventEmitter(), { setHeader: () => undefined });
    const handle = () => {
      started.push(name);
      const { freeSlot, nextTurn } = currentRequest() ?? {};
      if (!freeSlot || !nextTurn) throw new Error(`${name} has no slot`);
      slots.set(name, freeSlot);
      turns.set(name, nextTurn);
    };
    requestContext(request as unknown as Request, response as unknown as Response, () =>
      limit(request as unknown as Request, response as unknown as Response, handle),
    );
    return response;
  };
  const names = (count: number) => Array.from({ length: count }, (_, i) => `running ${i + 1}`);

  it('starts the next request when one has ended, or only waits for its last statement', async () => {
    const [ending] = names(CAPACITY).map(send);
    for (const name of ['next', 'after it', 'last']) send(name);
    expect(started).toEqual(names(CAPACITY));
    ending?.emit('close');
    expect(started).toEqual(names(CAPACITY));
    await turn();
    expect(started.slice(CAPACITY)).toEqual(['next']);
    slots.get('running 2')?.();
    await turn();
    expect(started.slice(CAPACITY)).toEqual(['next', 'after it']);
  });

  it('counts a request that has freed its slot and ends later once', async () => {
    const [freed] = names(CAPACITY).map(send);
    for (const name of ['next', 'after it']) send(name);
    slots.get('running 1')?.();
    slots.get('running 1')?.();
    freed?.emit('close');
    await turn();
    expect(started.slice(CAPACITY)).toEqual(['next']);
  });

  it('does not start a request whose client has gone', async () => {
    const [ending] = names(CAPACITY).map(send);
    send('gone').emit('close');
    send('next');
    ending?.emit('close');
    expect(started).toEqual(names(CAPACITY));
    await turn();
    expect(started.slice(CAPACITY)).toEqual(['next']);
  });

  describe('between two parts of a long response', () => {
    const resumed: string[] = [];
    beforeEach(() => void resumed.splice(0));
    const goOn = (name: string) =>
      void turns
        .get(name)?.()
        .then(() => resumed.push(name));

    it('starts those that came before it is its turn again', async () => {
      names(CAPACITY).forEach(send);
      send('next');
      goOn('running 1');
      await turn();
      expect([started.at(-1), resumed]).toEqual(['next', []]);
      slots.get('next')?.();
      await turn();
      await turn();
      expect(resumed).toEqual(['running 1']);
    });

    it('goes on at once where nobody waits, also when it had stopped counting', async () => {
      send('long');
      for (let part = 1; part <= 3; part++) {
        if (part === 2) slots.get('long')?.();
        goOn('long');
        await turn();
        await turn();
        expect(resumed).toHaveLength(part);
      }
    });

    it('counts again, so that another one waits', async () => {
      names(CAPACITY).forEach(send);
      goOn('running 1');
      await turn();
      send('next');
      await turn();
      expect([started.includes('next'), resumed]).toEqual([false, ['running 1']]);
    });

    it('ends when the client has gone, and leaves the place to others', async () => {
      const [leaving] = names(CAPACITY).map(send);
      for (const name of ['next', 'after it']) send(name);
      goOn('running 1');
      await turn();
      leaving?.emit('close');
      await turn();
      expect(resumed).toEqual(['running 1']);
      slots.get('next')?.();
      await turn();
      expect(started.slice(CAPACITY)).toEqual(['next', 'after it']);
    });
  });
});
