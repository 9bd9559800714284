import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { ErrorCode } from '../../kernel/errors/error-catalog.pure.js';
import {
  type FieldErrors,
  GatewayError,
  NotFoundError,
  ServiceUnavailableError,
  ValidationError,
} from '../../kernel/errors/errors.pure.js';
import { REQUEST_ID_HEADER } from '../../kernel/request-context.js';
import { isTransient, sqlState } from '../../database/database-errors.pure.js';

/**
 * Messages for the errors of Nest, Express and the body parser, whose own messages would reveal paths and internals.
 */
const BY_STATUS = new Map<number, [code: ErrorCode, message: string]>([
  [401, ['unauthenticated', 'Unauthenticated']],
  [403, ['insufficient_permissions', 'Insufficient permissions']],
  [404, ['not_found', 'Not found']],
  [405, ['method_not_allowed', 'Method not allowed']],
  [406, ['not_acceptable', 'This endpoint returns application/json only.']],
  [408, ['request_timeout', 'The request took too long to arrive.']],
  [413, ['payload_too_large', 'The request body is larger than 64 KiB, or 96 KiB with a logo.']],
  [414, ['uri_too_long', 'The request address is longer than 8 KiB.']],
  [415, ['unsupported_media_type', 'The request body must be application/json in UTF-8, not compressed.']],
  [422, ['validation_failed', 'The given data was invalid.']],
  [429, ['too_many_requests', 'Too many requests']],
  [431, ['request_header_too_large', 'The request header is larger than 16 KiB.']],
  [503, ['service_unavailable', 'Service unavailable']],
]);

/** The documented error of a status; another 4xx is a bad request, and everything else a server error. */
export function errorOfStatus(status: number, headers?: Record<string, string>): GatewayError {
  const isClientError = status >= 400 && status < 500;
  const other: [ErrorCode, string] = isClientError
    ? ['bad_request', 'Bad request']
    : ['server_error', 'Server Error'];
  return new GatewayError(...(BY_STATUS.get(status) ?? other), headers && { headers });
}

/** Values that Postgres refused and a validator should have. Each is provoked in the test of this file. */
const REFUSED_VALUE = new Set([
  '22021', // NUL in text
  '22P05', // NUL in jsonb
  '22003', // number out of range
  '22008', // date out of range
  '22007', // not a date
  '22009', // time zone out of range
  '2201W', // negative LIMIT
  '2201X', // negative OFFSET
  '23503', // reference to nothing
  '23505', // duplicate
]);

/** Errors of CHECK constraints name the constraint. Those of triggers do not; they are bugs of the gateway (500). */
function isCheckConstraint(error: Error, code: string | null): boolean {
  return code === '23514' && 'constraint' in error && typeof error.constraint === 'string';
}

/** Converts any error to a GatewayError; `isExpected` is false if it is a bug of the gateway. */
export function toGatewayError(error: unknown): { refusal: GatewayError; isExpected: boolean } {
  if (error instanceof GatewayError)
    return { refusal: error, isExpected: error.status < 500 || error.status === 503 };
  if (error instanceof HttpException) {
    const refusal = errorOfStatus(error.getStatus());
    return { refusal, isExpected: refusal.status < 500 };
  }
  if (!(error instanceof Error)) return { refusal: errorOfStatus(500), isExpected: false };
  const code = sqlState(error);
  if (isTransient(error)) return { refusal: new ServiceUnavailableError(), isExpected: true };
  if (code === '22P02') return { refusal: new NotFoundError(), isExpected: false };
  if (REFUSED_VALUE.has(code ?? '') || isCheckConstraint(error, code))
    return { refusal: new ValidationError({}), isExpected: false };
  return { refusal: errorOfStatus(500), isExpected: false };
}

/** An error body (specification/errors.md#body). */
export interface ErrorBody {
  message: string;
  code: string;
  errors?: FieldErrors;
  hint?: string;
  requestId: string;
}

export function toErrorBody(error: GatewayError, requestId: string): ErrorBody {
  const { errors, hint } = error.extra;
  const isEmpty = !errors || Object.keys(errors).length === 0;
  return {
    message: error.message,
    code: error.code,
    ...(!isEmpty && { errors }),
    ...(hint && { hint }),
    requestId,
  };
}

/** The single place where errors become responses (specification/errors.md#in-the-code). */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('ErrorFilter');

  catch(error: unknown, host: ArgumentsHost): void {
    this.send(error, host);
  }

  /** For a filter that has changed the error first. */
  send(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const { refusal, isExpected } = toGatewayError(error);
    response.locals['errorCode'] = refusal.code;
    if (!isExpected) this.logger.error({ err: error }, 'unexpected error');
    else if (refusal.status === 503) this.logger.warn({ err: error }, 'unavailable');
    if (response.headersSent) {
      // Part of the response was sent: closing the connection shows that it is incomplete.
      if (!response.writableEnded) response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(refusal.extra.headers ?? {})) response.setHeader(name, value);
    const requestId = String(response.getHeader(REQUEST_ID_HEADER) ?? '');
    response.removeHeader('ETag');
    response.setHeader('Cache-Control', 'no-store');
    const body = toErrorBody(refusal, requestId);
    response.locals['errorBody'] = body;
    response.status(refusal.status).type('application/json').json(body);
  }
}
