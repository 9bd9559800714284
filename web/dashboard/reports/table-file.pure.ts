import {
  type CsvCell,
  isSheetNumber,
  sheetCsvLine,
  sheetDay,
  sheetFormatOf,
} from '../../../src/platform/kernel/sheet-format.pure.js';

const DECIMAL = /^\d+(\.\d+)?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * A table as the spreadsheets of a language open it: amounts with its decimal mark, days in its order, and texts that stay
 * texts. The mark at the start makes them read UTF-8.
 * @param locale RFC 5646, with a region or without
 * @param rows amounts and days as programs write them: `12.50`, `2026-11-30`
 */
export function tableFile(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  locale: string,
): string {
  const format = sheetFormatOf(locale);
  if (!format) throw new Error(`${locale} is no language`);
  const cellOf = (value: string): CsvCell => {
    if (DAY.test(value)) return { date: sheetDay(value, format) };
    if (!DECIMAL.test(value)) return value === '' ? null : { text: value };
    return isSheetNumber(value) ? { amount: value } : { exact: value };
  };
  const head = columns.map((column) => ({ text: column }));
  const lines = [head, ...rows.map((row) => row.map(cellOf))].map((cells) => sheetCsvLine(cells, format));
  return `\u{feff}${lines.join('')}`;
}
