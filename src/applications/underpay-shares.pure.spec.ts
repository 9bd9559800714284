import { contradictions, UNDERPAY_SHARES } from './underpay-shares.pure.js';

describe('contradictions', () => {
  it.each([
    ['nothing', {}, {}],
    ['all that the least share leaves', { underpayToleranceBps: 500 }, {}],
    ['both at once', { underpayLeastShareBps: 9_000, underpayToleranceBps: 1_000 }, {}],
    [
      'more than the stored least share leaves',
      { underpayToleranceBps: 501 },
      {
        underpayToleranceBps: [
          'The underpayToleranceBps field must be at most 500, what underpayLeastShareBps of 9500 leaves.',
        ],
      },
    ],
    [
      'more than the least share beside it leaves',
      { underpayLeastShareBps: 10_000, underpayToleranceBps: 1 },
      {
        underpayToleranceBps: [
          'The underpayToleranceBps field must be at most 0, what underpayLeastShareBps of 10000 leaves.',
        ],
      },
    ],
  ])('%s', (_title, given, problems) => {
    expect(contradictions(given, UNDERPAY_SHARES)).toEqual(problems);
  });

  it('a least share that the stored tolerance contradicts', () => {
    const stored = { underpayLeastShareBps: 9_000, underpayToleranceBps: 1_000 };
    expect(contradictions({ underpayLeastShareBps: 9_001 }, stored)).toEqual({
      underpayLeastShareBps: [
        'The underpayLeastShareBps field must be at most 9000, what underpayToleranceBps of 1000 leaves.',
      ],
    });
  });
});
