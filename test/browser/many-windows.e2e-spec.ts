import { CheckoutStreams } from '../../src/checkout/checkout-streams.service.js';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser, type Tab } from '../support/chromium.js';
import { Shop, type ShopApplication } from '../support/shop.js';

const ETH = { provider: 'ethereum', method: 'eth' };
const WINDOWS = 8;

/** A browser has six connections to a server without HTTP/2, and all of these windows are looked at. */
describeInBrowser('eight windows side by side', () => {
  let shop: Shop;
  let application: ShopApplication;
  const tabs = useBrowser(() => shop);

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
  });
  afterAll(() => shop?.close());

  it('an old browser without BroadcastChannel follows its payment all the same', async () => {
    const { page } = await tabs.open();
    await page.addInitScript('delete globalThis.BroadcastChannel');
    const payment = await shop.createPayment(application);
    await page.goto(await chooseMethod(shop, payment, ETH));
    expect(await page.evaluate('"BroadcastChannel" in globalThis')).toBe(false);
    await shop.send(await shop.instructions(payment));
    await shop.mine();
    await page.getByRole('heading', { name: 'Payment seen' }).waitFor();
  });

  it('all load, at most three have a stream, and each hears of its payment', async () => {
    const first = await tabs.open();
    const context = first.page.context();
    const payment = await shop.createPayment(application);
    const url = await chooseMethod(shop, payment, ETH);
    await first.page.goto(url);
    const pages: Tab['page'][] = [first.page];
    while (pages.length < WINDOWS) {
      const page = await context.newPage();
      await page.goto(url);
      pages.push(page);
    }
    for (const page of pages) expect(await page.evaluate('document.visibilityState')).toBe('visible');
    const streams = shop.gateway.get(CheckoutStreams);
    while (streams.size > 3) await first.page.evaluate('new Promise(requestAnimationFrame)');
    expect(streams.size).toBeGreaterThan(0);
    await shop.send(await shop.instructions(payment));
    await shop.mine();
    // Those without a stream ask within seconds, on connections that are free.
    for (const page of pages) await page.getByRole('heading', { name: 'Payment seen' }).waitFor();
    expect(streams.size).toBeLessThanOrEqual(3);

    // A window with a stream is closed: another one may have it once it looks again.
    await first.page.close();
    await pages[WINDOWS - 1]?.evaluate('dispatchEvent(new Event("online"))');
    while (streams.size < 3) await pages[1]?.evaluate('new Promise(requestAnimationFrame)');
  });
});
