import { randomBytes } from 'node:crypto';

/*
 * JSON without loss (specification/money.md#exact-integers). Amounts in wei pass 2^53 at 0.009 ETH, where JSON.parse
 * and JSON.stringify silently round. Node 20 has neither the reviver's `context.source` nor JSON.rawJSON, so parsing is
 * done here:
 *
 *   integer token, safe        -> number        12
 *   integer token, beyond 2^53 -> bigint        9007199254740993
 *   any other number token     -> JsonFloat     1.5, 10.0, 1e3
 *
 * 10.0 and 1e3 thereby differ from 10 and 1000, and no validator of integers accepts them.
 */

/** A number written with a fraction or an exponent, exactly as written. */
export class JsonFloat {
  constructor(readonly text: string) {}
}

/** The text is not JSON, or JSON that this gateway refuses: too deep, a repeated key, a `__proto__` key. */
export class JsonError extends Error {
  constructor(
    message: string,
    /** Position of the error, in UTF-16 units; null for well-formed text that is refused. */
    readonly position: number | null = null,
  ) {
    super(message);
  }
}

/** Maximum nesting of objects and arrays; no request of this API needs more than 3. */
const MAX_DEPTH = 32;

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
/** Finds the end of a string; JSON.parse then checks its content. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const WORD = /true|false|null/y;
const WORDS: Record<string, unknown> = { true: true, false: false, null: null };

/** One pass over one text (RFC 8259). */
class Parser {
  private position = 0;
  private values = 0;

  constructor(
    private readonly text: string,
    private readonly maxValues: number,
  ) {}

  document(): unknown {
    const value = this.value(0);
    if (this.position < this.text.length) this.fail();
    return value;
  }

  /** A value with the white space around it. */
  private value(depth: number): unknown {
    if (++this.values > this.maxValues) throw new JsonError(`more than ${this.maxValues} values`);
    this.take(SPACE);
    const value = this.bare(depth);
    this.take(SPACE);
    return value;
  }

  private bare(depth: number): unknown {
    switch (this.text[this.position]) {
      case '{':
        return this.object(depth + 1);
      case '[':
        return this.array(depth + 1);
      case '"':
        return this.string();
      case 't':
      case 'f':
      case 'n':
        return WORDS[this.demand(WORD)];
      default:
        return this.number();
    }
  }

  private object(depth: number): object {
    this.descend(depth);
    const object: Record<string, unknown> = {};
    if (this.skip('}')) return object;
    do {
      this.take(SPACE);
      const key = this.string();
      // Copying such an object (Object.assign) would set its prototype.
      if (key === '__proto__') throw new JsonError('the key "__proto__" is not allowed');
      // Some parsers use the first value, others the last: ambiguous text is refused (RFC 8259, section 4).
      if (Object.hasOwn(object, key)) throw new JsonError(`the key ${JSON.stringify(key)} is repeated`);
      if (!this.skip(':')) this.fail();
      object[key] = this.value(depth);
    } while (this.skip(','));
    if (!this.skip('}')) this.fail();
    return object;
  }

  private array(depth: number): unknown[] {
    this.descend(depth);
    const array: unknown[] = [];
    if (this.skip(']')) return array;
    do array.push(this.value(depth));
    while (this.skip(','));
    if (!this.skip(']')) this.fail();
    return array;
  }

  private string(): string {
    const start = this.position;
    const token = this.demand(STRING);
    try {
      return JSON.parse(token) as string;
    } catch {
      this.position = start;
      return this.fail();
    }
  }

  private number(): number | bigint | JsonFloat {
    const token = this.demand(NUMBER);
    if (/[.eE]/.test(token)) return new JsonFloat(token);
    const number = Number(token);
    if (!Number.isSafeInteger(number)) return BigInt(token);
    return number === 0 ? 0 : number; // "-0" is zero
  }

  private descend(depth: number): void {
    if (depth > MAX_DEPTH) throw new JsonError(`more than ${MAX_DEPTH} levels deep`);
    this.position++;
  }

  /** Skips white space, and one given character if it comes next. */
  private skip(character: string): boolean {
    this.take(SPACE);
    if (this.text[this.position] !== character) return false;
    this.position++;
    return true;
  }

  private demand(token: RegExp): string {
    return this.take(token) || this.fail();
  }

  private take(token: RegExp): string {
    token.lastIndex = this.position;
    const [match = ''] = token.exec(this.text) ?? [];
    this.position += match.length;
    return match;
  }

  private fail(): never {
    const found = this.position < this.text.length ? 'unexpected character' : 'unexpected end';
    throw new JsonError(`${found} at position ${this.position}`, this.position);
  }
}

/**
 * Reads a JSON text without loss.
 * @param maxValues of all objects and lists in it; a text with more of them is refused
 * @throws JsonError whose message never repeats a value of the text
 */
export function parseExact(text: string, maxValues = Infinity): unknown {
  return new Parser(text, maxValues).document();
}

type RawJson = (text: string) => unknown;
/** Prints a number token unchanged; since Node 22. */
const rawJson = (JSON as { rawJSON?: RawJson }).rawJSON;

/** Marks number tokens in Node 20's output; random, so that input cannot forge it. */
const MARK = `exact-${randomBytes(16).toString('hex')}:`;
const MARKED = new RegExp(`"${MARK}([^"]+)"`, 'g');

function numberToken(value: unknown): string | null {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof JsonFloat ? value.text : null;
}

/** JSON.stringify that prints a bigint as an integer with all digits, and a {@link JsonFloat} as it was read. */
export function stringifyExact(value: unknown): string {
  let marked = false;
  const json = JSON.stringify(value ?? null, (_key, item: unknown) => {
    const token = numberToken(item);
    if (token === null) return item;
    if (rawJson) return rawJson(token);
    marked = true;
    return MARK + token;
  });
  return marked ? json.replace(MARKED, '$1') : json;
}
