import { textsOf } from '../../src/platform/kernel/i18n/texts.js';
import { CheckoutStreams } from '../../src/checkout/checkout-streams.service.js';
import { errorPage } from '../../src/checkout/page/error-page.js';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser, pageUrl, type Tab } from '../support/chromium.js';
import { pauseClock } from '../support/page-clock.js';
import { type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const ETH = { provider: 'ethereum', method: 'eth' };
/** What these tests do to the connection is reported to the console. */
const EXPECTED = /^console: Failed to load resource: /;

/** Polls, streams, tabs and clocks: how an open page keeps up with its payment. */
describeInBrowser('an open checkout page', () => {
  let shop: Shop;
  let application: ShopApplication;
  const tabs = useBrowser(() => shop, EXPECTED);

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
  });
  afterAll(() => shop?.close());

  const create = () => shop.createPayment(application);

  /** A tab whose page has no stream, so that it polls; its clock is the test's. */
  async function pollingTab(payment: CreatedPayment): Promise<Tab> {
    const tab = await tabs.open();
    await tab.page.clock.install();
    await tab.page.route('**/events?*', (route) => route.fulfill({ status: 503 }));
    const asked = tab.page.waitForResponse('**/part?*');
    await tab.page.goto(await chooseMethod(shop, payment, ETH));
    await asked;
    await pauseClock(tab.page);
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
    const offline = page.getByText('No connection right now.').first();
    await nextLook(5_000);
    expect(await offline.isVisible()).toBe(false);
    await nextLook(10_000);
    expect(await offline.isVisible()).toBe(true);
    await page.clock.runFor(200);
    expect(await page.getByRole('alert').innerText()).toContain('No connection right now.');
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
  });

  it.each([
    ['en', 'No connection right now. This page keeps trying.', 'You’re back online.'],
    ['de', 'Zurzeit keine Verbindung. Diese Seite versucht es weiter.', 'Die Verbindung ist wieder da.'],
    ['ar', 'لا يوجد اتصال حاليًا. تواصل هذه الصفحة المحاولة.', 'عاد الاتصال.'],
  ])(
    'in %s the page says at once that the browser is offline, and when it is not any more',
    async (locale, gone, back) => {
      const { page } = await tabs.open({ locale });
      await page.goto(await chooseMethod(shop, await create(), ETH));
      await page.context().setOffline(true);
      const offline = page.locator('#offline');
      await offline.waitFor();
      const words = await offline.innerText();
      expect(words).toContain(gone);
      await page.getByRole('alert').filter({ hasText: words }).waitFor();
      // What was copied before can still be paid.
      expect(await page.locator('#address').isVisible()).toBe(true);
      await page.context().setOffline(false);
      await offline.waitFor({ state: 'hidden' });
      await page.getByRole('status').filter({ hasText: back }).waitFor();
      expect(await page.getByRole('alert').textContent()).toBe('');
    },
  );

  it('a payment that was seen meanwhile is said instead of the return of the connection', async () => {
    const payment = await create();
    const page = await tabs.visit(await chooseMethod(shop, payment, ETH));
    await page.context().setOffline(true);
    await page.locator('#offline').waitFor();
    await shop.send(await shop.instructions(payment));
    await shop.mine();
    await page.context().setOffline(false);
    await page.getByRole('status').filter({ hasText: 'Payment seen, being confirmed' }).waitFor();
    expect(await page.locator('#offline').isVisible()).toBe(false);
  });

  it('the page keeps its content while it is rate limited, and then continues', async () => {
    const payment = await create();
    const { page } = await pollingTab(payment);
    const texts = textsOf('en');
    const { status, headers, body } = errorPage(
      texts,
      { status: 429, code: 'too_many_requests', extra: {} },
      { languageLink: () => '?', payment: null },
    );
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
  });

  it('the page polls with If-None-Match and gets 304 while nothing changes', async () => {
    const payment = await create();
    await shop.send(await shop.instructions(payment));
    await shop.mine(3);
    const { page } = await pollingTab(payment);
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
  });

  it('a hidden page gives its stream back, and catches up when it is seen again', async () => {
    const payment = await create();
    const { page } = await tabs.open();
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
  });

  describe('two tabs of one payment', () => {
    it('agree on what has arrived, whatever was chosen in each', async () => {
      const payment = await create();
      const first = await tabs.visit(pageUrl(shop, payment));
      const second = await first.context().newPage();
      await second.goto(pageUrl(shop, payment));
      await second.getByRole('button', { name: /^USDT/ }).click();
      await second.getByRole('heading', { name: 'USDT on Ethereum (ERC-20) test network' }).waitFor();
      // Instructions are never exchanged under the eyes of somebody who is copying them...
      expect(await first.locator('h1').innerText()).toBe('Choose how to pay');
      await first.getByRole('button', { name: /^ETH/ }).click();
      await first.getByRole('heading', { name: 'ETH on Ethereum test network' }).waitFor();
      expect(await second.locator('h1').innerText()).toBe('USDT on Ethereum (ERC-20) test network');
      // ...and the choice made last is shown where the page is opened again.
      await second.reload();
      expect(await second.locator('h1').innerText()).toBe('ETH on Ethereum test network');

      // A tab in the background has no stream: it looks when it is seen.
      await shop.send(await shop.instructions(payment));
      await shop.mine();
      for (const page of [first, second]) {
        await page.bringToFront();
        await page.getByRole('heading', { name: 'Payment seen' }).waitFor();
      }
      await shop.mine(12);
      for (const page of [first, second]) {
        await page.bringToFront();
        await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
      }
    });

    it('accept a payment by the instructions of the tab that chose before', async () => {
      const payment = await create();
      const instructions = await shop.instructions(payment, 'usdt');
      await tabs.visit(await chooseMethod(shop, payment, ETH));
      await shop.send(instructions);
      await shop.mine(12);
      expect(await shop.status(payment)).toBe('CONFIRMED');
    });
  });

  describe('after the device has slept', () => {
    it('a price that has ended meanwhile cannot be paid', async () => {
      const payment = await create();
      const { page } = await tabs.open();
      await page.clock.install();
      await page.goto(await chooseMethod(shop, payment, ETH));
      await page.locator('#address').waitFor();
      await shop.wait(3 * 3_600);
      // Every timer fires at most once: as after a sleep.
      await page.clock.fastForward(3 * 3_600_000);
      await page.locator('#ended').waitFor();
      expect(await page.locator('#address, .qr, .copy, #wallet').count()).toBe(0);
      expect(await page.getByRole('timer').count()).toBe(0);
      expect(await page.locator('.bar strong').innerText()).toBe('This price has expired.');
      expect(await page.title()).toMatch(/^Price expired/);
    });
  });

  it.each([-2, 2])('a clock that is %i hours off changes neither countdown nor times', async (hours) => {
    const payment = await create();
    const { page } = await tabs.open({ timezoneId: 'UTC', locale: 'en' });
    await page.clock.install({ time: shop.gateway.clock.now().getTime() + hours * 3_600_000 });
    await page.goto(await chooseMethod(shop, payment, ETH));
    const timer = page.getByRole('timer');
    expect(await timer.innerText()).toMatch(/^price fixed for (15:00|14:5\d)$/);
    const { expiresAt } = await shop.instructions(payment);
    await page.getByText('Rate and network').click();
    const time = page.locator('#fold-rate time');
    expect(await time.getAttribute('datetime')).toBe(expiresAt);
    const format = { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' } as const;
    const clock = new Date(expiresAt).toLocaleTimeString('en', format).replace(' ', '\u{a0}');
    expect(await time.innerText()).toContain(clock);
    await page.clock.fastForward((14 * 60 + 10) * 1_000);
    expect(await timer.innerText()).toMatch(/^price fixed for 00:\d\d$/);
    expect(await page.locator('#address').isVisible()).toBe(true);
    await page.clock.fastForward(60_000);
    await page.locator('#ended').waitFor();
    expect(await page.locator('#address').count()).toBe(0);
  });
});
