import {
  afterAccepted,
  batchSizeAt,
  concurrentBatches,
  FIRST_BATCH,
  LARGEST_BATCH,
  smallerThan,
} from './batch-size.pure.js';

const TEN_MINUTES = 600_000;

describe('the size of a batch', () => {
  it.each([
    [50, 25],
    [3, 1],
    [1, 1],
  ])('after %i calls were refused is %i', (calls, next) => {
    expect(smallerThan(calls)).toBe(next);
  });

  it.each([
    ['stays when fewer were accepted', 4, false, { calls: 8, since: 100 }],
    ['grows when more were accepted', 16, false, { calls: 16, since: 900 }],
    ['is what was accepted after a refusal', 4, true, { calls: 4, since: 900 }],
  ])('%s', (_what, calls, wasRefused, size) => {
    expect(afterAccepted({ calls: 8, since: 100 }, calls, wasRefused, 900)).toEqual(size);
  });

  it.each([
    ['what is known, for ten minutes', { calls: 8, since: 0 }, TEN_MINUTES - 1, 8],
    ['twice that afterwards', { calls: 8, since: 0 }, TEN_MINUTES, 16],
    ['never more than the largest', { calls: 30, since: 0 }, TEN_MINUTES, LARGEST_BATCH],
    ['the largest at first', FIRST_BATCH, 0, LARGEST_BATCH],
  ])('is %s', (_what, size, now, calls) => {
    expect(batchSizeAt(size, now)).toBe(calls);
  });

  it.each([
    [1, 8],
    [3, 2],
    [8, 1],
    [50, 1],
  ])('of %i lets %i batches be in flight', (calls, batches) => {
    expect(concurrentBatches(calls)).toBe(batches);
  });
});
