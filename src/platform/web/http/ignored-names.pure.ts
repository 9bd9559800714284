/** Maximum number of names in the header; further ones are left out. */
const MAX_NAMES = 20;
/** Maximum length of a name; real field names are hardly ever longer. */
const MAX_LENGTH = 32;

/**
 * Words as in names, with at most two digits at the end. This excludes characters that would end the header or its list
 * (RFC 9110, section 5.6.2), and tokens and secrets that were sent as a name by mistake: those contain more digits.
 */
const SAFE_NAME = /^[A-Za-z]+(?:[_.-][A-Za-z]+)*\d{0,2}$/;

/**
 * The value of `X-Ignored-Fields`: the fields of a body that a route does not know, or null when it knows all.
 * Names that are not safe in a header are left out.
 */
export function ignoredFieldsHeader(sent: readonly string[], known: readonly string[]): string | null {
  const ignored = sent.filter((name) => !known.includes(name));
  const names = ignored.filter((name) => name.length <= MAX_LENGTH && SAFE_NAME.test(name));
  return names.length === 0 ? null : names.slice(0, MAX_NAMES).join(', ');
}
