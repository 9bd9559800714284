import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { Body, Controller, Get, HttpCode, Ip, Param, Post, Put, Query, StreamableFile } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { EnvelopeInterceptor } from '../src/common/envelope.js';
import { ErrorFilter } from '../src/common/error.filter.js';
import { UnauthenticatedError } from '../src/common/errors.js';
import { configureHttp } from '../src/common/http.js';
import { Page, PageQuery } from '../src/common/pagination.js';
import { DtoPipe, IsAtomicAmount, IsOptionalField, IsText, IsTextArray } from '../src/common/validation.js';
import type { Config } from '../src/config.js';

class ProbeDto {
  @IsText(3, 255)
  name: string;

  @IsOptionalField()
  @IsAtomicAmount()
  amount?: bigint;

  @IsOptionalField()
  @IsTextArray({ max: 3 })
  tags?: string[];
}

/** Stands for the gateway's controllers: what the edge does is the same for all of them. */
@Controller()
class ProbeController {
  calls = 0;

  @Post('api/probes')
  create(@Body() body: ProbeDto) {
    this.calls++;
    return { ...body };
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

  @Get('api/ip')
  ip(@Ip() ip: string) {
    return ip;
  }

  @Get('page')
  page() {
    return '<html></html>';
  }
}

const PRODUCTION = {
  production: true,
  logLevel: 'silent',
  trustedProxies: ['127.0.0.1'],
} as unknown as Config;
const JSON_TYPE = { 'content-type': 'application/json' };

let app: NestExpressApplication;
let baseUrl: string;
let port: number;
let mounted = 0;

beforeAll(async () => {
  const module = await Test.createTestingModule({
    controllers: [ProbeController],
    providers: [
      { provide: APP_FILTER, useClass: ErrorFilter },
      { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
      { provide: APP_PIPE, useClass: DtoPipe },
    ],
  }).compile();
  app = module.createNestApplication<NestExpressApplication>({ bodyParser: false });
  await configureHttp(app, PRODUCTION, (express) => {
    express.use('/api/mounted', (_request: unknown, response: { end(text: string): void }) => {
      mounted++;
      response.end('mounted');
    });
  });
  await app.listen(0, '127.0.0.1');
  ({ port } = app.getHttpServer().address() as AddressInfo);
  baseUrl = `http://127.0.0.1:${port}`;
});

afterAll(() => app.close());

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: {
    data?: unknown;
    message?: string;
    code?: string;
    errors?: Record<string, string[]>;
    requestId?: string;
  };
}

async function request(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(baseUrl + path, { method, ...init });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (isJson && text !== '' ? JSON.parse(text) : {}) as Answer['body'],
  };
}

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = JSON_TYPE) =>
  request('POST', '/api/probes', { body, headers });

