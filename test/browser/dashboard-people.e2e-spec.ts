import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchChromium, openTab } from '../support/chromium.js';
import { createMerchant, fillSignIn, openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { Shop } from '../support/shop.js';

const OWNER = () => `${shop.owner.clientId}@example.test`;
const COLLEAGUE = 'colleague@example.test';
const PASSWORD_OF_COLLEAGUE = 'a long enough password of a colleague';
const STRANGER = 'stranger@example.test';

let shop: Shop;

describeInBrowser('people of an account', () => {
  let browser: Browser;
  let owner: Page;
  let colleague: Page;
  let link: string;

  beforeAll(async () => {
    shop = await Shop.open(await ownAddress());
    const application = await shop.application();
    await shop.createPayment(application, { reference: 'ORDER-7' });
    await createMerchant(shop.gateway, STRANGER);
    browser = await launchChromium();
    const password = `password of ${shop.owner.clientId}`;
    const tab = await openDashboard(browser, shop.gateway, OWNER(), { path: '/dashboard/people', password });
    owner = tab.page;
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  const invite = async (email: string, role: string) => {
    await owner.getByRole('button', { name: 'Invite someone' }).click();
    const dialog = owner.getByRole('dialog');
    await dialog.getByLabel('Email address').fill(email);
    await dialog.getByLabel('Role').selectOption(role);
    await dialog.getByRole('button', { name: 'Invite someone' }).click();
    return dialog;
  };

  it('shows an invitation link once', async () => {
    await owner.getByText('No invitation is open.').waitFor();
    const dialog = await invite(COLLEAGUE, 'viewer');
    link = (await dialog.locator('pre').textContent()) ?? '';
    expect(link).toMatch(/\/api\/oauth\/access-link\?token=/);
    expect(await violations(owner)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await owner.getByRole('listitem').filter({ hasText: COLLEAGUE }).getByText('Viewer').waitFor();
    expect(await owner.content()).not.toContain(link);
    expect(await violations(owner)).toEqual([]);
  });

  it('says which field of an invitation is wrong', async () => {
    const dialog = await invite('nobody@localhost@x', 'developer');
    await dialog.locator('[aria-invalid=true]').waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
  });

  it('lets the invited person choose a password, and see the account without changing it', async () => {
    const { page } = await openTab(browser, { locale: 'en-US' });
    await page.goto(link);
    for (const field of await page.locator('input[type=password]').all())
      await field.fill(PASSWORD_OF_COLLEAGUE);
    await page.locator('button[type=submit]').click();
    const path = (await page.locator('a[href*=dashboard]').getAttribute('href')) ?? '';
    const { pathname } = new URL(path, page.url());
    await page.context().close();
    const options = { path: pathname, password: PASSWORD_OF_COLLEAGUE };
    colleague = (await openDashboard(browser, shop.gateway, COLLEAGUE, options)).page;
    await colleague.getByText('You can look at everything and change nothing.').waitFor();
    await colleague.getByRole('navigation').getByRole('link', { name: 'Payments' }).click();
    await colleague.getByText('ORDER-7').first().click();
    await colleague.getByText('The customer has not paid yet').waitFor();
    expect(await colleague.getByRole('button', { name: 'Cancel payment' }).count()).toBe(0);
    expect(await violations(colleague)).toEqual([]);
  });

  it('has the account in the address of each screen, so that a link shows the same to everybody', async () => {
    const { pathname } = new URL(colleague.url());
    expect(pathname).toMatch(/^\/dashboard\/accounts\/[\w-]{36}\/payments\/[\w-]{36}$/);
    const address = colleague.url();
    await colleague.reload();
    await colleague.getByText('The customer has not paid yet').waitFor();
    await owner.goto(address);
    await owner.getByText('The customer has not paid yet').waitFor();
    await owner.goto(`${shop.gateway.baseUrl}/dashboard/people`);
    // A link of the owner names no account where they never picked one.
    await colleague.goto(address.replace(/\/accounts\/[\w-]+/, ''));
    await colleague.getByText('It may be in another of your accounts:').waitFor();
    await colleague.getByRole('link', { name: OWNER() }).click();
    await colleague.getByText('The customer has not paid yet').waitFor();
    expect(colleague.url()).toBe(address);
    await colleague.getByLabel('Account shown').selectOption({ label: COLLEAGUE });
    await colleague.waitForURL(`${shop.gateway.baseUrl}/dashboard`);
    expect(await violations(colleague)).toEqual([]);
  });

  it('shows nothing of it to somebody who was not invited', async () => {
    const { page } = await openDashboard(browser, shop.gateway, STRANGER, { path: '/dashboard/payments' });
    expect(await page.getByLabel('Account shown').count()).toBe(0);
    expect(await page.getByText('ORDER-7').count()).toBe(0);
    await page.context().close();
  });

  it('takes the way back to the own account when the member is removed', async () => {
    await owner.reload();
    await owner.getByLabel(`Role of ${COLLEAGUE}`).selectOption('developer');
    await owner.getByRole('button', { name: `Remove ${COLLEAGUE}` }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await owner.getByRole('dialog').waitFor({ state: 'detached' });
    await owner.getByLabel(`Role of ${COLLEAGUE}`).waitFor({ state: 'detached' });
    await colleague.goBack();
    await colleague.waitForURL(`${shop.gateway.baseUrl}/dashboard`);
    expect(await colleague.getByText('You are in the account of').count()).toBe(0);
  });

  it('signs the person in again where the change takes a recent sign-in, and still has what was entered', async () => {
    shop.gateway.clock.advanceSeconds(400);
    const dialog = await invite('third@example.test', 'viewer');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await fillSignIn({ page: owner }, OWNER(), `password of ${shop.owner.clientId}`);
    await owner.waitForURL(`${shop.gateway.baseUrl}/dashboard/people`);
    expect(await dialog.getByLabel('Email address').inputValue()).toBe('third@example.test');
    expect(await dialog.getByLabel('Role').inputValue()).toBe('viewer');
    await dialog.getByRole('button', { name: 'Invite someone' }).click();
    await dialog.locator('pre').waitFor();
    await owner.reload();
    await owner.getByRole('listitem').filter({ hasText: 'third@example.test' }).waitFor();
    expect(await dialog.count()).toBe(0);
  });
});
