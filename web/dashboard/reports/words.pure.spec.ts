import { formatChange, formatDay, formatDuration, formatShare } from './words.pure.js';

it.each<[number, string]>([
  [0, '0 sec'],
  [95, '95 sec'],
  [120, '2 min'],
  [7_199, '120 min'],
  [7_200, '2 hr'],
  [172_800, '2 days'],
])('writes %s seconds as %s', (seconds, expected) => {
  expect(formatDuration(seconds, 'en')).toBe(expected);
});

it('writes the same day in every zone, and shares with one place', () => {
  expect(formatDay('2026-03-15', 'en')).toBe('Mar 15, 2026');
  expect(formatShare(0.0625, 'de')).toBe('6,3\u{a0}%');
});

it.each<[number, string, string]>([
  [0.14, 'en', '\u{2068}+14%\u{2069}'],
  [-0.005, 'de', '\u{2068}-0,5\u{a0}%\u{2069}'],
  [0, 'en', '\u{2068}0%\u{2069}'],
])('writes a change of %s with its sign', (share, locale, expected) => {
  expect(formatChange(share, locale)).toBe(expected);
});
