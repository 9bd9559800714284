/**
 * @inOrder Of all applications, of none, of one, and of all again.
 */
import type { Browser, Page } from 'playwright-core';
import type { NoticesContract } from '../../src/notices/notices.contract.js';
import { describeInBrowser, launchChromium } from '../support/chromium.js';
import { openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { Shop } from '../support/shop.js';

const MAIL = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'shop@example.com' };

let shop: Shop;
const ids = new Map<string, string>();

describeInBrowser('notices of chosen applications', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    shop = await Shop.open({ ...(await ownAddress()), ...MAIL });
    for (const name of ['Bookshop', 'Café']) ids.set(name, (await shop.application({ name })).id);
    browser = await launchChromium();
    const { clientId } = shop.owner;
    const tab = await openDashboard(browser, shop.gateway, `${clientId}@example.test`, {
      path: '/dashboard/account',
      password: `password of ${clientId}`,
    });
    page = tab.page;
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  const card = () =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: 'Notices by mail' }) });
  const of = () => card().getByLabel('Notices of applications');
  const application = (name: string) => card().getByRole('checkbox', { name });
  const save = () => card().getByRole('button', { name: 'Save' }).click();
  const saved = async () =>
    (await shop.call<NoticesContract>('GET', '/api/account/notices', shop.owner.accessToken)).body.data;

  it('are of all applications at first', async () => {
    await card().getByRole('checkbox', { name: 'An endpoint fails, and works again' }).check({ force: true });
    expect(await of().inputValue()).toBe('all');
    await save();
    await card().getByText('Saved').waitFor();
    expect(await saved()).toMatchObject({ kinds: ['endpoint'], paymentApplicationIds: null });
  });

  it('are not saved for no application, which would be told as nothing', async () => {
    await of().selectOption('some');
    await card().getByText('Choose at least one application.').waitFor();
    await save();
    expect(await saved()).toMatchObject({ paymentApplicationIds: null });
    expect(await violations(page)).toEqual([]);
  });

  it('are of the chosen one, also after a reload', async () => {
    await application('Café').check({ force: true });
    await save();
    await page.waitForResponse('**/api/account/notices');
    expect(await saved()).toMatchObject({ kinds: ['endpoint'], paymentApplicationIds: [ids.get('Café')] });
    await page.reload();
    await application('Café').waitFor();
    expect(await application('Café').isChecked()).toBe(true);
    expect(await application('Bookshop').isChecked()).toBe(false);
    expect(await violations(page)).toEqual([]);
  });

  it('are of all again', async () => {
    await of().selectOption('all');
    expect(await application('Café').count()).toBe(0);
    await save();
    await card().getByText('Saved').waitFor();
    expect(await saved()).toMatchObject({ paymentApplicationIds: null });
  });
});
