/**
 * A piece of a list that only grows at its end; the envelope prints it as `{data, meta: {cursor}}`.
 * `next` is where to go on: it never becomes invalid while the database keeps its history, and asking from it again
 * repeats nothing and skips nothing.
 */
export class CursorPage<T> {
  constructor(
    readonly items: T[],
    readonly cursor: { next: string; hasMore: boolean },
  ) {}
}
