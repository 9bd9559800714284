/** The value of one field of an export; amounts and other numbers are text, so that no digit is lost. */
export type ExportValue = string | boolean | null;

/**
 * What may separate cells: a spreadsheet takes the list separator of its language, in most of Europe a semicolon, and then
 * no quote protects what stands behind one in the text of a field.
 */
const SEPARATOR = /([,;|\t\r\n])/;
/**
 * Spreadsheets run a cell that begins with one of these as a formula (OWASP, "CSV Injection"), also behind spaces and
 * quotes, which they remove; the last four are the full-width forms, which some of them convert.
 */
const FORMULA = /^[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;
/** A number with a sign is no formula, and a quote before it would make it text. */
const SIGNED_NUMBER = /^[+-]?\d+(\.\d+)?$/;
/** RFC 4180, section 2, rules 6 and 7; spaces at either end are lost by some readers unless they are quoted. */
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** With an apostrophe before each formula, at the beginning and behind anything that may separate cells. */
export function disarm(text: string): string {
  return text
    .split(SEPARATOR)
    .map((cell) => (FORMULA.test(cell) && !SIGNED_NUMBER.test(cell) ? `'${cell}` : cell))
    .join('');
}

/** One field of a CSV file (RFC 4180). Null is empty. */
export function csvField(value: ExportValue): string {
  if (value === null) return '';
  const safe = disarm(String(value));
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of a CSV file, with its end. */
export function csvLine(values: readonly ExportValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}
