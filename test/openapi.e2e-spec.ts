import { readFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '../src/platform/kernel/version.js';
import { CONTROLLERS } from './support/contract/document-schemas.js';
import { createDocument } from '../src/openapi/document.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const COMMITTED = path.resolve(import.meta.dirname, '../docs/openapi.json');

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(async () => {
  await gateway.close();
});

describe('GET /api/openapi.json', () => {
  it('returns the whole document, unwrapped, without a token', async () => {
    const response = await fetch(`${gateway.baseUrl}/api/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, no-cache');
    const document = createDocument(CONTROLLERS, VERSION, gateway.config.baseUrl);
    const answer = (await response.json()) as typeof document;
    expect(answer).toEqual(JSON.parse(JSON.stringify(document)));
    expect(answer.servers).toEqual([{ url: gateway.config.baseUrl, description: 'This gateway.' }]);
  });

  it('returns 304 to a client that has it', async () => {
    const first = await fetch(`${gateway.baseUrl}/api/openapi.json`);
    await first.arrayBuffer();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const again = await fetch(`${gateway.baseUrl}/api/openapi.json`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(etag);
  });
});

describe('docs/openapi.json', () => {
  it('names the development profile as server, and any other gateway as a variable', () => {
    const [server] = createDocument(CONTROLLERS, VERSION).servers;
    expect(server?.url).toBe('{baseUrl}');
    expect(server?.variables?.['baseUrl']?.default).toBe('http://localhost:3000');
  });

  it('equals the document of this code (after an intended change run `npm run docs:openapi`)', () => {
    expect(JSON.parse(readFileSync(COMMITTED, 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(createDocument(CONTROLLERS, VERSION))),
    );
  });
});
