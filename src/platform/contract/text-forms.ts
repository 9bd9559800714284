import { canParseUrl } from './url.pure.js';

/* Pure predicates about text in requests, shared by the rules of contract fields and the HTTP layer. */

/** Neither NUL, which Postgres cannot store, nor half a surrogate pair, which UTF-8 cannot encode. */
export function isCleanText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/**
 * An absolute http(s) address that all parsers read in the same way: no user info, and none of the control
 * characters, spaces and backslashes that WHATWG URL parsing would silently repair.
 */
export function isHttpUrl(text: string, httpsOnly = false): boolean {
  const [, scheme, authority] = /^(https?):\/\/([^\s\\/?#]+)(?:[/?#][^\s\\]*)?$/i.exec(text) ?? [];
  if (!scheme || !authority || authority.includes('@') || /\p{Cc}/u.test(text)) return false;
  if (httpsOnly && scheme.toLowerCase() !== 'https') return false;
  return canParseUrl(text) && isCleanText(text);
}

const INSTANT =
  /^([1-9]\d{3})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** The time of an ISO 8601 text with a zone, or null, also for dates that do not exist, such as 31 June. */
export function parseInstant(text: string): Date | null {
  const [, year, month, day] = INSTANT.exec(text) ?? [];
  if (!year) return null;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const instant = new Date(text);
  return exists && instant.getUTCFullYear() <= 9_999 ? instant : null;
}
