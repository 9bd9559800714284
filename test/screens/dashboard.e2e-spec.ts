import type { Browser, Page } from 'playwright-core';
import { openBusyShop } from '../support/busy-shop.js';
import { describeInBrowser, launchChromium } from '../support/chromium.js';
import { ContactSheet } from '../support/contact-sheet.js';
import { openDashboard, violations } from '../support/dashboard.js';
import { reversedAmounts } from '../support/page-access.js';
import { layoutFaults, WIDTHS } from '../support/page-layout.js';
import { RefundsApi } from '../support/refunds-api.js';
import { CONFIRMATIONS, type CreatedPayment, type Shop, type ShopApplication } from '../support/shop.js';

/** A folder for pictures of every screen, e.g. .data/screenshots, and their language. */
const { SCREENSHOTS, SCREENSHOTS_LOCALE: pictured = 'en' } = process.env;
const sheet = SCREENSHOTS === undefined ? null : new ContactSheet(SCREENSHOTS);

let shop: Shop;
let application: ShopApplication;
let short: CreatedPayment;
/** Of somebody who names everything at length; its endpoint does not answer. */
let wordy: ShopApplication;
let long: Record<'waiting' | 'short' | 'over' | 'owed' | 'stray', CreatedPayment>;

/** English, the longest words, wide letters, and from right to left. */
const READERS = ['en', 'de', 'ru', 'ar'] as const;

/** Every screen, by its name and address. */
const SCREENS: readonly (readonly [name: string, address: () => string])[] = [
  ['home', () => ''],
  ['payments', () => '/payments'],
  ['payment', () => `/payments/${short.id}`],
  ['payment-long-waiting', () => `/payments/${long.waiting.id}`],
  ['payment-long-short', () => `/payments/${long.short.id}`],
  ['payment-long-over', () => `/payments/${long.over.id}`],
  ['payment-long-owed', () => `/payments/${long.owed.id}`],
  ['payment-long-stray', () => `/payments/${long.stray.id}`],
  ['attention', () => '/attention'],
  ['refunds', () => '/refunds'],
  ['funds', () => `/funds?application=${application.id}`],
  ['applications', () => '/applications'],
  ['application', () => `/applications/${application.id}`],
  ['application-branding', () => `/applications/${application.id}/branding`],
  ['application-methods', () => `/applications/${application.id}/methods`],
  ['application-secret', () => `/applications/${application.id}/secret`],
  ['application-wallets', () => `/applications/${application.id}/wallets`],
  ['default-wallets', () => '/wallets'],
  ['application-events', () => `/applications/${application.id}/events`],
  ['wordy', () => `/applications/${wordy.id}`],
  ['wordy-secret', () => `/applications/${wordy.id}/secret`],
  ['tokens', () => `/tokens?application=${wordy.id}`],
  ['webhooks', () => `/webhooks?application=${wordy.id}`],
  ['deliveries', () => '/webhooks/deliveries'],
  ['reports', () => '/reports'],
  ['people', () => '/people'],
  ['audit', () => '/audit'],
  ['account', () => '/account'],
  ['operator-health', () => '/operator'],
  ['operator-chains', () => '/operator/chains'],
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
    await payLong();
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

  /** In a coin with all of its 18 decimals: the longest amounts there are, in every state that shows one. */
  async function payLong(): Promise<void> {
    const name = 'Donaudampfschifffahrtsgesellschaftsbuchhandlung und Tee';
    const callbackUrl = 'http://127.0.0.1:9/hook/of/a/path/as/long/as/somebody/wants';
    wordy = await shop.application({ name, callbackUrl });
    const order = (reference: string) =>
      shop.createPayment(wordy, {
        amount: 1_234_567_890_123_456_789n,
        currencyCode: 'ETH',
        reference,
      });
    long = {
      waiting: await order('LONG-1'),
      short: await order('LONG-2'),
      over: await order('LONG-3'),
      owed: await order('LONG-3'),
      stray: await shop.createPayment(wordy, { reference: 'LONG-4' }),
    };
    const pay = async (payment: CreatedPayment, percent: bigint) => {
      const instructions = await shop.instructions(payment);
      await shop.send(instructions, (BigInt(instructions.amount.atomic) * percent) / 100n);
    };
    await shop.instructions(long.waiting);
    await pay(long.short, 33n);
    await pay(long.over, 177n);
    await pay(long.owed, 177n);
    const { address } = await shop.instructions(long.stray, 'usdc');
    await shop.chain.sendEth({ to: address as `0x${string}`, value: 1_234_567_890_123_456_789n });
    await shop.mine(CONFIRMATIONS);
    await new RefundsApi(shop, wordy).create(long.over);
  }

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

    it.each(READERS)('can be read at every width, with whole numbers and words, in %s', async (locale) => {
      await show(address(), locale);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        expect([width, await layoutFaults(page)]).toEqual([width, []]);
      }
      expect(await reversedAmounts(page)).toEqual([]);
    });

    if (sheet)
      it('is photographed', async () => {
        await show(address(), pictured);
        await sheet.take(page, `dashboard-${name}`);
      });
  });
});
