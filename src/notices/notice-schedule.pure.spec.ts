import { LONGEST_GAP_SECONDS, MAX_ATTEMPTS, nextAttemptAt } from './notice-schedule.pure.js';

const NOW = new Date('2026-01-15T10:00:00Z');

describe('nextAttemptAt', () => {
  it.each([
    [1, 60],
    [2, 300],
    [8, 43_200],
    // The last one: if its process dies, it is made once more.
    [9, 43_200],
    [10, 43_200],
  ])('after attempt %i waits %i seconds', (attempt, seconds) =>
    expect(nextAttemptAt(attempt, NOW)).toEqual(new Date(NOW.getTime() + seconds * 1_000)),
  );

  it('never waits longer than it says', () => {
    const waits = Array.from(
      { length: 12 },
      (_one, index) => nextAttemptAt(index, NOW).getTime() - NOW.getTime(),
    );
    expect(Math.max(...waits)).toBe(LONGEST_GAP_SECONDS * 1_000);
    expect(MAX_ATTEMPTS).toBe(9);
  });
});
