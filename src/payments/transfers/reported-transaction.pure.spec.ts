import { afterCheck, type Finding, mayReopen, type ReportedState } from './reported-transaction.pure.js';

const NOW = new Date('2026-01-15T10:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

describe('after a look at the chain', () => {
  it.each<[ReportedState, number, number, Finding | null, ReportedState, number | null]>([
    // state before, checks, reported seconds ago, finding; state, seconds until the next look
    ['SEARCHING', 1, 1, 'UNKNOWN', 'UNKNOWN', 5],
    ['SEARCHING', 1, 1, null, 'SEARCHING', 5],
    ['SEARCHING', 1, 1, 'FOUND', 'FOUND', null],
    ['UNKNOWN', 2, 9, 'UNKNOWN', 'UNKNOWN', 10],
    ['UNKNOWN', 4, 60, null, 'UNKNOWN', 40],
    ['UNKNOWN', 40, 9_000, 'UNKNOWN', 'UNKNOWN', 600],
    ['UNKNOWN', 200, 86_399, 'UNKNOWN', 'UNKNOWN', 600],
    ['UNKNOWN', 200, 86_400, 'UNKNOWN', 'NOT_FOUND', null],
    ['UNKNOWN', 200, 86_400, null, 'NOT_FOUND', null],
    ['UNKNOWN', 200, 86_400, 'WAITING', 'WAITING', 60],
    ['UNKNOWN', 200, 86_400, 'FOUND', 'FOUND', null],
    ['WAITING', 3, 20, 'WAITING', 'WAITING', 20],
    ['WAITING', 2_000, 2 * 86_400, 'WAITING', 'WAITING', 60],
    ['WAITING', 2_000, 2 * 86_400, null, 'WAITING', 60],
    ['WAITING', 2_000, 2 * 86_400, 'UNKNOWN', 'NOT_FOUND', null],
    ['WAITING', 20_000, 14 * 86_400, 'WAITING', 'NOT_FOUND', null],
    ['WAITING', 3, 20, 'FAILED', 'FAILED', null],
    ['WAITING', 3, 20, 'OTHER_ADDRESS', 'OTHER_ADDRESS', null],
    ['WAITING', 3, 20, 'UNLISTED_TOKEN', 'UNLISTED_TOKEN', null],
    ['SEARCHING', 2_000, 86_400, null, 'SEARCHING', 600],
    ['SEARCHING', 2_000, 14 * 86_400, null, 'NOT_FOUND', null],
    ['SEARCHING', 0, 0, null, 'SEARCHING', 5],
  ])('%s after %i looks in %i s, and now %s: %s, next in %s s', (...row) => {
    const [state, checks, seconds, finding, after, pause] = row;
    expect(afterCheck({ state, checks, reportedAt: ago(seconds) }, finding, NOW)).toEqual({
      state: after,
      nextCheckAt: pause === null ? null : ago(-pause),
    });
  });
});

describe('reported once more', () => {
  it.each<[ReportedState, number | null, boolean]>([
    ['SEARCHING', null, false],
    ['UNKNOWN', 3_600, false],
    ['WAITING', 3_600, false],
    ['FOUND', 3_600, false],
    ['FAILED', 59, false],
    ['FAILED', 60, true],
    ['OTHER_ADDRESS', 60, true],
    ['NOT_FOUND', 59, false],
    ['NOT_FOUND', 3_600, true],
    ['NOT_FOUND', null, true],
  ])('%s, last seen %s s ago: looks again: %s', (state, seconds, expected) => {
    expect(mayReopen({ state, checkedAt: seconds === null ? null : ago(seconds) }, NOW)).toBe(expected);
  });
});
