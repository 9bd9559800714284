import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request } from 'express';
import { NotFoundError } from '../../kernel/errors/errors.pure.js';
import { ErrorFilter } from './error.filter.js';
import { withPathIdHint } from './path-id-hint.pure.js';

/** Sends a 404 with its hint. */
@Catch(NotFoundError)
export class NotFoundFilter implements ExceptionFilter<NotFoundError> {
  private readonly errors = new ErrorFilter();

  catch(error: NotFoundError, host: ArgumentsHost): void {
    const { params } = host.switchToHttp().getRequest<Request>();
    this.errors.send(withPathIdHint(error, params), host);
  }
}
