/**
 * @inOrder One merchant, from money on many addresses to money in their wallet.
 */
import { readFile } from 'node:fs/promises';
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import type { Browser, Page } from 'playwright-core';
import { ChainWatcherService } from '../../src/chain-watcher/chain-watcher.service.js';
import type { Hex } from '../support/anvil.js';
import { describeInBrowser, launchChromium, type Tab } from '../support/chromium.js';
import { askMany, balanceCall, run } from '../support/collecting.js';
import { openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { describeWithLitecoin, startUtxoNode, type UtxoNode } from '../support/litecoind.js';
import { installMulticall3 } from '../support/multicall3.js';
import { layoutFaults } from '../support/page-layout.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from '../support/shop.js';

const MINE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const USDC = 1_000_000n;

/** The dashboard at the funds of an application. */
async function openFunds(browser: Browser, shop: Shop, { id }: ShopApplication): Promise<Tab> {
  const { clientId } = shop.owner;
  return openDashboard(browser, shop.gateway, `${clientId}@example.test`, {
    password: `password of ${clientId}`,
    path: `/dashboard/funds?application=${id}`,
  });
}

/** What a button acts on is isolated in its name (UAX 9). */
const button = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(name.replace(': ', ': \\u{2068}?'), 'u') });
const press = (page: Page, name: string) => button(page, name).click();
/** A browser logs every refusal of a field, and that there is no session before the sign-in. */
const unexpected = ({ incidents }: Tab) => incidents.filter((one) => !/status of (401|422)/.test(one));

/** In both directions, with every fold, on phones and desks. */
async function expectReadable(page: Page): Promise<void> {
  for (const width of [320, 390, 800, 1_280]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await violations(page), await layoutFaults(page)]).toEqual([width, [], []]);
  }
}

