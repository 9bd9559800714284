import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { ErrorFilter } from './error.filter.js';
import { NotFoundError } from '../../kernel/errors/errors.pure.js';
import { type HintedRequest, NotFoundHints } from './not-found-hints.js';

/** Sends a 404 with its hint. */
@Catch(NotFoundError)
export class NotFoundFilter implements ExceptionFilter<NotFoundError> {
  private readonly errors = new ErrorFilter();

  constructor(private readonly hints: NotFoundHints) {}

  async catch(error: NotFoundError, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<HintedRequest>();
    this.errors.send(await this.hints.addTo(error, request), host);
  }
}
