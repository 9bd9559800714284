import type { Browser, Page } from 'playwright-core';
import { openBusyShop } from '../support/busy-shop.js';
import { describeInBrowser, launchChromium } from '../support/chromium.js';
import { ContactSheet } from '../support/contact-sheet.js';
import { openDashboard, violations } from '../support/dashboard.js';
import { layoutFaults, WIDTHS } from '../support/page-layout.js';
import type { CreatedPayment, Shop, ShopApplication } from '../support/shop.js';

/** A folder for pictures of every screen, e.g. .data/screenshots, and their language. */
const { SCREENSHOTS, SCREENSHOTS_LOCALE: pictured = 'en' } = process.env;
const sheet = SCREENSHOTS === undefined ? null : new ContactSheet(SCREENSHOTS);

let shop: Shop;
let application: ShopApplication;
let short: CreatedPayment;

/** Every screen, by its name and address. */
const SCREENS: readonly (readonly [name: string, address: () => string])[] = [
  ['home', () => ''],
  ['payments', () => '/payments'],
  ['payment', () => `/payments/${short.id}`],
  ['attention', () => '/attention'],
  ['refunds', () => '/refunds'],
  ['applications', () => '/applications'],
  ['application', () => `/applications/${application.id}`],
  ['application-branding', () => `/applications/${application.id}/branding`],
  ['application-methods', () => `/applications/${application.id}/methods`],
  ['application-secret', () => `/applications/${application.id}/secret`],
  ['application-wallets', () => `/applications/${application.id}/wallets`],
  ['default-wallets', () => '/wallets'],
  ['application-events', () => `/applications/${application.id}/events`],
  ['tokens', () => '/tokens'],
  ['webhooks', () => '/webhooks'],
  ['deliveries', () => '/webhooks/deliveries'],
  ['reports', () => '/reports'],
  ['people', () => '/people'],
  ['audit', () => '/audit'],
  ['account', () => '/account'],
  ['operator-chains', () => '/operator'],
  ['operator-rates', () => '/operator/rates'],
  ['operator-reconciliation', () => '/operator/reconciliation'],
  ['operator-funds', () => '/operator/funds'],
  ['operator-users', () => '/operator/users'],
  ['not-found', () => '/nothing-of-this-name'],
];

/** Every screen of the dashboard with data: accessible, and within its window (WCAG 2.2 AA). */
describeInBrowser('the screens of the dashboard', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    ({ shop, application, short } = await openBusyShop());
    browser = await launchChromium();
    const { clientId } = shop.owner;
    const tab = await openDashboard(browser, shop.gateway, `${clientId}@example.test`, {
      password: `password of ${clientId}`,
    });
    page = tab.page;
  });
  afterAll(async () => {
    await sheet?.write();
    await browser?.close();
    await shop?.close();
  });

  async function show(address: string, locale: string): Promise<void> {
    await page.evaluate(`document.cookie = 'dashboard_locale=${locale}; Path=/dashboard'`);
    await page.goto(`${shop.gateway.baseUrl}/dashboard${address}`);
    await page.locator('h1').waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  }

  describe.each(SCREENS)('%s', (name, address) => {
    it('is accessible on a desk in light, and on a phone in the dark from right to left', async () => {
      await page.setViewportSize({ width: 1_280, height: 800 });
      await page.emulateMedia({ colorScheme: 'light' });
      await show(address(), 'en');
      expect(await violations(page)).toEqual([]);
      expect(await page.locator('h1').count()).toBe(1);
      await page.setViewportSize({ width: 375, height: 700 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await show(address(), 'ar');
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    });

    it('can be read at every width, with whole numbers and words', async () => {
      await show(address(), 'en');
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        expect([width, await layoutFaults(page)]).toEqual([width, []]);
      }
    });

    if (sheet)
      it('is photographed', async () => {
        await show(address(), pictured);
        await sheet.take(page, `dashboard-${name}`);
      });
  });
});
