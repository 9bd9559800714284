import { gapLimitFor, isLongGap } from './address-gap.pure.js';

describe('a run of addresses without a payment', () => {
  it.each([
    [0, false, 20],
    [19, false, 20],
    [20, true, 100],
    [99, true, 100],
    [100, true, 200],
    [1_000, true, 1_100],
  ])('of %i: long is %s, the gap limit %i', (longest, isLong, limit) => {
    expect([isLongGap(longest), gapLimitFor(longest)]).toEqual([isLong, limit]);
  });
});
