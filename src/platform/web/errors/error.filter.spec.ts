import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ArgumentsHost,
  BadRequestException,
  ForbiddenException,
  HttpException,
  InternalServerErrorException,
  Logger,
  NotFoundException,
  PayloadTooLargeException,
} from '@nestjs/common';
import { jest } from '@jest/globals';
import express from 'express';
import { ErrorFilter, toErrorBody, toGatewayError } from './error.filter.js';
import {
  GatewayError,
  ServiceUnavailableError,
  UnauthenticatedError,
  ValidationError,
} from '../../kernel/errors/errors.pure.js';

const failure = (code: string, more = {}) => Object.assign(new Error('the internals'), { code, ...more });

describe('toGatewayError', () => {
  it.each<[unknown, number, string, boolean]>([
    [new UnauthenticatedError(), 401, 'unauthenticated', true],
    [ValidationError.of('name', 'wrong'), 422, 'validation_failed', true],
    [new ServiceUnavailableError(), 503, 'service_unavailable', true],
    [new NotFoundException('Cannot GET /checkout/1?signature=x'), 404, 'not_found', true],
    [new BadRequestException('request size did not match content length'), 400, 'bad_request', true],
    [new ForbiddenException(), 403, 'insufficient_permissions', true],
    [new PayloadTooLargeException(), 413, 'payload_too_large', true],
    [new HttpException('teapot', 418), 400, 'bad_request', true],
    [new GatewayError('server_error', 'Server Error'), 500, 'server_error', false],
    [new InternalServerErrorException('the internals'), 500, 'server_error', false],
    [new Error('the internals'), 500, 'server_error', false],
    ['a thrown text', 500, 'server_error', false],
    [undefined, 500, 'server_error', false],
    ...['22021', '22P05', '22003', '22007', '22008', '22009', '2201W', '2201X', '23503', '23505'].map(
      (code): [unknown, number, string, boolean] => [failure(code), 422, 'validation_failed', false],
    ),
    [failure('23514', { constraint: 'amount_positive' }), 422, 'validation_failed', false],
    [failure('23514'), 500, 'server_error', false],
    [failure('22P02'), 404, 'not_found', false],
    [failure('23502'), 500, 'server_error', false],
    [failure('42601'), 500, 'server_error', false],
    ...['08006', '53300', '57P01', '57P03', '57014', '55P03', '40001', '40P01', '25P03', '25006'].map(
      (code): [unknown, number, string, boolean] => [failure(code), 503, 'service_unavailable', true],
    ),
    ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT'].map((code): [unknown, number, string, boolean] => [
      failure(code),
      503,
      'service_unavailable',
      true,
    ]),
    [new Error('timeout exceeded when trying to connect'), 503, 'service_unavailable', true],
    [new Error('Connection terminated unexpectedly'), 503, 'service_unavailable', true],
  ])('%p', (error, status, code, expected) => {
    const { refusal, isExpected } = toGatewayError(error);
    expect({ status: refusal.status, code: refusal.code, isExpected }).toEqual({
      status,
      code,
      isExpected: expected,
    });
    expect(refusal.message).not.toMatch(/internals|signature|Cannot/);
    if (status === 503) expect(refusal.extra.headers).toEqual({ 'Retry-After': '5' });
  });
});

describe('toErrorBody', () => {
  it('has errors only for errors with fields', () => {
    expect(toErrorBody(ValidationError.of('name', 'wrong'), 'r1')).toEqual({
      message: 'wrong',
      code: 'validation_failed',
      errors: { name: ['wrong'] },
      requestId: 'r1',
    });
    expect(toErrorBody(ValidationError.of('name', 'wrong', 'Write it right.'), 'r1')).toMatchObject({
      errors: { name: ['wrong'] },
      hint: 'Write it right.',
    });
    expect(toErrorBody(new ValidationError({}), 'r1')).toEqual({
      message: 'The given data was invalid.',
      code: 'validation_failed',
      requestId: 'r1',
    });
  });
});

describe('ErrorFilter', () => {
  beforeEach(() => Logger.overrideLogger(false));

  it.each([true, false])(
    'destroys the connection when the response has begun (ended: %p)',
    (writableEnded) => {
      const response = {
        headersSent: true,
        writableEnded,
        locals: {},
        destroy: jest.fn(),
        setHeader: jest.fn(),
      };
      const host = { switchToHttp: () => ({ getResponse: () => response }) } as unknown as ArgumentsHost;
      new ErrorFilter().catch(new Error('late'), host);
      expect(response.destroy).toHaveBeenCalledTimes(writableEnded ? 0 : 1);
      expect(response.setHeader).not.toHaveBeenCalled();
    },
  );

  it('sends no ETag of a page that was not made, so that no browser keeps the error', async () => {
    const server = createServer(
      express()
        .set('etag', false)
        .use((_request, response) => {
          response.set({ ETag: '"made"', 'Cache-Control': 'public' });
          const host = { switchToHttp: () => ({ getResponse: () => response }) } as unknown as ArgumentsHost;
          new ErrorFilter().catch(new Error('the internals'), host);
        }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const { status, headers } = await fetch(url, { headers: { 'if-none-match': '"made"' } });
      expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([500, null, 'no-store']);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
