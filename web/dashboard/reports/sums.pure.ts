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
