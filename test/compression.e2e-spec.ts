import { once } from 'node:events';
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

interface RawAnswer {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Without `fetch`, which hides what was compressed. */
async function ask(path: string, headers: Record<string, string>): Promise<RawAnswer> {
  const request = httpRequest(`${gateway.baseUrl}${path}`, { headers }).end();
  const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream & RawAnswer];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk));
  return { headers: response.headers, body: Buffer.concat(chunks) };
}

const HTML = { accept: 'text/html' };

it('compresses pages with gzip and Brotli', async () => {
  const plain = await ask('/', HTML);
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.headers.vary).toContain('Accept-Encoding');
  const gzip = await ask('/', { ...HTML, 'accept-encoding': 'gzip' });
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gzip.body.length).toBeLessThan(plain.body.length / 2);
  expect(gunzipSync(gzip.body).toString()).toContain('</html>');
  const brotli = await ask('/', { ...HTML, 'accept-encoding': 'gzip, br' });
  expect(brotli.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(brotli.body).toString()).toContain('</html>');
});

it('leaves short responses as they are', async () => {
  const { headers } = await ask('/api/health/live', { 'accept-encoding': 'gzip' });
  expect(headers['content-encoding']).toBeUndefined();
});

it('compresses for customers who come back, too', async () => {
  const { headers } = await ask('/', { ...HTML, 'accept-encoding': 'gzip', cookie: 'checkout_seen=x' });
  expect(headers['content-encoding']).toBe('gzip');
});

it.each<Record<string, string>>([{ authorization: 'Bearer x' }, { cookie: 'session=x' }])(
  'leaves responses to requests with %j as they are',
  async (credentials) => {
    const { headers } = await ask('/', { ...HTML, 'accept-encoding': 'gzip', ...credentials });
    expect(headers['content-encoding']).toBeUndefined();
  },
);
