import type { Progress } from '../payments/confirmation-progress.pure.js';
import { blockSeconds, estimateSeconds, nextBlock } from './waiting-time.pure.js';

describe('blockSeconds', () => {
  const chain = { averageBlockSeconds: 12 };
  it.each<[string, { blocks: number; seconds: number } | null, number]>([
    ['nothing was applied yet', null, 12],
    ['too few blocks', { blocks: 29, seconds: 29 }, 12],
    ['enough blocks', { blocks: 30, seconds: 60 }, 2],
    ['slower ones than usual', { blocks: 100, seconds: 1_850 }, 18.5],
    ['blocks of one second', { blocks: 100, seconds: 0 }, 12],
    ['clocks that go backwards', { blocks: 100, seconds: -5 }, 12],
  ])('of %s is %j', (_what, pace, seconds) => {
    expect(blockSeconds(pace, chain)).toBe(seconds);
  });
});

describe('estimateSeconds', () => {
  const progress = (waitsFor: Progress['waitsFor'], missing: number): Progress => ({
    seen: 1,
    required: missing + 1,
    finality: null,
    waitsFor,
    missing,
  });
  it.each<[string, Progress, number, boolean, number | null]>([
    ['nothing was seen', progress('funds', 2), 600, true, null],
    ['in no block yet: the first one and the second', progress('blocks', 2), 600, true, 1_200],
    ['in a block', progress('blocks', 1), 600, true, 600],
    ['parts of a second are waited for, too', progress('blocks', 3), 0.25, true, 1],
    ['never nothing while something waits', progress('blocks', 1), 0.001, true, 1],
    ['blocks that are no whole seconds', progress('blocks', 11), 12.1, true, 134],
    ['the chain has stalled', progress('blocks', 2), 600, false, null],
    ['later final than usual', progress('blocks', 0), 12, true, null],
    ['all of it counts', progress('done', 0), 600, true, 0],
    ['all funds count, and the chain has stalled', progress('done', 0), 600, false, 0],
  ])('%s', (_what, given, secondsPerBlock, isMoving, seconds) => {
    expect(estimateSeconds(given, secondsPerBlock, isMoving)).toBe(seconds);
  });
});

describe('nextBlock', () => {
  const at = new Date('2026-01-15T10:00:00.900Z');
  const nothing = { newestBlockAt: null, nextBlockWithin: null };
  it.each([
    [
      'of a slow chain: twice the average',
      at,
      600,
      { newestBlockAt: '2026-01-15T10:00:00Z', nextBlockWithin: 1_200 },
    ],
    ['whole seconds', at, 60.3, { newestBlockAt: '2026-01-15T10:00:00Z', nextBlockWithin: 121 }],
    ['of a fast chain', at, 59.9, nothing],
    ['no block was seen', null, 600, nothing],
  ] as const)('%s', (_what, newestAt, seconds, expected) => {
    expect(nextBlock(newestAt, seconds)).toEqual(expected);
  });
});
