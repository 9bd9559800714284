import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { webAsset } from '../../src/platform/web/html/web-asset.js';
import {
  chooseMethod,
  describeInBrowser,
  launchChromium,
  openTab,
  pageUrl,
  type Tab,
} from '../support/chromium.js';
import { layoutFaults } from '../support/page-layout.js';
import { readQr } from '../support/qr-reader.js';
import { type CreatedPayment, CONFIRMATIONS, Shop, type ShopApplication } from '../support/shop.js';
import { freePort } from '../support/free-port.js';

/** The website of a shop, on a port, and therefore an origin, of its own. */
interface Website {
  origin: string;
  stop(): Promise<void>;
}

/** A strict policy, so that the script has to work under one. */
const POLICY = (gateway: string) =>
  `default-src 'none'; img-src data:; script-src 'nonce-shop' ${gateway}; style-src 'self'; frame-src ${gateway}; connect-src 'self'`;

async function serve(gateway: string): Promise<Website> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost').searchParams.get('checkout') ?? '';
    const address = url.replaceAll('&', '&amp;');
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': POLICY(gateway) });
    response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<body><main><h1>Shop</h1><p><a id="pay" href="${address}" data-checkout-url>Pay</a> <button id="other">Other</button></p>
<div hidden id="height"></div></main>
<script src="${gateway}/checkout/embed.js"></script>
<script nonce="shop">
window.heard = [];
addEventListener('checkout.status', ({ detail }) => heard.push(detail.status));
addEventListener('checkout.close', () => heard.push('closed'));
addEventListener('message', ({ origin, data }) => heard.push(origin + ' ' + data.type));
</script>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

it('the script has at most 2 kB', () => {
  expect(gzipSync(webAsset('embed.js'), { level: 9 }).length).toBeLessThan(2_000);
});

