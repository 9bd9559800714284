import { HDKey } from '@scure/bip32';
import type { Browser } from 'playwright-core';
import type { Chain, ChainAsset } from '../../src/chains/chain.pure.js';
import { CHAIN_CATALOG } from '../../src/chains/chain-catalog.pure.js';
import { formatDecimal } from '../../src/money/money.js';
import { getCurrency } from '../../src/money/currencies.js';
import { textsOf } from '../../src/platform/kernel/i18n/texts.js';
import { chooseMethod, describeInBrowser, launchChromium, openTab, type Tab } from '../support/chromium.js';
import { WIDTHS } from '../support/page-layout.js';
import { readQr, readQrImage } from '../support/qr-reader.js';
import { type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const ZPUB = { private: 0x04b2430c, public: 0x04b24746 };
const SEED = Buffer.alloc(32, 9);
/** Of an account, as an operator would configure it. */
const account = (path: string, versions?: typeof ZPUB) =>
  HDKey.fromMasterSeed(SEED, versions).derive(path).publicExtendedKey;

/** Index 0 of {@link EVM_XPUB}, which every wallet shows for the test words "abandon … about". */
const FIRST_EVM_ADDRESS = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';

interface Method {
  chain: Chain;
  asset: ChainAsset;
  name: string;
}

/** Ethereum is a real node here; the others have no node, and are offered nevertheless. */
const METHODS: Method[] = CHAIN_CATALOG.flatMap((chain) =>
  chain.assets.map((asset) => ({ chain, asset, name: `${chain.slug}/${asset.currencyCode.toLowerCase()}` })),
);

/** What a camera must read: bare addresses wherever wallets disagree on links, else the link with the amount. */
function expected({ chain, asset }: Method, address: string, units: bigint): string {
  if (chain.family === 'evm' || chain.family === 'tron') return address;
  const uri = address.includes(':') ? address : `${chain.family}:${address}`;
  return `${uri}?amount=${formatDecimal(units, asset.decimals)}`;
}

/** A scanned token link of EIP-681 pays the token's contract in some wallets, so what is scanned is held down here. */
describeInBrowser('the QR code of every payment method', () => {
  let shop: Shop;
  let application: ShopApplication;
  let browser: Browser;
  let tab: Tab;
  let blank: Tab;
  const table: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    tab = await openTab(browser);
    blank = await openTab(browser);
    const others = CHAIN_CATALOG.filter(({ slug }) => slug !== 'ethereum');
    const urls = others.map(({ slug }) => [`CHAIN_${slug.toUpperCase()}_RPC_URL`, 'http://127.0.0.1:9']);
    shop = await Shop.open({
      ...(Object.fromEntries(urls) as Record<string, string>),
      WALLET_BITCOIN_XPUB: account("m/84'/0'/0'", ZPUB),
      WALLET_LITECOIN_XPUB: account("m/84'/2'/0'", ZPUB),
      WALLET_DOGECOIN_XPUB: account("m/44'/3'/0'"),
      WALLET_BITCOINCASH_XPUB: account("m/44'/145'/0'"),
      WALLET_TRON_XPUB: account("m/44'/195'/0'"),
    });
    application = await shop.application({ currencyWhitelist: [] });
  });
  afterAll(async () => {
    process.stdout.write(`QR codes, as scanned:\n${table.join('\n')}\n`);
    await browser?.close();
    await shop?.close();
  });

  /** Priced in the coin itself: no rate is needed, and the amount is exact. */
  async function asked({ asset: { currencyCode } }: Method): Promise<CreatedPayment> {
    const amount = 5n * 10n ** BigInt(getCurrency(currencyCode).decimals);
    return shop.createPayment(application, { amount, currencyCode });
  }

  it('is tested: the table has every offered method', async () => {
    const payment = await shop.createPayment(application);
    const { body } = await shop.checkout<{ provider: string; method: string }[]>(
      payment,
      `${payment.id}/payment-methods`,
    );
    const offered = body.data.map(({ provider, method }) => `${provider}/${method}`);
    expect(offered.toSorted()).toEqual(METHODS.map(({ name }) => name).toSorted());
    expect((await shop.instructions(payment)).address).toBe(FIRST_EVM_ADDRESS);
  });

  it.each(METHODS.map((method) => [method.name, method] as const))('%s', async (name, method) => {
    const { chain, asset } = method;
    const [provider, code] = [chain.slug, asset.currencyCode.toLowerCase()];
    const payment = await asked(method);
    const { address, amount, paymentUri, qrCode } = await shop.instructions(payment, code, provider);
    const scanned = expected(method, address, BigInt(amount.atomic));
    const { page } = tab;

    // As the API gives it.
    expect(qrCode.content).toBe(scanned);
    expect(await readQrImage(blank.page, qrCode.dataUri)).toBe(scanned);

    // As the page shows it, at every width.
    await page.goto(await chooseMethod(shop, payment, { provider, method: code }));
    const isEvmCoin = chain.family === 'evm' && asset.asset === 'native';
    const shownCodes = isEvmCoin ? [scanned, paymentUri] : [scanned];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const read: string[] = [];
      for (const choice of ['#qr-address', '#qr-amount'].slice(0, shownCodes.length)) {
        if (shownCodes.length > 1) await page.locator(choice).check();
        // A camera must see one code alone.
        const [code, another] = await page.locator('.qr').filter({ visible: true }).all();
        if (!code || another) throw new Error(`${name}: ${code ? 'two codes are' : 'no code is'} in sight`);
        read.push(await readQr(blank.page, code));
      }
      expect([width, ...read]).toEqual([width, ...shownCodes]);
    }

    // Beside it stand the exact amount, the network and the address; behind a link or button never a token's link.
    const words = await page.locator('main').innerText();
    const shown = textsOf('en').money(amount).replace('\u{a0}', ' ');
    for (const part of [shown, chain.name]) expect(words.replaceAll('\u{a0}', ' ')).toContain(part);
    expect(await page.locator('#address').textContent()).toBe(address);
    expect(await page.locator('#copy-amount, #copy-address').count()).toBe(2);
    const isToken = asset.asset !== 'native';
    const wallet = await page.locator('#wallet').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    expect(wallet).toEqual(isToken || paymentUri === null ? [] : [paymentUri]);
    if (isToken) expect(await page.content()).not.toMatch(/ethereum:|\/transfer\?/);
    table.push(`  ${name.padEnd(16)} ${shownCodes.join('   toggle: ')}`);
  });
});
