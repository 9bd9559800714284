import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, foreignRequests, launchChromium, type Tab } from './support/chromium.js';
import { openDashboard, ownAddress, violations } from './support/dashboard.js';
import { CONFIRMATIONS, type CreatedPayment, type Shop, type ShopApplication } from './support/shop.js';
import { TwoChains } from './support/two-chains.js';

/** A browser logs every refusal, here of a session that is not there yet and of what a person wrote. */
const unexpected = ({ incidents }: Tab) => incidents.filter((one) => !/status of 4(01|22)/.test(one));

describeInBrowser('the screens of payments', () => {
  let chains: TwoChains;
  let shop: Shop;
  let application: ShopApplication;
  let browser: Browser;
  let tab: Tab;
  let page: Page;
  let short: CreatedPayment;
  let stray: CreatedPayment;
  let paid: CreatedPayment;

  const open = (path: string, options: object = {}) =>
    openDashboard(browser, shop.gateway, `${shop.owner.clientId}@example.test`, {
      path,
      password: `password of ${shop.owner.clientId}`,
      ...options,
    });

  beforeAll(async () => {
    chains = await TwoChains.open(await ownAddress());
    shop = chains.shop;
    application = await shop.application({ name: 'Bean & Leaf' });
    browser = await launchChromium();
    tab = await open('/dashboard/payments');
    page = tab.page;
    page.setDefaultTimeout(10_000);
  });
  afterAll(async () => {
    await browser?.close();
    await chains?.close();
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const go = (path: string) => page.goto(`${shop.gateway.baseUrl}/dashboard${path}`);
  const search = () => new URL(page.url()).search;
  const row = (reference: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name: reference, exact: true }) });
  const dialog = () => page.getByRole('dialog');

  it('offers three ways to a first payment, and makes a link by hand with its code', async () => {
    await page.getByText('There are no payments yet').waitFor();
    const ways = page.getByRole('listitem').filter({ has: page.locator('[data-kind=first], .x, a[href]') });
    expect(await page.getByRole('link', { name: 'Read how shops and plugins do it' }).count()).toBe(1);
    expect(await ways.count()).toBeGreaterThanOrEqual(3);
    await page.getByRole('button', { name: 'New payment link' }).first().click();
    await dialog().getByLabel('Amount').fill('25.505');
    await dialog().getByLabel('Reference').fill('BY-HAND');
    await dialog().getByRole('button', { name: 'Create link' }).click();
    await page.getByText('at most 2 places').waitFor();
    await dialog().getByLabel('Amount').fill('25.50');
    await dialog().getByRole('button', { name: 'Create link' }).click();
    await dialog().getByRole('img', { name: 'QR code of the payment link' }).waitFor();
    expect(await dialog().locator('pre').textContent()).toContain('/checkout/');
    expect(await violations(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Done' }).click();
    await row('BY-HAND').getByText('$25.50').waitFor();
    await row('BY-HAND').getByText('waiting for the customer to choose').waitFor();
  });

  it('says of each payment what came, where, and what happens', async () => {
    short = await shop.createPayment(application, { reference: 'SHORT' });
    stray = await shop.createPayment(application, { reference: 'STRAY' });
    paid = await shop.createPayment(application, { reference: 'PAID', amount: 7_000 });
    const half = await shop.instructions(short);
    await shop.send(half, BigInt(half.amount.amount) / 2n);
    await shop.send(await shop.instructions(paid));
    await chains.sendBnb(stray, { blocks: 20 });
    await shop.mine(1);
    await page.reload();
    await row('PAID').getByText(`of ${CONFIRMATIONS} blocks`).waitFor();
    await shop.mine(CONFIRMATIONS);
    await page.reload();
    await row('PAID').getByText('the shop knows').waitFor();
    await row('PAID').getByText('ETH on Ethereum').waitFor();
    await row('SHORT').getByText('$50.00 missing').waitFor();
    await row('STRAY').getByText('Wrong network or coin').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('filters by chips that count, and by what is behind them; the address has it all', async () => {
    await press('Underpaid 1');
    await row('PAID').waitFor({ state: 'detached' });
    expect(search()).toBe('?status=UNDERPAID');
    await press('Wrong network or coin 1');
    await row('STRAY').waitFor();
    expect(search()).toBe('?attention=unmatched_funds');
    await press('All');
    await row('PAID').waitFor();
    await page.getByText('More filters').click();
    await page.getByLabel('Network').selectOption('ethereum');
    await page.getByLabel('Currency of the price').selectOption('USD');
    await page.getByLabel('Price at most').fill('70');
    await press('Apply filters');
    await row('SHORT').waitFor({ state: 'detached' });
    await row('PAID').waitFor();
    expect(search()).toBe('?network=ethereum&currency=USD&max=70');
    await page.reload();
    await row('PAID').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByLabel('Price at most').fill('1');
    await press('Apply filters');
    await page.getByText('No payment matches').waitFor();
    await page.goBack();
    await row('PAID').waitFor();
  });

  it('keeps filters as a view, which can be picked and deleted', async () => {
    await press('Save this view');
    await dialog().getByLabel('Name of the view').fill('Small ones');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
    await go('/payments');
    await page.getByRole('link', { name: 'Small ones' }).click();
    expect(search()).toBe('?network=ethereum&currency=USD&max=70');
    await press('Delete this view');
    await page.getByRole('link', { name: 'Small ones' }).waitFor({ state: 'detached' });
  });

  it('exports what the filters show, and nothing where a file would show more', async () => {
    await press('Export…');
    await page.getByText('A file cannot be filtered by network').waitFor();
    await page.keyboard.press('Escape');
    await go('/payments?status=CONFIRMED');
    await press('Export…');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog().getByRole('button', { name: 'CSV for spreadsheets' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('payments.csv');
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toContain('PAID');
    expect(text.trim().split('\r\n')).toHaveLength(2);
    await page.getByText('The file is complete').waitFor();
    await page.keyboard.press('Escape');
  });

  it('keeps the old rows, dimmed, while others are on their way, and above them what went wrong', async () => {
    await go('/payments');
    await row('PAID').waitFor();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/payment-overview**', async (route) => {
      await held;
      await route.fulfill({
        status: 503,
        headers: { 'x-request-id': 'request-17' },
        contentType: 'application/json',
        body: JSON.stringify({ code: 'service_unavailable', message: 'Not now.', requestId: 'request-17' }),
      });
    });
    await press('Cancelled');
    await page.locator('table[aria-busy=true]').waitFor();
    expect(await row('PAID').count()).toBe(1);
    release();
    await page.getByRole('alert').getByText('request-17').waitFor();
    expect(await row('PAID').count()).toBe(1);
    await page.unroute('**/api/payment-overview**');
    await press('Try again');
    await page.getByText('No payment matches').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('asked nobody but the gateway, and nothing was refused by the policy', () => {
    expect(foreignRequests(tab, shop)).toEqual([]);
    expect(unexpected(tab).filter((one) => !one.includes('503'))).toEqual([]);
  });
});
