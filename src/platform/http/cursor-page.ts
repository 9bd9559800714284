import type { CursorContract } from './pagination.contract.js';

/**
 * A piece of a list that only grows at its end; the envelope prints it as `{data, meta: {cursor}}`.
 * `next` is the position after the last item: it stays valid while the database keeps its history, and a request from
 * it repeats nothing and skips nothing.
 */
export class CursorPage<T> {
  constructor(
    readonly items: T[],
    readonly cursor: CursorContract,
  ) {}
}
