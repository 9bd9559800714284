import { ChainInconsistencyError } from './chain-adapter.pure.js';

const RESULT = '"result":[';
const [OPEN, COMMA, END] = [0x7b, 0x2c, 0x5d];

/**
 * The list that a JSON-RPC answer holds as its result, as it stands in the text: in catch-up these are megabytes of
 * objects of which next to none are wanted, and to parse them all costs several times what it costs to look for those.
 */
export class LazyJsonArray {
  private constructor(
    readonly text: string,
    /** Where each object begins, and two places behind the end of the last one. */
    private readonly bounds: readonly number[],
  ) {}

  /**
   * Cuts the list out, as long as it is one of flat objects without a space between them: what nodes send.
   * @returns the list, and the answer with an empty one in its place; null: to be parsed as usual
   */
  static cut(text: string): { list: LazyJsonArray; rest: string } | null {
    const at = text.indexOf(RESULT);
    // With an escape in it, a brace could stand in a string.
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

  /** Shows where each object stands: from `start` to before `end`. */
  each(visit: (start: number, end: number) => void): void {
    for (let i = 0; i + 1 < this.bounds.length; i++)
      visit(this.bounds[i] ?? 0, (this.bounds[i + 1] ?? 0) - 1);
  }

  /** @throws ChainInconsistencyError when the text there is no object */
  parse(start: number, end: number): unknown {
    try {
      return JSON.parse(this.text.slice(start, end)) as unknown;
    } catch {
      throw new ChainInconsistencyError('the node sent a list that is no JSON');
    }
  }
}

function cutOut(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}
