import type { BrowserContextOptions, Page } from 'playwright-core';
import { textsOf } from '../../src/platform/kernel/i18n/texts.js';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser, pageUrl } from '../support/chromium.js';
import { readQr } from '../support/qr-reader.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const ETH = { provider: 'ethereum', method: 'eth' };
const USDT = { provider: 'ethereum', method: 'usdt' };

/** Small, touched, dark, without a script, without a mouse, without a network (WCAG 2.2 AA). */
describeInBrowser('accessibility of the checkout page', () => {
  let shop: Shop;
  let application: ShopApplication;
  const tabs = useBrowser(() => shop);
  /** One payment, and its query, for every screen that a customer may see. */
  const screens: Record<string, [CreatedPayment, Record<string, string>]> = {};

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application({ name: 'Bluebird Coffee Roasters', url: 'https://shop.example' });
    screens['pay'] = [await create(), USDT];
    screens['coin'] = [await create(), ETH];
  });
  afterAll(() => shop?.close());

  const create = () =>
    shop.createPayment(application, {
      amount: 4_999,
      reference: 'ORDER-1042',
      referenceLabel: 'Two bags of Sidamo',
      redirectUrl: 'https://shop.example/thanks',
    });

  async function visit(
    name: string,
    options?: BrowserContextOptions,
    more: Record<string, string> = {},
  ): Promise<Page> {
    const [payment, choice] = screens[name] ?? [];
    if (!payment) throw new Error(`no screen ${name}`);
    const url = new URL(
      choice && 'method' in choice
        ? await chooseMethod(shop, payment, choice)
        : pageUrl(shop, payment, choice),
    );
    for (const [parameter, value] of Object.entries(more)) url.searchParams.set(parameter, value);
    return tabs.visit(url.href, options);
  }

  it('the page is painted before its script arrives, and works once it has', async () => {
    const { page } = await tabs.open();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/checkout/assets/*', async (route) => {
      await released;
      await route.continue();
    });
    const [payment] = screens['pay'] ?? [await create()];
    await page.goto(await chooseMethod(shop, payment, USDT), { waitUntil: 'commit' });
    await page.evaluate(`new Promise((resolve) => new PerformanceObserver((list) =>
      list.getEntriesByName('first-contentful-paint').forEach(resolve)).observe({ type: 'paint', buffered: true }))`);
    expect(await page.locator('#address').innerText()).toMatch(/^0x/);
    expect(await page.locator('.copy:visible').count()).toBe(0);
    release();
    await page.locator('#copy-address').waitFor();
  });

  it('the page animates only without prefers-reduced-motion', async () => {
    const animation = 'getComputedStyle(document.querySelector(".pulse")).animationName';
    const [still, moving] = [
      await visit('pay', { reducedMotion: 'reduce' }),
      await visit('pay', { reducedMotion: 'no-preference' }),
    ];
    expect([await still.evaluate(animation), await moving.evaluate(animation)]).toEqual(['none', 'pulse']);
  });

  it('the page shows the QR code at every width, and the wallet link on a phone alone', async () => {
    const phone = await visit('coin', {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    const shown = async (page: Page) => [
      await page.locator('#scan .qr').filter({ visible: true }).count(),
      await page.locator('#wallet').isVisible(),
    ];
    expect(await shown(phone)).toEqual([1, true]);
    expect(await shown(await visit('coin'))).toEqual([1, false]);
  });

  it.each([true, false])(
    'the QR code with the amount can be chosen by keyboard, with JavaScript: %s',
    async (javaScriptEnabled) => {
      const page = await visit('coin', { javaScriptEnabled });
      const { address, amount } = await shop.instructions(screens['coin']?.[0] ?? (await create()));
      const withAmount = page.getByRole('img', {
        name: `QR code: pay ${textsOf('en').money(amount)} to ${address}`,
      });
      expect(await withAmount.isVisible()).toBe(false);
      await page.locator('#qr-address').focus();
      await page.keyboard.press('ArrowRight');
      await withAmount.waitFor();
      expect(await readQr(page, withAmount)).toBe(`ethereum:${address}@31337?value=${amount.atomic}`);
    },
  );

  it('the page can be used by keyboard alone, with visible focus', async () => {
    const payment = await create();
    screens['keyboard'] = [payment, {}];
    const page = await visit('keyboard', { permissions: ['clipboard-read', 'clipboard-write'] });
    const tabTo = async () => {
      await page.keyboard.press('Tab');
      return page.evaluate<[string, string, string]>(`(() => {
        const { innerText, ownerDocument: { activeElement } } = document.activeElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(activeElement);
        return [innerText.trim().replace(/\\s+/g, ' '), outlineStyle, outlineWidth];
      })()`);
    };
    const VISIBLE = ['solid', '3px'];
    expect(await tabTo()).toEqual([expect.stringMatching(/USDT Tether/), ...VISIBLE]);
    expect(await tabTo()).toEqual([expect.stringMatching(/USDC USD Coin/), ...VISIBLE]);
    expect(await tabTo()).toEqual([expect.stringMatching(/ETH Ether/), ...VISIBLE]);
    expect(await tabTo()).toEqual(['Something went wrong?', ...VISIBLE]);
    expect(await tabTo()).toEqual(['Back to shop.example', ...VISIBLE]);
    for (let back = 0; back < 3; back++) await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'USDC on Ethereum (ERC-20) test network' }).waitFor();
    expect(await tabTo()).toEqual(['Change', ...VISIBLE]);
    expect(await tabTo()).toEqual(['Copy', ...VISIBLE]);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Once pasted, it must read 49.99' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('49.99');
    expect(await tabTo()).toEqual(['Copy', ...VISIBLE]);
    expect(await tabTo()).toEqual(['Paying from an exchange?', ...VISIBLE]);
    expect(await tabTo()).toEqual(['Rate, network and token', ...VISIBLE]);
    expect(await tabTo()).toEqual(['Take this payment with you', ...VISIBLE]);
    expect(await tabTo()).toEqual(['Something went wrong?', ...VISIBLE]);
    expect(await tabTo()).toEqual(['Back to shop.example', ...VISIBLE]);
  });

  it('the page works without JavaScript: choose, read, pay, and see it arrive', async () => {
    screens['scriptless'] = [await create(), {}];
    const page = await visit('scriptless', { javaScriptEnabled: false });
    // The keyboard focus stays in the list.
    expect(await page.content()).not.toContain('http-equiv="refresh"');
    await page.getByRole('button', { name: /^USDT/ }).click();
    const instructions = await shop.instructions(screens['scriptless'][0], 'usdt');
    expect(await page.locator('#amount').textContent()).toBe('49.99\u{a0}USDT');
    expect(await page.locator('#address').textContent()).toBe(instructions.address);
    const end = page.locator('.bar time');
    expect(await end.getAttribute('datetime')).toBe(instructions.expiresAt);
    expect(await end.textContent()).toMatch(/\u{a0}UTC$/u);
    // What only a script could do is not there.
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    expect(await page.locator('#ended, #offline').filter({ visible: true }).count()).toBe(0);
    await shop.send(instructions);
    await shop.mine();
    // By itself, within 10 s.
    await page.getByRole('heading', { name: 'Payment seen' }).waitFor();
    await shop.mine(CONFIRMATIONS);
    await page.reload();
    expect(await page.locator('h1').innerText()).toBe('Payment complete');
    expect(await page.content()).not.toContain('http-equiv="refresh"');
  });
});
