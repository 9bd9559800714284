import { type ArgumentsHost, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { toGatewayError } from '../errors/error.filter.js';
import type { GatewayError } from '../errors/errors.pure.js';
import type { RenderedPage } from './page-document.js';

/** Errors of a page are pages: each page has its own words for them. */
export abstract class PageFilter implements ExceptionFilter {
  private readonly logger = new Logger(this.constructor.name);

  protected abstract render(answer: GatewayError): RenderedPage;

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const { answer, expected } = toGatewayError(error);
    response.locals['errorCode'] = answer.code;
    if (!expected) this.logger.error({ err: error }, 'unexpected error');
    else if (answer.status === 503) this.logger.warn({ err: error }, 'unavailable');
    const { status, headers, body } = this.render(answer);
    response
      .status(status)
      .set({ ...answer.extra.headers, ...headers })
      .send(body);
  }
}
