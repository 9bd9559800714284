import type { ChainAdapter, ObservedBlock } from '../chains/chain-adapter.js';
import { BlockReader } from './block-reader.service.js';

const TIP = { height: 1_000, hash: 'tip' };

/** A node whose ranges have the lengths of the list in turn, the last of them for ever; 0: it does not answer. */
function nodeOf(...lengths: number[]) {
  const froms: number[] = [];
  const blocks = async (from: number): Promise<ObservedBlock[]> => {
    const length = lengths[Math.min(froms.length, lengths.length - 1)] ?? 0;
    froms.push(from);
    if (length === 0) throw new Error('no answer');
    return Array.from({ length }, (_, i) => ({ height: from + i }) as ObservedBlock);
  };
  const adapter = { chain: 'test', blocks } as Partial<ChainAdapter> as ChainAdapter;
  const reader = new BlockReader();
  /** Heights of the next range after a cursor. */
  const read = async (height: number): Promise<number[]> =>
    (await reader.read(adapter, { height, hash: '' }, TIP)).map((block) => block.height);
  return { froms, reader, read };
}

describe('reading in catch-up', () => {
  it('asks for one range ahead, and for three once two had the same length', async () => {
    const { froms, read } = nodeOf(10);
    expect(await read(0)).toHaveLength(10);
    expect(froms).toEqual([1, 11]);
    expect((await read(10))[0]).toBe(11);
    expect(froms).toEqual([1, 11, 21, 31, 41]);
  });

  it('hands over together what has come by then, in order, and at most as much as one range may be', async () => {
    const { froms, read } = nodeOf(10);
    await read(0);
    await read(10);
    expect(await read(20)).toEqual(Array.from({ length: 30 }, (_, i) => 21 + i));
    expect(froms.slice(5)).toEqual([51, 61, 71]);
    const long = nodeOf(100);
    await long.read(0);
    await long.read(100);
    expect(await long.read(200)).toHaveLength(200);
    expect((await long.read(400))[0]).toBe(401);
  });

  it.each([[[10, 10, 4, 10, 7]], [[1, 2, 3, 4, 5, 6]], [[5, 5, 5, 5, 1, 5]]])(
    'skips no block and gives none twice when ranges come in lengths of %j',
    async (lengths) => {
      const { read } = nodeOf(...lengths);
      const heights: number[] = [];
      while (heights.length < 60) heights.push(...(await read(heights.length)));
      expect(heights).toEqual(heights.map((_, i) => i + 1));
    },
  );

  it('reads again from where the cursor is, wherever that is', async () => {
    const { reader, read } = nodeOf(10);
    for (const at of [0, 10, 20]) await read(at);
    expect((await read(5))[0]).toBe(6);
    reader.forget('test');
    expect((await read(15))[0]).toBe(16);
  });

  it('reads again what failed ahead of its turn', async () => {
    const { froms, read } = nodeOf(10, 0, 10);
    await read(0);
    expect((await read(10))[0]).toBe(11);
    expect(froms.slice(0, 3)).toEqual([1, 11, 11]);
  });

  it('asks for nothing beyond the tip', async () => {
    const { froms, read } = nodeOf(480);
    await read(0);
    await read(480);
    expect(froms).toEqual([1, 481, 961]);
  });
});
