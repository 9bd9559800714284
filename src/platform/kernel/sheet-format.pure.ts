import { disarm } from './csv.pure.js';

/** What a spreadsheet of one language and region takes for numbers, dates and the ends of cells. */
export interface SheetFormat {
  /** RFC 5646, as a Unicode locale without extensions: `de-AT`. */
  tag: string;
  separator: ',' | ';';
  decimalMark: '.' | ',';
  /** Of a CSV file: `DD.MM.YYYY`. */
  datePattern: string;
}

/**
 * What a column has: texts, among them addresses and ids, and hashes; words of the reader's language, by their message;
 * amounts as exact decimal text, whole numbers in the same form, or times.
 */
export type SheetKind = 'text' | 'word' | 'id' | 'hash' | 'amount' | 'count' | 'instant';

/** Excel and LibreOffice count with doubles, which keep 15 digits of every decimal number. */
const EXACT_DIGITS = 15;
const TAG = /^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?$/;
const DECIMAL = /^\d+(\.\d+)?$/;

/**
 * Where the decimal mark is a comma, no list can be separated by commas. These separate by semicolons although their
 * mark is a point, or one that is not of ASCII: Switzerland, Liechtenstein, and the languages of the Arabic script.
 */
const SEMICOLON_LANGUAGES: readonly string[] = ['ar', 'fa'];
const SEMICOLON_REGIONS: readonly string[] = ['CH', 'LI'];

const formats = new Map<string, SheetFormat>();
const MAX_FORMATS = 500;

/** Null: the text is no language tag, or one of more than language, script and region. */
export function sheetFormatOf(tag: string): SheetFormat | null {
  if (!TAG.test(tag)) return null;
  const known = formats.get(tag);
  if (known) return known;
  const { baseName, language, region } = new Intl.Locale(tag);
  const numbers = new Intl.NumberFormat(`${baseName}-u-nu-latn`);
  const mark = numbers.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
  const decimalMark = mark === ',' ? ',' : '.';
  const hasSemicolon =
    decimalMark === ',' ||
    SEMICOLON_LANGUAGES.includes(language) ||
    (region !== undefined && SEMICOLON_REGIONS.includes(region));
  const format: SheetFormat = {
    tag: baseName,
    separator: hasSemicolon ? ';' : ',',
    decimalMark,
    datePattern: datePatternOf(baseName),
  };
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(tag, format);
  return format;
}

/** With digits of ASCII and years of the calendar that spreadsheets count in, whatever the language writes otherwise. */
function datePatternOf(tag: string): string {
  const dates = new Intl.DateTimeFormat(`${tag}-u-ca-gregory-nu-latn`, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: 'UTC',
  });
  const fields: Record<string, string> = { year: 'YYYY', month: 'MM', day: 'DD' };
  return (
    dates
      .formatToParts(0)
      .filter(({ type }) => type in fields || type === 'literal')
      .map(({ type, value }) => fields[type] ?? value)
      .join('')
      // Marks of the direction of writing, and what some languages put behind the day or the year.
      .replace(/[^YMD./-]/g, '')
      .replace(/[./-]+$/, '')
  );
}

/** The format of the same dates in a workbook, with the time. */
export function workbookDates({ datePattern }: SheetFormat): string {
  return `${datePattern.toLowerCase()} hh:mm:ss`;
}

/** @param wall its UTC fields are what the clock shows */
export function sheetDate(wall: Date, format: SheetFormat): string {
  const [date = '', time = ''] = wall.toISOString().split('T');
  return `${sheetDay(date, format)} ${time.slice(0, 8)}`;
}

/** @param date `YYYY-MM-DD` */
export function sheetDay(date: string, { datePattern }: SheetFormat): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return datePattern.replace('YYYY', year).replace('MM', month).replace('DD', day);
}

/** Whether a spreadsheet counts with exactly this number, and shows all of its digits. @param decimal "12.50" */
export function isSheetNumber(decimal: string): boolean {
  if (!DECIMAL.test(decimal)) return false;
  const [whole = '', fraction = ''] = decimal.split('.');
  const digits = `${whole}${fraction.replace(/0+$/, '')}`.replace(/^0+/, '');
  return digits.length <= EXACT_DIGITS;
}

