import { type ArgumentsHost, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { toGatewayError } from '../errors/error.filter.js';
import type { GatewayError } from '../errors/errors.pure.js';
import type { RenderedPage } from './page-document.js';

/** Errors of a page are pages, with texts of that page. */
export abstract class PageFilter implements ExceptionFilter {
  private readonly logger = new Logger(this.constructor.name);

  protected abstract render(refusal: GatewayError): RenderedPage;

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const { refusal, isExpected } = toGatewayError(error);
    response.locals['errorCode'] = refusal.code;
    if (!isExpected) this.logger.error({ err: error }, 'unexpected error');
    else if (refusal.status === 503) this.logger.warn({ err: error }, 'unavailable');
    const { status, headers, body } = this.render(refusal);
    response
      .status(status)
      .set({ ...refusal.extra.headers, ...headers })
      .send(body);
  }
}
