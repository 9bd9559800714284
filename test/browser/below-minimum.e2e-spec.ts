import { HDKey } from '@scure/bip32';
import type { Browser } from 'playwright-core';
import { ChainWatcherService } from '../../src/chain-watcher/chain-watcher.service.js';
import type { PaymentMethodsService } from '../../src/checkout/payment-methods.service.js';
import { PaymentsService } from '../../src/payments/payments.service.js';
import { QuotesService } from '../../src/payments/quotes/quotes.service.js';
import { chooseMethod, describeInBrowser, launchChromium, openTab, pageUrl } from '../support/chromium.js';
import { describeWithNode, startUtxoNode, type UtxoNode } from '../support/litecoind.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';
import { bitcoinAccount, scriptOf } from '../support/utxo-account.js';

type MethodView = Awaited<ReturnType<PaymentMethodsService['describeFor']>>[number];

const ACCOUNT = bitcoinAccount(Buffer.alloc(32, 21));
const TPUB = { private: 0x04358394, public: 0x043587cf };
const COUSINS = { litecoin: 2, dogecoin: 3, bitcoincash: 145 } as const;
/** Bitcoin Core relays no smaller P2PKH output. */
const DUST = 546n;
/** 100 USD at 50,000 USD for a bitcoin. */
const DUE = 200_000n;
const BTC_CONFIRMATIONS = 2;

/**
 * Amounts below the dust limit are not requested (specification/chains.md#smallest-transfers); one node stands in for
 * all four chains.
 */