describeInBrowser('the funds of a treasury', () => {
  let shop: Shop;
  let application: ShopApplication;
  let browser: Browser;
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    shop = await Shop.open(await ownAddress());
    await installMulticall3(shop.chain);
    application = await shop.application({ name: 'Bean & Leaf' });
    const path = `/api/payment-applications/${application.id}/wallets/evm`;
    await shop.call('PUT', path, shop.owner.accessToken, { treasury: MINE });
    browser = await launchChromium();
    tab = await openFunds(browser, shop, application);
    page = tab.page;
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  /** What the page tells to send, read as a person reads it. */
  async function shownCall(place: string): Promise<{ to: string; data: string; value: '0x0'; gas?: bigint }> {
    const box = page.locator('section').filter({ hasText: place }).last();
    const data = (await box.locator('pre').first().textContent()) ?? '';
    const [to = '', value, gas] = await box.locator('dd').allTextContents();
    expect(value).toBe('0x0');
    return { to, data, value: '0x0', ...(gas !== undefined && { gas: BigInt(gas) }) };
  }

  async function send({ gas, ...call }: Awaited<ReturnType<typeof shownCall>>): Promise<void> {
    expect(await run(shop.chain, call, gas === undefined ? {} : { gas })).toMatchObject({
      ok: true,
      left: [],
    });
  }

  const inTreasury = async () =>
    (await askMany(shop.chain, [balanceCall(shop.tokens.USDC, MINE.toLowerCase() as Hex)]))[0];

  it('of an application that received nothing are nothing, and offer nothing', async () => {
    await page.getByText('Nothing has come in yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Ask the chain' }).count()).toBe(0);
    await expectReadable(page);
  });

  it('say what came in, by coin and network, and whose wallet it goes to', async () => {
    for (const amount of [100n * USDC, 100n * USDC, 3n * USDC])
      await shop.send(await shop.instructions(await shop.createPayment(application), 'usdc'), amount);
    await shop.mine(CONFIRMATIONS);
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: 'USDC on Ethereum' });
    await row.getByText('203 USDC', { exact: true }).first().waitFor();
    await row.getByText('worth $203.00 now').waitFor();
    await row.getByText('pays for 3 of 3 addresses').waitFor();
    await row.getByText('the wallet of this application').waitFor();
    await row.getByText(MINE).waitFor();
    await page.getByText('including what you have collected or spent since').waitFor();
    await expectReadable(page);
  });

  it('refuse a minimum that is no amount at its field, and ask nothing', async () => {
    await page.getByRole('textbox', { name: 'Leave addresses with less than' }).fill('much');
    await press(page, 'Ask the chain: Ethereum');
    await page.getByRole('alert').getByRole('button', { name: 'Leave addresses' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Transactions to send' }).count()).toBe(0);
  });

  it('show first what puts the contract on the chain', async () => {
    await page.getByRole('textbox', { name: 'Leave addresses with less than' }).fill('5');
    await press(page, 'Ask the chain: Ethereum');
    await page.getByText('200 USDC in 1 transaction.').waitFor();
    await page.getByText('The network fee is not known.').first().waitFor();
    await expectReadable(page);
    await send(await shownCall('does not have the contract'));
  });

  it('prepare what any wallet can send, as it stands', async () => {
    await press(page, 'Ask the chain again');
    await page.getByText('does not have the contract').waitFor({ state: 'detached' });
    await page.getByText('Network fee:').first().waitFor();
    await page.getByText('200 USDC from 2 deposits.').waitFor();
    await button(page, 'Copy the transaction: 200\\sUSDC').waitFor();
    await expectReadable(page);
    await send(await shownCall('Transactions to send'));
    expect(await inTreasury()).toBe(200n * USDC);
  });

  it('have only what was left out when the chain is asked again', async () => {
    await press(page, 'Ask the chain again');
    await page.getByText('Nothing can be collected here now.').waitFor();
    expect(await page.getByRole('heading', { name: 'Transactions to send' }).count()).toBe(0);
    const left = page.locator('[data-reason=below_minimum]');
    expect(await left.textContent()).toContain('Worth less than the minimum');
    expect(await left.textContent()).toMatch(/3\sUSDC/);
    // What came in is not less for it.
    await page.getByText('203 USDC', { exact: true }).first().waitFor();
    await expectReadable(page);
    expect(unexpected(tab)).toEqual([]);
  });

  it('say when it costs more than it brings, and keep their shape with long amounts and a thousand entries', async () => {
    const amount = (atomic: string, code = 'ETH', decimals = 18) => ({
      atomic,
      decimals,
      currency: { code },
    });
    const treasury = {
      treasury: MINE,
      keyOwner: 'operator',
      to: MINE,
      data: `0x${'ab'.repeat(3_000)}`,
      value: '0x0',
    };
    const expected = [{ amount: amount('1234567890123456789'), token: null }];
    const more = { gasLimit: 5_300_000, fee: amount('9876543210987654321'), deposits: 100, expected };
    const leftOut = Array.from({ length: 1_000 }, (_, index) => ({
      address: MINE,
      amount: index % 2 === 0 ? amount('1234567890123456789') : null,
      token: null,
      txHash: null,
      derivation: null,
      reason: index === 0 ? 'of_key' : index % 2 === 0 ? 'refused' : 'unread',
    }));
    const plan = { form: 'signing-plan-1', blockchain: 'ethereum', keyFingerprint: '3442193e' };
    const data = {
      psbts: [],
      transactions: [{ ...treasury, ...more }],
      safeBatches: [{ treasury: MINE, deposits: 100, file: '{}' }],
      plans: [plan],
      deployment: null,
      expected,
      unpriced: ['USDT'],
      leftOut,
      next: 'older',
    };
    await page.route('**/collections*', (route) => route.fulfill({ json: { data } }));
    await press(page, 'Ask the chain: Ethereum');
    await page.getByText('This costs more than it brings.').first().waitFor();
    await page.getByText('The value of USDT is not known').waitFor();
    await page.getByText("the operator's key, not yours").waitFor();
    await button(page, 'Save the file: 1.234567890123456789\\sETH').waitFor();
    const saved = page.waitForEvent('download');
    await press(page, 'Save the plan');
    const file = await saved;
    expect(file.suggestedFilename()).toBe('plan-ethereum-3442193e-1.json');
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toEqual(plan);
    await page.getByText('Show 500 entries').first().click();
    expect(await page.locator('[data-reason=unread] details li').count()).toBe(50);
    await expectReadable(page);
    await press(page, 'Go on with older addresses');
    await page.getByText('in 2 transactions.').waitFor();
    await page.unrouteAll();
  });
});

