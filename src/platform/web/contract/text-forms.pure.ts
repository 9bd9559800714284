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

/** For the document, which names one form: that of RFC 3339. What else is taken: kernel/instant.pure.ts. */
export const INSTANT_FORM =
  /^([1-9]\d{3})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
