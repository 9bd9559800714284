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
    const bounds = [first];
    for (let start = first; ;) {
      const end = text.indexOf('}', start);
      if (text.charCodeAt(start) !== OPEN || end === -1) return null;
      const next = text.indexOf('{', start + 1);
      if (next !== -1 && next < end) return null;
      start = end + 2;
      bounds.push(start);
      const after = text.charCodeAt(end + 1);
      if (after === END) return { list: new LazyJsonArray(text, bounds), rest: cutOut(text, first, end + 1) };
      if (after !== COMMA) return null;
    }
  }

  get length(): number {
    return this.bounds.length - 1;
  }

  /** Visits the position of each object: from `start` to before `end`. */
  each(visit: (start: number, end: number) => void): void {
    for (let i = 0; i + 1 < this.bounds.length; i++)
      visit(this.bounds[i] ?? 0, (this.bounds[i + 1] ?? 0) - 1);
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

function cutOut(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}
