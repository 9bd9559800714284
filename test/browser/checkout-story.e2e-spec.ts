import type { Page } from 'playwright-core';
import { HDKey } from '@scure/bip32';
import { ChainWatcherService } from '../../src/chain-watcher/chain-watcher.service.js';
import {
  type MessageKey,
  type Texts,
  textsOf,
  type TextValues,
} from '../../src/platform/kernel/i18n/texts.js';
import { type BrowserTabs, useBrowser } from '../support/browser-tabs.js';
import { describeInBrowser, pageUrl } from '../support/chromium.js';
import { describeWithLitecoin, startUtxoNode, type UtxoNode } from '../support/litecoind.js';
import { pauseClock } from '../support/page-clock.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const TPUB = { private: 0x04358394, public: 0x043587cf };
const ACCOUNT = HDKey.fromMasterSeed(Buffer.alloc(32, 9), TPUB).derive("m/84'/1'/0'");
const LITECOIN_CONFIRMATIONS = 6;
/** 60 dollars at 80 dollars for a litecoin. */
const DUE_LTC = 75_000_000n;

const CUSTOMERS = (['en', 'de', 'ar'] as const).flatMap((locale) =>
  [true, false].map((javaScriptEnabled) => ({ locale, javaScriptEnabled })),
);
type Customer = (typeof CUSTOMERS)[number];

/** A customer in front of a page, who reads one language. */
class Reader {
  private constructor(
    readonly page: Page,
    readonly texts: Texts,
    private readonly isFollowing: boolean,
  ) {}

  static async open(tabs: BrowserTabs, url: string, customer: Customer): Promise<Reader> {
    const page = await tabs.visit(url, customer);
    return new Reader(page, textsOf(customer.locale), customer.javaScriptEnabled);
  }

  /** Waits for a heading, which comes by itself with JavaScript and by a reload without. */
  async sees(key: MessageKey, values?: TextValues): Promise<void> {
    if (!this.isFollowing) await this.page.reload();
    await this.isAt(key, values);
  }

  async isAt(key: MessageKey, values?: TextValues): Promise<void> {
    await this.page
      .getByRole('heading', { level: 1, name: this.texts.text(key, values), exact: true })
      .waitFor();
  }

  async reads(key: MessageKey, values?: TextValues): Promise<void> {
    await this.page.getByText(this.texts.text(key, values)).first().waitFor();
  }

  async choose(words: string): Promise<void> {
    await this.page.locator('.group .row').filter({ hasText: words }).click();
  }

  /** Below the coin that was chosen. */
  async chooseNetwork(words: string): Promise<void> {
    await this.page.locator('.coin[open] .choice').filter({ hasText: words }).click();
  }

  /** On the pay screen of a coin, on a test network. */
  async isToPay(coin: string, network: string): Promise<void> {
    await this.isAt('pay.heading', { coin, network: this.texts.text('network.test', { network }) });
  }

  /** Opens the receipt in its new tab. */
  async opensReceipt(): Promise<void> {
    const opened = this.page.waitForEvent('popup');
    await this.page.locator('#receipt').click();
    const heading = (await opened).locator('h1');
    expect(await heading.innerText()).toBe(this.texts.text('receipt.final.title'));
  }
}

const eth = (texts: Texts, atomic: string) =>
  texts.money({ atomic, decimals: 18, currency: { code: 'ETH' } });

