import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
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

/** The body that a handler's result becomes. */
export function envelope(result: unknown): unknown {
  if (isFinished(result)) return result;
  if (result instanceof Page) return { data: result.items, meta: { pagination: result.pagination } };
  if (result instanceof CursorPage) return { data: result.items, meta: { cursor: result.cursor } };
  return { data: result };
}

/**
 * Wraps every successful response in `data` (specification/conventions.md#requests-and-responses). Handlers of 204, and
 * those that write the response themselves (`@Res()`), return undefined, which is not wrapped.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map(envelope));
  }
}
