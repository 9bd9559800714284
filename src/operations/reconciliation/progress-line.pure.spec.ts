import { progressLine } from './progress-line.pure.js';

describe('progressLine', () => {
  it.each([
    [0, 0, 0, 'verify: 0 of 0 payments (100 %), 0/s'],
    [0, 500, 0, 'verify: 0 of 500 payments (0 %), 0/s'],
    [500, 1_000, 1_000, 'verify: 500 of 1000 payments (50 %), 500/s, about 1 s left'],
    [120_000, 1_000_000, 48_000, 'verify: 120000 of 1000000 payments (12 %), 2500/s, about 6 min left'],
    [1_000, 50_000_000, 1_000, 'verify: 1000 of 50000000 payments (0 %), 1000/s, about 13.9 h left'],
    // More payments were created meanwhile.
    [1_100, 1_000, 1_000, 'verify: 1100 of 1000 payments (100 %), 1100/s, about 0 s left'],
  ])('%i of %i after %i ms: %s', (done, total, elapsedMs, line) => {
    expect(progressLine({ done, total, elapsedMs })).toBe(line);
  });
});
