import type { ReceivedReportRow } from '../api/operations.js';
import type { Money } from '../i18n/format.pure.js';

type Row = Pick<ReceivedReportRow, 'day' | 'currencyCode' | 'credited' | 'payments'>;

/** What came in one currency: sums of different currencies are never added. */
export interface Series {
  currencyCode: string;
  /** One for each day that was asked for, with a zero where nothing came. */
  days: { day: string; credited: Money; payments: number }[];
}

const zeroOf = ({ decimals, currency }: Money): Money => ({ atomic: '0', decimals, currency });

/** Rows of the report by currency, in the order of the currencies' codes. */
export function seriesOf(rows: readonly Row[], days: readonly string[]): Series[] {
  const codes = [...new Set(rows.map(({ currencyCode }) => currencyCode))].sort();
  return codes.map((currencyCode) => {
    const own = rows.filter((row) => row.currencyCode === currencyCode);
    const byDay = new Map(own.map((row) => [row.day, row]));
    return {
      currencyCode,
      days: days.flatMap((day) => {
        const row = byDay.get(day);
        const [sample] = own;
        if (row) return [{ day, credited: row.credited, payments: row.payments }];
        return sample ? [{ day, credited: zeroOf(sample.credited), payments: 0 }] : [];
      }),
    };
  });
}

/** The exact sum of the last days of a series; null: of none. */
export function sumOfLast({ days }: Series, count: number): Money | null {
  const last = days.slice(-count).map(({ credited }) => credited);
  const [first] = last;
  if (!first) return null;
  const atomic = last.reduce((sum, money) => sum + BigInt(money.atomic), 0n);
  return { ...zeroOf(first), atomic: String(atomic) };
}

/** The last days of a series, and as many before them. */
export function compared(series: Series, count: number): { now: Series; before: Series } {
  const days = series.days.slice(-2 * count);
  return {
    now: { ...series, days: days.slice(-count) },
    before: { ...series, days: days.slice(0, -count) },
  };
}

/** By how much a sum is more than another one, as a share of that, to a thousandth; null: there is no share of nothing. */
export function changeOf(now: Money, before: Money): number | null {
  const [is, was] = [BigInt(now.atomic), BigInt(before.atomic)];
  return was === 0n ? null : Number(((is - was) * 1_000n) / was) / 1_000;
}

/** The one that most payments were made in comes first. */
export function byPayments(all: readonly Series[]): Series[] {
  const paymentsOf = ({ days }: Series) => days.reduce((sum, { payments }) => sum + payments, 0);
  return all.toSorted((a, b) => paymentsOf(b) - paymentsOf(a));
}