describeWithLitecoin('a chain of outputs', () => {
  /** The seed is in this test alone. */
  const ROOT = HDKey.fromMasterSeed(Buffer.alloc(32, 23), { private: 0x04358394, public: 0x043587cf });
  const FINGERPRINT = ROOT.fingerprint.toString(16).padStart(8, '0');
  const KEY = `[${FINGERPRINT}/84h/1h/0h]${ROOT.derive("m/84'/1'/0'").publicExtendedKey}`;
  const UNITS = 1_000_000n;

  describeInBrowser('whose funds a wallet signs', () => {
    let node: UtxoNode;
    let shop: Shop;
    let browser: Browser;
    let tab: Tab;
    let page: Page;
    const deposits: string[] = [];

    beforeAll(async () => {
      node = await startUtxoNode();
      shop = await Shop.open({
        ...(await ownAddress()),
        CHAIN_LITECOIN_RPC_URL: node.url,
        CHAIN_LITECOIN_NETWORK: 'regtest',
      });
      shop.rates.setPrice('LTC', 'USD', '80');
      const application = await shop.application();
      const path = `/api/payment-applications/${application.id}/wallets/litecoin`;
      const body = { extendedPublicKey: `wpkh(${KEY}/0/*)` };
      expect(await shop.call('PUT', path, shop.owner.accessToken, body)).toMatchObject({ status: 200 });
      for (let i = 0; i < 3; i += 1) {
        const payment = await shop.createPayment(application);
        deposits.push((await shop.instructions(payment, 'ltc', 'litecoin')).address);
      }
      const keys = await Promise.all(
        deposits.map((address) => node.rpc<{ scriptPubKey: string }>('validateaddress', [address])),
      );
      await node.pay(
        keys.map(({ scriptPubKey }) => ({ key: Buffer.from(scriptPubKey, 'hex'), amount: UNITS })),
      );
      const watch = () => shop.gateway.get(ChainWatcherService).drain('litecoin');
      await watch();
      await node.mine(6);
      await watch();
      browser = await launchChromium();
      tab = await openFunds(browser, shop, application);
      page = tab.page;
    });
    afterAll(async () => {
      await browser?.close();
      await shop?.close();
      await node?.stop();
    });

    const destination = () => page.getByRole('textbox', { name: 'Address that receives everything' });
    const feeRate = () => page.getByRole('textbox', { name: 'Fee in sat/vB' });
    const ask = () => press(page, 'Ask the chain: Litecoin');

    it('say at the fields what is wrong with an address and a fee rate', async () => {
      await page.getByText('0.03 LTC').waitFor();
      await ask();
      await page.getByText('is required').first().waitFor();
      await destination().fill(deposits[0] ?? '');
      await feeRate().fill('2.5');
      await ask();
      await page.getByText('must not be an address on which payments are received').first().waitFor();
      await page.getByText('must be a whole number').first().waitFor();
      await expectReadable(page);
    });

    it('are a file for the wallet that has the key, with its fingerprint and path', async () => {
      await destination().fill(await node.newAddress());
      await feeRate().fill('3');
      await ask();
      await page.getByText('from 3 deposits.').waitFor();
      await page.getByText(FINGERPRINT).last().waitFor();
      await page.getByText("m/84'/1'/0'").last().waitFor();
      await page.getByText('at 3 sat/vB').waitFor();
      await expectReadable(page);
      const saved = page.waitForEvent('download');
      const save = page.getByRole('button', { name: 'Save the PSBT' });
      const said = (await save.textContent()) ?? '';
      await save.click();
      const file = await saved;
      expect(file.suggestedFilename()).toBe(`collect-litecoin-${FINGERPRINT}-1.psbt`);
      const psbt = Transaction.fromPSBT(await readFile(await file.path()));
      expect([psbt.inputsLength, psbt.outputsLength]).toEqual([3, 1]);
      const arrives = psbt.getOutput(0).amount ?? 0n;
      expect(arrives).toBeLessThan(3n * UNITS);
      expect(said).toContain(`0.0${arrives}`.replace(/0+$/, ''));
      expect(unexpected(tab)).toEqual([]);
    });
  });
});
