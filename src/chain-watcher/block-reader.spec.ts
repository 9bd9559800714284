import type { ChainAdapter, ObservedBlock } from '../chains/chain-adapter.pure.js';
import { BlockReader } from './block-reader.service.js';

const TIP = { height: 1_000, hash: 'tip' };

/**
 * A node that returns ranges of these lengths in turn, repeating the last; 0: the request fails.
 * @param isSlow responses are held back until released
 */
function nodeOf(lengths: readonly number[], { isSlow = false } = {}) {
  const froms: number[] = [];
  const held: (() => void)[] = [];
  const blocks = async (from: number): Promise<ObservedBlock[]> => {
    const length = lengths[Math.min(froms.length, lengths.length - 1)] ?? 0;
    froms.push(from);
    if (isSlow) await new Promise<void>((resolve) => held.push(resolve));
    if (length === 0) throw new Error('no answer');
    return Array.from({ length }, (_, i) => ({ height: from + i }) as ObservedBlock);
  };
  const adapter = { chain: 'test', blocks } as Partial<ChainAdapter> as ChainAdapter;
  const reader = new BlockReader();
  /** Heights of the next range after a cursor. */
  const read = async (height: number): Promise<number[]> =>
    (await reader.read(adapter, { height, hash: '' }, TIP)).map((block) => block.height);
  /** Releases responses, one after the other. */
  const release = async (count: number) => {
    for (let i = 0; i < count; i++) {
      held.shift()?.();
      await settled();
    }
  };
  /** The very first range, which cannot be prefetched. */
  const readFirst = async () => {
    const first = read(0);
    await settled();
    await release(1);
    return first;
  };
  return { froms, reader, read, readFirst, release };
}

/** Lets all pending microtasks and immediates run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('BlockReader in catch-up', () => {
  it('prefetches one range, and three concurrently after two ranges of equal length', async () => {
    const { froms, read, readFirst, release } = nodeOf([10], { isSlow: true });
    expect(await readFirst()).toHaveLength(10);
    expect(froms).toEqual([1, 11]);
    await release(1);
    // The arrived range determines where the next one begins.
    expect(froms).toEqual([1, 11, 21]);
    expect((await read(10))[0]).toBe(11);
    expect(froms).toEqual([1, 11, 21, 31, 41]);
    await release(1);
    expect(froms).toEqual([1, 11, 21, 31, 41, 51]);
  });

  it('keeps prefetching while the caller is busy, up to a limit', async () => {
    const { froms, readFirst, release } = nodeOf([10], { isSlow: true });
    await readFirst();
    await release(20);
    expect(froms).toEqual([1, 11, 21, 31, 41, 51, 61, 71, 81]);
  });

  it.each([
    [10, 30],
    [100, 200],
  ])(
    'returns arrived ranges of %i blocks together, in order, up to the length of the longest range',
    async (length, expected) => {
      const { read, readFirst, release } = nodeOf([length], { isSlow: true });
      await readFirst();
      await release(3);
      const heights = await read(length);
      expect(heights).toEqual(Array.from({ length: expected }, (_, i) => length + 1 + i));
      await release(1);
      expect((await read(length + expected))[0]).toBe(length + expected + 1);
    },
  );

  it.each([[[10, 10, 4, 10, 7]], [[1, 2, 3, 4, 5, 6]], [[5, 5, 5, 5, 1, 5]]])(
    'returns every block once for ranges of lengths %j',
    async (lengths) => {
      const { read } = nodeOf(lengths);
      const heights: number[] = [];
      while (heights.length < 60) {
        heights.push(...(await read(heights.length)));
        if (heights.length > 30) await settled();
      }
      expect(heights).toEqual(heights.map((_, i) => i + 1));
    },
  );

  it('reads from the cursor even when it moved elsewhere', async () => {
    const { reader, read } = nodeOf([10]);
    for (const at of [0, 10, 20]) await read(at);
    expect((await read(5))[0]).toBe(6);
    reader.forget('test');
    expect((await read(15))[0]).toBe(16);
  });

  it('requests a range again whose prefetch failed', async () => {
    const { froms, read } = nodeOf([10, 0, 10]);
    await read(0);
    expect((await read(10))[0]).toBe(11);
    expect(froms.slice(0, 3)).toEqual([1, 11, 11]);
  });

  it('requests nothing beyond the tip', async () => {
    const { froms, read } = nodeOf([480]);
    await read(0);
    await settled();
    await read(480);
    await settled();
    expect(froms).toEqual([1, 481, 961]);
  });

  it('prefetches no more after forget()', async () => {
    const { froms, reader, readFirst, release } = nodeOf([10], { isSlow: true });
    await readFirst();
    reader.forget('test');
    await release(1);
    expect(froms).toEqual([1, 11]);
  });
});

describe('BlockReader near the tip', () => {
  it.each<[cheapRange: number | undefined, blocks: number, inRange: boolean]>([
    [undefined, 16, false],
    [4, 3, false],
    [4, 4, true],
    [4, 16, true],
  ])(
    'with ranges that are cheap from %j on reads %i blocks in a range: %j',
    async (cheapRange, count, inRange) => {
      const asked: string[] = [];
      const answer = (height: number) => ({ height }) as ObservedBlock;
      const adapter = {
        chain: 'test',
        cheapRange,
        block: async (height: number) => {
          asked.push('one');
          return answer(height);
        },
        blocks: async (from: number, length: number) => {
          asked.push('range');
          return Array.from({ length }, (_, i) => answer(from + i));
        },
      } as Partial<ChainAdapter> as ChainAdapter;
      const cursor = { height: TIP.height - count, hash: '' };
      const [first] = await new BlockReader().read(adapter, cursor, TIP);
      expect(first?.height).toBe(cursor.height + 1);
      expect(asked.includes('range')).toBe(inRange);
    },
  );
});
