import net from 'node:net';
import type { AddressInfo } from 'node:net';
import {
  Body,
  Controller,
  Get,
  Headers as HeaderOf,
  HttpCode,
  Ip,
  Param,
  Post,
  Put,
  Query,
  StreamableFile,
} from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { GracefulShutdown } from '../../src/platform/web/http/graceful-shutdown.js';
import { AnsweredRequests } from '../../src/platform/web/observability/answered-requests.js';
import { SystemClock } from '../../src/platform/kernel/clock.pure.js';
import { Meters } from '../../src/platform/kernel/meters.js';
import { EnvelopeAdapter } from '../../src/platform/web/http/envelope-adapter.js';
import { ErrorFilter } from '../../src/platform/web/errors/error.filter.js';
import {
  ServiceUnavailableError,
  UnauthenticatedError,
} from '../../src/platform/kernel/errors/errors.pure.js';
import { configureHttp } from '../../src/platform/web/http/http.js';
import { Page, PageQuery } from '../../src/platform/web/http/pagination.js';
import { ContractPipe } from '../../src/platform/web/contract/read-contract.js';
import { Cursors } from '../../src/platform/web/cursors/cursors.service.js';
import { AtomicAmount, Text, TextList } from '../../src/platform/web/contract/fields.js';
import type { Config } from '../../src/config.js';

/** A body with one field of each troublesome kind. */
class ProbeDto {
  @Text({ min: 3, max: 255 })
  name: string;

  @AtomicAmount({ optional: true })
  amount?: bigint;

  @TextList({ max: 3, optional: true })
  tags?: string[];
}

/** Stands for the gateway's controllers: what the edge does is the same for all of them. */
@Controller()
class ProbeController {
  calls = 0;

  @Post('api/probes')
  create(@Body() body: ProbeDto) {
    this.calls++;
    return { name: body.name, amount: body.amount, tags: body.tags };
  }

  @Get('api/probes')
  list(@Query() query: PageQuery) {
    return Page.of([{ id: 1n }], 41, query);
  }

  @Get('api/probes/:id')
  get(@Param('id') id: string) {
    return { id };
  }

  @Put('api/probes/:id')
  @HttpCode(204)
  put(@Param('id') _id: string, @Body() _body: ProbeDto) {
    return undefined;
  }

  @Get('api/file')
  file() {
    return new StreamableFile(Buffer.from('bytes'));
  }

  @Get('api/failing')
  fail() {
    throw Object.assign(new Error('password of the database: canary'), { detail: 'canary' });
  }

  @Get('api/secret')
  secret() {
    throw new UnauthenticatedError();
  }

  @Get('api/unavailable')
  refuse() {
    throw new ServiceUnavailableError();
  }

  @Get(['api/cookie', 'cookie'])
  cookie(@HeaderOf('cookie') cookie?: string) {
    return cookie ?? 'none';
  }

  @Get('api/ip')
  ip(@Ip() ip: string) {
    return ip;
  }

  @Get('page')
  page() {
    return '<html></html>';
  }
}

/** The edge alone, as production has it, with a mounted server below /api/mounted and no database. */
export interface HttpProbe {
  app: NestExpressApplication;
  controller: { calls: number };
  request(method: string, path: string, init?: RequestInit): Promise<Answer>;
  /** POST /api/probes. */
  post(body: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>): Promise<Answer>;
  /** Sends bytes as they are; answers what came back until the server closed or fell silent. */
  raw(bytes: string): Promise<string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Empty where the answer is no JSON. */
  body: { message?: string; code?: string; errors?: Record<string, string[]>; requestId?: string };
}

export const JSON_TYPE = { 'content-type': 'application/json' };
const PRODUCTION = {
  production: true,
  baseUrl: 'https://gateway.example',
  logLevel: 'silent',
  trustedProxies: ['127.0.0.1'],
};

export async function startHttpProbe(): Promise<HttpProbe> {
  const module = await Test.createTestingModule({
    controllers: [ProbeController],
    providers: [
      GracefulShutdown,
      Meters,
      // As src/platform/platform.module.ts provides it.
      { provide: AnsweredRequests, useFactory: () => new AnsweredRequests(new SystemClock()) },
      { provide: APP_FILTER, useClass: ErrorFilter },
      { provide: APP_PIPE, useClass: ContractPipe },
      // No list here has a cursor.
      { provide: Cursors, useValue: { open: () => null } },
    ],
  }).compile();
  const app = module.createNestApplication<NestExpressApplication>(new EnvelopeAdapter(), {
    bodyParser: false,
  });
  await configureHttp(app, PRODUCTION as unknown as Config, (express) => {
    const mounted = (_request: unknown, response: { end(text: string): void }) => response.end('mounted');
    express.use('/api/mounted', mounted);
    return [{ method: 'GET', template: '/api/mounted' }];
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const request: HttpProbe['request'] = (method, path, init = {}) =>
    send(`http://127.0.0.1:${port}${path}`, { method, ...init });
  return {
    app,
    controller: app.get(ProbeController),
    request,
    post: (body, headers = JSON_TYPE) => request('POST', '/api/probes', { body, headers }),
    raw: (bytes) => sendBytes(port, bytes),
  };
}

async function send(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  const body = (isJson ? JSON.parse(text) : {}) as Answer['body'];
  return { status: response.status, headers: response.headers, text, body };
}

function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.setTimeout(30_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.toString();
      if (received.includes('\r\n\r\n')) socket.end();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', (error) => (received ? resolve(received) : reject(error)));
  });
}

/** Status, code, and one request id in header and body (specification/errors.md#body). */
export function expectError(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  expect(answer.body.message).toEqual(expect.any(String));
  expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
  expect(answer.body.requestId).toMatch(/^[0-9a-f-]{36}$/);
}
