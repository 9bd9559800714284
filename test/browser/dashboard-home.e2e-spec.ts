import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { PaymentSweep } from '../../src/payments/payment-sweep.service.js';
import { WebhookDispatcher } from '../../src/webhooks/webhook-dispatcher.service.js';
import { describeInBrowser, foreignRequests, launchChromium, type Tab } from '../support/chromium.js';
import { openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from '../support/shop.js';

describeInBrowser('home and reports', () => {
  let shop: Shop;
  let shopApplication: ShopApplication;
  let browser: Browser;
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    shop = await Shop.open(await ownAddress());
    shopApplication = await shop.application();
    const payments = [await shop.createPayment(shopApplication), await shop.createPayment(shopApplication)];
    for (const [index, payment] of payments.entries()) {
      const instructions = await shop.instructions(payment, 'usdc');
      // The second one is short.
      await shop.send(instructions, index === 0 ? undefined : 60_000_000n);
    }
    await shop.chain.mine(CONFIRMATIONS);
    await shop.watch();
    while (await shop.gateway.get(PaymentSweep).runOnce()) continue;
    while (await shop.gateway.get(WebhookDispatcher).runOnce()) continue;
    browser = await launchChromium();
    tab = await openDashboard(browser, shop.gateway, email(), { password: password() });
    page = tab.page;
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  const email = () => `${shop.owner.clientId}@example.test`;
  const password = () => `password of ${shop.owner.clientId}`;
  const card = (name: string) => page.locator('section').filter({ has: page.getByRole('heading', { name }) });

  it('shows what was received, what waits, endpoints and networks', async () => {
    await card('Received').getByText('$160.00').nth(2).waitFor();
    await page.getByRole('link', { name: /1\s*Underpaid/ }).waitFor();
    await card('Webhook endpoints').getByText('Test shop').waitFor();
    await card('Webhook endpoints').getByText('Working').waitFor();
    await card('Networks').getByText('Working').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('draws the last 30 days beside those before, with an axis, and has the same as a table', async () => {
    const received = card('Received');
    await received
      .getByRole('img', { name: 'Nothing came in the 30 days before. Today is not over.' })
      .waitFor();
    expect(await received.locator('figure svg[role=img] polyline').count()).toBe(2);
    await received.getByText('$200.00').first().waitFor();
    await received.getByText('Show as table').click();
    const rows = received.getByRole('table', { name: 'Received, USD' }).getByRole('row');
    expect(await rows.count()).toBe(31);
    expect((await rows.last().getByRole('cell').allTextContents()).map((text) => text.trim())).toEqual([
      '$160.00',
      '$0.00',
    ]);
    await received.getByText('Show as table').click();
  });

  it('says that the list of what is owed is not complete where it is not', async () => {
    await page.route('**/api/attention?kind=*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { meta: { cursor: { hasMore: boolean } } };
      body.meta.cursor.hasMore = true;
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await card('You owe customers').getByText('These sums are not complete.').waitFor();
    await page.unroute('**/api/attention?kind=*');
  });

  it('keeps the list of steps folded for who has folded it', async () => {
    const step = page.getByRole('link', { name: 'Get a payment paid', exact: true });
    await step.waitFor();
    await page.getByRole('heading', { name: 'Getting started' }).click();
    await step.waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByText(/\d of \d done/).waitFor();
    expect(await step.isVisible()).toBe(false);
    await page.getByRole('heading', { name: 'Getting started' }).click();
    await step.waitFor();
  });

  it('checks each step of the way instead of letting it be ticked', async () => {
    const step = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await step('Get a payment paid').first().getByText('Done').waitFor();
    await step('Set a webhook URL').getByText('Done').waitFor();
    await step('by HTTPS').getByText('Open').waitFor();
    await page.getByRole('button', { name: 'Check again' }).click();
    await step('Connect every network').getByText('Done').waitFor();
  });

  it('leaves the other cards when one of them fails', async () => {
    await page.route('**/api/attention/counts*', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').waitFor();
    await card('Received').getByText('$160.00').first().waitFor();
    await page.unroute('**/api/attention/counts*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: /1\s*Underpaid/ }).waitFor();
  });

  it('says why the state of an endpoint is not known, and loads it after a click on "Try again"', async () => {
    await page.route('**/api/payment-applications/*/webhook-endpoint', (route) => route.abort());
    await page.reload();
    const endpoints = card('Webhook endpoints');
    await endpoints.getByRole('alert').waitFor();
    expect(await endpoints.getByText('Loading').count()).toBe(0);
    await page.unroute('**/api/payment-applications/*/webhook-endpoint');
    await endpoints.getByRole('button', { name: 'Try again' }).click();
    await endpoints.getByText('Working').waitFor();
  });

  it('charts what was received, and has the same as a table and as CSV', async () => {
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Reports' }).click();
    await page
      .getByRole('img', {
        name: /^\u{2066}\$160\.00\u{2069} in all; the most on .*: \u{2066}\$160\.00\u{2069}$/u,
      })
      .waitFor();
    await page.getByText('Show as table').first().click();
    const table = page.getByRole('table', { name: 'Received, USD' });
    expect(await table.getByRole('row').count()).toBe(31);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      card('Received').first().getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    expect(text.split('\r\n').at(-2)).toMatch(/^\d\d\/\d\d\/\d{4},160\.00,2$/);
    await page.getByText('100 USDC').or(page.getByText('160 USDC')).first().waitFor();
    await page
      .getByRole('row', { name: /Paid, shop|Paid/ })
      .first()
      .waitFor();
    await page.getByRole('rowheader', { name: 'Underpaid' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('keeps the days in the address, also when going back', async () => {
    await page.getByLabel('From', { exact: true }).fill('2026-01-01');
    await page.waitForURL(/from=2026-01-01/);
    await page.getByLabel('Received, split by').selectOption('application');
    await page.waitForURL(/by=application/);
    await page.getByRole('rowheader', { name: 'Test shop' }).waitFor();
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes('by='));
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2026-01-01');
  });

  it('sets the values of an axis one below the other', async () => {
    const tops = (await page.evaluate(
      `[...document.querySelectorAll('figure')].map((one) => [...one.querySelectorAll('div > [aria-hidden]:first-child > *')].map((label) => label.getBoundingClientRect().top))`,
    )) as number[][];
    expect(tops[0]).toHaveLength(4);
    for (const axis of tops) expect(new Set(axis).size).toBe(axis.length);
  });

  it('offers the spans that people ask for', async () => {
    await page.getByRole('button', { name: 'Last month' }).click();
    await page.waitForURL(/from=\d{4}-\d\d-01&to=/);
    await page.getByRole('button', { name: 'Last month', pressed: true }).waitFor();
    await page.goBack();
  });

  it('says so when nothing came', async () => {
    await page.goto(`${shop.gateway.baseUrl}/dashboard/reports?from=2024-01-01&to=2024-01-31`);
    await page.getByText('Nothing in these days.').nth(3).waitFor();
  });

  it('says that there are more applications than it lists, and shows none as working that was told nothing', async () => {
    for (let index = 0; index < 7; index++) await shop.application({ name: `Shop ${index}` });
    await page.goto(`${shop.gateway.baseUrl}/dashboard`);
    // None of them has been told anything.
    await card('Webhook endpoints').getByText('Not tried yet').nth(5).waitFor();
    await card('Webhook endpoints').getByRole('link', { name: '2 more applications' }).waitFor();
    expect(await card('Webhook endpoints').getByText('Working').count()).toBe(0);
  });

  it('leaves the width of a phone to the page: language and sign-out are behind "More"', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    const header = page.getByRole('banner');
    expect((await header.boundingBox())?.height).toBeLessThan(72);
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });

  it('says what customers are owed, each payment once', async () => {
    await page.goto(`${shop.gateway.baseUrl}/dashboard`);
    const owed = card('You owe customers');
    // Of the order of both payments, which is paid and paid in part once more.
    await owed.getByText('Order paid twice').waitFor();
    await owed.getByText('$60.00').first().waitFor();
    const payment = await shop.createPayment(shopApplication, { reference: 'ORDER-OVER' });
    await shop.send(await shop.instructions(payment, 'usdc'), 130_000_000n);
    await shop.mine(CONFIRMATIONS);
    await page.reload();
    await owed.getByRole('link', { name: 'ORDER-OVER' }).waitFor();
    await owed.getByText('$30.00').first().waitFor();
    await owed.getByText('$90.00').first().waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('sent requests only to the gateway', () => {
    expect(foreignRequests(tab, shop)).toEqual([]);
  });
});
