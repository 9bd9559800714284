import { readFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '../src/common/version.js';
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
  it('answers the whole document, unwrapped, to anybody', async () => {
    const response = await fetch(`${gateway.baseUrl}/api/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, no-cache');
    const document = createDocument(VERSION, gateway.config.baseUrl);
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('answers 304 to those who have it', async () => {
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
  it('is the document of this code; different on purpose? Then run `npm run docs:openapi`', () => {
    expect(JSON.parse(readFileSync(COMMITTED, 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(createDocument(VERSION))),
    );
  });
});
