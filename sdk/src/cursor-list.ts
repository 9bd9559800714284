import type { CallOptions, Http } from './http.js';

export interface CursorPageOf<Item> {
  items: Item[];
  cursor: { next: string; hasMore: boolean };
}

export type QueryValue = string | number | boolean | Date | readonly string[] | undefined;

/** The rows of a list with a cursor: `for await (const row of list)`, or page by page. */
export class CursorList<Item> implements AsyncIterable<Item> {
  constructor(
    private readonly http: Http,
    private readonly path: string,
    private readonly query: object,
    private readonly options: CallOptions,
  ) {}

  /** @param after `cursor.next` of the page before; without it, the first page */
  async page(after?: string): Promise<CursorPageOf<Item>> {
    const { data, meta } = await this.http.call<{
      data: Item[];
      meta: { cursor: { next: string; hasMore: boolean } };
    }>({
      method: 'GET',
      path: this.path,
      query: { ...queryOf(this.query), ...(after !== undefined && { after }) },
      signal: this.options.signal,
    });
    return { items: data, cursor: meta.cursor };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let after: string | undefined; ;) {
      const { items, cursor } = await this.page(after);
      yield* items;
      if (!cursor.hasMore) return;
      after = cursor.next;
    }
  }
}

/** Lists are separated by commas, and times are written with their zone. */
export function queryOf(query: object): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(query as Record<string, QueryValue>).map(([name, value]) => [name, textOf(value)]),
  );
}

function textOf(value: QueryValue): string | undefined {
  if (value === undefined) return undefined;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? value.join(',') : String(value);
}
