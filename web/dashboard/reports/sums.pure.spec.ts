import { byPayments, changeOf, compared, seriesOf, sumOfLast } from './sums.pure.js';

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

it('compares the last days with as many before, and loses none of them', () => {
  const days = ['2026-02-27', '2026-02-28', ...DAYS.slice(0, 2)];
  const rows = days.map((day, index) => row(day, String(10 ** index)));
  const [series] = seriesOf(rows, days);
  if (!series) throw new Error('there is a series');
  const { now, before } = compared(series, 2);
  expect([sumOfLast(before, 2), sumOfLast(now, 2)]).toEqual([money('11'), money('1100')]);
  expect([...before.days, ...now.days]).toEqual(series.days);
});

it.each<[string, string, number | null]>([
  ['114', '100', 0.14],
  ['0', '100', -1],
  ['100', '100', 0],
  ['5', '0', null],
  ['0', '0', null],
  [`3${'0'.repeat(40)}`, `2${'0'.repeat(40)}`, 0.5],
])('says how %s compares with %s', (now, before, expected) => {
  expect(changeOf(money(now), money(before))).toBe(expected);
});

it('puts the currency of most payments first', () => {
  const all = seriesOf([row('2026-03-01', '9', 'EUR'), row('2026-03-01', '1'), row('2026-03-02', '1')], DAYS);
  expect(byPayments(all).map(({ currencyCode }) => currencyCode)).toEqual(['USD', 'EUR']);
});
