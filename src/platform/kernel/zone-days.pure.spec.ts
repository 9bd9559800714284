import { daysBetween, isTimeZone, monthOf, wallClock } from './zone-days.pure.js';

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

it.each<[string, string, [string, string] | null]>([
  ['2026-11', 'UTC', ['2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z']],
  ['2026-12', 'UTC', ['2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z']],
  ['2026-03', 'Europe/Berlin', ['2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z']],
  ['2026-11', 'Pacific/Kiritimati', ['2026-10-31T10:00:00Z', '2026-11-30T10:00:00Z']],
  ['2026-13', 'UTC', null],
  ['2026-00', 'UTC', null],
  ['0000-01', 'UTC', null],
  ['2026-1', 'UTC', null],
  ['2026-11-01', 'UTC', null],
])('the month %s of %s is %j', (month, timeZone, expected) => {
  const found = monthOf(month, timeZone);
  expect(found && [found.from, found.to].map((date) => date.toISOString().replace('.000Z', 'Z'))).toEqual(
    expected,
  );
});

it.each([
  ['2026-11-29T23:32:33.999Z', 'UTC', '2026-11-29T23:32:33.000Z'],
  ['2026-11-29T23:32:33Z', 'Europe/Berlin', '2026-11-30T00:32:33.000Z'],
  ['2026-11-29T23:32:33Z', 'Asia/Kathmandu', '2026-11-30T05:17:33.000Z'],
  ['2026-07-01T00:00:00Z', 'America/New_York', '2026-06-30T20:00:00.000Z'],
  ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29T03:00:00.000Z'],
])('at %s the clock of %s shows %s', (at, timeZone, shown) => {
  expect(wallClock(new Date(at), timeZone).toISOString()).toBe(shown);
});
