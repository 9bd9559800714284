import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { textsOf } from '../src/platform/i18n/texts.js';
import { CheckoutStreams } from '../src/checkout/checkout-streams.service.js';
import { errorPage } from '../src/checkout/page/error-page.js';
import {
  chooseMethod,
  describeInBrowser,
  foreignRequests,
  launchChromium,
  openTab,
  pageUrl,
  type Tab,
} from './support/chromium.js';
import { readQr } from './support/qr-reader.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

const ETH = { provider: 'ethereum', method: 'eth' };
const USDT = { provider: 'ethereum', method: 'usdt' };
/** Set to a folder, e.g. docs/screenshots, to take the pictures of the documentation again. */
const SCREENSHOT_DIR = process.env['SCREENSHOT_DIR'];

/** Small, touched, dark, without a script, without a mouse, without a network (WCAG 2.2 AA). */
describeInBrowser('accessibility of the checkout page', () => {
  let shop: Shop;
  let application: ShopApplication;
  let browser: Browser;
  /** One payment, and its query, for every screen that a customer may see. */
  const screens: Record<string, [CreatedPayment, Record<string, string>]> = {};
  const tabs: Tab[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    shop = await Shop.open();
    application = await shop.application({ name: 'Bluebird Coffee Roasters', url: 'https://shop.example' });
    await fillScreens();
  });
  afterEach(async () => {
    for (const tab of tabs.splice(0)) {
      expect(tab.incidents).toEqual([]);
      expect(foreignRequests(tab, shop)).toEqual([]);
      await tab.page.context().close();
    }
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  const create = () =>
    shop.createPayment(application, {
      amount: 4_999,
      reference: 'ORDER-1042',
      referenceLabel: 'Two bags of Sidamo',
      redirectUrl: 'https://shop.example/thanks',
    });

  async function pay(
    method: string,
    share: (asked: bigint) => bigint,
    blocks: number,
  ): Promise<CreatedPayment> {
    const payment = await create();
    const instructions = await shop.instructions(payment, method);
    await shop.send(instructions, share(BigInt(instructions.amount.amount)));
    await shop.mine(blocks);
    return payment;
  }

  async function fillScreens(): Promise<void> {
    const whole = (asked: bigint) => asked;
    screens['methods'] = [await create(), {}];
    screens['pay'] = [await create(), USDT];
    screens['coin'] = [await create(), ETH];
    screens['missing'] = [await pay('eth', (asked) => asked / 3n, CONFIRMATIONS), {}];
    screens['paid'] = [await pay('usdt', whole, CONFIRMATIONS), {}];
    screens['overpaid'] = [await pay('eth', (asked) => asked * 2n, CONFIRMATIONS), {}];
    screens['seen-and-short'] = [await pay('eth', (asked) => asked / 7n, 1), {}];
    screens['seen'] = [await pay('usdt', whole, 4), {}];
    const cancelled = await create();
    await shop.call('POST', `/api/payment/${cancelled.id}/cancel`, application.clientToken);
    screens['cancelled'] = [cancelled, {}];
  }

  async function visit(
    name: string,
    options?: BrowserContextOptions,
    more: Record<string, string> = {},
  ): Promise<Page> {
    const [payment, choice] = screens[name] ?? [];
    if (!payment) throw new Error(`no screen ${name}`);
    const tab = await openTab(browser, options);
    tabs.push(tab);
    const url = new URL(
      choice && 'method' in choice
        ? await chooseMethod(shop, payment, choice)
        : pageUrl(shop, payment, choice),
    );
    for (const [parameter, value] of Object.entries(more)) url.searchParams.set(parameter, value);
    await tab.page.goto(url.href);
    return tab.page;
  }

  /** Each screen here, and what the page calls it. */
  const NAMES = [
    ['methods', 'methods'],
    ['pay', 'pay'],
    ['coin', 'pay'],
    ['missing', 'underpaid'],
    ['paid', 'paid'],
    ['overpaid', 'paid'],
    ['seen-and-short', 'found-short'],
    ['seen', 'found'],
    ['cancelled', 'cancelled'],
  ] as const;

  describe.each(NAMES)('the screen "%s"', (name, screen) => {
    it('fits a width of 320 px, and of 640 px at twice the text size', async () => {
      const page = await visit(name, { viewport: { width: 320, height: 640 } });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await page.setViewportSize({ width: 640, height: 640 });
      // The page's own policy refuses styles from elsewhere; a test may still set the property.
      await page.evaluate('document.documentElement.style.fontSize = "200%"');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(640);
    });

    it('fits a width of 320 px in a language that is a third longer, with the menu of languages', async () => {
      const page = await visit(name, { viewport: { width: 320, height: 640 } }, { lang: 'en-XA' });
      await page.locator('#languages summary').click();
      await page.getByRole('link', { name: 'Deutsch' }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    });

    it('has one first-level heading, landmarks, a language, and touch targets of sufficient size', async () => {
      const page = await visit(name, { viewport: { width: 320, height: 640 } });
      expect(await page.locator('main').getAttribute('data-screen')).toBe(screen);
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      expect(await page.locator('main, header, footer').count()).toBe(3);
      const levels = await page
        .locator('h1, h2, h3, h4, h5, h6')
        .evaluateAll((all) => all.map((h) => h.nodeName));
      expect(levels).toEqual(['H1', ...levels.slice(1).map(() => 'H2')]);
      const sizes = await page
        .locator('a:visible, button:visible')
        .evaluateAll((all) =>
          all
            .map((element) => element.getBoundingClientRect())
            .map(({ width, height }) => Math.min(width, height)),
        );
      expect(sizes.length).toBeGreaterThan(0);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24);
    });

    it('is dark when preferred, and its title describes it', async () => {
      const page = await visit(name, { colorScheme: 'dark' });
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(14, 16, 20)');
      expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(238, 240, 244)');
      expect(await page.title()).toMatch(/^[A-Z][a-z ]+ · Two bags of Sidamo · Bluebird Coffee Roasters$/);
    });
  });

  if (SCREENSHOT_DIR !== undefined) {
    it.each([
      ['methods', {}],
      ['pay', {}],
      [
        'pay-phone-dark',
        { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true, colorScheme: 'dark' },
      ],
      ['seen', {}],
      ['missing', {}],
      ['paid', {}],
    ] satisfies [string, BrowserContextOptions][])('renders the screenshot "%s"', async (name, options) => {
      const page = await visit(name.split('-')[0] ?? name, {
        viewport: { width: 860, height: 760 },
        ...options,
      });
      await page.screenshot({ path: path.join(SCREENSHOT_DIR, `checkout-${name}.png`) });
    });
  }

  it('the page animates only without prefers-reduced-motion', async () => {
    const animation = 'getComputedStyle(document.querySelector(".pulse")).animationName';
    const [still, moving] = [
      await visit('pay', { reducedMotion: 'reduce' }),
      await visit('pay', { reducedMotion: 'no-preference' }),
    ];
    expect([await still.evaluate(animation), await moving.evaluate(animation)]).toEqual(['none', 'pulse']);
  });

  it('the page folds the QR code on a phone, below the wallet link, and has it open on a wide screen', async () => {
    const phone = await visit('coin', {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    const code = '#scan > .in > .qr';
    expect(await phone.locator('#wallet').isVisible()).toBe(true);
    expect(await phone.locator(code).isVisible()).toBe(false);
    await phone.getByText('Show QR code').tap();
    const top = async (selector: string) => (await phone.locator(selector).boundingBox())?.y ?? 0;
    expect(await top('#wallet')).toBeLessThan(await top(code));
    const desk = await visit('coin');
    expect(await desk.locator(code).isVisible()).toBe(true);
  });

  it.each([true, false])(
    'the QR code with the amount can be unfolded by keyboard, with JavaScript: %s',
    async (javaScriptEnabled) => {
      const page = await visit('coin', { javaScriptEnabled });
      const { address, amount } = await shop.instructions(screens['coin']?.[0] ?? (await create()));
      const withAmount = page.getByRole('img', {
        name: `QR code: pay ${textsOf('en').money(amount)} to ${address}`,
      });
      expect(await withAmount.isVisible()).toBe(false);
      await page.locator('#with-amount summary').focus();
      await page.keyboard.press('Enter');
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
    expect(await tabTo()).toEqual(['Back to shop.example', ...VISIBLE]);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Pay with USDC on Ethereum' }).waitFor();
    expect(await tabTo()).toEqual(['Change', ...VISIBLE]);
    expect(await tabTo()).toEqual(['Copy', ...VISIBLE]);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'The amount was copied.' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('49.99');
    expect(await tabTo()).toEqual(['Copy', ...VISIBLE]);
    expect(await tabTo()).toEqual(['I pay from an exchange', ...VISIBLE]);
    expect(await tabTo()).toEqual(['Rate, network and token', ...VISIBLE]);
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
    expect(await end.textContent()).toMatch(/ UTC$/);
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

  /** A tab whose page has no stream, so that it polls; its clock is the test's. */
  async function pollingTab(payment: CreatedPayment): Promise<Tab> {
    const tab = await openTab(browser);
    await tab.page.clock.install();
    await tab.page.route('**/events?*', (route) => route.fulfill({ status: 503 }));
    const asked = tab.page.waitForResponse('**/part?*');
    await tab.page.goto(await chooseMethod(shop, payment, ETH));
    await asked;
    await tab.page.clock.pauseAt(await tab.page.evaluate<number>('Date.now() + 100'));
    return tab;
  }
  const asksOf = ({ requests }: Tab) => requests.filter((url) => url.includes('/part?')).length;

  it('the page polls less often while the gateway is down, says so, and recovers', async () => {
    const payment = await create();
    const tab = await pollingTab(payment);
    const { page } = tab;
    await page.route('**/part?*', (route) => route.abort());
    const nextLook = async (ms: number) => {
      const before = asksOf(tab);
      await page.clock.runFor(ms - 1_000);
      expect(asksOf(tab)).toBe(before);
      const failed = page.waitForEvent('requestfailed');
      await page.clock.runFor(1_000);
      await failed;
      // The page takes note of the failure in a microtask of its own.
      await page.evaluate('Promise.resolve()');
    };
    const offline = page.getByText('No connection at the moment.').first();
    await nextLook(5_000);
    expect(await offline.isVisible()).toBe(false);
    await nextLook(10_000);
    expect(await offline.isVisible()).toBe(true);
    await page.clock.runFor(200);
    expect(await page.getByRole('alert').innerText()).toContain('No connection at the moment.');
    for (const ms of [19_800, 40_000, 60_000, 60_000]) await nextLook(ms);

    await page.unroute('**/part?*');
    await page.unroute('**/events?*');
    await shop.send(await shop.instructions(payment));
    await shop.mine();
    // The network is back: no need to wait for the next turn.
    await page.evaluate('dispatchEvent(new Event("online"))');
    await page.getByRole('heading', { name: 'Payment seen' }).waitFor();
    expect(await page.locator('#offline').isVisible()).toBe(false);
    // From now on there is a stream.
    await shop.mine();
    await page.locator('main').filter({ hasText: '2 of 12 confirmations' }).waitFor();
    await page.context().close();
  });

  it('the page says at once that the browser is offline', async () => {
    const { page } = await openTab(browser);
    await page.goto(await chooseMethod(shop, await create(), ETH));
    await page.context().setOffline(true);
    await page.locator('#offline').waitFor();
    await page.context().setOffline(false);
    await page.locator('#offline').waitFor({ state: 'hidden' });
    await page.context().close();
  });

  it('the page keeps its content while it is rate limited, and then continues', async () => {
    const payment = await create();
    const { page } = await pollingTab(payment);
    const texts = textsOf('en');
    const { status, headers, body } = errorPage(texts, { status: 429, code: 'too_many_requests', extra: {} });
    await page.route('**/part?*', (route) => route.fulfill({ status, headers, body }));
    await shop.send(await shop.instructions(payment));
    await shop.mine();
    const refused = page.waitForResponse((response) => response.status() === 429);
    await page.clock.runFor(5_000);
    await refused;
    expect(await page.locator('main').getAttribute('data-screen')).toBe('pay');
    await page.unroute('**/part?*');
    await page.clock.runFor(20_000);
    await page.getByRole('heading', { name: 'Payment seen' }).waitFor();
    await page.context().close();
  });

  it('the page polls with If-None-Match and gets 304 while nothing changes', async () => {
    const tab = await pollingTab(await pay('eth', (asked) => asked, 3));
    const { page } = tab;
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/part?')) statuses.push(response.status());
    });
    for (let look = 0; look < 3; look++) {
      const response = page.waitForResponse('**/part?*');
      await page.clock.runFor(5_000);
      await response;
    }
    expect(statuses).toEqual([304, 304, 304]);
    await page.context().close();
  });

  it('a hidden page gives its stream back, and catches up when it is seen again', async () => {
    const payment = await create();
    const { page } = await openTab(browser);
    await page.goto(await chooseMethod(shop, payment, ETH));
    const streams = shop.gateway.get(CheckoutStreams);
    const until = async (size: number) => {
      while (streams.size !== size) await new Promise((resolve) => setImmediate(resolve));
    };
    const show = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));`);
    await until(1);
    await show(true);
    await until(0);
    await shop.send(await shop.instructions(payment));
    await shop.mine();
    await show(false);
    await page.getByRole('heading', { name: 'Payment seen' }).waitFor();
    await until(1);
    await page.context().close();
  });
});
