/** The value of one field of an export; amounts and other numbers are text, so that no digit is lost. */
export type ExportValue = string | boolean | null;

/**
 * Spreadsheets run a cell that begins with one of these as a formula (OWASP, "CSV Injection"); the last four are the
 * full-width forms, which some of them convert.
 */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** A number with a sign is no formula, and a quote before it would make it text. */
const SIGNED_NUMBER = /^[+-]?\d+(\.\d+)?$/;
/** RFC 4180, section 2, rules 6 and 7; spaces at either end are lost by some readers unless they are quoted. */
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** One field of a CSV file (RFC 4180). Null is empty. */
export function csvField(value: ExportValue): string {
  if (value === null) return '';
  const text = String(value);
  const safe = FORMULA.test(text) && !SIGNED_NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of a CSV file, with its end. */
export function csvLine(values: readonly ExportValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}
