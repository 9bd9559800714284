/*
 * JSON without loss. Amounts of coins exceed 2^53 early (0.009 ETH in wei), where JSON.parse and JSON.stringify
 * silently round. Here:
 *
 *   `amount` of an amount object (one with the string `atomic`)  -> always bigint
 *   any other integer token, safe                                -> number
 *   any other integer token, beyond 2^53                         -> bigint
 *   a token with fraction or exponent                            -> number
 */

/** Levels of nested objects and arrays; the deepest response of the gateway has 6. */
const MAX_DEPTH = 64;

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Finds where a string ends; JSON.parse then checks what is inside. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const WORD = /true|false|null/y;
const WORDS: Record<string, unknown> = { true: true, false: false, null: null };

/** One pass over one text (RFC 8259). */
class Parser {
  private position = 0;

  constructor(private readonly text: string) {}

  document(): unknown {
    const value = this.value(0);
    if (this.position < this.text.length) this.fail();
    return value;
  }

  /** A value with the white space around it. */
  private value(depth: number): unknown {
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
      // The first would set a prototype, the second can be read in two ways (RFC 8259, section 4).
      if (key === '__proto__' || Object.hasOwn(object, key)) this.fail();
      if (!this.skip(':')) this.fail();
      object[key] = this.value(depth);
    } while (this.skip(','));
    if (!this.skip('}')) this.fail();
    return withExactAmount(object);
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

  private number(): number | bigint {
    const token = this.demand(NUMBER);
    const number = Number(token);
    if (/[.eE]/.test(token) || Number.isSafeInteger(number)) return number === 0 ? 0 : number; // "-0" is zero
    return BigInt(token);
  }

  private descend(depth: number): void {
    if (depth > MAX_DEPTH) this.fail();
    this.position++;
  }

  /** Skips white space, and one character if it is next. */
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
    throw new SyntaxError(`not the JSON of a gateway: position ${this.position}`);
  }
}

/** The type does not depend on the size, or code that works with 0.001 ETH would fail with 0.01. */
function withExactAmount(object: Record<string, unknown>): object {
  const { amount, atomic } = object;
  if (typeof amount === 'number' && Number.isSafeInteger(amount) && typeof atomic === 'string')
    object['amount'] = BigInt(amount);
  return object;
}

/**
 * Reads a JSON text without loss.
 * @throws SyntaxError if the text is not JSON, repeats a key, or has a key `__proto__`
 */
export function parseExact(text: string): unknown {
  return new Parser(text).document();
}

/**
 * JSON.stringify that prints a bigint as an integer with all its digits.
 * @throws TypeError for a number that cannot be exact: an integer beyond 2^53, NaN, Infinity
 */
export function stringifyExact(value: unknown): string {
  return print(value, 'value', 0) ?? 'null';
}

/** Undefined for what JSON leaves out. @param name for messages, e.g. `value.amount` */
function print(value: unknown, name: string, depth: number): string | undefined {
  if (depth > MAX_DEPTH) throw new TypeError(`${name} is nested too deeply`);
  switch (typeof value) {
    case 'bigint':
      return value.toString();
    case 'number':
      if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
        throw new TypeError(
          `${name} is not exact as a number: write it as a bigint, e.g. 1500000000000000001n`,
        );
      return JSON.stringify(value);
    case 'object':
      return value === null ? 'null' : printObject(value, name, depth);
    default:
      return JSON.stringify(value);
  }
}

function printObject(value: object, name: string, depth: number): string | undefined {
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return print((value as { toJSON(): unknown }).toJSON(), name, depth + 1);
  if (Array.isArray(value))
    return `[${value.map((item, index) => print(item, `${name}.${index}`, depth + 1) ?? 'null').join(',')}]`;
  const members = Object.entries(value).flatMap(([key, item]) => {
    const text = print(item, `${name}.${key}`, depth + 1);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${members.join(',')}}`;
}
