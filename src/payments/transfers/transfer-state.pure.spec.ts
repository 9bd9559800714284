import {
  awaitsRate,
  isLive,
  markConfirmed,
  reachesDepth,
  type TransferState,
} from './transfer-state.pure.js';

const LIVE: [TransferState, boolean][] = [
  ['pending', true],
  ['confirmed', true],
  ['orphaned', false],
  ['replaced', false],
  ['dropped', false],
];

it.each(LIVE)('a %s transfer is live: %s', (state, expected) => {
  expect(isLive({ state })).toBe(expected);
});

describe('a transfer waits for a rate', () => {
  it.each(LIVE)('when it is matched, has no quote and is %s: %s', (state, expected) => {
    expect(awaitsRate({ state, isMatched: true, quoteId: null })).toBe(expected);
  });

  it.each([
    ['is not matched', { isMatched: false, quoteId: null }],
    ['has a quote', { isMatched: true, quoteId: '0192f0c1-0000-7000-8000-000000000001' }],
  ])('never when it %s', (_, fields) => {
    expect(awaitsRate({ state: 'pending', ...fields })).toBe(false);
  });
});

describe('confirmed rows', () => {
  const AT = new Date('2026-01-01T00:00:00Z');
  const transfers = () => [
    { id: 'a', state: 'pending' as TransferState, confirmedAt: null },
    { id: 'b', state: 'pending' as TransferState, confirmedAt: null },
  ];

  it.each([
    ['none', [], ['pending', 'pending']],
    ['one', ['b'], ['pending', 'confirmed']],
    ['all', ['b', 'a'], ['confirmed', 'confirmed']],
  ])('confirm their transfers: %s', (_, ids, expected) => {
    const some = transfers();
    markConfirmed(some, ids, AT);
    expect(some.map(({ state }) => state)).toEqual(expected);
    expect(some.map(({ confirmedAt }) => confirmedAt)).toEqual(
      expected.map((state) => (state === 'confirmed' ? AT : null)),
    );
  });

  it('are refused when one of them was not read', () => {
    const some = transfers();
    expect(() => markConfirmed(some, ['a', 'c'], AT)).toThrow('had changed since it was read');
    expect(some.map(({ state }) => state)).toEqual(['pending', 'pending']);
  });

  it.each(LIVE.filter(([state]) => state !== 'pending'))('are refused when one was read as %s', (state) => {
    const some = [{ id: 'a', state, confirmedAt: null }];
    expect(() => markConfirmed(some, ['a'], AT)).toThrow('had changed since it was read');
  });
});

describe('a transfer has the blocks that it needs', () => {
  const TRANSFER = {
    chain: 'ethereum',
    state: 'pending' as TransferState,
    blockHeight: 10,
    confirmationsRequired: 3,
  };

  it.each([
    ['in the last of them', {}, 12, true],
    ['not in the one before', {}, 11, false],
    ['not on another chain', { chain: 'bsc' }, 12, false],
    ['not outside of blocks', { blockHeight: null }, 12, false],
    ['not once it is confirmed', { state: 'confirmed' as TransferState }, 12, false],
  ])('%s', (_, fields, height, expected) => {
    expect(reachesDepth([{ ...TRANSFER, ...fields }], { chain: 'ethereum', height })).toBe(expected);
  });
});
