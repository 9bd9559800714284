import { type ArgumentsHost, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { toGatewayError } from '../errors/error.filter.js';
import type { GatewayError } from '../../kernel/errors/errors.pure.js';
import { textsOfRequest } from '../../kernel/i18n/request-texts.js';
import type { Texts } from '../../kernel/i18n/texts.js';
import type { RenderedPage } from './page-document.js';

/** Errors of a page are pages, with texts of that page. */
export abstract class PageFilter implements ExceptionFilter {
  private readonly logger = new Logger(this.constructor.name);

  protected abstract render(
    refusal: GatewayError,
    texts: Texts,
    request: Request,
  ): RenderedPage | Promise<RenderedPage>;

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const { refusal, isExpected } = toGatewayError(error);
    response.locals['errorCode'] = refusal.code;
    if (!isExpected) this.logger.error({ err: error }, 'unexpected error');
    else if (refusal.status === 503) this.logger.warn({ err: error }, 'unavailable');
    const { status, headers, body } = await this.render(refusal, textsOfRequest(request), request);
    if (!('X-Frame-Options' in headers)) response.removeHeader('X-Frame-Options');
    response
      .status(status)
      .set({ ...refusal.extra.headers, ...headers })
      .send(body);
  }
}
