import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { accessLog, createPino, GatewayLogger } from './logger.js';
import { AnsweredRequests } from './answered-requests.js';
import { SystemClock } from '../../kernel/clock.pure.js';
import { Meters } from '../../kernel/meters.js';
import { currentRequestId, requestContext } from '../../kernel/request-context.js';

function capture(level = 'trace') {
  const lines: Record<string, unknown>[] = [];
  const pino = createPino(level, {
    write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  return { lines, pino };
}

describe('GatewayLogger', () => {
  function nest(level?: string) {
    const { lines, pino } = capture(level);
    Logger.overrideLogger(new GatewayLogger(pino));
    return { lines, logger: new Logger('Test') };
  }

  it('prints one JSON object per line, with level, time and context', () => {
    const { lines, logger } = nest();
    logger.log('hello');
    expect(lines).toEqual([
      { level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/) as string, context: 'Test', msg: 'hello' },
    ]);
  });

  it('prints fields beside the text', () => {
    const { lines, logger } = nest();
    logger.warn({ chain: 'ethereum', secret: 'canary' }, 'node is away');
    expect(lines[0]).toMatchObject({
      level: 'warn',
      context: 'Test',
      chain: 'ethereum',
      secret: '[redacted]',
      msg: 'node is away',
    });
  });

  it('prints the stacks of errors and of texts', () => {
    const { lines, logger } = nest();
    const error = new Error('boom');
    logger.error(error);
    logger.error('it broke', error.stack);
    logger.error({ err: error }, 'it broke');
    expect(lines).toMatchObject([
      { msg: 'boom', context: 'Test', err: { type: 'Error', message: 'boom', stack: error.stack } },
      { msg: 'it broke', context: 'Test', stack: error.stack },
      { msg: 'it broke', context: 'Test', err: { stack: error.stack } },
    ]);
  });

  it('leaves errors that Nest throws as well to whoever catches them', async () => {
    const { lines } = nest();
    class Broken {
      constructor() {
        throw new Error('boom');
      }
    }
    class BrokenModule {}
    Module({ providers: [Broken] })(BrokenModule);
    const start = NestFactory.createApplicationContext(BrokenModule, { abortOnError: false });
    await expect(start).rejects.toThrow('boom');
    expect(lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  });

  it('removes tokens from any text', () => {
    const { lines, logger } = nest();
    logger.log(`refused pct_canary0 from ${JSON.stringify({ a: 'Bearer canary0canary0' })}`);
    expect(JSON.stringify(lines)).not.toContain('canary0');
  });

  it('prints nothing below its level', () => {
    const { lines, logger } = nest('silent');
    logger.fatal('nothing');
    expect(lines).toEqual([]);
  });

  it('prints the id of the current request', () => {
    const { lines, logger } = nest();
    let header: string | undefined;
    const response = { setHeader: (_name: string, value: string) => (header = value) } as unknown as Response;
    requestContext({} as Request, response, () => {
      logger.log('inside');
      expect(currentRequestId()).toBe(header);
    });
    expect(lines[0]).toMatchObject({ requestId: header });
    expect(currentRequestId()).toBeUndefined();
  });
});

describe('accessLog', () => {
  let server: Server;
  const { lines, pino } = capture();
  const log = accessLog(pino, new Meters(), new AnsweredRequests(new SystemClock()));

  beforeAll(async () => {
    server = createServer((incoming, outgoing) => {
      const request = Object.assign(incoming, {
        baseUrl: '',
        params: {},
        route: { path: '/checkout/:paymentId' },
      });
      const response = Object.assign(outgoing, { locals: { errorCode: 'link_expired' } });
      const next: NextFunction = () => response.writeHead(403).end();
      log(request as unknown as Request, response as unknown as Response, next);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('prints the route template, never the requested URL', async () => {
    const { port } = server.address() as AddressInfo;
    await (await fetch(`http://127.0.0.1:${port}/checkout/1?expires=1&signature=canary`)).text();
    expect(lines).toMatchObject([
      {
        context: 'http',
        method: 'GET',
        route: '/checkout/:paymentId',
        status: 403,
        code: 'link_expired',
        msg: 'request',
      },
    ]);
    expect(lines[0]?.['durationMs']).toEqual(expect.any(Number));
    expect(JSON.stringify(lines)).not.toContain('canary');
  });
});
