import type { ChainAdapter, ObservedBlock } from '../chains/chain-adapter.pure.js';
import { BlockReader } from './block-reader.service.js';

const TIP = { height: 1_000, hash: 'tip' };

/**
 * A node whose ranges have the lengths of the list in turn, the last of them for ever; 0: it does not answer.
 * @param isSlow its answers come when they are let go
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
  /** So many answers come, one after the other. */
  const letGo = async (count: number) => {
    for (let i = 0; i < count; i++) {
      held.shift()?.();
      await settled();
    }
  };
  /** The first range of all, which nobody could ask for ahead. */
  const readFirst = async () => {
    const first = read(0);
    await settled();
    await letGo(1);
    return first;
  };
  return { froms, reader, read, readFirst, letGo };
}

/** Everything that waits for nothing from outside has happened. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('reading in catch-up', () => {
  it('asks for one range ahead, and for three at once when two had the same length', async () => {
    const { froms, read, readFirst, letGo } = nodeOf([10], { isSlow: true });
    expect(await readFirst()).toHaveLength(10);
    expect(froms).toEqual([1, 11]);
    await letGo(1);
    // The place of the next one is told by the one that has come.
    expect(froms).toEqual([1, 11, 21]);
    expect((await read(10))[0]).toBe(11);
    expect(froms).toEqual([1, 11, 21, 31, 41]);
    await letGo(1);
    expect(froms).toEqual([1, 11, 21, 31, 41, 51]);
  });

  it('goes on while the caller is busy, but not for ever', async () => {
    const { froms, readFirst, letGo } = nodeOf([10], { isSlow: true });
    await readFirst();
    await letGo(20);
    expect(froms).toEqual([1, 11, 21, 31, 41, 51, 61, 71, 81]);
  });

  it.each([
    [10, 30],
    [100, 200],
  ])(
    'hands over together what has come by then, in order and in whole ranges of %i, as much as one may be',
    async (length, expected) => {
      const { read, readFirst, letGo } = nodeOf([length], { isSlow: true });
      await readFirst();
      await letGo(3);
      const heights = await read(length);
      expect(heights).toEqual(Array.from({ length: expected }, (_, i) => length + 1 + i));
      await letGo(1);
      expect((await read(length + expected))[0]).toBe(length + expected + 1);
    },
  );

  it.each([[[10, 10, 4, 10, 7]], [[1, 2, 3, 4, 5, 6]], [[5, 5, 5, 5, 1, 5]]])(
    'skips no block and gives none twice when ranges come in lengths of %j',
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

  it('reads again from where the cursor is, wherever that is', async () => {
    const { reader, read } = nodeOf([10]);
    for (const at of [0, 10, 20]) await read(at);
    expect((await read(5))[0]).toBe(6);
    reader.forget('test');
    expect((await read(15))[0]).toBe(16);
  });

  it('reads again what failed ahead of its turn', async () => {
    const { froms, read } = nodeOf([10, 0, 10]);
    await read(0);
    expect((await read(10))[0]).toBe(11);
    expect(froms.slice(0, 3)).toEqual([1, 11, 11]);
  });

  it('asks for nothing beyond the tip', async () => {
    const { froms, read } = nodeOf([480]);
    await read(0);
    await settled();
    await read(480);
    await settled();
    expect(froms).toEqual([1, 481, 961]);
  });

  it('asks for nothing more once it was told to forget', async () => {
    const { froms, reader, readFirst, letGo } = nodeOf([10], { isSlow: true });
    await readFirst();
    reader.forget('test');
    await letGo(1);
    expect(froms).toEqual([1, 11]);
  });
});