/** Whole payments, from the link to the receipt, each for a customer of one language with or without JavaScript. */
describeInBrowser('a payment in the browser', () => {
  let shop: Shop;
  let application: ShopApplication;
  let node: UtxoNode | null = null;
  const tabs = useBrowser(() => shop);
  const create = (fields: Record<string, unknown> = {}) =>
    shop.createPayment(application, { amount: 6_000, redirectUrl: 'https://shop.example/thanks', ...fields });
  const open = (payment: CreatedPayment, customer: Customer) =>
    Reader.open(tabs, pageUrl(shop, payment), customer);

  beforeAll(async () => {
    // Another network of the same coins, so that there is a choice; the test ends before its node is missed.
    shop = await Shop.open({ CHAIN_BSC_RPC_URL: 'http://127.0.0.1:9' });
    application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
  });
  afterAll(() => shop?.close());

  describe.each(CUSTOMERS)('for a reader of $locale, JavaScript $javaScriptEnabled', (customer) => {
    it('goes from coin to network, address, confirmations and receipt', async () => {
      const payment = await create();
      const reader = await open(payment, customer);
      await reader.isAt('methods.heading');
      await reader.choose('USDT');
      await reader.chooseNetwork('Ethereum');
      await reader.isToPay('USDT', 'Ethereum (ERC-20)');
      const instructions = await shop.instructions(payment, 'usdt');
      expect(await reader.page.locator('#address').textContent()).toBe(instructions.address);
      expect(instructions.amount.atomic).toBe('60000000');

      await shop.send(instructions);
      await shop.mine();
      await reader.sees('seen.heading');
      await shop.mine(2);
      if (!customer.javaScriptEnabled) await reader.page.reload();
      await reader.reads('seen.step-confirming', { seen: 3, required: CONFIRMATIONS });
      await shop.mine(CONFIRMATIONS);
      await reader.sees('paid.heading');
      expect(await shop.status(payment)).toBe('CONFIRMED');
      if (customer.javaScriptEnabled) {
        await reader.page.locator('#stay').click();
        expect(await reader.page.locator('#return').isVisible()).toBe(false);
      }
      await reader.opensReceipt();
    });

    it('is paid half, then twice the rest, and says what is missing and what is too much', async () => {
      const payment = await create();
      const first = await shop.instructions(payment);
      const reader = await open(payment, customer);
      await shop.send(first, BigInt(first.amount.atomic) / 2n);
      await shop.mine(CONFIRMATIONS);
      await reader.sees('short.heading', { amount: eth(reader.texts, '15000000000000000') });
      await reader.reads('short.arrived');
      expect(await reader.page.locator('#amount').innerText()).toBe(eth(reader.texts, '15000000000000000'));
      await shop.send(await shop.instructions(payment), 30_000_000_000_000_000n);
      await shop.mine();
      await reader.sees('seen.heading');
      await shop.mine(CONFIRMATIONS);
      await reader.sees('paid.heading');
      await reader.reads('paid.want-back');
      // There is something to decide, so the page does not leave.
      expect(await reader.page.locator('#return').count()).toBe(0);
    });

    it('has its price renewed by the customer alone, and is then paid', async () => {
      const payment = await create();
      await shop.instructions(payment);
      await shop.wait(1_000);
      const reader = await open(payment, customer);
      await reader.reads('pay.ended');
      expect(await reader.page.locator('#address, .qr, .copy, #wallet').count()).toBe(0);
      await reader.page.locator('#renew').click();
      await reader.page.locator('#address').waitFor();
      await shop.send(await shop.instructions(payment));
      await shop.mine(CONFIRMATIONS);
      await reader.sees('paid.heading');
    });
  });

  describe('the way back to the shop', () => {
    /** Pays while a customer looks on. The page's clock is the test's. */
    async function watchPaying(): Promise<Page> {
      const payment = await create();
      const { page } = await tabs.openUnchecked();
      await page.clock.install();
      await page.route('https://shop.example/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<h1>Thank you</h1>' }),
      );
      const instructions = await shop.instructions(payment);
      await page.goto(pageUrl(shop, payment));
      await page.locator('#address').waitFor();
      await pauseClock(page);
      await shop.send(instructions);
      await shop.mine(CONFIRMATIONS);
      await page.getByText('Back to shop.example in 5 seconds.').first().waitFor();
      return page;
    }

    it('is counted down, said once, and taken after five seconds', async () => {
      const page = await watchPaying();
      await page.clock.runFor(2_000);
      expect(await page.locator('#returning').innerText()).toBe('Back to shop.example in 3 seconds.');
      expect(await page.getByRole('status').innerText()).toContain('Back to shop.example in 5 seconds.');
      await page.clock.runFor(3_000);
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
      expect(page.url()).toMatch(/^https:\/\/shop\.example\/thanks\?paymentId=.*&reference=ORDER-1$/);
    });

    it.each<[string, (page: Page) => Promise<void>]>([
      ['the button', (page) => page.getByRole('button', { name: 'Stay on this page' }).click()],
      ['a key', (page) => page.keyboard.press('Shift')],
      ['a click', (page) => page.locator('h1').click()],
    ])('is not taken after %s', async (_name, stop) => {
      const page = await watchPaying();
      await page.clock.runFor(1_000);
      await stop(page);
      await page.clock.runFor(60_000);
      expect(await page.locator('h1').innerText()).toBe('Payment complete');
      expect(await page.locator('#return').isVisible()).toBe(false);
      expect(await page.locator('#back').isVisible()).toBe(true);
    });

    it('does not take the receipt away from under the pointer', async () => {
      const page = await watchPaying();
      const opened = page.waitForEvent('popup');
      await page.locator('#receipt').click();
      expect(await (await opened).locator('h1').innerText()).toBe('Paid');
      expect(await page.locator('#return').isVisible()).toBe(false);
    });

    it('is not taken from a page that was opened when all was paid', async () => {
      const payment = await create();
      await shop.send(await shop.instructions(payment));
      await shop.mine(CONFIRMATIONS);
      const { page } = await tabs.open();
      await page.clock.install();
      await page.goto(pageUrl(shop, payment));
      await page.clock.runFor(60_000);
      expect(await page.locator('h1').innerText()).toBe('Payment complete');
    });
  });

  describeWithLitecoin('in litecoin', () => {
    beforeAll(async () => {
      await shop.close();
      node = await startUtxoNode();
      shop = await Shop.open({ CHAIN_LITECOIN_RPC_URL: node.url, CHAIN_LITECOIN_NETWORK: 'regtest' });
      shop.rates.setPrice('LTC', 'USD', '80');
      application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
      const path = `/api/payment-applications/${application.id}/wallets/litecoin`;
      const wallet = { extendedPublicKey: ACCOUNT.publicExtendedKey, scriptType: 'p2wpkh' };
      await shop.call('PUT', path, shop.owner.accessToken, wallet);
      await watch();
    });
    afterAll(() => node?.stop());

    async function watch(): Promise<void> {
      await shop.gateway.get(ChainWatcherService).drain('litecoin');
      await shop.settle();
    }

    it.each(CUSTOMERS)(
      'is seen before it is in a block, for a reader of $locale, JavaScript $javaScriptEnabled',
      async (customer) => {
        if (!node) throw new Error('no node');
        const payment = await create();
        const reader = await open(payment, customer);
        await reader.choose('LTC');
        await reader.isToPay('LTC', 'Litecoin');
        const { address, paymentUri } = await shop.instructions(payment, 'ltc', 'litecoin');
        expect(await reader.page.locator('#wallet').getAttribute('href')).toBe(paymentUri);
        const { scriptPubKey } = await node.rpc<{ scriptPubKey: string }>('validateaddress', [address]);
        await node.pay([{ key: Buffer.from(scriptPubKey, 'hex'), amount: DUE_LTC }]);
        await watch();
        await reader.sees('seen.heading');
        await reader.reads('seen.step-confirming', { seen: 0, required: LITECOIN_CONFIRMATIONS });
        await node.mine(LITECOIN_CONFIRMATIONS);
        await watch();
        await reader.sees('paid.heading');
        await reader.opensReceipt();
      },
    );
  });
});
