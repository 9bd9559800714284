import type { Page } from 'playwright-core';
import { ChainHealthService } from '../../src/chains/chain-health.service.js';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser, pageUrl } from '../support/chromium.js';
import { type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const ETH = { provider: 'ethereum', method: 'eth' };
const USDT = { provider: 'ethereum', method: 'usdt' };
const PHONE = { viewport: { width: 390, height: 844 } };

describeInBrowser('the pay screen', () => {
  let shop: Shop;
  let application: ShopApplication;
  const tabs = useBrowser(() => shop);

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
  });
  afterAll(async () => shop?.close());

  async function choose(choice: Record<string, string>): Promise<CreatedPayment> {
    const payment = await shop.createPayment(application);
    await chooseMethod(shop, payment, choice);
    return payment;
  }

  describe('on a phone', () => {
    it.each([
      ['ETH', ETH],
      ['USDT', USDT],
    ])('%s: clock, amount, code and address are on the first screen', async (_coin, choice) => {
      const page = await tabs.visit(pageUrl(shop, await choose(choice)), PHONE);
      for (const part of ['[role=timer]', '#amount', '#address', '#copy-amount', '#copy-address', '.qr']) {
        const box = await page.locator(part).first().boundingBox();
        expect((box?.y ?? 1_000) + (box?.height ?? 0)).toBeLessThan(844);
      }
      expect(await page.locator('.qr').filter({ visible: true }).count()).toBe(1);
      expect(await page.locator('[role=timer]').innerText()).toMatch(/^price fixed for 1[45]:\d\d$/);
    });

    it('the bar of the status stays in view', async () => {
      const page = await tabs.visit(pageUrl(shop, await choose(ETH)), {
        viewport: { width: 390, height: 500 },
      });
      await page.locator('#back').scrollIntoViewIfNeeded();
      await page.evaluate('scrollTo(0, 300)');
      expect((await page.locator('.bar').boundingBox())?.y).toBeCloseTo(0);
    });

    it.each([
      ['en', 'ltr'],
      ['en-XA', 'ltr'],
      ['en', 'rtl'],
    ])('nothing is wider than 320 px in %s, %s', async (lang, direction) => {
      const page = await tabs.visit(pageUrl(shop, await choose(ETH), { lang }), {
        viewport: { width: 320, height: 640 },
      });
      await page.evaluate(`document.documentElement.dir = '${direction}'`);
      await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
      expect(await page.locator('.qr').count()).toBe(2);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    });
  });

  it('has the code open on a wide screen, also without JavaScript, and no dead button', async () => {
    const page = await tabs.visit(pageUrl(shop, await choose(USDT)), { javaScriptEnabled: false });
    expect(await page.locator('.qr').first().isVisible()).toBe(true);
    expect(await page.locator('.copy:visible, #wallets:visible, #ended:visible').count()).toBe(0);
    expect(await page.locator('[role=timer]').innerText()).toMatch(/^price fixed until .*\sUTC$/);
  });

  it('shows times in the zone of the customer', async () => {
    const page = await tabs.visit(pageUrl(shop, await choose(ETH)), {
      timezoneId: 'Asia/Tokyo',
      locale: 'en',
    });
    await page.getByText('Rate and network').click();
    expect(await page.locator('#fold-rate time').innerText()).toMatch(/GMT\+9$/);
  });

  it('tells before anything is sent that the network is in trouble, and when it has passed', async () => {
    const payment = await choose(ETH);
    const health = shop.gateway.get(ChainHealthService);
    await health.sawTrouble('ethereum', 'gone', null);
    await shop.wait(61);
    const page = await tabs.visit(pageUrl(shop, payment));
    expect(await page.locator('#trouble').innerText()).toMatch(/having trouble seeing the .*see it late/s);
    expect(await page.locator('#address').count()).toBe(1);
    await shop.watch();
    await page.reload();
    expect(await page.locator('#trouble').count()).toBe(0);
  });

  it('without JavaScript, an ended price is not renewed by itself', async () => {
    const payment = await choose(ETH);
    await shop.wait(1_000);
    const page = await tabs.visit(pageUrl(shop, payment), { javaScriptEnabled: false });
    expect(await page.locator('main').innerText()).toContain('This price has expired.');
    expect(await page.locator('#address, .qr, .copy, #wallet, #wallets').count()).toBe(0);
    await page.reload();
    expect(await page.locator('#address').count()).toBe(0);
    await page.getByRole('button', { name: 'Show the current price' }).click();
    expect(await page.locator('#address').count()).toBe(1);
    expect(await page.locator('#ended:visible').count()).toBe(0);
  });

  it('becomes the screen of an ended price by its script as by the server, in all that it states', async () => {
    const payment = await choose(ETH);
    const health = shop.gateway.get(ChainHealthService);
    await health.sawTrouble('ethereum', 'gone', null);
    await shop.wait(61);
    const stated = async (page: Page) => ({
      title: await page.title(),
      kept: await page.locator('main').getAttribute('data-title'),
      screen: await page.locator('main').getAttribute('data-screen'),
      bar: await page.locator('.bar').getAttribute('class'),
      // The times of the two differ.
      words: (await page.locator('main').innerText()).replaceAll(/\d+:\d+/g, ''),
    });
    const { page } = await tabs.open();
    await page.clock.install();
    await page.goto(pageUrl(shop, payment));
    await page.clock.fastForward(1_000_000);
    await page.locator('#ended').waitFor();
    const byScript = await stated(page);
    await shop.wait(1_000);
    const byServer = await stated(await tabs.visit(pageUrl(shop, payment)));
    await shop.watch();
    expect(byServer).toMatchObject({
      screen: 'price-ended',
      title: expect.stringMatching(/^Price expired · /) as string,
    });
    expect(byServer.words).toContain('having trouble seeing');
    expect(byScript).toEqual(byServer);
  });

  it.each<[what: string, choice: Record<string, string>, isTouch: boolean, isShown: boolean]>([
    ['a coin on a phone', ETH, true, true],
    ['a coin on a desk', ETH, false, false],
    ['a token on a phone', USDT, true, false],
  ])('offers to open a wallet only where something can: %s', async (_what, choice, isTouch, isShown) => {
    const options = isTouch ? { ...PHONE, hasTouch: true, isMobile: true } : {};
    for (const javaScriptEnabled of [true, false]) {
      const page = await tabs.visit(pageUrl(shop, await choose(choice)), { ...options, javaScriptEnabled });
      expect(await page.locator('#wallet:visible').count()).toBe(isShown ? 1 : 0);
    }
  });

  it('says how to go on when nothing has opened', async () => {
    const { page } = await tabs.open({ ...PHONE, hasTouch: true, isMobile: true });
    await page.clock.install();
    await page.goto(pageUrl(shop, await choose(ETH)));
    const note = page.getByText('Nothing opened?');
    expect(await note.isVisible()).toBe(false);
    // Not the link itself: a browser would look for a program.
    await page.evaluate(
      "document.getElementById('wallet').addEventListener('click', (event) => event.preventDefault())",
    );
    await page.locator('#wallet').tap();
    await page.clock.fastForward(1_500);
    await note.waitFor();
  });
});
