import { retryAfterMs } from './retry-after.pure.js';

const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';

describe('Retry-After', () => {
  it.each<[what: string, retryAfter: unknown, date: unknown, ms: number | null]>([
    ['seconds', '7', DATE, 7_000],
    ['seconds without a Date', '120', undefined, 120_000],
    ['spaces around', ' 5 ', DATE, 5_000],
    ['zero', '0', DATE, 0],
    ['a date half a minute later', 'Wed, 21 Oct 2026 07:28:30 GMT', DATE, 30_000],
    ['a date in the past', 'Wed, 21 Oct 2026 07:27:00 GMT', DATE, 0],
    ['a date without a Date to compare with', 'Wed, 21 Oct 2026 07:28:30 GMT', undefined, null],
    ['a date beside a Date that is none', 'Wed, 21 Oct 2026 07:28:30 GMT', 'soon', null],
    ['a date of no calendar', 'Wed, 99 Oct 2026 07:28:30 GMT', DATE, null],
    ['a date of another form', '2026-10-21T07:28:30Z', DATE, null],
    ['no header', undefined, DATE, null],
    ['several headers', ['1', '2'], DATE, null],
    ['nothing', '', DATE, null],
    ['a word', 'soon', DATE, null],
    ['a fraction', '1.5', DATE, null],
    ['a negative number', '-5', DATE, null],
    ['more digits than any pause', '1'.repeat(10), DATE, null],
  ])('reads %s', (_what, retryAfter, date, ms) => {
    expect(retryAfterMs(retryAfter, date)).toBe(ms);
  });
});
