import { gapLimitFor, isLongGap } from './address-gap.pure.js';

describe('a run of addresses without a payment', () => {
  it.each([
    [0, 20, false, 20],
    [19, 20, false, 20],
    [20, 20, true, 100],
    [20, 21, false, 100],
    [99, 100, false, 100],
    [100, 100, true, 200],
    [1_000, 100, true, 1_100],
  ])(
    'of %i, where the wallet looks %i ahead: long is %s, the gap limit %i',
    (longest, stated, isLong, limit) => {
      expect([isLongGap(longest, stated), gapLimitFor(longest)]).toEqual([isLong, limit]);
    },
  );
});
