import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ShopSite } from '../../src/demo/shop/shop-site.js';
import { type BusyShop, openBusyShop } from '../support/busy-shop.js';
import { chooseMethod, describeInBrowser, launchChromium, openTab, pageUrl } from '../support/chromium.js';
import { openDashboard } from '../support/dashboard.js';
import { openDemoShop } from '../support/demo-shop.js';
import { RefundsApi } from '../support/refunds-api.js';
import type { CreatedPayment, Shop, ShopApplication } from '../support/shop.js';
import { TwoChains } from '../support/two-chains.js';

/** Set to docs/screenshots, to take the pictures of the documentation again: README.md and pages of docs/ show them. */
const { PICTURES } = process.env;
const DESK = { viewport: { width: 1_280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const ORDER = { amount: 4_999, reference: 'ORDER-1042', referenceLabel: 'Two bags of Sidamo' };

/** Every picture of the documentation, taken anew from the pages as they are; Playwright hides scroll bars. */
describeInBrowser('the pictures of the documentation', () => {
  let browser: Browser;
  let folder: string;
  const taken: string[] = [];

  beforeAll(async () => {
    folder = PICTURES ?? (await mkdtemp(path.join(os.tmpdir(), 'pictures-')));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    if (PICTURES === undefined) await rm(folder, { recursive: true });
  });

  /** From its top to its end, so that nothing is cut off; at the sides nothing may be, either. */
  async function take(page: Page, name: string): Promise<void> {
    await page.evaluate('document.fonts.ready');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(page.viewportSize()?.width);
    const file = path.join(folder, `${name}.png`);
    await page.screenshot({ path: file, animations: 'disabled', fullPage: true });
    taken.push(`${name}.png`);
  }

  const open = async (url: string, options: BrowserContextOptions = DESK): Promise<Page> => {
    const { page } = await openTab(browser, { reducedMotion: 'reduce', ...options });
    await page.goto(url);
    return page;
  };

  describe('of the hosted pages', () => {
    let chains: TwoChains;
    let application: ShopApplication;
    const create = (): Promise<CreatedPayment> => chains.shop.createPayment(application, ORDER);
    const ETH = { provider: 'ethereum', method: 'eth' };

    beforeAll(async () => {
      chains = await TwoChains.open();
      application = await chains.shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
    });
    afterAll(() => chains?.close());

    it.each([
      ['checkout-pay', DESK],
      ['checkout-pay-phone', { ...PHONE, colorScheme: 'dark' }],
    ] as const)('%s', async (name, options) => {
      const choice = { provider: 'ethereum', method: 'usdt' };
      await take(await open(await chooseMethod(chains.shop, await create(), choice), options), name);
    });

    it('checkout-unmatched', async () => {
      const payment = await create();
      await chooseMethod(chains.shop, payment, ETH);
      await chains.sendBnb(payment);
      const page = await open(await chooseMethod(chains.shop, payment, ETH));
      await page.locator('main .note.warn').filter({ hasText: 'arrived' }).waitFor();
      await take(page, 'checkout-unmatched');
    });

    it('refund-address', async () => {
      const refunds = new RefundsApi(chains.shop, application);
      const { claimUrl } = await refunds.create(await refunds.paid(ORDER, 'usdt'), {});
      await take(await open(pageUrl(chains.shop, { checkoutUrl: claimUrl })), 'refund-address');
    });
  });

  describe('of the demo shop', () => {
    let world: Shop;
    let site: ShopSite;
    beforeAll(async () => {
      ({ world, site } = await openDemoShop());
    });
    afterAll(async () => {
      await site?.stop();
      await world?.close();
    });

    it('demo-shop', async () => {
      const page = await open(world.gateway.baseUrl);
      await page.getByRole('button', { name: 'Buy a coffee' }).first().click();
      await page.waitForURL(/\/orders\//);
      await page.getByRole('button', { name: 'Pay exactly' }).click();
      await page.locator('#live').getByText('Sent on ethereum').waitFor();
      await world.mine(2);
      await page.reload();
      await page.frameLocator('iframe').locator('.way').waitFor();
      await take(page, 'demo-shop');
    });
  });

  describe('of the dashboard', () => {
    let busy: BusyShop;
    let page: Page;
    beforeAll(async () => {
      busy = await openBusyShop();
      const { owner, gateway } = busy.shop;
      const password = `password of ${owner.clientId}`;
      ({ page } = await openDashboard(browser, gateway, `${owner.clientId}@example.test`, {
        ...DESK,
        password,
      }));
      // The gateway's days have passed for the reader, too.
      await page.clock.setFixedTime(gateway.clock.now());
    });
    afterAll(() => busy?.shop.close());

    it.each([
      ['home', (): string => '', 'light'],
      ['payments', (): string => '/payments', 'light'],
      ['payment', (): string => `/payments/${busy.short.id}`, 'light'],
      ['webhooks', (): string => '/webhooks', 'light'],
      ['reports', (): string => '/reports', 'dark'],
    ] as const)('dashboard-%s', async (name, address, colorScheme) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(`${busy.shop.gateway.baseUrl}/dashboard${address()}`);
      await page.locator('h1').waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      await page.getByText('Loading…').first().waitFor({ state: 'detached' });
      await take(page, `dashboard-${name}`);
    });
  });

  it('are those that are kept, as wide as a desk or a phone', async () => {
    const kept = path.resolve(import.meta.dirname, '../../docs/screenshots');
    const names = await readdir(kept);
    expect(taken.sort()).toEqual(names.sort());
    for (const name of names) {
      // Its width is the first number of a PNG.
      const width = (await readFile(path.join(kept, name))).readUInt32BE(16);
      expect([name, width]).toEqual([name, name.includes('phone') ? 390 : 1_280]);
    }
  });
});
