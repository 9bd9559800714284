import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser, pageUrl } from '../support/chromium.js';
import { readQr } from '../support/qr-reader.js';
import { type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const USDT = { provider: 'ethereum', method: 'usdt' };

describeInBrowser('what a customer takes along', () => {
  let shop: Shop;
  let application: ShopApplication;
  const tabs = useBrowser(() => shop);

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
  });
  afterAll(async () => shop?.close());

  async function chosen(fields: Record<string, unknown> = {}): Promise<CreatedPayment> {
    const payment = await shop.createPayment(application, fields);
    await chooseMethod(shop, payment, USDT);
    return payment;
  }

  const fold = (page: Page) => page.getByText('Take this payment with you');
  const mail = (page: Page) => page.getByRole('link', { name: 'Email it to yourself' });

  it.each([true, false])('is the address of the payment, JavaScript %s', async (javaScriptEnabled) => {
    const payment = await chosen();
    const page = await tabs.visit(pageUrl(shop, payment), { javaScriptEnabled });
    await fold(page).click();
    const code = page.locator('#page-code');
    await code.waitFor();
    const link = new URL((await mail(page).getAttribute('href')) ?? '');
    expect(link.protocol).toBe('mailto:');
    expect(link.searchParams.get('body')).toBe(payment.checkoutUrl);
    expect(link.searchParams.get('subject')).toContain('Bluebird Coffee');
    // Desks without a sheet to share with have no button for it.
    expect(await page.getByRole('button', { name: 'Share' }).count()).toBe(0);
    if (javaScriptEnabled) expect(await readQr(page, code)).toBe(payment.checkoutUrl);
  });

  it('is copied on a desk, and can be read where nothing can be copied', async () => {
    const payment = await chosen();
    const page = await tabs.visit(pageUrl(shop, payment), {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await fold(page).click();
    expect(await page.locator('#link').innerText()).toBe(payment.checkoutUrl);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(payment.checkoutUrl);
    const { page: still } = await tabs.open({ javaScriptEnabled: false });
    await still.goto(pageUrl(shop, payment));
    await fold(still).click();
    expect(await still.getByRole('button', { name: 'Copy link' }).count()).toBe(0);
    expect(await still.locator('#link').innerText()).toBe(payment.checkoutUrl);
  });

  it('is shared on a phone, which does not scan itself', async () => {
    const payment = await chosen();
    const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const { page } = await tabs.open(options);
    await page.addInitScript(
      'window.shared = []; Navigator.prototype.share = async (what) => { shared.push(what); throw new Error("closed"); }',
    );
    await page.goto(pageUrl(shop, payment));
    await fold(page).tap();
    await page.getByRole('button', { name: 'Share' }).tap();
    expect(await page.evaluate('shared')).toMatchObject([{ url: payment.checkoutUrl }]);
    expect(await page.locator('#page-code').isVisible()).toBe(false);
  });

  it('goes no further than the browser may: who sees the state alone gets no address', async () => {
    const payment = await chosen({
      expiresAt: new Date((shop.gateway.clock.unixSeconds() + 120) * 1000).toISOString(),
    });
    const instructions = await shop.instructions(payment, 'usdt');
    await shop.send(instructions, 1_000_000n);
    await shop.mine();
    const seen = await tabs.visit(pageUrl(shop, payment));
    expect(await fold(seen).count()).toBe(1);
    await shop.wait(121);
    const stranger = await tabs.visit(pageUrl(shop, payment));
    expect(await fold(stranger).count()).toBe(0);
    // The browser looks on by what it keeps, which is not in the address: whoever is sent that sees the state alone.
    await seen.reload();
    const taken =
      new URL((await seen.locator('#fold-take a').getAttribute('href')) ?? '').searchParams.get('body') ?? '';
    const { pathname, search } = new URL(taken);
    const elsewhere = await tabs.visit(`${shop.gateway.baseUrl}${pathname}${search}`);
    expect(await fold(elsewhere).count()).toBe(0);
    expect(await elsewhere.locator('#address').count()).toBe(0);
  });

  it('is proven after pasting: the end of the address, the digits of the amount', async () => {
    const payment = await chosen();
    const { address } = await shop.instructions(payment, 'usdt');
    const page = await tabs.visit(pageUrl(shop, payment), {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const proof = `Copied. Once pasted, it must end in …${address.slice(-4)}`;
    for (const _twice of [1, 2]) {
      await page.locator('#copy-address').click();
      await page.getByRole('status').filter({ hasText: proof }).waitFor();
      expect(await page.locator('.proof').allInnerTexts()).toEqual([proof]);
    }
    await page.locator('#copy-amount').click();
    const digits = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(await page.locator('.proof').first().innerText()).toBe(
      `Copied. Once pasted, it must read ${digits}`,
    );
  });
});
