import { expectError, JSON_TYPE, startHttpProbe, type HttpProbe } from './support/http-probe.js';

let probe: HttpProbe;
beforeAll(async () => {
  probe = await startHttpProbe();
});
afterAll(() => probe.app.close());

describe('HTTP addresses and methods', () => {
  it('the client address is taken from trusted proxies only', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
    expect((await probe.request('GET', '/api/ip', { headers })).text).toBe('198.51.100.7');
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
    expect(await probe.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 404 [\s\S]*"code":"not_found"/,
    );
  });

  it('an unknown route is refused before its body is read', async () => {
    expectError(
      await probe.request('POST', '/api/nothing', { body: '{', headers: JSON_TYPE }),
      404,
      'not_found',
    );
  });

  it.each([
    ['DELETE', '/api/probes', 'GET, HEAD, OPTIONS, POST'],
    ['PATCH', '/api/probes/1', 'GET, HEAD, OPTIONS, PUT'],
    ['POST', '/api/file', 'GET, HEAD, OPTIONS'],
  ])('%s %s is not allowed', async (method, path, allow) => {
    const answer = await probe.request(method, path);
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')?.split(', ').sort().join(', ')).toBe(allow);
  });

  it.each(['TRACE', 'PROPFIND', 'QUERY'])('%s is refused', async (method) => {
    const answer = await probe.raw(
      `${method} /api/probes HTTP/1.1\r\nHost: x\r\nX-Canary: canary\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 40[05] /);
    expect(answer).not.toContain('canary');
  });

  it('OPTIONS names the methods and allows no credentials', async () => {
    const answer = await probe.request('OPTIONS', '/api/probes', {
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toContain('POST');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('a method cannot be overridden', async () => {
    const { calls } = probe.controller;
    const answer = await probe.request('GET', '/api/probes', {
      headers: { 'x-http-method-override': 'POST' },
    });
    expect(answer.status).toBe(200);
    expect((await probe.request('GET', '/api/probes?_method=POST')).status).toBe(422);
    expect(probe.controller.calls).toBe(calls);
  });

  it('a URL above 8 KiB is refused', async () => {
    const path = (size: number) => `/api/probes?page=${'1'.padStart(size - 17, '0')}`;
    expect((await probe.request('GET', path(8 * 1024))).status).toBe(200);
    expectError(await probe.request('GET', path(8 * 1024 + 1)), 414, 'uri_too_long');
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
    const answer = await probe.request('GET', `/api/probes?${query}`);
    expectError(answer, 422, 'validation_failed');
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['page']);
  });

  it.each([
    ['page=%00', 'page'],
    ['utm=a%00', 'utm'],
    ['utm=%ff', 'utm'],
    ['utm=a&utm=%00', 'utm'],
    ['%00=1', 'query'],
  ])('?%s is refused for invalid characters', async (query, field) => {
    const answer = await probe.request('GET', `/api/probes?${query}`);
    expectError(answer, 422, 'validation_failed');
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
  });

  it.each([
    ['text/html', 406],
    ['application/json;q=0', 406],
    ['application/*', 200],
    ['text/html, */*;q=0.1', 200],
    ['', 200],
  ])('Accept: %s returns %i', async (accept, status) => {
    const answer = await probe.request('GET', '/api/probes/1', { headers: { accept } });
    if (status === 406) expectError(answer, 406, 'not_acceptable');
    else expect(answer.status).toBe(status);
  });

  it('pages are served to clients that accept HTML', async () => {
    expect((await probe.request('GET', '/page', { headers: { accept: 'text/html' } })).status).toBe(200);
  });

  it('mounted servers see everything below their path first', async () => {
    const answer = await probe.request('PATCH', '/api/mounted/any', {
      body: 'a=b',
      headers: { accept: 'text/html' },
    });
    expect([answer.status, answer.text]).toEqual([200, 'mounted']);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
  });
});

describe('malformed HTTP', () => {
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
    const answer = await probe.raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    if (status === 431) expect(answer).toContain('"code":"request_header_too_large"');
  });

  it('gets an error in the usual format', async () => {
    const [head = '', body = ''] = (await probe.raw('hello\r\n\r\n')).split('\r\n\r\n');
    const { requestId, ...rest } = JSON.parse(body) as Record<string, string>;
    expect(rest).toEqual({ message: 'The request is not valid HTTP.', code: 'bad_request' });
    expect(head).toContain(`X-Request-Id: ${requestId}`);
  });

  it('slow clients are cut off', () => {
    expect(probe.app.getHttpServer()).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000 });
  });
});
