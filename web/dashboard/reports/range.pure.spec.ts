import { daysOf, isDay, localDay, plusDays, presetsOf, readRange, spanOf, writeRange } from './range.pure.js';

const TODAY = '2026-03-15';
const read = (query: string) => readRange(new URLSearchParams(query), TODAY);

it.each<[string, string, string, string]>([
  ['nothing', '', '2026-02-14', '2026-03-15'],
  ['a span', 'from=2026-01-01&to=2026-01-31', '2026-01-01', '2026-01-31'],
  ['only an end', 'to=2026-01-31', '2026-01-02', '2026-01-31'],
  ['only a start', 'from=2026-03-01', '2026-03-01', '2026-03-15'],
  ['a start after the end', 'from=2026-02-01&to=2026-01-31', '2026-01-02', '2026-01-31'],
  ['no day of the calendar', 'from=2026-02-30&to=soon', '2026-02-14', '2026-03-15'],
  ['more than the API counts', 'from=2020-01-01&to=2026-03-15', '2025-03-16', '2026-03-15'],
])('reads an address with %s', (_title, query, from, to) => {
  expect(read(query)).toMatchObject({ from, to });
});

it('reads back what it writes, and splits by network by default', () => {
  for (const split of ['blockchain', 'application'] as const) {
    const range = { from: '2026-01-01', to: '2026-01-31', split };
    expect(readRange(writeRange(range), TODAY)).toEqual(range);
  }
  expect(read('by=moon').split).toBe('blockchain');
});

it.each<[string | null, boolean]>([
  ['2024-02-29', true],
  ['2025-02-29', false],
  ['2026-13-01', false],
  ['1999-01-01', false],
  ['2026-1-1', false],
  [null, false],
])('takes %s for a day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected);
});

it('lists every day once, also over the end of a month', () => {
  expect(daysOf({ from: '2026-02-27', to: '2026-03-02' })).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ]);
  expect(plusDays('2026-01-01', -1)).toBe('2025-12-31');
});

it('spans whole days of the reader', () => {
  const { from, to } = spanOf({ from: '2026-03-15', to: '2026-03-15' });
  expect(localDay(new Date(from))).toBe('2026-03-15');
  expect(localDay(new Date(to))).toBe('2026-03-16');
  expect(from).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

it.each<[string, string, string]>([
  ['2026-03-15', '2026-03-01..2026-03-15', '2026-02-01..2026-02-28'],
  ['2026-01-01', '2026-01-01..2026-01-01', '2025-12-01..2025-12-31'],
  ['2028-03-31', '2028-03-01..2028-03-31', '2028-02-01..2028-02-29'],
])('knows on %s which month is this and which was the last', (today, now, last) => {
  const spans = new Map(presetsOf(today).map(({ name, from, to }) => [name, `${from}..${to}`]));
  expect([spans.get('this-month'), spans.get('last-month')]).toEqual([now, last]);
  for (const days of [7, 30]) expect(spans.get(days)).toBe(`${plusDays(today, 1 - days)}..${today}`);
});
