import type { BrowserContextOptions, Page } from 'playwright-core';
import { ChainHealthService } from '../../src/chains/chain-health.service.js';
import { CHAIN_CATALOG } from '../../src/chains/chain-catalog.pure.js';
import { HDKey } from '@scure/bip32';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser, pageUrl } from '../support/chromium.js';
import { type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const ETH = { provider: 'ethereum', method: 'eth' };
const NOTHING = { quotes: 0, addresses: 0, selected: null };
const ONE_EACH = { quotes: 1, addresses: 1 };
/** In dollars; a coin that is not listed has no rate. */
const PRICES = { BTC: '50000', LTC: '100', DOGE: '0.5', BCH: '500', TRX: '0.25', BNB: '500', POL: '0.5' };

const ZPUB = { private: 0x04b2430c, public: 0x04b24746 };
const account = (path: string, versions?: typeof ZPUB) =>
  HDKey.fromMasterSeed(Buffer.alloc(32, 9), versions).derive(path).publicExtendedKey;

/** Every coin and network of the catalog; only Ethereum has a node, and the others are offered until theirs is missed. */
function openShop(): Promise<Shop> {
  const others = CHAIN_CATALOG.filter(({ slug }) => slug !== 'ethereum');
  const urls = others.map(({ slug }) => [`CHAIN_${slug.toUpperCase()}_RPC_URL`, 'http://127.0.0.1:9']);
  return Shop.open({
    ...(Object.fromEntries(urls) as Record<string, string>),
    WALLET_BITCOIN_XPUB: account("m/84'/0'/0'", ZPUB),
    WALLET_LITECOIN_XPUB: account("m/84'/2'/0'", ZPUB),
    WALLET_DOGECOIN_XPUB: account("m/44'/3'/0'"),
    WALLET_BITCOINCASH_XPUB: account("m/44'/145'/0'"),
    WALLET_TRON_XPUB: account("m/44'/195'/0'"),
  });
}

describe('choosing how to pay', () => {
  let shop: Shop;
  let application: ShopApplication;
  const create = (fields: Record<string, unknown> = {}) => shop.createPayment(application, fields);
  const rowsOf = async ({ id }: { id: string }) => {
    const sql = `select (select count(*) from quotes where payment_id = $1)::int as quotes,
      (select count(*) from deposit_addresses where payment_id = $1)::int as addresses,
      (select selected_method from payments where id = $1) as selected`;
    return (await shop.gateway.sql.query(sql, [id]))[0];
  };

  beforeAll(async () => {
    shop = await openShop();
    for (const [code, price] of Object.entries(PRICES)) shop.rates.setPrice(code, 'USD', price);
    application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
  });
  afterAll(() => shop?.close());

  describe('a GET chooses nothing', () => {
    it.each<Record<string, string>>([
      {},
      ETH,
      { method: 'usdt' },
      { provider: 'tron' },
      { choose: '1' },
      { provider: 'x'.repeat(60), method: '<b>' },
    ])('%j', async (query) => {
      const payment = await create();
      for (const path of ['', '/part', '/choose']) {
        const url = new URL(pageUrl(shop, payment, query));
        url.pathname += path;
        expect((await fetch(url, { headers: { purpose: 'prefetch' } })).status).toBe(200);
      }
      expect(await rowsOf(payment)).toEqual(NOTHING);
    });

    it('with one method only', async () => {
      const picky = await shop.application({ currencyWhitelist: ['ETH'] });
      const payment = await shop.createPayment(picky, { blockchainSlug: 'ethereum' });
      const text = await (await fetch(pageUrl(shop, payment))).text();
      expect(text).toContain('data-continue');
      expect(await rowsOf(payment)).toEqual(NOTHING);
    });

    it('after the price has ended', async () => {
      const payment = await create();
      await chooseMethod(shop, payment, ETH);
      await shop.wait(16 * 60);
      const text = await (await fetch(pageUrl(shop, payment))).text();
      expect(text).toContain('This price has expired.');
      expect(text).not.toMatch(/id="address"|0x[0-9a-f]{40}/i);
      expect(await rowsOf(payment)).toMatchObject({ quotes: 1 });
      const renewed = await (await fetch(await chooseMethod(shop, payment, ETH))).text();
      expect(renewed).toContain('id="address"');
      expect(await rowsOf(payment)).toMatchObject({ quotes: 2, addresses: 1 });
    });
  });

  describe('POST /checkout/{paymentId}/choose', () => {
    const post = (payment: CreatedPayment, body: string, headers: Record<string, string> = {}) => {
      const url = new URL(pageUrl(shop, payment));
      url.pathname += '/choose';
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      return fetch(url, { method: 'POST', body, headers: { ...type, ...headers }, redirect: 'manual' });
    };
    const FORM = new URLSearchParams(ETH).toString();

    it('allots one address and one quote, however often it is sent, and leads to the page', async () => {
      const payment = await create();
      const answers = await Promise.all([1, 2, 3].map(() => post(payment, FORM)));
      for (const { status, headers } of answers) {
        expect(status).toBe(303);
        expect(headers.get('location')).toBe(`../${payment.id}${new URL(payment.checkoutUrl).search}`);
        expect(headers.get('cache-control')).toBe('no-store');
      }
      expect(await rowsOf(payment)).toEqual({ ...ONE_EACH, selected: 'eth' });
      expect(await (await fetch(pageUrl(shop, payment))).text()).toContain('ETH on Ethereum test network');
    });

    it('keeps the language of the page', async () => {
      const payment = await create();
      const url = new URL(pageUrl(shop, payment, { lang: 'en-XA' }));
      url.pathname += '/choose';
      const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(ETH), redirect: 'manual' });
      expect(answer.headers.get('location')).toMatch(/&lang=en-XA$/);
    });

    it.each([
      ['', 'choose=incomplete', 'Please choose one of these ways to pay.'],
      ['provider=ethereum', 'choose=incomplete', 'Please choose one of these ways to pay.'],
      ['provider=a&provider=b&method=eth', 'method=eth', 'Choose the network for ETH'],
      ['method=usdt', 'method=usdt', 'Choose the network for USDT'],
      ['provider=ethereum&method=doge', 'provider=ethereum&method=doge', 'can’t pay that way'],
      ['provider=ethereum&method=%3Cb%3E', 'choose=incomplete', 'Please choose one of these ways to pay.'],
      ['provider[a]=1&method[]=2', 'choose=incomplete', 'Please choose one of these ways to pay.'],
    ])('%j leads to %s', async (body, query, words) => {
      const payment = await create();
      const answer = await post(payment, body);
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `../${payment.id}${new URL(payment.checkoutUrl).search}&${query}`,
      ]);
      const page = await fetch(new URL(answer.headers.get('location') ?? '', answer.url));
      expect([page.status, (await page.text()).includes(words)]).toEqual([200, true]);
      expect(await rowsOf(payment)).toEqual(NOTHING);
    });

    it('leads to what the payment shows once it is not open any more', async () => {
      const payment = await create();
      await shop.call('POST', `/api/payment/${payment.id}/cancel`, application.clientToken);
      const page = await fetch(await chooseMethod(shop, payment, ETH));
      expect(await page.text()).toContain('Payment cancelled');
      expect(await rowsOf(payment)).toEqual(NOTHING);
    });

    it.each([
      ['JSON', JSON.stringify(ETH), { 'content-type': 'application/json' }],
      ['text', FORM, { 'content-type': 'text/plain' }],
      ['parts', FORM, { 'content-type': 'multipart/form-data; boundary=x' }],
    ])('takes no %s', async (_name, body, headers) => {
      const payment = await create();
      const answer = await post(payment, body, headers);
      expect(answer.status).toBe(415);
      expect(await rowsOf(payment)).toEqual(NOTHING);
    });

    it('needs the signature of the payment, from whatever site the form comes', async () => {
      const [payment, other] = [await create(), await create()];
      const url = new URL(pageUrl(shop, payment));
      url.pathname = `/checkout/${other.id}/choose`;
      for (const method of ['POST', 'GET'])
        expect(
          (await fetch(url, { method, ...(method === 'POST' && { body: new URLSearchParams(ETH) }) })).status,
        ).toBe(403);
      expect(await rowsOf(other)).toEqual(NOTHING);
    });
  });

  describeInBrowser('in a browser', () => {
    const tabs = useBrowser(() => shop);
    const visit = (payment: CreatedPayment, options?: BrowserContextOptions) =>
      tabs.visit(pageUrl(shop, payment), options);
    const heading = (page: Page) => page.locator('h1').innerText();

    it('goes from coin to network to pay, and back the same way without choosing again', async () => {
      const payment = await create();
      const page = await visit(payment);
      const posts: string[] = [];
      page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
      expect(await heading(page)).toBe('Choose how to pay');
      await page.locator('#coin-usdt > summary').click();
      const networks = await page.locator('#coin-usdt .choice').allInnerTexts();
      expect(networks.map((text) => text.replace(/\s+/g, ' '))).toEqual([
        expect.stringMatching(/^BNB Smart Chain \(BEP-20\) Low fee · about .* Cheapest/),
        expect.stringMatching(/^Avalanche C-Chain Low fee/),
        expect.stringMatching(/^Tron \(TRC-20\) Medium fee/),
        expect.stringMatching(/^Ethereum \(ERC-20\) test network High fee/),
      ]);
      expect(await page.locator('#coin-usdt .mark', { hasText: 'Cheapest' }).count()).toBe(1);
      await page
        .locator('#coin-usdt')
        .getByRole('button', { name: /^Ethereum/ })
        .click();
      expect(await heading(page)).toBe('USDT on Ethereum (ERC-20) test network');
      expect(posts).toHaveLength(1);

      await page.goBack();
      expect(await heading(page)).toBe('Choose how to pay');
      await page.goForward();
      expect(await heading(page)).toBe('USDT on Ethereum (ERC-20) test network');
      expect(posts).toHaveLength(1);
      expect(await rowsOf(payment)).toEqual({ ...ONE_EACH, selected: 'usdt' });
    });

    it('leads back to the coins from a coin with one network, and puts the selected one first', async () => {
      const payment = await create();
      const page = await visit(payment);
      await page.getByRole('button', { name: /^LTC/ }).first().click();
      expect(await heading(page)).toBe('LTC on Litecoin');
      await page.goBack();
      expect(await heading(page)).toBe('Choose how to pay');
      expect(await page.locator('.group').last().locator('.row').first().innerText()).toContain('LTC');
      // The link of the shop shows what is selected.
      await page.goto(pageUrl(shop, payment));
      expect(await heading(page)).toBe('LTC on Litecoin');
    });

    it('shows six coins, the most used first, and finds the others by search', async () => {
      const page = await visit(await create());
      const shown = page.locator('.group > .coins > li');
      const codes = (await shown.locator('.row .what > strong').allInnerTexts()).join(' ');
      expect(codes).toBe('USDT USDC BTC ETH LTC BNB');
      await page.locator('#all-coins > summary').focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.id')).toBe('coin-search');
      const found = page.locator('#all-coins [data-words]').filter({ visible: true });
      const all = await found.count();
      expect(all).toBeGreaterThan(6);
      await page.keyboard.type('doge');
      expect(await found.count()).toBe(1);
      expect(await found.innerText()).toContain('Dogecoin');
      await page.locator('#coin-search').fill('usd tron');
      expect(await found.allInnerTexts()).toEqual([expect.stringContaining('USDT')]);
      await page.locator('#coin-search').fill('solana');
      await page.getByText('No coin by that name.').first().waitFor();
      await page.getByRole('status').filter({ hasText: 'No coin by that name.' }).waitFor();
      await page.locator('#coin-search').fill('');
      expect(await found.count()).toBe(all);
      await page.locator('#coin-search').fill('dogecoin');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'DOGE on Dogecoin' }).waitFor();
    });

    it('works without JavaScript', async () => {
      const payment = await create();
      const page = await visit(payment, { javaScriptEnabled: false });
      const field = page.locator('#coin-search');
      const other = page.locator('#all-coins').getByRole('button', { name: /^DOGE/ });
      expect(await other.isVisible()).toBe(false);
      await page.getByText(/^All \d+ coins$/).click();
      expect([await other.isVisible(), await field.isVisible()]).toEqual([true, false]);
      // By keyboard alone: the coin opens, and the next stop is its first network.
      await page.locator('#coin-usdt > summary').focus();
      await page.keyboard.press('Enter');
      for (let network = 0; network < 3; network++) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('#address').waitFor();
      expect(await heading(page)).toBe('USDT on Tron (TRC-20)');
      expect(await rowsOf(payment)).toEqual({ ...ONE_EACH, selected: 'usdt' });
      // Back leads to the shop's own link, which shows what is selected.
      await page.goBack();
      expect(await heading(page)).toBe('USDT on Tron (TRC-20)');
      await page.locator('#change').click();
      expect(await heading(page)).toBe('Choose how to pay');
    });

    it.each([true, false])('with one method, JavaScript %s', async (javaScriptEnabled) => {
      const picky = await shop.application({ currencyWhitelist: ['ETH'] });
      const payment = await shop.createPayment(picky, { blockchainSlug: 'ethereum' });
      const page = await visit(payment, { javaScriptEnabled });
      if (!javaScriptEnabled) {
        expect(await rowsOf(payment)).toEqual(NOTHING);
        await page.getByRole('button', { name: 'Show address and exact amount' }).click();
      }
      await page.locator('#address').waitFor();
      expect(await rowsOf(payment)).toEqual({ ...ONE_EACH, selected: 'eth' });
    });

    it('names the reason of everything that is not available', async () => {
      for (const slug of ['bitcoin', 'tron'])
        await shop.gateway.get(ChainHealthService).sawTrouble(slug, 'gone', null);
      const payment = await create();
      const page = await visit(payment);
      const off = page.locator('#off-coins li');
      expect(await off.filter({ visible: true }).count()).toBe(0);
      await page.getByText(/^\d coins aren’t available right now$/).click();
      const reasons = (await off.locator('.what').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
      expect(reasons).toEqual([
        'BTC Bitcoin We can’t reach the network right now.',
        'TRX TRON We can’t reach the network right now.',
      ]);
      await page.locator('#coin-usdt > summary').click();
      expect(await page.locator('#coin-usdt .off').innerText()).toMatch(
        /^Tron \(TRC-20\)\s+We can’t reach the network right now\.$/,
      );

      // Chosen on a page that was loaded before.
      await page.goto(await chooseMethod(shop, payment, { provider: 'bitcoin', method: 'btc' }));
      expect(await page.locator('.note').innerText()).toMatch(
        /^BTC on Bitcoin isn’t available right now\. We can’t reach the network/,
      );
      expect(await rowsOf(payment)).toEqual(NOTHING);
    });
  });
});