/** "12.50" as the spreadsheet writes it. */
export function sheetDecimal(decimal: string, { decimalMark }: SheetFormat): string {
  return decimal.replace('.', decimalMark);
}

/** Words beside digits that make a value of a text: exponents, halves of the day, parts of ISO 8601, logical values. */
const WORDS = ['e', 'd', 'am', 'pm', 'a', 'p', 't', 'z', 'utc', 'gmt', '年', '月', '日', '時', '分', '秒'];
/** In the languages of spreadsheets; alone, they are values. */
const LOGICAL = new Set(
  (
    'true false wahr falsch vrai faux verdadero falso verdadeiro vero waar onwaar prawda fałsz истина ложь ' +
    'doğru yanlış benar salah सत्य असत्य'
  ).split(' '),
);
const monthWords = new Map<string, ReadonlySet<string>>();

/** Names of months and weekdays in English and in one more language, in both lengths. */
function monthWordsOf(tag: string): ReadonlySet<string> {
  const known = monthWords.get(tag);
  if (known) return known;
  const names = new Set<string>(WORDS);
  for (const locale of ['en', tag])
    for (const style of ['short', 'long'] as const)
      for (const part of ['month', 'weekday'] as const) {
        // Alone and beside a day, months have different forms in Slavic languages.
        const formats = [
          new Intl.DateTimeFormat(locale, { [part]: style, timeZone: 'UTC' }),
          new Intl.DateTimeFormat(locale, { [part]: style, day: 'numeric', timeZone: 'UTC' }),
        ];
        for (let month = 0; month < 12; month++)
          for (const format of formats)
            for (const [word] of format.format(Date.UTC(2026, month, month + 1)).matchAll(/[\p{L}\p{M}]+/gu))
              names.add(word.toLowerCase());
      }
  if (monthWords.size >= MAX_FORMATS) monthWords.clear();
  monthWords.set(tag, names);
  return names;
}

/**
 * Whether a spreadsheet could take a text for a number, a date, a time, a sum of money or a logical value, and show
 * something else: 00421 as 421, 3-4 as the third of April, twenty digits as fifteen and five zeros.
 */
export function looksLikeValue(text: string, { tag }: SheetFormat): boolean {
  const words = [...text.matchAll(/[\p{L}\p{M}]+/gu)].map(([word]) => word.toLowerCase());
  if (words.length === 1 && LOGICAL.has(words[0] ?? '') && text.trim().length === words[0]?.length)
    return true;
  if (!/\p{Nd}/u.test(text)) return false;
  const known = monthWordsOf(tag);
  return words.every((word) => known.has(word) || CURRENCIES.has(word) || /^\p{Script=Han}$/u.test(word));
}

const CURRENCIES: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()),
);

/** A value as a spreadsheet has it: a number of at most 15 digits or the text of a longer one, a time on the reader's clock, a text. */
export type SheetCell = { amount: string } | { exact: string } | { wall: Date } | { text: string } | null;
/** In CSV there is also a day, as the language writes it. */
export type CsvCell = SheetCell | { date: string };

/**
 * One line of a CSV file for a spreadsheet, with its end. An apostrophe stands before a text that it would run as a
 * formula or take for a value.
 */
export function sheetCsvLine(cells: readonly CsvCell[], format: SheetFormat): string {
  return `${cells.map((cell) => field(cell, format)).join(format.separator)}\r\n`;
}

/** Of texts; a number in quotes is a text to some spreadsheets. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

function field(cell: CsvCell, format: SheetFormat): string {
  if (cell === null) return '';
  const text = shown(cell, format);
  return !('amount' in cell) && NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function shown(cell: NonNullable<CsvCell>, format: SheetFormat): string {
  if ('date' in cell) return cell.date;
  if ('amount' in cell) return sheetDecimal(cell.amount, format);
  if ('exact' in cell) return `'${sheetDecimal(cell.exact, format)}`;
  if ('wall' in cell) return sheetDate(cell.wall, format);
  const text = disarm(cell.text);
  return text.startsWith("'") || !looksLikeValue(cell.text, format) ? text : `'${text}`;
}
