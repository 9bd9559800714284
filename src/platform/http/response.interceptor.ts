import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { IdempotentRequests } from '../idempotency/idempotency.js';
import { envelope } from './envelope.js';
import { IgnoredFields } from './ignored-fields.js';

/** What is done around every handler. One interceptor: each costs two observables and an async scope a request. */
@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  constructor(
    private readonly ignored: IgnoredFields,
    private readonly idempotent: IdempotentRequests,
  ) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    this.ignored.announce(context);
    const key = this.idempotent.findKey(context);
    return key === null
      ? next.handle().pipe(map(envelope))
      : this.idempotent.once(context, key, () => next.handle());
  }
}
