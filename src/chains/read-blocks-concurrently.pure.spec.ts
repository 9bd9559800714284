import type { ObservedBlock } from './chain-adapter.pure.js';
import { readBlocksConcurrently } from './read-blocks-concurrently.pure.js';

const FROM = 100;
const block = (height: number): ObservedBlock => ({
  height,
  hash: `hash ${height}`,
  parentHash: `hash ${height - 1}`,
  time: new Date(0),
  candidates: [],
});

/** How the node responds, for one height after the other. */
type Response = 'block' | 'missing' | 'failed';

async function read(responses: Response[]): Promise<number[]> {
  const adapter = {
    block: async (height: number) => {
      const response = responses[height - FROM];
      if (response === 'failed') throw new Error(`block ${height} failed`);
      return response === 'block' ? block(height) : null;
    },
  };
  const blocks = await readBlocksConcurrently(adapter, FROM, responses.length);
  expect(blocks).toEqual(blocks.map(({ height }) => block(height)));
  return blocks.map(({ height }) => height);
}

describe('readBlocksConcurrently', () => {
  it.each<[string, Response[], number[]]>([
    ['a count of zero: none', [], []],
    ['one block: that block', ['block'], [100]],
    ['every block is there: all in order', ['block', 'block', 'block'], [100, 101, 102]],
    ['the first is missing: none', ['missing', 'block', 'block'], []],
    ['the first is missing and the second fails: none', ['missing', 'failed'], []],
    ['the second is missing: only the first', ['block', 'missing', 'block'], [100]],
    ['the last is missing: all before it', ['block', 'block', 'missing'], [100, 101]],
    ['the second fails: only the first', ['block', 'failed', 'block'], [100]],
    ['the last fails: all before it', ['block', 'block', 'failed'], [100, 101]],
    ['one is missing and a later one fails: those before both', ['block', 'missing', 'failed'], [100]],
    ['one fails and a later one is missing: those before both', ['block', 'failed', 'missing'], [100]],
  ])('%s', async (_title, responses, heights) => {
    expect(await read(responses)).toEqual(heights);
  });

  it.each<[string, Response[]]>([
    ['the only block fails', ['failed']],
    ['the first block fails, although the others are there', ['failed', 'block', 'block']],
    ['the first block fails and the second is missing', ['failed', 'missing']],
    ['every block fails: the error of the first', ['failed', 'failed']],
  ])('throws when %s', async (_title, responses) => {
    await expect(read(responses)).rejects.toThrow(new Error('block 100 failed'));
  });

  it('requests every block before the first response, and puts late responses in order', async () => {
    const waiting = new Map<number, (block: ObservedBlock) => void>();
    const adapter = {
      block: (height: number) => new Promise<ObservedBlock>((resolve) => waiting.set(height, resolve)),
    };
    const blocks = readBlocksConcurrently(adapter, FROM, 3);
    expect([...waiting.keys()]).toEqual([100, 101, 102]);
    for (const height of [102, 100, 101]) waiting.get(height)?.(block(height));
    expect(await blocks).toEqual([block(100), block(101), block(102)]);
  });
});