/** Sends bytes as they are and answers everything that came back until the server closed or went quiet. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.toString();
      // No request here leaves the connection open for another.
      if (/\r\n\r\n/.test(received)) socket.end();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', (error) => (received ? resolve(received) : reject(error)));
  });
}

function expectError(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  expect(answer.body.message).toEqual(expect.any(String));
  expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
  expect(answer.body.requestId).toMatch(/^[0-9a-f-]{36}$/);
}

describe('bodies', () => {
  it.each([['1500000000000000001'], ['9007199254740993'], ['100'], [String(2n ** 256n - 1n)]])(
    'integer %s comes back digit for digit',
    async (amount) => {
      const answer = await post(`{"name":"abc","amount":${amount}}`);
      expect(answer.status).toBe(201);
      expect(answer.text).toBe(`{"data":{"name":"abc","amount":${amount}}}`);
    },
  );

  it.each([
    '0',
    '-1',
    '1.5',
    '10.0',
    '1e3',
    '1e400',
    '"12"',
    'true',
    'null',
    '[1]',
    '{}',
    '-0',
    String(2n ** 256n),
  ])('amount %s is refused by name', async (amount) => {
    const answer = await post(`{"name":"abc","amount":${amount}}`);
    expectError(answer, 422, 'validation_failed');
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['amount']);
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['cut short', '{"name":'],
    ['single quotes', "{'name':'abc'}"],
    ['NaN', '{"name":NaN}'],
    ['white space only', '  '],
    ['two documents', '{}{}'],
    ['a repeated key', '{"name":"abc","name":"abd"}'],
    ['a __proto__ key', '{"name":"abc","__proto__":{"polluted":true}}'],
    ['33 levels', '['.repeat(33) + ']'.repeat(33)],
    ['60,000 levels', '['.repeat(60_000)],
    ['a byte order mark', '\ufeff{"name":"abc"}'],
    ['UTF-16', new Uint8Array(Buffer.from('{"name":"abc"}', 'utf16le'))],
    ['broken UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ])('%s is malformed', async (_name, body) => {
    expectError(await post(body), 400, 'malformed_json');
  });

  it('constructor keys pollute nothing', async () => {
    const answer = await post('{"name":"abc","constructor":{"prototype":{"polluted":true}}}');
    expect(answer.body).toEqual({ data: { name: 'abc' } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each([
    ['{"name":"a\\u0000bc"}', 'name'],
    ['{"name":"abc","tags":["x","\\ud800"]}', 'tags.1'],
    ['{"name":"abc","unknown":{"deep":"\\u0000"}}', 'unknown.deep'],
  ])('unclean text in %s is refused by name', async (body, field) => {
    const answer = await post(body);
    expectError(answer, 422, 'validation_failed');
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
  });

  it.each(['[]', 'null', '"text"', '5'])('%s is no object', async (body) => {
    const answer = await post(body);
    expectError(answer, 422, 'validation_failed');
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['body']);
  });

  it('wrong fields are all named, in Laravel wording', async () => {
    const answer = await post('{"name":"a","tags":"x"}');
    expectError(answer, 422, 'validation_failed');
    expect(answer.body).toMatchObject({
      message: 'The name field must be between 3 and 255 characters. (and 1 more error)',
      errors: {
        name: ['The name field must be between 3 and 255 characters.'],
        tags: ['The tags field must be an array.'],
      },
    });
  });

  it.each([undefined, ''])('no body (%p) reads like an empty one', async (body) => {
    const answer = await request('POST', '/api/probes', {
      headers: JSON_TYPE,
      ...(body !== undefined && { body }),
    });
    expectError(answer, 422, 'validation_failed');
    expect(answer.body.errors).toEqual({ name: ['The name field is required.'] });
  });

  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/xml',
    'application/json; charset=utf-16',
    '',
  ])('content type %p is refused', async (type) => {
    const answer = await post(new TextEncoder().encode('{"name":"abc"}'), { 'content-type': type });
    expectError(answer, 415, 'unsupported_media_type');
  });

  it.each(['application/json', 'Application/JSON; charset="UTF-8"', 'application/vnd.shop+json'])(
    'content type %p is taken',
    async (type) => {
      expect((await post('{"name":"abc"}', { 'content-type': type })).status).toBe(201);
    },
  );

  it('compressed bodies are refused', async () => {
    expectError(
      await post('{"name":"abc"}', { ...JSON_TYPE, 'content-encoding': 'gzip' }),
      415,
      'unsupported_media_type',
    );
  });

  it('64 KiB are taken, one byte more is not', async () => {
    const withPadding = (size: number) => `{"name":"abc"${' '.repeat(size - 14)}}`;
    expect((await post(withPadding(64 * 1024))).status).toBe(201);
    expectError(await post(withPadding(64 * 1024 + 1)), 413, 'payload_too_large');
  });

  it('a long body without a length is cut off too', async () => {
    const chunk = `${(4096).toString(16)}\r\n${' '.repeat(4096)}\r\n`;
    const head = 'POST /api/probes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const answer = await raw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"payload_too_large"/);
  });
});

describe('answers', () => {
  it('pages carry their numbers', async () => {
    const answer = await request('GET', '/api/probes?page=2&per_page=20');
    expect(answer.body).toEqual({
      data: [{ id: 1 }],
      meta: { pagination: { total: 41, count: 1, per_page: 20, current_page: 2, total_pages: 3 } },
    });
  });

  it('204 has no body, files and pages are not wrapped', async () => {
    const put = await request('PUT', '/api/probes/1', { headers: JSON_TYPE, body: '{"name":"abc"}' });
    expect([put.status, put.text]).toEqual([204, '']);
    expect((await request('GET', '/api/file')).text).toBe('bytes');
    expect((await request('GET', '/page')).text).toBe('<html></html>');
  });

  it('HEAD is GET without the body', async () => {
    const answer = await request('HEAD', '/api/probes/1');
    expect([answer.status, answer.text, answer.headers.get('content-length')]).toEqual([200, '', '19']);
  });

  it('errors of ours keep their headers', async () => {
    const answer = await request('GET', '/api/secret');
    expectError(answer, 401, 'unauthenticated');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('errors of nobody say nothing', async () => {
    const answer = await request('GET', '/api/failing');
    expectError(answer, 500, 'server_error');
    expect(answer.body.message).toBe('Server Error');
    expect(answer.text).not.toMatch(/canary|stack|Error:/);
  });

  it.each(['/api/probes/1', '/api/failing', '/api/nothing', '/page'])(
    '%s has the security headers',
    async (path) => {
      const { headers } = await request('GET', path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'strict-transport-security': expect.stringContaining('max-age=31536000') as string,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
      });
      expect([headers.get('x-powered-by'), headers.get('etag'), headers.get('server')]).toEqual([
        null,
        null,
        null,
      ]);
    },
  );

  it('the request id is ours, whatever the client sends', async () => {
    const sent = '0190f6a0-0000-7000-8000-000000000000';
    const { headers } = await request('GET', '/api/probes/1', { headers: { 'x-request-id': sent } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-/);
    expect(headers.get('x-request-id')).not.toBe(sent);
  });
});

describe('addresses and methods', () => {
  it('the client is who a trusted proxy says, and no farther', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
    expect((await request('GET', '/api/ip', { headers })).text).toBe('198.51.100.7');
  });

  it.each([
    '/api/nothing',
    '/',
    '/api',
    '/api/probes/1/more',
    '/api/probes/%00',
    '/api/probes/%ff',
    '/api/probes/%c0%80',
    '/api/probes/%ed%a0%80',
    '/api/probes/%',
    '//api/probes',
    '/api/probes;x',
    '/api/../etc/passwd%00',
  ])('%s is not found', async (path) => {
    expect(await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 404 [\s\S]*"code":"not_found"/,
    );
  });

  it('an unknown route answers before its body is looked at', async () => {
    expectError(await request('POST', '/api/nothing', { body: '{', headers: JSON_TYPE }), 404, 'not_found');
  });

  it.each([
    ['DELETE', '/api/probes', 'GET, HEAD, OPTIONS, POST'],
    ['PATCH', '/api/probes/1', 'GET, HEAD, OPTIONS, PUT'],
    ['POST', '/api/file', 'GET, HEAD, OPTIONS'],
  ])('%s %s is not allowed', async (method, path, allow) => {
    const answer = await request(method, path);
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')?.split(', ').sort().join(', ')).toBe(allow);
  });

  it.each(['TRACE', 'PROPFIND', 'QUERY'])('%s is refused', async (method) => {
    const answer = await raw(
      `${method} /api/probes HTTP/1.1\r\nHost: x\r\nX-Canary: canary\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 40[05] /);
    expect(answer).not.toContain('canary');
  });

  it('OPTIONS names the methods and opens nothing to other sites', async () => {
    const answer = await request('OPTIONS', '/api/probes', { headers: { origin: 'https://evil.example' } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toContain('POST');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('a method cannot be overridden', async () => {
    const { calls } = app.get(ProbeController);
    const answer = await request('GET', '/api/probes?_method=POST', {
      headers: { 'x-http-method-override': 'POST' },
    });
    expect(answer.status).toBe(200);
    expect(app.get(ProbeController).calls).toBe(calls);
  });

  it('addresses end at 8 KiB', async () => {
    const path = (size: number) => `/api/probes?${'x'.repeat(size - 12)}`;
    expect((await request('GET', path(8 * 1024))).status).toBe(200);
    expectError(await request('GET', path(8 * 1024 + 1)), 414, 'uri_too_long');
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1e20',
    'page=100000000000000000000',
    'page=NaN',
    'page=1&page=2',
    'page[]=1',
  ])('?%s is refused by name', async (query) => {
    const answer = await request('GET', `/api/probes?${query}`);
    expectError(answer, 422, 'validation_failed');
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['page']);
  });

  it.each([
    ['page=%00', 'page'],
    ['utm=a%00', 'utm'],
    ['utm=%ff', 'utm'],
    ['utm=a&utm=%00', 'utm'],
    ['%00=1', 'query'],
  ])('?%s is unclean', async (query, field) => {
    const answer = await request('GET', `/api/probes?${query}`);
    expectError(answer, 422, 'validation_failed');
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
  });

  it.each([
    ['text/html', 406],
    ['application/json;q=0', 406],
    ['application/*', 200],
    ['text/html, */*;q=0.1', 200],
    ['', 200],
  ])('Accept: %s answers %i', async (accept, status) => {
    const answer = await request('GET', '/api/probes/1', { headers: { accept } });
    if (status === 406) expectError(answer, 406, 'not_acceptable');
    else expect(answer.status).toBe(status);
  });

  it('pages are for browsers', async () => {
    expect((await request('GET', '/page', { headers: { accept: 'text/html' } })).status).toBe(200);
  });

  it('mounted servers see everything below their path first', async () => {
    const before = mounted;
    const answer = await request('PATCH', '/api/mounted/any', {
      body: 'a=b',
      headers: { accept: 'text/html' },
    });
    expect([answer.status, answer.text, mounted - before]).toEqual([200, 'mounted', 1]);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
  });
});

describe('what is no HTTP', () => {
  it.each([
    ['garbage', 'hello\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/probes HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      400,
    ],
    [
      'length and chunks at once (smuggling)',
      'POST /api/probes HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a bare line feed', 'GET /api/probes HTTP/1.1\nHost: x\n\n', 400],
    ['no host', 'GET /api/probes HTTP/1.1\r\n\r\n', 400],
    [
      'a header beyond 16 KiB',
      `GET /api/probes HTTP/1.1\r\nHost: x\r\nX-Bomb: ${'b'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
  ])('%s', async (_name, bytes, status) => {
    expect(await raw(bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('gets an answer of our shape', async () => {
    const [head = '', body = ''] = (await raw('hello\r\n\r\n')).split('\r\n\r\n');
    const { requestId, ...rest } = JSON.parse(body) as Record<string, string>;
    expect(rest).toEqual({ message: 'The request is not valid HTTP.', code: 'bad_request' });
    expect(head).toContain(`X-Request-Id: ${requestId}`);
  });

  it('slow clients are cut off', () => {
    expect(app.getHttpServer()).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000 });
  });
});
