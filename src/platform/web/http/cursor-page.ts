import type { CursorContract } from './pagination.contract.js';

/**
 * A piece of a list; the envelope prints it as `{data, meta: {cursor}}`. `next` is the position after the last item, which
 * is sent as a cursor that tells nothing (cursors.service.ts): it
 * stays valid while the database keeps its history, and a request from it repeats nothing and skips nothing that was
 * there before.
 */
export class CursorPage<T> {
  constructor(
    readonly items: T[],
    readonly cursor: CursorContract,
  ) {}
}
