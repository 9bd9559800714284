import {
  ACCOUNT_WINDOW,
  type AddressWindow,
  describeEarlierUse,
  findPast,
  SCAN_WINDOW,
} from './earlier-use.pure.js';

/** Asks keys of which these indexes are used, and keeps what was asked. */
function asked(...used: (readonly number[])[]) {
  const questions: (readonly AddressWindow[])[] = [];
  const ask = async (windows: readonly AddressWindow[]) => {
    questions.push(windows);
    return windows.map(({ of, first, count }) =>
      Array.from({ length: count }, (_, i) => used[of]?.includes(first + i) ?? false),
    );
  };
  return { questions, ask };
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('findPast', () => {
  it.each<[string, number, number[], number]>([
    ['no address is used', 0, [], 0],
    ['the first is used', 0, [0], 1],
    ['twelve are used', 0, upTo(12), 12],
    ['only a later one is used', 0, [17], 18],
    ['the last of a window is used', 0, [19], 20],
    ['each gap is as long as it may be', 0, [19, 39, 59], 60],
    ['one is behind the gap', 0, [60], 0],
    ['the counter is beyond what is used', 30, upTo(12), 30],
    ['more is used after the counter', 30, [3, 35], 36],
  ])('when %s', async (_case, start, used, past) => {
    const { ask } = asked(used);
    expect(await findPast([start], ACCOUNT_WINDOW, ask)).toEqual([past]);
  });

  it('looks behind the gap where that costs nothing', async () => {
    const { ask, questions } = asked([60]);
    expect(await findPast([0], SCAN_WINDOW, ask)).toEqual([61]);
    expect(questions).toHaveLength(1);
  });

  it('asks for all keys at once, and no more of those that are done', async () => {
    const { ask, questions } = asked([], upTo(25), []);
    expect(await findPast([0, 0, 7], ACCOUNT_WINDOW, ask)).toEqual([0, 25, 7]);
    expect(questions.map((windows) => windows.map(({ of }) => of))).toEqual([[0, 1, 2], [1], [1]]);
  });

  it.each([
    [ACCOUNT_WINDOW, 60],
    [SCAN_WINDOW, 8],
  ])('of 10,000 used addresses takes few questions', async (size, most) => {
    const { ask, questions } = asked(upTo(10_000));
    expect(await findPast([0], size, ask)).toEqual([10_000]);
    expect(questions.length).toBeLessThanOrEqual(most);
  });

  it('ends although a node says that all are used', async () => {
    const all = async (windows: readonly AddressWindow[]) =>
      windows.map(({ count }) => Array.from({ length: count }, () => true));
    expect(await findPast([0], ACCOUNT_WINDOW, all)).toEqual([expect.any(Number)]);
  });

  it('knows nothing where a later question has no answer', async () => {
    let count = 0;
    const ask = async (windows: readonly AddressWindow[]) =>
      count++ === 0 ? windows.map(() => [true]) : null;
    expect(await findPast([0], ACCOUNT_WINDOW, ask)).toBeNull();
  });
});

describe('describeEarlierUse', () => {
  const search = (chain: string, firstIndex: number, skipped: number, isVisible = true) => ({
    chain,
    firstIndex,
    skipped,
    isVisible,
  });

  it.each([
    ['nothing was asked yet', [], ['ethereum'], ['unknown', 0, null, []]],
    ['a chain is missing', [search('bsc', 0, 0)], ['bsc', 'ethereum'], ['unknown', 0, null, []]],
    ['nothing was used', [search('ethereum', 0, 0)], ['ethereum'], ['known', 0, null, []]],
    ['twelve were used', [search('ethereum', 0, 12)], ['ethereum'], ['known', 12, 12, []]],
    [
      'both chains have used ones',
      [search('bsc', 0, 5), search('ethereum', 5, 7)],
      ['bsc', 'ethereum'],
      ['known', 12, 12, []],
    ],
    ['a chain cannot say', [search('tron', 0, 0, false)], ['tron'], ['known', 0, null, ['tron']]],
    ['a chain is no longer watched', [search('bsc', 0, 0, false)], [], ['known', 0, null, []]],
  ] as const)('when %s', (_case, searches, chains, [state, skippedAddresses, continuedAt, unseenOn]) => {
    expect(describeEarlierUse(searches, chains)).toEqual({ state, skippedAddresses, continuedAt, unseenOn });
  });
});