describeWithNode('an amount below the smallest transfer of the network', () => {
  let node: UtxoNode;
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    node = await startUtxoNode();
    const cousins = Object.keys(COUSINS).map((family) => family.toUpperCase());
    shop = await Shop.open({
      ...Object.fromEntries(
        ['BITCOIN', ...cousins].flatMap((name) => [
          [`CHAIN_${name}_RPC_URL`, node.url],
          [`CHAIN_${name}_NETWORK`, 'regtest'],
        ]),
      ),
      WALLET_BITCOIN_XPUB: ACCOUNT.publicExtendedKey,
    });
    const prices = { BTC: '50000', LTC: '100', DOGE: '0.5', BCH: '500' };
    for (const [code, price] of Object.entries(prices)) shop.rates.setPrice(code, 'USD', price);
    application = await shop.application();
    for (const [family, coinType] of Object.entries(COUSINS)) {
      const key = HDKey.fromMasterSeed(Buffer.alloc(32, 11), TPUB).derive(`m/44'/${coinType}'/0'`);
      const path = `/api/payment-applications/${application.id}/wallets/${family}`;
      const wallet = { extendedPublicKey: key.publicExtendedKey, scriptType: 'p2pkh' };
      expect((await shop.call('PUT', path, shop.owner.accessToken, wallet)).status).toBe(200);
    }
    await watch();
  });
  afterAll(async () => {
    await shop?.close();
    await node?.stop();
  });

  async function watch(): Promise<void> {
    for (const slug of ['bitcoin', ...Object.keys(COUSINS)])
      await shop.gateway.get(ChainWatcherService).drain(slug);
    await shop.settle();
  }

  const create = (fields: Record<string, unknown>) => shop.createPayment(application, fields);
  async function methodsOf(payment: CreatedPayment): Promise<Map<string, MethodView>> {
    const { body } = await shop.checkout<MethodView[]>(payment, `${payment.id}/payment-methods`);
    return new Map(body.data.map((method) => [`${method.provider} ${method.method}`, method]));
  }
  const ask = (payment: CreatedPayment, provider: string, method: string) =>
    shop.checkout(payment, `payment/${payment.id}/provider/${provider}/method/${method}`);
  const page = async (payment: CreatedPayment, choice?: Record<string, string>) => {
    const url = choice ? await chooseMethod(shop, payment, choice) : pageUrl(shop, payment);
    return (await (await fetch(url)).text()).replace(/\s+/g, ' ');
  };
  /** 100 USD, of which some satoshis are missing. */
  async function short(missing: bigint): Promise<CreatedPayment> {
    const payment = await create({});
    const { address } = await shop.instructions(payment, 'btc', 'bitcoin');
    await node.pay([{ key: scriptOf(ACCOUNT, address), amount: DUE - missing }]);
    await node.mine(BTC_CONFIRMATIONS);
    await watch();
    expect(await shop.status(payment)).toBe('UNDERPAID');
    return payment;
  }
  const rowsOf = async ({ id }: CreatedPayment) => {
    const sql = `select (select count(*) from quotes where payment_id = $1)::int as quotes,
      (select count(*) from deposit_addresses where payment_id = $1)::int as addresses`;
    return (await shop.gateway.sql.query<{ quotes: number; addresses: number }>(sql, [id]))[0];
  };

  it('makes a method unavailable, with the minimum amount in the reason', async () => {
    const methods = await methodsOf(await create({ amount: 1 }));
    const view = (name: string) => {
      const { available, unavailableReason, minAmount, estimatedAmount } = methods.get(name) ?? {};
      return [available, unavailableReason, minAmount?.atomic, estimatedAmount?.atomic];
    };
    // One cent.
    expect(view('bitcoin btc')).toEqual([false, 'below_minimum', '546', '20']);
    expect(view('dogecoin doge')).toEqual([true, null, '1000000', '2000000']);
    expect(view('litecoin ltc')).toEqual([true, null, '5460', '10000']);
    expect(view('bitcoincash bch')).toEqual([true, null, '546', '2000']);
    expect(view('ethereum eth')).toEqual([true, null, '10000000000', '5000000000000']);
    expect(view('ethereum usdc')).toEqual([true, null, '1', '10000']);
  });

  it.each([
    ['bitcoin', 'BTC', 546],
    ['litecoin', 'LTC', 5_460],
    ['dogecoin', 'DOGE', 1_000_000],
    ['bitcoincash', 'BCH', 546],
  ])('on %s, one unit of %s below %d, gets no quote', async (provider, code, least) => {
    const method = code.toLowerCase();
    const [enough, less] = [
      await create({ currencyCode: code, amount: least }),
      await create({ currencyCode: code, amount: least - 1 }),
    ];
    expect(await shop.instructions(enough, method, provider)).toMatchObject({
      amount: { atomic: String(least) },
      minAmount: { atomic: String(least) },
      paymentUri: expect.stringContaining('?amount=') as unknown,
    });
    expect((await methodsOf(enough)).get(`${provider} ${method}`)).toMatchObject({ available: true });

    const message = expect.stringContaining(`The amount is too small to be paid in ${code} on`) as unknown;
    expect(await ask(less, provider, method)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: { method: [message] } },
    });
    expect((await methodsOf(less)).get(`${provider} ${method}`)).toMatchObject({
      available: false,
      unavailableReason: 'below_minimum',
      minAmount: { atomic: String(least) },
    });
    expect(await rowsOf(less)).toEqual({ quotes: 0, addresses: 0 });
  });

  it('can be paid with another method, and the page says so', async () => {
    const payment = await create({ amount: 1 });
    const [list, refused] = [
      await page(payment),
      await page(payment, { provider: 'bitcoin', method: 'btc' }),
    ];
    for (const text of [list, refused]) expect(text).toMatch(/BTC.{0,300}The amount is too small for this/);
    expect(refused).toMatch(
      /BTC on Bitcoin( test network)? isn’t available right now\. The amount is too small for this\. Please choose another/,
    );
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('is checked again under the lock, at the rate of the quote', async () => {
    const payment = await create({});
    const asset = { chain: 'bitcoin', asset: 'native', currencyCode: 'BTC', decimals: 8 };
    const quotes = shop.gateway.get(QuotesService);
    const state = await shop.gateway.get(PaymentsService).get(payment.id);
    expect(await quotes.lock(state, asset, DUE + 1n)).toBe('below_minimum');
    expect(await rowsOf(payment)).toEqual({ quotes: 0, addresses: 0 });
    expect(await quotes.lock(state, asset, DUE)).toMatchObject({ quote: { assetAmount: DUE } });
  });

  describe('as the remainder of a payment', () => {
    it('is shown but not requested', async () => {
      const payment = await short(DUST - 1n);
      const rest = await shop.instructions(payment, 'btc', 'bitcoin');
      expect(rest).toMatchObject({
        status: 'UNDERPAID',
        remainingAmount: { atomic: '545' },
        minAmount: { atomic: '546' },
        paymentUri: null,
        qrCode: { content: rest.address },
        warnings: ['0.00000545 BTC cannot be sent: the Bitcoin network carries no less than 0.00000546 BTC.'],
      });
      const methods = await methodsOf(payment);
      expect(methods.get('bitcoin btc')).toMatchObject({ unavailableReason: 'below_minimum' });
      expect(methods.get('ethereum eth')).toMatchObject({ available: true });

      const accept = `/api/payment/${payment.id}/accept`;
      expect(await shop.call('POST', accept, application.clientToken)).toMatchObject({ status: 200 });
      await shop.settle();
      expect(await shop.status(payment)).toBe('CONFIRMED');
    });

    it('is requested once it reaches the minimum', async () => {
      const payment = await short(DUST);
      const rest = await shop.instructions(payment, 'btc', 'bitcoin');
      expect(rest).toMatchObject({
        paymentUri: `bitcoin:${rest.address}?amount=0.00000546`,
        warnings: ['Send only BTC on the Bitcoin network.'],
      });
    });

    it('can be paid in another coin, and one that is too small for it is refused there', async () => {
      const payment = await short(DUST - 1n);
      const rest = await shop.instructions(payment);
      expect(BigInt(rest.remainingAmount.atomic)).toBeGreaterThan(0n);
      await shop.send(rest, BigInt(rest.remainingAmount.atomic));
      await shop.mine(CONFIRMATIONS);
      expect(await shop.payment(payment)).toMatchObject({ status: 'CONFIRMED', overpaidAmount: null });

      // All but ten cents in ether: 200 sat.
      const other = await create({});
      const asked = await shop.instructions(other);
      await shop.send(asked, (BigInt(asked.amount.atomic) * 999n) / 1_000n);
      await shop.mine(CONFIRMATIONS);
      expect(await ask(other, 'bitcoin', 'btc')).toMatchObject({ status: 422 });
      expect((await methodsOf(other)).get('bitcoin btc')).toMatchObject({
        unavailableReason: 'below_minimum',
      });
    });

    describeInBrowser('on the page', () => {
      let browser: Browser;
      beforeAll(async () => {
        browser = await launchChromium();
      });
      afterAll(() => browser?.close());

      it.each([320, 1_100])('shows no payment request, at a width of %i', async (width) => {
        const payment = await short(1n);
        const tab = await openTab(browser, { viewport: { width, height: 900 } });
        await tab.page.goto(pageUrl(shop, payment));
        expect(await tab.page.locator('h1').innerText()).toMatch(/^0\.00000001\sBTC is still missing$/);
        const text = await tab.page.locator('main').innerText();
        expect(text).toContain('Please don’t send anything more: it’s too little.');
        expect(text).toContain('can accept what has arrived.');
        for (const selector of ['#amount', '#address', '#wallet', '.qr'])
          expect(await tab.page.locator(selector).count()).toBe(0);
        expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        expect(tab.incidents).toEqual([]);
        await tab.page.context().close();
      });
    });
  });
});
