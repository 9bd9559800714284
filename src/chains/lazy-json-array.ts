import { ChainInconsistencyError } from './chain-adapter.pure.js';

const RESULT = '"result":[';
const [OPEN, COMMA, END] = [0x7b, 0x2c, 0x5d];

/**
 * The result of a JSON-RPC response, when it is an array of objects, left unparsed in the text. In catch-up these are
 * megabytes of objects of which hardly any are needed, and parsing them all costs several times as much as scanning.
 */
export class LazyJsonArray {
  private constructor(
    readonly text: string,
    /** Start of each object, and the end of the last one plus two. */
    private readonly bounds: readonly number[],
  ) {}

  /**
   * Cuts the array out of a response, if its objects are flat and without spaces between them, as nodes send them.
   * @returns the array, and the response with an empty array in its place; null when the response must be parsed
   */
  static cut(text: string): { list: LazyJsonArray; rest: string } | null {
    const at = text.indexOf(RESULT);
    // With escapes, a brace could be part of a string.
    if (at === -1 || text.includes('\\')) return null;
    const first = at + RESULT.length;
    const bounds = boundsFrom(text, first);
    if (!bounds) return null;
    return { list: new LazyJsonArray(text, bounds), rest: cutOut(text, first, (bounds.at(-1) ?? 0) - 1) };
  }

  /**
   * As {@link cut}, for every array behind a label, wherever it is.
   * @returns the arrays, and the text with each one's number as its only item; empty arrays stay
   */
  static cutAll(text: string, label: string): { lists: LazyJsonArray[]; rest: string } | null {
    if (text.includes('\\')) return null;
    const lists: LazyJsonArray[] = [];
    const parts: string[] = [];
    let done = 0;
    for (let at = text.indexOf(label); at !== -1; at = text.indexOf(label, done)) {
      const first = at + label.length;
      if (text.charCodeAt(first) === END) {
        parts.push(text.slice(done, first));
        done = first;
        continue;
      }
      const bounds = boundsFrom(text, first);
      if (!bounds) return null;
      parts.push(text.slice(done, first), String(lists.length));
      lists.push(new LazyJsonArray(text, bounds));
      done = (bounds.at(-1) ?? first) - 1;
    }
    parts.push(text.slice(done));
    return { lists, rest: parts.join('') };
  }

  get length(): number {
    return this.bounds.length - 1;
  }

  /** Where an object is: from `start` to before `end`. */
  position(i: number): { start: number; end: number } {
    return { start: this.bounds[i] ?? 0, end: (this.bounds[i + 1] ?? 0) - 1 };
  }

  /** Visits the {@link position} of each object. */
  each(visit: (start: number, end: number) => void): void {
    for (let i = 0; i + 1 < this.bounds.length; i++)
      visit(this.bounds[i] ?? 0, (this.bounds[i + 1] ?? 0) - 1);
  }

  /** @throws ChainInconsistencyError as {@link parse} */
  parseAll(): unknown[] {
    const items: unknown[] = [];
    this.each((start, end) => items.push(this.parse(start, end)));
    return items;
  }

  /** @throws ChainInconsistencyError when the text is not valid JSON */
  parse(start: number, end: number): unknown {
    try {
      return JSON.parse(this.text.slice(start, end)) as unknown;
    } catch {
      throw new ChainInconsistencyError('the node sent a list that is not valid JSON');
    }
  }
}

/** Where the objects of an array start, and the end of the last one plus two. Null: they are not flat, or spaced. */
function boundsFrom(text: string, first: number): number[] | null {
  const bounds = [first];
  for (let start = first; ;) {
    const end = text.indexOf('}', start);
    if (text.charCodeAt(start) !== OPEN || end === -1) return null;
    const next = text.indexOf('{', start + 1);
    if (next !== -1 && next < end) return null;
    start = end + 2;
    bounds.push(start);
    const after = text.charCodeAt(end + 1);
    if (after === END) return bounds;
    if (after !== COMMA) return null;
  }
}

function cutOut(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}
