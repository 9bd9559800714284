import type { Browser, Page } from 'playwright-core';
import { RequestLog } from '../../src/tokens/requests/request-log.service.js';
import { WebhookDispatcher } from '../../src/webhooks/webhook-dispatcher.service.js';
import { sendRequest } from '../support/api-request.js';
import { describeInBrowser, launchChromium, type Tab } from '../support/chromium.js';
import { createMerchant, openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { Shop } from '../support/shop.js';

const MIA = 'mia@example.test';
const EXACT = /\d{4}, \d{1,2}:\d\d:\d\d\s[AP]M\s[A-Z]{3}.* (now|ago)/;
const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describeInBrowser('what developers look for in the dashboard', () => {
  let shop: Shop;
  let browser: Browser;
  let tab: Tab;
  let page: Page;
  let token = '';

  beforeAll(async () => {
    shop = await Shop.open(await ownAddress());
    browser = await launchChromium();
    await createMerchant(shop.gateway, MIA);
    tab = await openDashboard(browser, shop.gateway, MIA, { path: '/dashboard/applications?new=true' });
    page = tab.page;
    await page.getByLabel('Name').fill('Coffee');
    await page.getByLabel('Webhook URL').fill(shop.merchant.url);
    await page.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
    shop.merchant.trust((await page.locator('pre').textContent()) ?? '', shop.gateway.clock);
    await clickButton(page, 'I have stored it');
    await page.getByRole('heading', { level: 1, name: 'Coffee' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  const go = (name: string) =>
    page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name, exact: true }).click();

  it('makes a token that ends in 90 days, with a command that can be repeated', async () => {
    await go('API tokens');
    await clickButton(page, 'Create API Access Token');
    await page.getByLabel('Label').fill('Till');
    const end = page.getByLabel('Expires');
    expect(await end.locator('option').allTextContents()).toEqual([
      'Never',
      '30 days',
      '90 days',
      '1 year',
      'On a day of your choice',
    ]);
    await end.selectOption('day');
    await page.locator('input[name=expiresAt]').waitFor();
    await end.selectOption('90');
    expect(await page.locator('input[name=expiresAt]').count()).toBe(0);
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/client-tokens')),
      page.getByRole('dialog').getByRole('button', { name: 'Create API Access Token' }).click(),
    ]);
    const { expiresAt } = request.postDataJSON() as { expiresAt: string };
    const now = await page.evaluate(() => Date.now());
    expect(Math.round((new Date(expiresAt).getTime() - now) / 86_400_000)).toBe(90);
    token = (await page.locator('[data-snippet=token]').textContent())?.trim() ?? '';
    expect(await page.locator('[data-snippet=curl]').textContent()).toContain("-H 'Idempotency-Key: TEST-1'");
    await clickButton(page, 'I have stored it');
  });

  it('finds a request by what was pasted, with its error open', async () => {
    const bad = { token, body: { amount: 'much' }, key: 'order-7' };
    const { text, headers } = await sendRequest(`${shop.gateway.baseUrl}/api/payment/checkout`, bad);
    await sendRequest(`${shop.gateway.baseUrl}/api/currencies`, { token });
    await sendRequest(`${shop.gateway.baseUrl}/api/health/live`);
    while (await shop.gateway.get(RequestLog).writeOnce()) continue;
    await page.getByRole('link', { name: 'API requests: Till' }).click();
    await page.getByText('GET /api/currencies').waitFor();
    expect(await page.getByText(EXACT).count()).toBe(2);
    // Shut, until somebody asks for this one.
    expect(await page.locator('pre').first().isVisible()).toBe(false);
    await page.getByLabel('Request ID').fill(`the answer was ${text}`);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByText('GET /api/currencies').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Request ID').inputValue()).toBe(headers.get('x-request-id'));
    await page.locator('pre').waitFor();
    expect(JSON.parse((await page.locator('pre').textContent()) ?? '')).toEqual(JSON.parse(text));
    await page.getByText('order-7').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('is filtered by status and path, and says what an empty list means', async () => {
    await go('API requests');
    await page.getByLabel('Status').selectOption('2xx');
    await page.getByText('POST /api/payment/checkout').waitFor({ state: 'detached' });
    await page.getByLabel('Path contains').fill('nowhere');
    await page.getByRole('button', { name: 'Search' }).last().click();
    await page.getByText('No request matches').waitFor();
    expect(new URL(page.url()).searchParams.toString()).toBe('status=2xx&path=nowhere');
  });

  it('sends a test event of the kind that was chosen, and shows the answer in place', async () => {
    shop.merchant.plan({ status: 500, body: 'the shop is <b>closed</b>' });
    await go('Webhooks');
    await page.getByLabel('Event').selectOption('payment.underpaid');
    await clickButton(page, 'Send a test event');
    await page.getByText('Waiting for the answer of your server').waitFor();
    while (await shop.gateway.get(WebhookDispatcher).runOnce()) continue;
    const answer = page.getByRole('status').filter({ hasText: 'payment.underpaid' });
    await answer.getByText('500', { exact: true }).waitFor();
    expect(await answer.locator('pre').textContent()).toBe('the shop is <b>closed</b>');
    expect(await answer.textContent()).toMatch(/in \d+ ms/);
    expect(shop.merchant.requests.at(-1)?.body.toString()).toContain('"event":"payment.underpaid"');
    expect(await violations(page)).toEqual([]);
  });
});
