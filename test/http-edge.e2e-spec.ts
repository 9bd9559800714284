import { expectError, JSON_TYPE, startHttpProbe, type HttpProbe } from './support/http-probe.js';

let probe: HttpProbe;
beforeAll(async () => {
  probe = await startHttpProbe();
});
afterAll(() => probe.app.close());

describe('bodies', () => {
  it.each([['1500000000000000001'], ['9007199254740993'], ['100'], [String(2n ** 256n - 1n)]])(
    'the integer %s is returned with all its digits',
    async (amount) => {
      const answer = await probe.post(`{"name":"abc","amount":${amount}}`);
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
    const answer = await probe.post(`{"name":"abc","amount":${amount}}`);
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
    ['a byte order mark inside', '{\ufeff"name":"abc"}'],
    ['UTF-16', new Uint8Array(Buffer.from('{"name":"abc"}', 'utf16le'))],
    ['broken UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ])('%s is malformed', async (_name, body) => {
    expectError(await probe.post(body), 400, 'malformed_json');
  });

  it('a byte order mark at the start is dropped', async () => {
    const answer = await probe.post('\ufeff{"name":"abc"}');
    expect(answer.status).toBe(201);
  });

  it('constructor keys cause no prototype pollution', async () => {
    const answer = await probe.post('{"name":"abc","constructor":{"prototype":{"polluted":true}}}');
    expect(answer.body).toEqual({ data: { name: 'abc' } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each([
    ['{"name":"a\\u0000bc"}', 'name'],
    ['{"name":"abc","tags":["x","\\ud800"]}', 'tags.1'],
    ['{"name":"abc","unknown":{"deep":"\\u0000"}}', 'unknown.deep'],
  ])('invalid characters in %s are refused by name', async (body, field) => {
    const answer = await probe.post(body);
    expectError(answer, 422, 'validation_failed');
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
  });

  it.each(['[]', 'null', '"text"', '5', '5.0', '1e3'])('%s is refused as not an object', async (body) => {
    const answer = await probe.post(body);
    expectError(answer, 422, 'validation_failed');
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['body']);
  });

  it("invalid fields are all named, in Laravel's wording", async () => {
    const answer = await probe.post('{"name":"a","tags":"x"}');
    expectError(answer, 422, 'validation_failed');
    expect(answer.body).toMatchObject({
      message: 'The name field must be between 3 and 255 characters. (and 1 more error)',
      errors: {
        name: ['The name field must be between 3 and 255 characters.'],
        tags: ['The tags field must be an array of strings, e.g. ["first", "second"].'],
      },
    });
  });

  it.each([undefined, ''])('a missing body (%p) is treated as an empty one', async (body) => {
    const answer = await probe.request('POST', '/api/probes', {
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
    const answer = await probe.post(new TextEncoder().encode('{"name":"abc"}'), { 'content-type': type });
    expectError(answer, 415, 'unsupported_media_type');
  });

  it.each(['application/json', 'Application/JSON; charset="UTF-8"', 'application/vnd.shop+json'])(
    'content type %p is accepted',
    async (type) => {
      expect((await probe.post('{"name":"abc"}', { 'content-type': type })).status).toBe(201);
    },
  );

  it('compressed bodies are refused', async () => {
    expectError(
      await probe.post('{"name":"abc"}', { ...JSON_TYPE, 'content-encoding': 'gzip' }),
      415,
      'unsupported_media_type',
    );
  });

  it('64 KiB are accepted, one byte more is not', async () => {
    const withPadding = (size: number) => `{"name":"abc"${' '.repeat(size - 14)}}`;
    expect((await probe.post(withPadding(64 * 1024))).status).toBe(201);
    expectError(await probe.post(withPadding(64 * 1024 + 1)), 413, 'payload_too_large');
  });

  it('a long body without Content-Length is refused too', async () => {
    const chunk = `${(4096).toString(16)}\r\n${' '.repeat(4096)}\r\n`;
    const head = 'POST /api/probes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const answer = await probe.raw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"payload_too_large"/);
  });
});

describe('responses', () => {
  it('pages have their page numbers', async () => {
    const answer = await probe.request('GET', '/api/probes?page=2&per_page=20');
    expect(answer.body).toEqual({
      data: [{ id: 1 }],
      meta: { pagination: { total: 41, count: 1, per_page: 20, current_page: 2, total_pages: 3 } },
    });
  });

  it('204 has no body, and files and pages have no envelope', async () => {
    const put = await probe.request('PUT', '/api/probes/1', { headers: JSON_TYPE, body: '{"name":"abc"}' });
    expect([put.status, put.text]).toEqual([204, '']);
    expect((await probe.request('GET', '/api/file')).text).toBe('bytes');
    expect((await probe.request('GET', '/page')).text).toBe('<html></html>');
  });

  it('HEAD is GET without the body', async () => {
    const answer = await probe.request('HEAD', '/api/probes/1');
    expect([answer.status, answer.text, answer.headers.get('content-length')]).toEqual([200, '', '19']);
  });

  it('gateway errors keep their headers', async () => {
    const answer = await probe.request('GET', '/api/secret');
    expectError(answer, 401, 'unauthenticated');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('unexpected errors reveal no details', async () => {
    const answer = await probe.request('GET', '/api/failing');
    expectError(answer, 500, 'server_error');
    expect(answer.body.message).toBe('Server Error');
    expect(answer.text).not.toMatch(/canary|stack|Error:/);
  });

  it.each(['/api/probes/1', '/api/failing', '/api/nothing', '/page'])(
    '%s has the security headers',
    async (path) => {
      const { headers } = await probe.request('GET', path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
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

  it('the request id is generated here, whatever the client sends', async () => {
    const sent = '0190f6a0-0000-7000-8000-000000000000';
    const { headers } = await probe.request('GET', '/api/probes/1', { headers: { 'x-request-id': sent } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-/);
    expect(headers.get('x-request-id')).not.toBe(sent);
  });
});
