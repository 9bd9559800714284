import type { BrowserContextOptions, Page } from 'playwright-core';
import { receiptExpiry, receiptKeyOf, signReceipt } from '../../src/payments/receipt-url.pure.js';
import { useBrowser } from '../support/browser-tabs.js';
import { describeInBrowser, pageUrl } from '../support/chromium.js';
import { RefundsApi } from '../support/refunds-api.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const YEAR_SECONDS = 366 * 86_400;
const EXPECTED = /^console: Failed to load resource: the server responded with a status of (403|404)/;

interface WithReceipt {
  receiptUrl: string | null;
}

/** Payments on a real chain, and what their receipts say in a real browser. */
describeInBrowser('the receipt', () => {
  let shop: Shop;
  let application: ShopApplication;
  let refunds: RefundsApi;
  const tabs = useBrowser(() => shop, EXPECTED);

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example/' });
    refunds = new RefundsApi(shop, application);
  });
  afterAll(() => shop?.close());

  const served = (url: string) => {
    const { pathname, search } = new URL(url);
    return `${shop.gateway.baseUrl}${pathname}${search}`;
  };
  async function receiptUrlOf(payment: CreatedPayment): Promise<string | null> {
    const { body } = await shop.checkout<WithReceipt>(payment, `payment/${payment.id}`);
    expect((await shop.payment(payment)).receiptUrl).toBe(body.data.receiptUrl);
    return body.data.receiptUrl;
  }
  async function addressOf(payment: CreatedPayment): Promise<string> {
    const url = await receiptUrlOf(payment);
    if (url === null) throw new Error('there is no receipt');
    return served(url);
  }
  /** The link as the gateway would sign it, at any time. */
  function signedLink(id: string, createdAt: Date): string {
    const expires = receiptExpiry(createdAt);
    const signature = signReceipt(
      receiptKeyOf(shop.gateway.config.checkoutSigningKeys[0] ?? ''),
      id,
      expires,
    );
    return `${shop.gateway.baseUrl}/receipt/${id}?expires=${expires}&signature=${signature}`;
  }
  const visit = (url: string, options?: BrowserContextOptions) => tabs.visit(url, options);
  const paid = (fields: Record<string, unknown> = {}, method = 'eth') =>
    refunds.paid(
      { amount: 4_999, reference: 'ORDER-1042', referenceLabel: 'Two bags of Sidamo', ...fields },
      method,
    );
  /** With what is folded. */
  const main = async (page: Page) => {
    const fold = page.locator('#details:not([open]) > summary');
    if ((await fold.count()) > 0) await fold.click();
    return (await page.locator('main').innerText()).replaceAll('\u{a0}', ' ');
  };

  describe('link', () => {
    it('does not exist before the payment is complete, and is the same ever after', async () => {
      const payment = await shop.createPayment(application);
      const instructions = await shop.instructions(payment);
      expect(await receiptUrlOf(payment)).toBeNull();
      await shop.send(instructions);
      await shop.mine();
      expect(await shop.status(payment)).toBe('FOUND');
      expect(await receiptUrlOf(payment)).toBeNull();
      await shop.mine(CONFIRMATIONS);
      const url = await receiptUrlOf(payment);
      expect(url).toMatch(new RegExp(`/receipt/${payment.id}\\?expires=\\d{10}&signature=[0-9a-f]{64}$`));
      shop.gateway.clock.advanceSeconds(60);
      expect(await receiptUrlOf(payment)).toBe(url);
      expect(shop.webhooks(payment).map(({ payment: { receiptUrl } }) => receiptUrl)).toEqual([url, url]);
    });

    const changes: [string, number, (url: URL) => void][] = [
      ['another signature', 403, (url) => url.searchParams.set('signature', '0'.repeat(64))],
      ['no signature', 403, (url) => url.searchParams.delete('signature')],
      ['two signatures', 403, (url) => url.searchParams.append('signature', '0'.repeat(64))],
      ['a later end', 403, (url) => url.searchParams.set('expires', '9999999999')],
      ['another payment', 403, (url) => (url.pathname = url.pathname.replace(/.{4}$/, '0000'))],
      ['no payment id', 404, (url) => (url.pathname = '/receipt/favicon.ico')],
    ];
    it.each(changes)('with %s is refused by a page: %i', async (_name, status, change) => {
      const url = new URL(await addressOf(await paid()));
      change(url);
      const response = await fetch(url);
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const text = await response.text();
      expect(text).toMatch(
        /open the receipt again from the payment page|open it again from the payment page/,
      );
      expect(text).not.toMatch(/Bluebird|ORDER-1042|49\.99/);
    });

    it('does not open the checkout, nor the link of the checkout the receipt', async () => {
      const payment = await paid();
      const [receipt, checkout] = [new URL(await addressOf(payment)), new URL(pageUrl(shop, payment))];
      const swapped = async (path: string, { search }: URL) =>
        (await fetch(`${shop.gateway.baseUrl}${path}${search}`)).status;
      expect(await swapped(receipt.pathname, checkout)).toBe(403);
      expect(await swapped(checkout.pathname, receipt)).toBe(403);
      expect(await swapped(`/api/checkout/payment/${payment.id}`, receipt)).toBe(403);
    });

    it('of a payment that does not exist is a page, too', async () => {
      const id = '0197e4a2-7c1f-7d3e-9a55-2b8f0c6d1e43';
      const response = await fetch(signedLink(id, shop.gateway.clock.now()));
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('Receipt not found');
    });

    it('works long after the checkout has expired, for ten years', async () => {
      const payment = await paid();
      const url = await addressOf(payment);
      const start = shop.gateway.clock.now().getTime();
      shop.gateway.clock.advanceSeconds(9 * YEAR_SECONDS);
      // The link pays no more, and leads here.
      expect(await (await fetch(pageUrl(shop, payment))).text()).toContain('/receipt/');
      expect((await fetch(url)).status).toBe(200);
      shop.gateway.clock.advanceSeconds(YEAR_SECONDS);
      const over = await fetch(url);
      expect(over.status).toBe(403);
      expect(await over.text()).toContain('This receipt has expired');
      shop.gateway.clock.advanceSeconds((start - shop.gateway.clock.now().getTime()) / 1_000);
    });
  });

  it.each([
    ['with JavaScript', {}],
    ['without JavaScript', { javaScriptEnabled: false }],
  ])(
    'is linked on the paid page and states price, coin, network, transaction and rate, %s',
    async (_name, options) => {
      const payment = await paid();
      const checkout = await visit(pageUrl(shop, payment), options);
      const opened = checkout.context().waitForEvent('page');
      await checkout.getByRole('link', { name: 'Show the receipt' }).click();
      const page = await opened;
      await page.waitForLoadState();
      expect(page.url()).toBe(await addressOf(payment));
      expect(await page.title()).toBe('Receipt · Two bags of Sidamo · Bluebird Coffee');
      expect(await page.locator('h1').innerText()).toBe('Paid');
      expect(await page.locator('main').getAttribute('data-state')).toBe('final');
      const { transactions } = await shop.payment(payment);
      const text = await main(page);
      for (const part of [
        'Bluebird Coffee',
        'shop.example',
        'ORDER-1042',
        payment.id,
        '$49.99',
        '0.024995 ETH',
        transactions[0]?.txHash ?? 'none',
        'Ethereum test network',
        '12; the shop requires 12',
        '1 ETH = 2,000 USD, fixed before the payment',
        'Kraken: 1 ETH = ',
        'Coinbase: 1 ETH = ',
        'The rate is the middle of the prices at Kraken and Coinbase.',
      ])
        expect(text).toContain(part);
      expect(text).not.toContain('Refunds');
      expect(
        await page.locator('script').evaluateAll((all) => all.filter((one) => one.textContent !== '')),
      ).toEqual([]);
    },
  );

  it('names every payment of several, one late and one that does not count', async () => {
    const payment = await shop.createPayment(application);
    const instructions = await shop.instructions(payment);
    await shop.send(instructions, BigInt(instructions.amount.atomic) / 2n);
    await shop.mine(CONFIRMATIONS);
    const rest = await shop.instructions(payment, 'usdt');
    await shop.send(rest, BigInt(rest.remainingAmount.atomic));
    await shop.mine(CONFIRMATIONS);
    const text = await main(await visit(await addressOf(payment)));
    expect(text).toContain('50 USDT');
    expect(text).toContain('0.025 ETH');
    expect(text).toContain('1 ETH = 2,000 USD');
    expect(text).toContain('1 USDT = 1 USD');
  });

  it('says what was sent back, in part and in whole', async () => {
    const payment = await paid();
    const url = await addressOf(payment);
    const part = await refunds.create(payment, {
      amount: 1_000,
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
    });
    expect(await main(await visit(url))).not.toContain('Refunds');
    const hash = await refunds.payOut(part);
    await refunds.complete(part, hash);
    await shop.settle();
    expect(await main(await visit(url))).toContain('Sent, not confirmed yet');
    await refunds.confirm();
    const page = await visit(url);
    expect(await page.locator('#verdict').innerText()).toMatch(
      /is final.*\$10\.00 of it has been sent back/s,
    );
    expect(await main(page)).toContain(hash);
    expect(await main(page)).not.toContain(part.address);

    await refunds.settleRefund(
      await refunds.create(payment, { address: '0x52908400098527886E0F7030069857D2E4169EE7' }),
    );
    expect(await shop.status(payment)).toBe('REFUND');
    const whole = await visit(url);
    expect(await whole.locator('h1').innerText()).toBe('Refunded');
    expect(await main(whole)).toContain('$49.99');
    expect(await addressOf(payment)).toBe(url);
  });

  it('does not claim what a reorganization took back', async () => {
    shop.merchant.always({ status: 500 });
    const payment = await paid();
    const url = await addressOf(payment);
    expect(await shop.status(payment)).toBe('RECEIVED');
    shop.merchant.always({ status: 200 });
    await shop.chain.reorg(CONFIRMATIONS);
    await shop.mine(2);
    expect(await shop.status(payment)).toBe('OPEN');
    expect(await receiptUrlOf(payment)).toBeNull();
    const page = await visit(url);
    expect(await page.locator('h1').innerText()).toBe('Not paid');
    expect(await page.locator('#verdict').innerText()).toContain('isn’t proof of payment');
    expect(await main(page)).toContain('Taken back by the network: doesn’t count');
  });

  it('warns while the payment is not yet final', async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    await shop.mine(3);
    const { date } = await shop.payment(payment);
    const page = await visit(signedLink(payment.id, new Date(date)));
    expect(await page.locator('h1').innerText()).toBe('Not final yet');
    expect(await main(page)).toContain('3; the shop requires 12');
  });

  it.each([
    `</title></main></script><img src=x onerror="alert('x')">`,
    '<a href="javascript:alert(1)" autofocus onfocus=alert(1)>x</a>',
    '"><svg onload=alert(1)>',
    '${alert(1)} {{alert(1)}} {shop} $& $`',
    `‮${'w'.repeat(200)}`,
  ])('shows a shop named %s and its references as text', async (evil) => {
    const site = await shop.application({ name: evil.slice(0, 200) });
    const payment = await shop.createPayment(site, { reference: evil, referenceLabel: evil });
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    const page = await visit(await addressOf(payment), { viewport: { width: 320, height: 640 } });
    expect(await page.locator('.shop').textContent()).toBe(evil.slice(0, 200));
    expect(await page.locator('main').textContent()).toContain(evil);
    expect(
      await page
        .locator(
          'img, iframe, script:not([src^="../checkout/assets/receipt."]), main svg[onload], [autofocus]',
        )
        .count(),
    ).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  it('cannot be framed, stored or indexed, and sends no referrer', async () => {
    const { headers } = await fetch(await addressOf(await paid()));
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  /** Leaves of the page tree; Chromium does not compress them. */
  const sheetsOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
  const inLines = (selector: string) =>
    `[...document.querySelectorAll('${selector}')].map((one) => new Set([...one.getClientRects()].map(({ top }) => Math.round(top))).size)`;

  it.each(['receipt', 'paid page'])(
    'prints a %s on one sheet, with unbroken hash and amounts',
    async (what) => {
      const payment = await paid();
      const page = await visit(what === 'receipt' ? await addressOf(payment) : pageUrl(shop, payment));
      const pdf = await page.pdf({ format: 'A4' });
      expect(sheetsOf(pdf)).toBe(1);
      // As wide as A4 without its margins.
      await page.setViewportSize({ width: 718, height: 1_000 });
      await page.emulateMedia({ media: 'print' });
      if (what === 'receipt') await page.evaluate('dispatchEvent(new Event("beforeprint"))');
      const text = await page.locator('body').innerText();
      const { transactions } = await shop.payment(payment);
      for (const words of ['Bluebird Coffee', 'ORDER-1042', '$49.99', transactions[0]?.txHash ?? 'none'])
        expect(text).toContain(words);
      const lines = await page.evaluate<number[]>(inLines('main code, main .number'));
      expect([...new Set(lines.filter((count) => count > 0))]).toEqual([1]);
      expect(
        await page.locator('button:visible, .button:visible, summary:visible, .languages:visible').count(),
      ).toBe(0);
      // Where the receipt is, for whoever has only the paper.
      if (what === 'paid page')
        expect(
          await page.evaluate('getComputedStyle(document.getElementById("receipt"), "::after").content'),
        ).toContain(`/receipt/${payment.id}?`);
    },
  );

  it('prints black on white, without buttons', async () => {
    const page = await visit(await addressOf(await paid()), { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
    expect(await page.locator('.button:visible, .copy:visible').count()).toBe(0);
  });
});
