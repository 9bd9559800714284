import type { Browser, Page } from 'playwright-core';
import { UsersService } from '../../src/identity/oauth/people/users.service.js';
import { describeInBrowser, launchChromium } from '../support/chromium.js';
import { createMerchant, openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { CONFIRMATIONS, Shop } from '../support/shop.js';

const MERCHANT = 'merchant@example.test';
let shop: Shop;

describeInBrowser('the screens of an operator', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    shop = await Shop.open(await ownAddress());
    const { userId, clientId } = shop.owner;
    await shop.gateway.get(UsersService).setOperator(userId, true);
    await createMerchant(shop.gateway, MERCHANT);
    browser = await launchChromium();
    const tab = await openDashboard(browser, shop.gateway, `${clientId}@example.test`, {
      path: '/dashboard/operator/users',
      password: `password of ${clientId}`,
    });
    page = tab.page;
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  const row = () => page.getByRole('row').filter({ hasText: MERCHANT });
  /** Opens the question with the keyboard, once the one before is closed: until then it holds the focus. */
  const ask = async (act: string) => {
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row()
      .getByRole('button', { name: `${act} ${MERCHANT}` })
      .focus();
    await page.keyboard.press('Enter');
    return page.getByRole('dialog');
  };

  it('finds a user by the beginning of the address, and says so when there is none', async () => {
    const search = page.getByLabel('Email address or its beginning');
    await search.fill('nobody@');
    await search.press('Enter');
    await page.getByText('No user has such an address.').waitFor();
    await search.fill('MERCH');
    await search.press('Enter');
    await row().getByText('Active').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(new URL(page.url()).search).toBe('?email=MERCH');
    expect(await violations(page)).toEqual([]);
  });

  it('shows a password link once', async () => {
    const dialog = await ask('Password link for');
    await dialog.getByRole('button', { name: 'Password link' }).click();
    const link = (await dialog.locator('pre').textContent()) ?? '';
    expect(link).toMatch(/\/api\/oauth\/access-link\?token=/);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(link);
  });

  it('disables, enables and erases a user, only when the address is typed', async () => {
    let dialog = await ask('Disable');
    const confirm = dialog.getByRole('button', { name: 'Disable' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${MERCHANT} to confirm`).fill('another@example.test');
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${MERCHANT} to confirm`).fill(MERCHANT);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await row().getByText('Disabled').waitFor();

    dialog = await ask('Enable');
    await dialog.getByRole('button', { name: 'Enable' }).click();
    await row().getByText('Active').waitFor();

    dialog = await ask('Disable');
    await dialog.getByLabel(`Type ${MERCHANT} to confirm`).fill(MERCHANT);
    await page.keyboard.press('Enter');
    await row().getByText('Disabled').waitFor();
    dialog = await ask('Erase');
    await dialog.getByLabel(`Type ${MERCHANT} to confirm`).fill(MERCHANT);
    await page.keyboard.press('Enter');
    await row().waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(MERCHANT);
  });

  it('says why the only operator cannot be disabled', async () => {
    const email = `${shop.owner.clientId}@example.test`;
    await page.goto(`${shop.gateway.baseUrl}/dashboard/operator/users?email=${email}`);
    await page.getByRole('button', { name: `Disable ${email}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(`Type ${email} to confirm`).fill(email);
    await page.keyboard.press('Enter');
    await dialog.getByText('only operator', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
  });

  it('shows unattributed funds with their owner', async () => {
    await page.goto(`${shop.gateway.baseUrl}/dashboard/operator/funds`);
    await page.getByText('Every deposit was credited to a payment.').waitFor();
    const payment = await shop.createPayment(await shop.application({ name: 'Harbor Coffee' }));
    const { address } = await shop.instructions(payment);
    await shop.chain.sendToken({ token: shop.tokens.USDT, to: address as `0x${string}`, value: 5_000_000n });
    await shop.mine(CONFIRMATIONS);
    await page.reload();
    const item = page.getByRole('listitem').filter({ hasText: 'Harbor Coffee' });
    await item.waitFor();
    expect(await item.textContent()).toContain('USDT');
    expect(await item.textContent()).toContain(shop.owner.userId);
    expect(await violations(page)).toEqual([]);
  });

  it('ends the halt of a chain', async () => {
    await shop.gateway.sql.query(
      `update chain_cursors set halted_at = now(), halt_reason = 'deep fork' where chain = 'ethereum'`,
    );
    await page.goto(`${shop.gateway.baseUrl}/dashboard/operator/chains`);
    await page.getByText('deep fork').first().waitFor();
    await page.getByRole('button', { name: 'Resume Ethereum' }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await page.getByText('deep fork').first().waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Resume Ethereum' }).count()).toBe(0);
  });

  it('shows an error above the list when the gateway fails', async () => {
    const failure = { message: 'Server Error', code: 'server_error', requestId: 'r' };
    await page.route('**/api/admin/users**', (route) => route.fulfill({ status: 500, json: failure }));
    await page.goto(`${shop.gateway.baseUrl}/dashboard/operator/users`);
    await page.getByRole('alert').first().waitFor();
    await page.unroute('**/api/admin/users**');
  });

  it('is neither in the menu of a merchant nor open to them', async () => {
    await createMerchant(shop.gateway, 'second@example.test');
    const { page: other } = await openDashboard(browser, shop.gateway, 'second@example.test');
    expect(await other.getByRole('link', { name: 'Operator' }).count()).toBe(0);
    const answer = other.waitForResponse((response) => response.url().includes('/api/admin/users'));
    await other.goto(`${shop.gateway.baseUrl}/dashboard/operator/users`);
    expect((await answer).status()).toBe(403);
    await other.getByRole('alert').first().waitFor();
    expect(await other.content()).not.toContain(shop.owner.clientId);
    await other.context().close();
  });
});
