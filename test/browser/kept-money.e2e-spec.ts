import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchChromium } from '../support/chromium.js';
import { openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { layoutFaults } from '../support/page-layout.js';
import { CONFIRMATIONS, type CreatedPayment, Shop } from '../support/shop.js';

/** A folder for pictures, e.g. .data/screenshots. */
const { SCREENSHOTS } = process.env;

describeInBrowser('money that the merchant keeps', () => {
  let shop: Shop;
  let browser: Browser;
  let page: Page;
  let late: CreatedPayment;
  let over: CreatedPayment;

  beforeAll(async () => {
    shop = await Shop.open(await ownAddress());
    const application = await shop.application({ name: 'Bean & Leaf' });
    late = await shop.createPayment(application, { amount: 2_605, reference: 'ORDER-LATE' });
    over = await shop.createPayment(application, { amount: 2_535, reference: 'ORDER-OVER' });
    const [asked, more] = [await shop.instructions(late), await shop.instructions(over)];
    for (let times = 0; times < 2; times++) await shop.send(more);
    await shop.mine(CONFIRMATIONS);
    await shop.wait(25 * 3_600);
    await shop.send(asked);
    await shop.mine(CONFIRMATIONS);
    browser = await launchChromium();
    const { clientId } = shop.owner;
    const password = `password of ${clientId}`;
    page = (await openDashboard(browser, shop.gateway, `${clientId}@example.test`, { password })).page;
    page.setDefaultTimeout(15_000);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  const go = (address: string) => page.goto(`${shop.gateway.baseUrl}/dashboard${address}`);
  const keep = async () => {
    await page.getByRole('button', { name: 'Keep it' }).first().click();
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    await dialog.getByRole('button', { name: /^Keep it/ }).click();
  };
  async function look(name: string): Promise<void> {
    for (const width of [320, 1_280]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await layoutFaults(page)]).toEqual([width, []]);
      if (SCREENSHOTS === undefined) continue;
      await mkdir(SCREENSHOTS, { recursive: true });
      await page.screenshot({ path: path.join(SCREENSHOTS, `${name}-${width}.png`), fullPage: true });
    }
    expect(await violations(page)).toEqual([]);
  }

  it('after the end of the link is a card with its times, and leaves once it is kept', async () => {
    await go('/attention?kind=paid_late');
    const card = page.getByRole('listitem').filter({ hasText: 'ORDER-LATE' });
    await card.getByText(/Paid in full after the end: ordered .+, link expired .+, money came .+/).waitFor();
    await card.getByRole('button', { name: 'Refund…' }).waitFor();
    await look('paid-late-card');
    await keep();
    await card.waitFor({ state: 'detached' });
    await go(`/payments/${late.id}`);
    const note = page.getByRole('region', { name: 'Kept' });
    await note.getByText(/^Kept .+: nothing of it waits for you\.$/).waitFor();
    await note.getByText('by a user').waitFor();
    await page.getByText('Kept the money').waitFor();
  });

  it('of an excess is no longer too much on the page of the payment', async () => {
    await go(`/payments/${over.id}`);
    await page.getByText('Too much', { exact: true }).waitFor();
    await keep();
    await page.getByRole('region', { name: 'Kept' }).waitFor();
    expect(await page.getByText('Too much', { exact: true }).count()).toBe(0);
    await page.getByRole('term').filter({ hasText: 'Kept' }).waitFor();
    await look('kept-excess');
  });
});
