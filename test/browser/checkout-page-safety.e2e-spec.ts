import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { ChainHealthService } from '../../src/chains/chain-health.service.js';
import { PaymentsService } from '../../src/payments/payments.service.js';
import { DepositAddressesService } from '../../src/wallets/deposit-addresses.service.js';
import { AddressIntegrityError } from '../../src/wallets/integrity-errors.pure.js';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser, pageUrl } from '../support/chromium.js';
import { sealPlanted } from '../support/seal-planted.js';
import { type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const ETH = { provider: 'ethereum', method: 'eth' };
/** A failed answer to a page shows up in the console; it is no incident here. */
const EXPECTED = /^console: Failed to load resource: the server responded with a status of (403|404|500)/;

/** What breaks out of text, attributes, titles, scripts and templates, if anything does. */
const PAYLOADS = [
  '<script>alert(1)</script>',
  '"><script>alert(1)</script>',
  "'><img src=x onerror=alert(1)>",
  '</title><script>alert(1)</script>',
  '</main></div><svg onload=alert(1)>',
  '</script><script>alert(1)</script>',
  '--><img src=x onerror=alert(1)><!--',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<base href="https://evil.example/">',
  '<a href="javascript:alert(1)" autofocus onfocus=alert(1)>x</a>',
  '<details open ontoggle=alert(1)>',
  '" data-part="https://evil.example/" x="',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '${alert(1)} {{alert(1)}} $& $`',
  '\u202Etxt.exe \u2066\u2067 \u0001\u0008',
  `x${'Ж'.repeat(250)}`,
  'w'.repeat(250),
];

describeInBrowser('safety of the checkout page', () => {
  let shop: Shop;
  let application: ShopApplication;
  const tabs = useBrowser(() => shop, EXPECTED);

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example/cart' });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => shop?.close());

  const create = (fields: Record<string, unknown> = {}) => shop.createPayment(application, fields);
  const visit = (url: string, options?: BrowserContextOptions) => tabs.visit(url, options);
  const visitPayment = async (payment: CreatedPayment, choice?: Record<string, string>) =>
    visit(choice ? await chooseMethod(shop, payment, choice) : pageUrl(shop, payment));

  describe('merchant texts that contain HTML', () => {
    const cases: [string, number, string, (url: URL) => void][] = [
      ['another signature', 403, 'isn’t valid', (url) => url.searchParams.set('signature', '0'.repeat(64))],
      ['no signature', 403, 'isn’t valid', (url) => url.searchParams.delete('signature')],
      ['two signatures', 403, 'isn’t valid', (url) => url.searchParams.append('signature', '0'.repeat(64))],
      ['a later expiry', 403, 'isn’t valid', (url) => url.searchParams.set('expires', '9999999999')],
      [
        'an upper-case id',
        403,
        'isn’t valid',
        (url) => (url.pathname = url.pathname.toUpperCase().replace('CHECKOUT', 'checkout')),
      ],
      [
        'another payment',
        403,
        'isn’t valid',
        (url) => (url.pathname = url.pathname.replace(/.{4}$/, '0000')),
      ],
      ['no payment id', 404, 'not found', (url) => (url.pathname = '/checkout/favicon.ico')],
    ];
    it.each(cases)('%s: %i', async (_name, status, words, change) => {
      const url = new URL(pageUrl(shop, await create()));
      change(url);
      const response = await fetch(url);
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; .*frame-ancestors 'none'$/,
      );
      const page = await visit(url.href);
      expect(await page.locator('h1').innerText()).toMatch(words);
      expect(await page.locator('main').innerText()).toContain('go back to the shop');
      // Nothing of the payment without its signature.
      expect(await page.content()).not.toMatch(/Bluebird|ORDER-1|100\.00|shop\.example/);
    });

    it('a link that has expired, also while the page is open', async () => {
      const payment = await create({
        expiresAt: new Date(shop.gateway.clock.now().getTime() + 60_000).toISOString(),
      });
      const tab = await tabs.open();
      await tab.page.clock.install();
      await tab.page.goto(await chooseMethod(shop, payment, ETH));
      shop.gateway.clock.advanceSeconds(61);
      await shop.tell();
      await tab.page.getByRole('heading', { name: 'This payment link has expired' }).waitFor();
      const response = await tab.page.reload();
      expect(response?.status()).toBe(403);
      const text = await tab.page.locator('main').innerText();
      expect(text).toContain('This payment link has expired');
      expect(text).toContain('ORDER-1');
      expect(await tab.page.locator('#back').getAttribute('href')).toBe('https://shop.example/cart');
      expect(await tab.page.locator('#address').count()).toBe(0);
    });

    it('a failure after the page was shown: it names the shop, the reference and the way back', async () => {
      const payment = await create();
      await visitPayment(payment);
      jest.spyOn(shop.gateway.get(PaymentsService), 'get').mockRejectedValue(new Error('secret internals'));
      const page = await visitPayment(payment);
      expect(await page.locator('h1').innerText()).toBe('This page isn’t working right now');
      expect(await page.locator('header').innerText()).toContain('Bluebird');
      expect(await page.locator('main').innerText()).toContain('ORDER-1');
      expect(await page.locator('#back').getAttribute('href')).toContain('https://shop.example/');
      // Not behind a link that is not signed.
      const forged = new URL(pageUrl(shop, payment));
      forged.searchParams.set('signature', '0'.repeat(64));
      expect(await (await visit(forged.href)).content()).not.toMatch(/Bluebird|ORDER-1|shop\.example/);
    });

    it('a payment that the gateway no longer has', async () => {
      jest.spyOn(shop.gateway.get(PaymentsService), 'get').mockRejectedValue(new Error('secret internals'));
      const page = await visitPayment(await create());
      expect(await page.locator('h1').innerText()).toBe('This page isn’t working right now');
      expect(await page.content()).not.toContain('secret internals');
    });
  });

  describe('a failing payment method', () => {
    it.each([
      ['an unknown method', { provider: 'ethereum', method: 'doge' }, 'You can’t pay that way.'],
      ['an unknown network', { provider: 'nowhere', method: 'eth' }, 'You can’t pay that way.'],
      ['a choice without a coin', { provider: 'ethereum' }, 'Please choose one of these ways to pay.'],
      [
        'a method that the shop does not take',
        { provider: 'ethereum', method: 'usdc' },
        'You can’t pay that way.',
      ],
    ])('%s', async (_name, choice, words) => {
      const picky = await shop.application({ currencyWhitelist: ['ETH', 'USDT'] });
      const page = await visitPayment(await shop.createPayment(picky), choice);
      expect(await page.locator('main').innerText()).toContain(words);
      expect(await page.locator('.choice').count()).toBe(2);
    });

    it('without a rate, methods that need none are offered and the others show the reason', async () => {
      for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'down');
      shop.gateway.clock.advanceSeconds(1_200);
      const payment = await create({ currencyCode: 'ETH', amount: 50_000_000_000_000_000n });
      const page = await visitPayment(payment, { provider: 'ethereum', method: 'usdt' });
      expect(await page.locator('.note').innerText()).toMatch(
        /^USDT on Ethereum \(ERC-20\) test network isn’t available right now\. There’s no exchange rate/,
      );
      const off = page.locator('.off');
      expect(await off.filter({ visible: true }).count()).toBe(0);
      await page.getByText('2 coins aren’t available right now').click();
      expect(await off.allInnerTexts()).toEqual([
        expect.stringMatching(/USDT Tether USD\s+There’s no exchange rate right now\.$/),
        expect.stringMatching(/USDC USD Coin\s+There’s no exchange rate right now\.$/),
      ]);
      await page.getByRole('button', { name: /^ETH/ }).click();
      expect(await page.locator('#amount').innerText()).toBe('0.05\u{a0}ETH');
      for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'ok');
      shop.gateway.clock.advanceSeconds(60);
    });

    it('without a node, is offered again once the node is back', async () => {
      await shop.gateway.get(ChainHealthService).sawTrouble('ethereum', 'gone', null);
      const payment = await create();
      const page = await visitPayment(payment, ETH);
      expect(await page.locator('main').innerText()).toContain('There’s no way to pay right now.');
      expect(await page.locator('.off').first().innerText()).toContain(
        'We can’t reach the network right now',
      );
      await shop.watch();
      await page.getByRole('link', { name: 'Try again' }).click();
      expect(await page.locator('.choice').count()).toBe(3);
    });

    it('without a wallet is not offered', async () => {
      jest.spyOn(shop.gateway.get(DepositAddressesService), 'hasWallet').mockResolvedValue(false);
      const page = await visitPayment(await create(), ETH);
      expect(await page.locator('.off').first().innerText()).toContain('The shop hasn’t set this up yet');
    });

    it('an address that does not belong to its wallet is never shown', async () => {
      jest
        .spyOn(shop.gateway.get(DepositAddressesService), 'allocate')
        .mockRejectedValue(new AddressIntegrityError('changed'));
      const page = await visitPayment(await create(), ETH);
      expect(await page.locator('h1').innerText()).toBe('This payment can’t continue');
      expect(await page.content()).not.toContain('0x');
    });
  });

  describe('headers', () => {
    const STRICT =
      /^default-src 'none'; script-src 'self'; style-src 'nonce-([\w-]{22})'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors (\S+)$/;

    it.each([
      ['the list', {} as Record<string, string>],
      ['instructions', ETH],
    ])('of %s', async (_name, choice) => {
      const payment = await create();
      const url = 'method' in choice ? await chooseMethod(shop, payment, choice) : pageUrl(shop, payment);
      const [first, second] = [await fetch(url), await fetch(url)];
      expect(first.status).toBe(200);
      expect(Object.fromEntries(first.headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'content-type': 'text/html; charset=utf-8',
      });
      expect(first.headers.has('x-frame-options')).toBe(false);
      const [csp, again] = [first, second].map(({ headers }) =>
        STRICT.exec(headers.get('content-security-policy') ?? ''),
      );
      expect(csp?.[2]).toBe('https://shop.example');
      // A nonce that comes twice is none.
      expect(again?.[1]).not.toBe(csp?.[1]);
    });

    it("only the shop's own website can frame the page", async () => {
      const [own, other] = [await serveFrames(), await serveFrames()];
      const framing = await shop.application({ url: `${own.origin}/shop` });
      const url = await chooseMethod(shop, await shop.createPayment(framing), ETH);
      const unframed = await shop.createPayment(await shop.application({ url: null }));
      const frameless = await chooseMethod(shop, unframed, ETH);
      const tab = await tabs.openUnchecked();
      const show = (origin: string, address: string) =>
        Promise.race([
          tab.page.waitForEvent('requestfailed').then((request) => request.failure()?.errorText),
          tab.page
            .goto(`${origin}/?${encodeURIComponent(address)}`)
            .then(() => tab.page.frameLocator('iframe').locator('main h1').innerText()),
        ]);
      try {
        expect(await show(own.origin, url)).toBe('ETH on Ethereum test network');
        expect(await show(other.origin, url)).toBe('net::ERR_BLOCKED_BY_RESPONSE');
        expect(await show(own.origin, frameless)).toBe('net::ERR_BLOCKED_BY_RESPONSE');
      } finally {
        await Promise.all([own.close(), other.close()]);
      }
    });
  });

  describe('text stays text', () => {
    it.each(PAYLOADS)('%j', async (payload) => {
      const evil = await shop.application({ name: payload });
      const payment = await shop.createPayment(evil, {
        reference: payload,
        referenceLabel: `L ${payload}`,
        redirectUrl: `https://shop.example/${encodeURI('"><script>alert(1)</script>')}?x='"><b`,
      });
      const page = await visitPayment(payment);
      const seen = (await page.locator('header').textContent()) ?? '';
      expect(seen.split(payload).length).toBeGreaterThanOrEqual(3);
      expect(await page.title()).toContain(payload.replaceAll(/\s+/g, ' ').trim().slice(0, 10));
      await page.goto(await chooseMethod(shop, payment, ETH));
      expect(await page.locator('header, main, footer').count()).toBe(3);
      expect(await page.locator('script').count()).toBe(1);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      const back = new URL((await page.locator('#back').getAttribute('href')) ?? '');
      expect([back.protocol, back.host]).toEqual(['https:', 'shop.example']);
      expect(back.searchParams.get('reference')).toBe(payload);
    });

    // Addresses of several kilobytes are refused as a whole.
    it.each(PAYLOADS.filter(({ length }) => length < 200))(
      'in the address of the page: %j',
      async (payload) => {
        const payment = await create();
        const texts = {
          lang: payload,
          provider: payload,
          method: payload,
          choose: payload,
          [payload]: payload,
        };
        for (const url of [
          pageUrl(shop, payment, texts),
          pageUrl(shop, payment, { ...texts, signature: payload }),
        ]) {
          const page = await visit(url);
          expect(await page.locator('main, footer').count()).toBe(2);
          expect(
            await page.locator('script, iframe, base, img, [onload], [onerror], [autofocus]').count(),
          ).toBe(1);
          expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        }
        const chosen = await visit(await chooseMethod(shop, payment, { provider: payload, method: payload }));
        expect(await chosen.locator('h1').innerText()).toBe('Choose how to pay');
        expect(await chosen.locator('script, iframe, base, img').count()).toBe(1);
      },
    );

    it.each([
      "https://help.shop.example/?'onmouseover='alert(1)",
      "https://help.shop.example/#');alert('1",
      'https://help.shop.example/%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
    ])('in the link for help: %s', async (supportUrl) => {
      const evil = await shop.application({ supportUrl });
      const page = await visitPayment(await shop.createPayment(evil), ETH);
      const link = page.locator('footer a[target=_blank], footer p a').first();
      expect(await link.getAttribute('href')).toMatch(/^https:\/\/help\.shop\.example\//);
      expect(await page.locator('script, iframe, [onmouseover]').count()).toBe(1);
    });

    it.each(['javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', 'mailto:a@b.example\nbcc:x'])(
      'a link for help of another kind is refused: %j',
      async (supportUrl) => {
        await expect(shop.application({ supportUrl })).rejects.toThrow('supportUrl');
      },
    );

    it('a URL that is not http(s) never becomes a link, even if it is stored', async () => {
      const payment = await create();
      await shop.gateway.sql.transaction(async (tx) => {
        await tx.query(`set local gateway.resealing = 'on'`);
        await tx.query('update payments set redirect_url = $2, mac = null where id = $1', [
          payment.id,
          'java\nscript:alert(1)',
        ]);
      });
      await sealPlanted(shop.gateway);
      const page = await visitPayment(payment, ETH);
      expect(await page.locator('#back').getAttribute('href')).toBe('https://shop.example/cart');
      expect(await page.content()).not.toMatch(/script:alert/);
    });
  });

  /** A website that shows the address of its query in a frame. */
  async function serveFrames(): Promise<{ origin: string; close(): Promise<unknown> }> {
    const server = createServer((request, response) => {
      const address = decodeURIComponent((request.url ?? '').split('?')[1] ?? '');
      response.setHeader('content-type', 'text/html');
      response.end(`<iframe src="${address.replaceAll('&', '&amp;')}" width="900" height="900"></iframe>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      origin: `http://127.0.0.1:${port}`,
      close: () => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      },
    };
  }
});