describeInBrowser('a checkout on the page of a shop', () => {
  let shop: Shop;
  let website: Website;
  let foreign: Website;
  let application: ShopApplication;
  let browser: Browser;
  let tab: Tab;
  let payment: CreatedPayment;

  beforeAll(async () => {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    [shop, browser] = await Promise.all([
      Shop.open({ PORT: String(port), BASE_URL: baseUrl }),
      launchChromium(),
    ]);
    [website, foreign] = await Promise.all([serve(shop.gateway.baseUrl), serve(shop.gateway.baseUrl)]);
    application = await shop.application({ url: `${website.origin}/shop` });
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([website?.stop(), foreign?.stop()]);
    await shop?.close();
  });
  beforeEach(async () => {
    tab = await openTab(browser);
    payment = await shop.createPayment(application);
  });
  afterEach(() => tab.page.context().close());

  const checkout = () => pageUrl(shop, payment);
  const visit = async (site: Website, url = checkout()): Promise<Page> => {
    await tab.page.goto(`${site.origin}/?checkout=${encodeURIComponent(url)}`);
    return tab.page;
  };
  const openByButton = async (): Promise<{ page: Page; frame: FrameLocator }> => {
    const page = await visit(website);
    await page.locator('#pay').click();
    const frame = page.frameLocator('iframe');
    await frame.locator('main h1').waitFor();
    return { page, frame };
  };
  const heard = () => tab.page.evaluate('heard') as Promise<string[]>;
  const eventually = async (wanted: string) => {
    // waitForFunction() would need `unsafe-eval`.
    while (!(await heard()).includes(wanted)) await setTimeout(50);
  };
  const isOpen = () => tab.page.locator('dialog').count();

  it('the script is for every site, and may be cached', async () => {
    const url = `${shop.gateway.baseUrl}/checkout/embed.js`;
    const { status, headers } = await fetch(url);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': expect.stringMatching(/^text\/javascript/) as string,
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const etag = headers.get('etag') ?? '';
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('shows a code that can be read in the dialog, where it is the way to pay from a phone', async () => {
    await chooseMethod(shop, payment, { provider: 'ethereum', method: 'eth' });
    const { page, frame } = await openByButton();
    const blank = await tab.page.context().newPage();
    const address = await frame.locator('#address').textContent();
    expect(await readQr(blank, frame.locator('.qr').first())).toBe(address);
    const [, checkoutFrame] = page.frames();
    expect(checkoutFrame && (await layoutFaults(checkoutFrame))).toEqual([]);
  });

  it('opens in a modal dialog with names, keeps the focus, and hides the scroll bar of the page', async () => {
    const { page } = await openByButton();
    expect(await page.locator('dialog').getAttribute('aria-label')).toBe('Checkout');
    expect(await page.locator('dialog iframe').getAttribute('title')).toBe('Checkout');
    expect(await page.evaluate('document.querySelector("dialog").matches(":modal")')).toBe(true);
    expect(await page.evaluate('document.documentElement.style.overflow')).toBe('hidden');
    expect(await page.evaluate('document.querySelector("dialog").contains(document.activeElement)')).toBe(
      true,
    );
    await page.evaluate('document.getElementById("other").focus()');
    expect(await page.evaluate('document.activeElement.id')).not.toBe('other');
    expect(tab.incidents).toEqual([]);
  });

  it('tells the status when it opens and whenever it changes', async () => {
    const { frame } = await openByButton();
    await eventually('OPEN');
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    await shop.settle();
    await frame.locator('main[data-status="CONFIRMED"], main[data-status="RECEIVED"]').waitFor();
    await eventually(await shop.status(payment));
    const messages = (await heard()).filter((text) => text.startsWith('http'));
    expect(new Set(messages)).toEqual(new Set([`${shop.gateway.baseUrl} checkout.status`]));
  });

  it.each([
    [
      'Escape in the checkout',
      async (page: Page) => {
        await page.frameLocator('iframe').locator('main h1').focus();
        await page.keyboard.press('Escape');
      },
    ],
    [
      'Escape on the page',
      async (page: Page) => {
        await page.locator('dialog button').focus();
        await page.keyboard.press('Escape');
      },
    ],
    ['the button', (page: Page) => page.getByRole('button', { name: 'Close' }).click()],
  ])('%s closes it, and the focus is where it was', async (_what, close) => {
    const { page } = await openByButton();
    await close(page);
    await eventually('closed');
    expect(await isOpen()).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('pay');
    expect(await page.evaluate('document.documentElement.style.overflow')).toBe('');
    await page.locator('#pay').click();
    await page.frameLocator('iframe').locator('main h1').waitFor();
  });

  it('opens by a call, with callbacks', async () => {
    const page = await visit(website);
    await page.evaluate(`Gateway.open(${JSON.stringify(checkout())}, {
      onStatus: ({ paymentId, status }) => heard.push(paymentId + ' is ' + status),
      onClose: () => heard.push('called back'), title: 'Pay', closeLabel: 'Later',
    }) && 0`);
    await eventually(`${payment.id} is OPEN`);
    expect(
      await page.evaluate(
        `(() => { try { Gateway.open(${JSON.stringify(checkout())}) } catch (error) { return error.message } })()`,
      ),
    ).toBe('A checkout is open already.');
    await page.getByRole('button', { name: 'Later' }).click();
    await eventually('called back');
  });

  it.each([
    ['another site', () => `${foreign.origin}/checkout/x`],
    ['another page of the gateway', () => `${shop.gateway.baseUrl}/api/docs`],
    ['a script', () => 'javascript:alert(1)'],
    ['an address that begins the same', () => `${shop.gateway.baseUrl}.evil.example/checkout/x`],
  ])('does not open %s', async (_what, address) => {
    const page = await visit(website);
    const message = await page.evaluate(
      `(() => { try { Gateway.open(${JSON.stringify(address())}) } catch (error) { return error.message } })()`,
    );
    expect(message).toMatch(/^(Not a checkout of|.*Invalid URL)/);
    expect(await isOpen()).toBe(0);
  });

  it('believes no message of anybody else', async () => {
    const { page } = await openByButton();
    await eventually('OPEN');
    await page.evaluate(`postMessage({ type: 'checkout.status', paymentId: 'x', status: 'CONFIRMED' }, '*')`);
    await page.evaluate(`postMessage({ type: 'checkout.close' }, '*')`);
    await eventually(`${website.origin} checkout.close`);
    expect(await heard()).not.toContain('CONFIRMED');
    expect(await isOpen()).toBe(1);
  });

  it('a page on another site is refused the frame, gets no message, and goes to the checkout itself', async () => {
    const page = await visit(foreign);
    const failed = page.waitForEvent('requestfailed');
    await page.locator('#pay').click();
    expect((await failed).failure()?.errorText).toBe('net::ERR_BLOCKED_BY_RESPONSE');
    expect(await heard()).toEqual([]);
    await page.waitForURL(checkout());
    expect(await page.locator('main h1').count()).toBe(1);
  });

  it('a frame may open a wallet in place of the page, after a click', async () => {
    const { page, frame } = await openByButton();
    const inner = page.frames().find((one) => one.url().startsWith(shop.gateway.baseUrl));
    await inner?.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
      '<a id="elsewhere" target="_top" href="${website.origin}/?wallet">Wallet</a>')`);
    await frame.locator('#elsewhere').click();
    await page.waitForURL(/\?wallet$/);
  });

  it('without animation for whoever wants none', async () => {
    await tab.page.emulateMedia({ reducedMotion: 'reduce' });
    const { page } = await openByButton();
    expect(await page.evaluate('document.querySelector("dialog").getAnimations().length')).toBe(0);
  });
});
