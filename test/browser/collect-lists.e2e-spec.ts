import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { prepareExport } from '../../src/wallets/collection-export.pure.js';
import { describeInBrowser, launchChromium } from '../support/chromium.js';
import { openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { layoutFaults } from '../support/page-layout.js';
import { CONFIRMATIONS, Shop } from '../support/shop.js';

const MINE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** What a merchant without a key does to reach the money. */
describeInBrowser('collecting what came in', () => {
  let shop: Shop;
  let browser: Browser;

  beforeAll(async () => {
    shop = await Shop.open(await ownAddress());
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  it('leads from the wallets over the funds to the page that collects, with the list that it reads', async () => {
    const application = await shop.application({ name: 'Bean & Leaf' });
    const path = `/api/payment-applications/${application.id}/wallets/evm`;
    await shop.call('PUT', path, shop.owner.accessToken, { treasury: MINE });
    const { clientId } = shop.owner;
    const password = `password of ${clientId}`;
    const tab = await openDashboard(browser, shop.gateway, `${clientId}@example.test`, { password });
    const { page } = tab;
    const go = () => page.goto(`${shop.gateway.baseUrl}/dashboard/applications/${application.id}/wallets`);
    await go();
    await page.getByText(MINE).first().waitFor();
    // Nothing has come in yet.
    const toFunds = page.getByRole('link', { name: 'What came in, and how to collect it' });
    await toFunds.click();
    await page.getByText('Nothing has come in yet.').waitFor();
    expect(await page.getByText('Collect what came in').count()).toBe(0);

    const payments = [await shop.createPayment(application), await shop.createPayment(application)];
    for (const payment of payments) await shop.send(await shop.instructions(payment, 'usdc'));
    await shop.mine(CONFIRMATIONS);
    await go();
    await toFunds.click();
    await page.getByRole('heading', { name: 'Collect what came in' }).waitFor();
    for (const width of [320, 800, 1_280]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await violations(page), await layoutFaults(page)]).toEqual([width, [], []]);
    }
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the lists' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('collect-ethereum.json');
    const text = await readFile(await file.path(), 'utf8');
    const { collections, refused } = prepareExport(text);
    expect(refused).toEqual([]);
    expect(collections.map(({ deposits }) => deposits.length)).toEqual([2]);
    const target = await page.getByRole('link', { name: 'Open the page that collects' }).getAttribute('href');
    expect((await fetch(new URL(target ?? '', shop.gateway.baseUrl))).status).toBe(200);
    // Before the sign-in there is no session.
    expect(tab.incidents.filter((one) => !one.includes('status of 401'))).toEqual([]);
  });
});
