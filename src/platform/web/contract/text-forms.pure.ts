import { canParseUrl } from './url.pure.js';

/* Pure predicates about text in requests, shared by the rules of contract fields and the HTTP layer. */

/** Neither NUL, which Postgres cannot store, nor half a surrogate pair, which UTF-8 cannot encode. */
export function isCleanText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** After the scheme: host, port and the rest, without user info, controls, spaces and backslashes. */
const AFTER_SCHEME =
  '://(\\[[0-9A-Fa-f:.]+\\]|[^\\s\\\\/?#@:%<>^|\\[\\]\\x00-\\x1f\\x7f-\\x9f]+)(:[0-9]{0,5})?([/?#][^\\s\\\\\\x00-\\x1f\\x7f-\\x9f]*)?$';
/** Without the flag `i`, which JSON Schema has not. */
export const HTTP_URL_FORM = new RegExp(`^[Hh][Tt][Tt][Pp][Ss]?${AFTER_SCHEME}`);
export const HTTPS_URL_FORM = new RegExp(`^[Hh][Tt][Tt][Pp][Ss]${AFTER_SCHEME}`);

/**
 * An absolute http(s) address that all parsers read in the same way: no user info, and none of the control
 * characters, spaces and backslashes that WHATWG URL parsing would silently repair.
 */
export function isHttpUrl(text: string, httpsOnly = false): boolean {
  const form = httpsOnly ? HTTPS_URL_FORM : HTTP_URL_FORM;
  return form.test(text) && canParseUrl(text) && isCleanText(text);
}

const MINUTES = '^([1-9]\\d{3})-(\\d\\d)-(\\d\\d)T([01]\\d|2[0-3]):[0-5]\\d';
const SECONDS = ':[0-5]\\d(\\.\\d{1,9})?';
const ZONE = '(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$';
const INSTANT = new RegExp(`${MINUTES}(${SECONDS})?${ZONE}`);
/** For the document: with seconds, as `date-time` has them (RFC 3339). Without is ISO 8601, and taken. */
export const INSTANT_FORM = new RegExp(MINUTES + SECONDS + ZONE);

/** The time of an ISO 8601 text with a zone, or null, also for dates that do not exist, such as 31 June. */
export function parseInstant(text: string): Date | null {
  const [, year, month, day] = INSTANT.exec(text) ?? [];
  if (!year) return null;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const instant = new Date(text);
  return exists && instant.getUTCFullYear() <= 9_999 ? instant : null;
}
