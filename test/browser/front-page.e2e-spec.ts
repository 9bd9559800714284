import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { Browser } from 'playwright-core';
import { frontPage } from '../../src/openapi/front-page.js';
import { describeInBrowser, foreignRequests, launchChromium, openTab } from '../support/chromium.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const PATHS = ['/'];
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_ADDRESS: '300' });
});
afterAll(async () => {
  await gateway.close();
});

const ask = (path: string, accept: string | null, method = 'GET') =>
  fetch(`${gateway.baseUrl}${path}`, { method, ...(accept !== null && { headers: { accept } }) });

describe.each(PATHS)('GET %s', (path) => {
  it.each([BROWSER, '*/*', 'text/html'])('is a page for clients that accept HTML: %s', async (accept) => {
    const answer = await ask(path, accept);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'nonce-[\w-]{22}'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|http|\*/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    // It counts as other requests of the address do.
    expect(answer.headers.get('ratelimit')).toMatch(/^"address";r=\d+;t=\d+$/);
    const page = await answer.text();
    for (const link of ['/dashboard', '/api/docs', '/api/openapi.json', '/api/health/ready'])
      expect(page).toContain(`href="${gateway.config.baseUrl}${link}"`);
    expect(page).toContain('self-hosted service that takes payments');
  });

  it('responds to HEAD with the same headers and no body', async () => {
    const answer = await ask(path, BROWSER, 'HEAD');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toBe('');
  });

  it('is a 404 for a client that accepts only JSON', async () => {
    const answer = await ask(path, 'application/json');
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }]);
    expect(answer.headers.get('vary')).toMatch(/accept/i);
  });

  it('is the page for a client without an Accept header', async () => {
    const request = httpRequest(`${gateway.baseUrl}${path}`).end();
    const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(200);
  });

  it('refuses other methods', async () => {
    const answer = await ask(path, BROWSER, 'POST');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('the page', () => {
  const page = { baseUrl: 'https://pay.example.com', version: '1.2.3' };

  it('does not mention a demo in production', () => {
    expect(frontPage({ ...page, isDevelopment: false }).body).not.toMatch(/demo|npm start|play money/i);
  });

  it('says in the development profile that no money is real', () => {
    expect(frontPage({ ...page, isDevelopment: true }).body).toContain('no real money');
  });
});

describeInBrowser('the front page in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  it.each(PATHS)(
    '%s has working links, fits a small phone, and loads nothing from other hosts',
    async (path) => {
      const tab = await openTab(browser, { viewport: { width: 320, height: 640 } });
      await tab.page.goto(`${gateway.baseUrl}${path}`);
      expect(await tab.page.locator('h1').count()).toBe(1);
      expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      const links = await tab.page
        .locator('main a')
        .evaluateAll((all) => all.map((a) => a.getAttribute('href')));
      expect(links).toHaveLength(4);
      for (const link of links) {
        const { pathname, search } = new URL(link ?? '');
        expect((await fetch(`${gateway.baseUrl}${pathname}${search}`)).status).toBe(200);
      }
      expect(foreignRequests(tab, { gateway })).toEqual([]);
      expect(tab.incidents).toEqual([]);
      await tab.page.context().close();
    },
  );
});
