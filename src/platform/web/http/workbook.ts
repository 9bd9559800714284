import { writeXlsxStream } from 'hucre/xlsx';
import {
  type SheetCell,
  sheetDecimal,
  type SheetFormat,
  type SheetKind,
  workbookDates,
} from '../../kernel/sheet-format.pure.js';

/** Two places at least, and as many as any coin has. */
const AMOUNTS = `#,##0.00${'#'.repeat(16)}`;
/** Keeps a text that somebody edits from becoming a number. */
const TEXTS = '@';
/**
 * Characters of a column. An amount that is a text is cut at the next cell, and looks like another amount: eight digits
 * and the 18 decimals of a coin fit.
 */
const WIDTHS = {
  text: 22,
  word: 42,
  id: 44,
  hash: 68,
  amount: 28,
  count: 10,
  instant: 20,
} as const satisfies Record<SheetKind, number>;
/** Beside a head, so that it does not touch the next one. */
const GAP = 2;
/** What Excel reads as a character in a text (ECMA-376, 22.9.2.19, "ST_Xstring"), unless the underscore is written as one. */
const ESCAPED = /_(?=x[0-9A-Fa-f]{4}_)/g;
/** Characters of a cell; Excel calls a file with longer texts damaged. */
const LONGEST_TEXT = 32_767;

export interface WorkbookOptions {
  /** Of the table. */
  name: string;
  titles: readonly string[];
  kinds: readonly SheetKind[];
  numbers: SheetFormat;
}

/**
 * A workbook of any length, written while its rows are read. It has values only: no text can become a formula. The list of
 * its parts is at its end, so that no program opens one that was cut.
 */
export function workbook(
  rows: AsyncIterable<readonly SheetCell[]>,
  { name, titles, kinds, numbers }: WorkbookOptions,
): AsyncIterable<Uint8Array> {
  const formats = {
    text: TEXTS,
    word: TEXTS,
    id: TEXTS,
    hash: TEXTS,
    amount: AMOUNTS,
    count: '0',
    instant: workbookDates(numbers),
  };
  const columns = titles.map((header, index) => {
    const kind = kinds[index] ?? 'text';
    return { header, width: Math.max(WIDTHS[kind], header.length + GAP), numFmt: formats[kind] };
  });
  const values = async function* () {
    for await (const cells of rows) yield cells.map((cell) => valueOf(cell, numbers));
  };
  return writeXlsxStream(values(), { name, columns, freezePane: { rows: 1 } });
}

function valueOf(cell: SheetCell, numbers: SheetFormat): string | number | Date | null {
  if (cell === null) return null;
  if ('wall' in cell) return cell.wall;
  // A double keeps its 15 digits (isSheetNumber), and is written with no others.
  if ('amount' in cell) return Number(cell.amount);
  if ('exact' in cell) return sheetDecimal(cell.exact, numbers);
  return cell.text.slice(0, LONGEST_TEXT).replace(ESCAPED, '_x005F_');
}
