import { seriesOf, sumOfLast } from './sums.pure.js';

const money = (atomic: string, code = 'USD') => ({ atomic, decimals: 2, currency: { code } });
const row = (day: string, atomic: string, code = 'USD') => ({
  day,
  currencyCode: code,
  payments: 1,
  credited: money(atomic, code) as never,
});
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'];

it('fills days without anything, and keeps currencies apart', () => {
  const series = seriesOf([row('2026-03-03', '7', 'USD'), row('2026-03-01', '5', 'EUR')], DAYS);
  expect(
    series.map(({ currencyCode, days }) => [currencyCode, ...days.map(({ credited }) => credited.atomic)]),
  ).toEqual([
    ['EUR', '5', '0', '0'],
    ['USD', '0', '0', '7'],
  ]);
});

it.each([
  [1, '3'],
  [2, '100000000000000000000000000000000000000003'],
  [30, '100000000000000000000000000000000000000005'],
])('sums the last %s days exactly', (count, expected) => {
  const big = `1${'0'.repeat(41)}`;
  const [series] = seriesOf([row('2026-03-01', '2'), row('2026-03-02', big), row('2026-03-03', '3')], DAYS);
  expect(series && sumOfLast(series, count)).toEqual(money(expected));
});

it('has no series of nothing, and no sum of no days', () => {
  expect(seriesOf([], DAYS)).toEqual([]);
  expect(sumOfLast({ currencyCode: 'USD', days: [] }, 7)).toBeNull();
});
