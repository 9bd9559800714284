import type { Browser } from 'playwright-core';
import { describeInBrowser, foreignRequests, launchChromium, openTab } from '../support/chromium.js';
import { DOCUMENT } from '../support/contract/document-schemas.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(async () => {
  await gateway.close();
});

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${gateway.baseUrl}/api/docs${path}`, { headers });
}

describe('GET /api/docs', () => {
  it('is a page that runs its own scripts only', async () => {
    const response = await get('');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|http|\*/);
    const page = await response.text();
    expect(page).not.toMatch(/<script(?![^>]* src="\/api\/docs\/)|<style|\sstyle=|\son\w+=|https?:/);
  });

  it.each([
    ['start.js', 'text/javascript'],
    ['swagger-ui-bundle.js', 'text/javascript'],
    ['swagger-ui.css', 'text/css'],
    ['page.css', 'text/css'],
  ])('loads %s, which browsers may cache', async (name, type) => {
    const response = await get(`/${name}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect((await response.text()).length).toBeGreaterThan(50);
    const again = await get(`/${name}`, { 'if-none-match': response.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each(['package.json', '..%2fpackage.json', 'constructor', '__proto__', 'index.html', '%2e%2e'])(
    'returns 404 for %s',
    async (name) => {
      const response = await get(`/${name}`);
      expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }]);
    },
  );
});

describeInBrowser('the API documentation page in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
  });

  it('shows every operation, without requests to other hosts and without console errors', async () => {
    const tab = await openTab(browser);
    await tab.page.goto(`${gateway.baseUrl}/api/docs`);
    for (const { name } of DOCUMENT.tags) {
      const section = tab.page.locator('.opblock-tag-section', {
        has: tab.page.locator(`[data-tag="${name}"]`),
      });
      await section.locator('.opblock-tag').click();
      const operations = Object.values(DOCUMENT.paths)
        .flatMap((methods) => Object.values(methods))
        .filter(({ tags }) => tags.includes(name));
      await section
        .locator('.opblock')
        .nth(operations.length - 1)
        .waitFor();
      expect(await section.locator('.opblock').count()).toBe(operations.length);
      await section.locator('.opblock-tag').click();
    }
    expect(foreignRequests(tab, { gateway })).toEqual([]);
    expect(tab.incidents).toEqual([]);
  });

  it('sends a trial request to the host name under which it was opened', async () => {
    // The document names another one.
    expect(gateway.config.baseUrl).not.toBe(gateway.baseUrl);
    const tab = await openTab(browser);
    await tab.page.goto(`${gateway.baseUrl}/api/docs#/Health/getLiveness`);
    const operation = tab.page.locator('#operations-Health-getLiveness');
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect(await operation.locator('.live-responses-table').innerText()).toContain('"status": "ok"');
    expect(tab.incidents).toEqual([]);
  });
});
