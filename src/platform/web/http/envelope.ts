import { StreamableFile } from '@nestjs/common';
import { CursorPage } from './cursor-page.js';
import { Page } from './pagination.js';

/** Text and bytes are pages or files, never a resource: they are sent unchanged. */
function isFinished(result: unknown): boolean {
  return (
    result === undefined ||
    typeof result === 'string' ||
    Buffer.isBuffer(result) ||
    result instanceof StreamableFile
  );
}

/**
 * The body that a handler's result becomes: every successful response has its result in `data`
 * (specification/conventions.md#requests-and-responses). Handlers of 204, and those that write the response themselves
 * (`@Res()`), return undefined, which is not wrapped.
 */
export function envelope(result: unknown): unknown {
  if (isFinished(result)) return result;
  if (result instanceof Page) return { data: result.items, meta: { pagination: result.pagination } };
  if (result instanceof CursorPage) return { data: result.items, meta: { cursor: result.cursor } };
  return { data: result };
}
