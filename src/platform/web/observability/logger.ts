import type { LoggerService } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { type DestinationStream, type Level, type Logger, pino } from 'pino';
import type { Meters } from '../../kernel/meters.js';
import { redactFields, redactText } from '../../kernel/redaction.pure.js';
import { currentRequestId } from '../../kernel/request-context.js';
import type { Principal } from '../../kernel/principal.pure.js';
import type { AnsweredRequests } from './answered-requests.js';
import { requestSubject } from './request-subject.pure.js';

/** Bytes that are buffered while the reader of the log is stopped; more are dropped, so that logging never blocks. */
const MAX_BUFFERED = 8 * 1024 * 1024;

/**
 * One JSON object per line: time, level, context, requestId, msg and fields, without secrets.
 * @param destination standard output, except in tests
 */
export function createPino(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => ({ requestId: currentRequestId() }),
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactFields(fields) as Record<string, unknown>,
      },
      // Errors are already described here; pino's own serializer would print all of their properties.
      serializers: { err: (described: unknown) => described },
      hooks: { streamWrite: redactText },
    },
    destination ?? pino.destination({ dest: 1, sync: false, maxLength: MAX_BUFFERED }),
  );
}

/** Nest's start-up messages: one line per route and module. */
const CHATTER = new Set([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

/** Errors that Nest logs and then throws: main.ts prints the one that ends a start, in one line of level fatal. */
function isThrownToo(context: string | undefined, message: unknown): boolean {
  if (context === 'TypeOrmModule')
    return `${message as string}`.startsWith('Unable to connect to the database');
  return context === 'ExceptionHandler' || context === 'NestApplication';
}

/**
 * Puts pino behind Nest's `Logger`. `logger.warn({ chain }, 'text')` prints the fields beside the text;
 * `logger.error('text', error.stack)` prints the stack.
 */
export class GatewayLogger implements LoggerService {
  constructor(readonly pino: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest appends the logger's context as the last text. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    // There can be thousands of lines per second below the configured level, which must cost almost nothing.
    if (!this.pino.isLevelEnabled(level)) return;
    const texts = rest.filter((item): item is string => typeof item === 'string');
    const context = texts.pop();
    const isMinor =
      (level === 'info' && CHATTER.has(context ?? '')) ||
      (level === 'error' && isThrownToo(context, message));
    const chosen = isMinor ? 'debug' : level;
    if (message instanceof Error)
      return this.pino[chosen]({ context, err: message }, texts[0] ?? message.message);
    if (typeof message === 'object') return this.pino[chosen]({ context, ...message }, texts[0]);
    const stack = texts.find((text) => text.includes('\n'));
    this.pino[chosen]({ context, stack }, `${message as string}`);
  }
}

/** `/api/payment/:paymentId`, never the URL itself: a checkout link is a credential. */
export function routeTemplate(request: Request): string {
  const path = (request.route as { path?: unknown } | undefined)?.path;
  if (typeof path === 'string') return request.baseUrl + path;
  return request.baseUrl ? `${request.baseUrl}/*` : '(no route)';
}

/** Methods of routes; all others share one label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/** One line for every request, when its response was sent or the client has disconnected. */
export function accessLog(log: Logger, meters: Meters, answered: AnsweredRequests) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now();
    response.once('close', () => {
      const route = routeTemplate(request);
      const seconds = (performance.now() - start) / 1_000;
      const method = METHODS.has(request.method) ? request.method : 'other';
      answered.note(request, response, { route, durationMs: Math.round(seconds * 1_000) });
      meters.http.observe({ method, route, status: `${Math.floor(response.statusCode / 100)}xx` }, seconds);
      // Load balancers request these every few seconds.
      const level = route.startsWith('/api/health/') && response.statusCode < 400 ? 'debug' : 'info';
      log[level](
        {
          context: 'http',
          requestId: response.getHeader('X-Request-Id'),
          method: request.method,
          route,
          status: response.statusCode,
          code: response.locals['errorCode'],
          ...requestSubject({ route, params: request.params, user: request.user as Principal | undefined }),
          durationMs: Math.round(seconds * 10_000) / 10,
          ...(!response.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    next();
  };
}
