/** Names in one header; a client that sends more learns enough from these. */
const MAX_NAMES = 20;
/** A field's name is hardly ever longer. */
const MAX_LENGTH = 32;

/**
 * Words, as names are made of, with two digits at the end at most. Nothing that could end the header or its list
 * (RFC 9110, section 5.6.2), and no token or secret that came as a name by mistake: those have digits all over.
 */
const SAFE_NAME = /^[A-Za-z]+(?:[_.-][A-Za-z]+)*\d{0,2}$/;

/**
 * The value of `X-Ignored-Fields`: the fields of a body that a route does not know, or null when it knows all.
 * Names that a header cannot carry safely are left out.
 */
export function ignoredFieldsHeader(sent: readonly string[], known: readonly string[]): string | null {
  const ignored = sent.filter((name) => !known.includes(name));
  const names = ignored.filter((name) => name.length <= MAX_LENGTH && SAFE_NAME.test(name));
  return names.length === 0 ? null : names.slice(0, MAX_NAMES).join(', ');
}
