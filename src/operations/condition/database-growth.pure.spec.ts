import { growthSince, type MeasuredSize } from './database-growth.pure.js';

const NOW = new Date('2026-03-01T00:30:00Z');
const at = (day: string, bytes: number): MeasuredSize => ({
  day,
  bytes,
  measuredAt: new Date(`${day}T23:40:00Z`),
});
const SIZES = [at('2026-02-28', 900), at('2026-02-27', 800), at('2026-02-22', 1_200)];

it.each([
  ['the day before, over the end of a month', SIZES, 1, { bytes: 100, since: SIZES[0]!.measuredAt }],
  ['the week before, of a database that has shrunk', SIZES, 7, { bytes: -200, since: SIZES[2]!.measuredAt }],
  ['a day on which nothing was measured', SIZES, 3, null],
  ['a gateway that has measured nothing yet', [], 1, null],
  ['today alone', [at('2026-03-01', 1_000)], 1, null],
])('compares with %s', (_title, sizes, days, growth) => {
  expect(growthSince(sizes, 1_000, days, NOW)).toEqual(growth);
});
