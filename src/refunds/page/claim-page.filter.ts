import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { toGatewayError } from '../../common/error.filter.js';
import { claimErrorPage } from './claim-document.js';

/** Errors of the page are pages. */
@Catch()
export class ClaimPageFilter implements ExceptionFilter {
  private readonly logger = new Logger('ClaimPageFilter');

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const { answer, expected } = toGatewayError(error);
    response.locals['errorCode'] = answer.code;
    if (!expected) this.logger.error({ err: error }, 'unexpected error');
    else if (answer.status === 503) this.logger.warn({ err: error }, 'unavailable');
    const { status, headers, body } = claimErrorPage(answer);
    response
      .status(status)
      .set({ ...answer.extra.headers, ...headers })
      .send(body);
  }
}
