import { daysBetween, isTimeZone } from './report-days.pure.js';

const days = (from: string, to: string, timeZone: string) =>
  daysBetween(new Date(from), new Date(to), timeZone).map(
    ({ date, start }) => `${date} ${start.toISOString().replace('.000Z', 'Z')}`,
  );

it.each<[string, string, string, string, string[]]>([
  [
    'one day of UTC',
    '2026-01-15T00:00:00Z',
    '2026-01-16T00:00:00Z',
    'UTC',
    ['2026-01-15 2026-01-15T00:00:00Z'],
  ],
  [
    'a part of two days',
    '2026-01-15T23:00:00Z',
    '2026-01-16T00:00:01Z',
    'UTC',
    ['2026-01-15 2026-01-15T00:00:00Z', '2026-01-16 2026-01-16T00:00:00Z'],
  ],
  [
    'the shorter day of Berlin in spring',
    '2026-03-28T23:00:00Z',
    '2026-03-30T22:00:00Z',
    'Europe/Berlin',
    ['2026-03-29 2026-03-28T23:00:00Z', '2026-03-30 2026-03-29T22:00:00Z'],
  ],
  [
    'the longer day of Berlin in autumn',
    '2026-10-24T22:00:00Z',
    '2026-10-26T23:00:00Z',
    'Europe/Berlin',
    ['2026-10-25 2026-10-24T22:00:00Z', '2026-10-26 2026-10-25T23:00:00Z'],
  ],
  [
    'a day without midnight in Beirut',
    '2026-03-28T22:00:00Z',
    '2026-03-29T21:00:00Z',
    'Asia/Beirut',
    ['2026-03-29 2026-03-28T22:00:00Z'],
  ],
  [
    'a zone that is 14 hours ahead',
    '2026-01-14T10:00:00Z',
    '2026-01-15T10:00:00Z',
    'Pacific/Kiritimati',
    ['2026-01-15 2026-01-14T10:00:00Z'],
  ],
  [
    'a zone of a quarter of an hour',
    '2026-01-14T18:15:00Z',
    '2026-01-15T18:15:00Z',
    'Asia/Kathmandu',
    ['2026-01-15 2026-01-14T18:15:00Z'],
  ],
])('finds %s', (_what, from, to, timeZone, expected) => {
  expect(days(from, to, timeZone)).toEqual(expected);
});

it('finds the 366 days of a leap year, each once', () => {
  const found = days('2027-12-31T23:00:00Z', '2028-12-31T23:00:00Z', 'Europe/Berlin');
  expect(found).toHaveLength(366);
  expect(new Set(found).size).toBe(366);
});

it.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Etc/GMT+5', true],
  ['+02:00', false],
  ['Europe/Atlantis', false],
  ['', false],
  ["UTC'; select 1", false],
])('takes %j for a time zone: %s', (name, isOne) => {
  expect(isTimeZone(name)).toBe(isOne);
});
