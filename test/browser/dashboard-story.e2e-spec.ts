import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { PaymentSweep } from '../../src/payments/payment-sweep.service.js';
import { WebhookDispatcher } from '../../src/webhooks/webhook-dispatcher.service.js';
import { describeInBrowser, foreignRequests, launchChromium, type Tab } from '../support/chromium.js';
import { createMerchant, fillSignIn, openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { CONFIRMATIONS, Shop, type CreatedPayment } from '../support/shop.js';

const ZOE = 'zoe@example.test';
const YAN = 'yan@example.test';
const XSS = '<img src=x onerror=alert(1)>"\'{{7*7}}';
const run = promisify(execFile);

/** A browser logs every refusal: of a session that is not there yet, or of a field that was wrong. */
const unexpected = ({ incidents }: Tab) => incidents.filter((one) => !/status of 4(01|22)/.test(one));

const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describeInBrowser('a merchant with nothing but a browser', () => {
  let shop: Shop;
  let browser: Browser;
  let tab: Tab;
  let payment: CreatedPayment;

  beforeAll(async () => {
    shop = await Shop.open(await ownAddress());
    browser = await launchChromium();
    await createMerchant(shop.gateway, ZOE);
    await createMerchant(shop.gateway, YAN);
    tab = await openDashboard(browser, shop.gateway, ZOE);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  const go = async (name: string) => {
    await tab.page
      .getByRole('navigation', { name: 'Main menu' })
      .getByRole('link', { name, exact: true })
      .click();
    await tab.page.getByRole('heading', { level: 1, name }).waitFor();
  };

  /** As Shop.settle(), which knows one secret only: that of this application was made by the browser. */
  const settle = async (blocks: number) => {
    await shop.chain.mine(blocks);
    await shop.watch();
    while (await shop.gateway.get(PaymentSweep).runOnce()) continue;
    const webhooks = shop.gateway.get(WebhookDispatcher);
    for (let round = 0; round < 3; round++) while (await webhooks.runOnce()) continue;
  };

  it('signs in without a consent page and sees what to do first', async () => {
    await tab.page.getByText('Create an application').waitFor();
    expect(tab.requests.some((url) => url.includes('consent'))).toBe(false);
    expect(await violations(tab.page)).toEqual([]);
  });

  it('asks for three things before its first data: page, script and session', async () => {
    // The open page goes on asking for changes, so it is another page whose requests are listed.
    const page = await tab.page.context().newPage();
    const paths: string[] = [];
    page.on('request', (request) => {
      const { protocol, pathname } = new URL(request.url());
      if (protocol !== 'data:') paths.push(pathname);
    });
    await Promise.all([
      page.waitForRequest((request) => new URL(request.url()).pathname.startsWith('/api/')),
      page.goto(`${shop.gateway.baseUrl}/dashboard`),
    ]);
    await page.close();
    expect(
      paths.slice(
        0,
        paths.findIndex((path) => path.startsWith('/api/')),
      ),
    ).toEqual([
      '/dashboard',
      expect.stringMatching(/^\/dashboard\/assets\/first-[\w-]+\.js$/),
      '/dashboard/session/refresh',
    ]);
  });

  it('creates an application, whose name is text, whatever it contains', async () => {
    await go('Applications');
    await clickButton(tab.page, 'Create application');
    await tab.page.getByLabel('Name').fill(XSS);
    await tab.page.getByLabel('Webhook URL').fill('ftp://nowhere');
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
    // The gateway's words, at the field, without its name in the API.
    await tab.page
      .getByRole('dialog')
      .getByText(/^Must be /)
      .first()
      .waitFor();
    expect(await tab.page.getByRole('dialog').innerText()).not.toContain('callbackUrl');
    await tab.page.getByLabel('Webhook URL').fill(shop.merchant.url);
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
    const secret = await tab.page.locator('pre').textContent();
    shop.merchant.trust(secret ?? '', shop.gateway.clock);
    await clickButton(tab.page, 'I have stored it');
    await tab.page.getByRole('heading', { level: 1, name: XSS }).waitFor();
    expect(await violations(tab.page)).toEqual([]);
  });

  it('changes a setting, and adds an event', async () => {
    await tab.page.getByLabel('Website').fill('https://shop.example');
    await tab.page.getByText('Accept less than the price').click();
    await clickButton(tab.page, 'Save');
    await tab.page.getByText('Saved').waitFor();
    await tab.page.getByRole('link', { name: 'Events' }).click();
    await tab.page.getByText('money was seen').click();
    await clickButton(tab.page, 'Save');
    await tab.page.getByText('Saved').waitFor();
    await tab.page.reload();
    await tab.page.getByText('money was seen').waitFor();
    expect(await tab.page.getByRole('checkbox', { name: 'payment.found' }).isChecked()).toBe(true);
  });

  it('creates a token, and the command that is shown creates a payment', async () => {
    await go('API tokens');
    await clickButton(tab.page, 'Create API Access Token');
    await tab.page.getByLabel('Label').fill('Shop server');
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Create API Access Token' }).click();
    const command = (await tab.page.locator('[data-snippet=curl]').textContent()) ?? '';
    expect(await tab.page.locator('[data-snippet=env]').textContent()).toContain('GATEWAY_TOKEN=pct_');
    const { stdout } = await run('/bin/sh', ['-c', command.replaceAll('TEST-1', 'ORDER-7')]);
    payment = (JSON.parse(stdout) as { data: CreatedPayment }).data;
    await clickButton(tab.page, 'I have stored it');
    await tab.page.getByText('payments.create payments.get').waitFor();
    expect(await tab.page.content()).not.toContain(/pct_\w{30,}/.exec(command)?.[0]);
  });

  it('finds the payment in the list, filters by the address, and keeps the filter on the way back', async () => {
    await go('Payments');
    await clickButton(tab.page, 'Underpaid');
    await tab.page.getByText('No payment matches').waitFor();
    expect(new URL(tab.page.url()).search).toBe('?status=UNDERPAID');
    await clickButton(tab.page, 'Clear filters');
    await tab.page.getByText('waiting for the customer').waitFor();
    expect(await violations(tab.page)).toEqual([]);
    await tab.page.getByRole('link', { name: 'ORDER-7' }).click();
    await tab.page.getByText('The customer has not paid yet').waitFor();
    expect(await violations(tab.page)).toEqual([]);
  });

  it('sees it paid and its webhook delivered', async () => {
    const instructions = await shop.instructions(payment);
    await shop.send(instructions);
    await settle(1);
    await tab.page.getByText('The money has been seen').waitFor();
    await settle(CONFIRMATIONS);
    await tab.page.getByText('Paid', { exact: true }).first().waitFor();
    await tab.page.getByText('payment.received').first().waitFor();
    await tab.page.getByText('Delivered').first().waitFor();
    await tab.page.getByRole('button', { name: 'Details' }).first().click();
    await tab.page.getByText('Attempt 1').waitFor();
    await clickButton(tab.page, 'Done');
  });

  it('refunds it: the link for the customer is shown', async () => {
    await clickButton(tab.page, 'Refund…');
    await tab.page.getByRole('button', { name: /^Create refund: .* · ORDER-7/ }).click();
    await tab.page.getByText('Send this link to the customer').waitFor();
    expect(await tab.page.locator('dialog pre, [role=dialog] pre').textContent()).toContain('/refund/');
    await clickButton(tab.page, 'Done');
    await tab.page.getByText("Waiting for the customer's address").first().waitFor();
  });

  it('sends a test event', async () => {
    await go('Webhooks');
    await clickButton(tab.page, 'Send a test event');
    await tab.page.getByText('Waiting for the answer of your server').waitFor();
    await settle(0);
    await tab.page.getByText('Delivered').first().waitFor();
    expect(await violations(tab.page)).toEqual([]);
  });

  it('signs in again in another tab when the session ends in the middle of a form, and loses nothing', async () => {
    await go('API tokens');
    await clickButton(tab.page, 'Create API Access Token');
    await tab.page.getByLabel('Label').fill('Half-way');
    await shop.gateway.sql.query(
      `delete from oidc_payloads where kind in ('Grant', 'AccessToken', 'RefreshToken', 'Session')`,
    );
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Create API Access Token' }).click();
    const again = tab.page.getByRole('link', { name: 'Sign in' });
    await again.waitFor();
    const [other] = await Promise.all([tab.page.context().waitForEvent('page'), again.click()]);
    await fillSignIn({ page: other }, ZOE);
    await other.getByText('You are signed in').waitFor();
    await other.close();
    await again.waitFor({ state: 'detached' });
    expect(await tab.page.getByLabel('Label').inputValue()).toBe('Half-way');
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Create API Access Token' }).click();
    await clickButton(tab.page, 'I have stored it');
  });

  it('is shown nothing of another merchant', async () => {
    const yan = await openDashboard(browser, shop.gateway, YAN, {
      path: `/dashboard/payments/${payment.id}`,
    });
    await yan.page.getByText('Payment not found').waitFor();
    await yan.page.goto(`${shop.gateway.baseUrl}/dashboard/payments`);
    await yan.page.getByText('There are no payments yet').waitFor();
    expect(await yan.page.content()).not.toContain('ORDER-7');
    await yan.page.context().close();
  });

  it('sent requests only to the gateway, and caused no policy violation, error or dialog', () => {
    expect(foreignRequests(tab, shop)).toEqual([]);
    expect(unexpected(tab)).toEqual([]);
  });

  it('asks for the page, a script, a style sheet and the language, and then for data', async () => {
    const first = await openDashboard(browser, shop.gateway, ZOE);
    first.requests.length = 0;
    await first.page.reload();
    await first.page.getByText('Needs attention').waitFor();
    const paths = first.requests.map((url) => new URL(url).pathname);
    const before = paths.slice(
      0,
      paths.findIndex((path) => path.startsWith('/api/')),
    );
    expect(before.filter((path) => path.startsWith('/dashboard/assets/')).length).toBeLessThanOrEqual(4);
    await first.page.context().close();
  });
});
