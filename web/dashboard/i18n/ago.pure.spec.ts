import { formatAgo, formatSpan, formatPast } from './ago.pure.js';

const NOW = new Date('2026-11-30T12:00:00Z');

it.each([
  ['2026-11-30T12:00:00Z', 'en', 'now'],
  ['2026-11-30T11:59:30Z', 'en', '30 seconds ago'],
  ['2026-11-30T11:58:00.100Z', 'en', '1 minute ago'],
  ['2026-11-30T11:58:00Z', 'en', '2 minutes ago'],
  ['2026-11-30T13:59:00Z', 'en', 'in 1 hour'],
  ['2026-11-29T12:00:00Z', 'en', '1 day ago'],
  ['2026-11-01T12:00:00Z', 'en', '29 days ago'],
  ['2026-10-30T12:00:00Z', 'de', 'vor 1 Monat'],
  ['2024-11-30T12:00:00Z', 'en', '2 years ago'],
  ['2026-11-30T11:58:00Z', 'de', 'vor 2 Minuten'],
  ['2026-11-30T11:55:00Z', 'ar', 'قبل 5 دقائق'],
  ['2026-11-30T11:58:00Z', 'fa', '2 دقیقه پیش'],
])('%s in %s is %s', (iso, locale, text) => {
  expect(formatAgo(iso, NOW, locale)).toBe(text);
});

it.each([
  [30, 'day', 'en', '30 days'],
  [1, 'year', 'en', '1 year'],
  [90, 'day', 'ru', '90 дней'],
  [1, 'year', 'fa', '1 سال'],
] as const)('%d %s in %s is %s', (count, unit, locale, text) => {
  expect(formatSpan(count, unit, locale).replaceAll('\u{a0}', ' ')).toBe(text);
});

it('says of what has happened that it did, although a clock is ahead', () => {
  expect(formatPast('2026-01-15T12:00:09Z', '2026-01-15T12:00:00Z', 'en')).toBe('now');
  expect(formatPast('2026-01-15T11:58:00Z', '2026-01-15T12:00:00Z', 'en')).toBe('2 minutes ago');
});
