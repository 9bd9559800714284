import { BadRequestError } from '../../kernel/errors/errors.pure.js';

/** The header `Idempotency-Key` as Node spells it (specification/idempotency.md#idempotency-key). */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

const MAX_LENGTH = 255;
/** A header that {@link readIdempotencyKey} takes, for the document; HTTP drops spaces around it. */
export const IDEMPOTENCY_KEY_PATTERN = `^([!#-~]([ -~]{0,${MAX_LENGTH - 2}}[!-~])?|"([ !#-\\[\\]-~]|\\\\["\\\\]){1,${MAX_LENGTH}}")$`;
const PRINTABLE = /^[\x20-\x7e]+$/;
/** An RFC 8941 string: printable ASCII in double quotes, where `\` stands before `"` and `\` only. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * The key of a request, without quotes: `"abc"` and `abc` are the same one. Null without a header.
 * @param values the header's values, one for each time it was sent
 * @throws BadRequestError naming the header
 */
export function readIdempotencyKey(values: readonly string[] | undefined): string | null {
  if (values === undefined || values.length === 0) return null;
  const [value = ''] = values;
  const key = value.startsWith('"') ? unquote(value) : value;
  if (values.length > 1 || key === null || key.length > MAX_LENGTH || !PRINTABLE.test(key))
    throw new BadRequestError(
      'bad_request',
      `The Idempotency-Key header must be sent once, as 1 to ${MAX_LENGTH} printable ASCII characters, bare or in double quotes.`,
    );
  return key;
}

function unquote(value: string): string | null {
  const [, quoted] = QUOTED.exec(value) ?? [];
  return quoted?.replace(/\\(["\\])/g, '$1') ?? null;
}
