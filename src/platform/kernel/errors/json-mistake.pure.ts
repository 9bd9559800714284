/**
 * Describes the likely mistake in a malformed JSON text, with its place. Repeats nothing of the text but single
 * punctuation marks.
 * @param position where the parser stopped, in UTF-16 units; null where the whole text is refused
 */
export function describeJsonMistake(text: string, position: number | null): string | undefined {
  if (position === null) return undefined;
  const place = `At ${describePlace(text, position)}`;
  const cause = describeText(text) ?? describeSpot(text, position);
  return cause === null ? `${place}.` : `${place}: ${cause}`;
}

/** Line and column as editors count them. */
function describePlace(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** Describes a text that is no attempt at JSON. */
function describeText(text: string): string | null {
  const start = text.trimStart();
  if (start === '') return 'the body is white space only.';
  if (start.startsWith('[object '))
    return 'an object was sent as text; encode it as JSON first, e.g. with JSON.stringify.';
  if (/^(undefined|None|nil|NaN)\s*$/.test(start))
    return 'the printed form of a missing value was sent; is the variable of the body set?';
  if (/^[\w.%[\]-]+=[^{"]*(&|$)/.test(start))
    return 'the body is a form (a=1&b=2); send the fields as a JSON object, e.g. {"amount":2500}.';
  if (/^--[^\r\n]+\r?\ncontent-disposition:/i.test(start))
    return 'the body is a multipart form; send the fields as a JSON object, e.g. {"amount":2500}.';
  if (start.startsWith('<')) return 'the body is XML or HTML; send a JSON object.';
  return null;
}

/** Describes the character at which the parser stopped. */
function describeSpot(text: string, position: number): string | null {
  const [before, rest] = [text.slice(0, position).trimEnd(), text.slice(position)];
  const next = rest.trimStart();
  if (next === '') return 'the body ends too early; was it cut off, or is its Content-Length too small?';
  if (before.endsWith(',') && /^[}\]]/.test(next)) return 'JSON allows no comma before a closing bracket.';
  if (/^['\u2018\u2019\u201c\u201d]/.test(next))
    return 'JSON needs straight double quotes (") around names and texts.';
  if (/^\/[/*]/.test(next) || next.startsWith('#')) return 'JSON allows no comments.';
  if (/^[\p{L}_$][\w$]*\s*:/u.test(next)) return 'JSON needs double quotes (") around names.';
  if (/^(True|False|None|undefined|NaN|-?Infinity)\b/.test(next))
    return 'JSON knows only true, false and null, in lower case, beside texts, numbers, lists and objects.';
  if (/^(\+|\.\d|0\d)/.test(next) || /^\.(?!\d)/.test(next) || (/\d$/.test(before) && /^[\d_,.]/.test(next)))
    return 'this is no JSON number: digits only, without a plus sign, leading zeros or separators.';
  if (/["\d}\]el]$/.test(before) && /^["{[]/.test(next)) return 'a comma is missing before this.';
  if (next.startsWith('"')) return 'this text is not closed, or has a line break or a wrong escape inside.';
  return null;
}

/** Describes a body that is no object. */
export function describeBodyKind(body: unknown): string {
  if (typeof body === 'string') return 'The body is a JSON text; was an object encoded as JSON twice?';
  if (Array.isArray(body)) return 'The body is a list; send one object, without brackets around it.';
  return 'The body is a single value; send the fields in braces, e.g. {"amount":2500}.';
}
