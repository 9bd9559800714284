import type { Page } from 'playwright-core';
import { installWallet, type WalletCall } from '../support/browser-wallet.js';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser, pageUrl } from '../support/chromium.js';
import { Shop, type ShopApplication } from '../support/shop.js';

const USDT = { provider: 'ethereum', method: 'usdt' };
const PUBLIC_RPC = 'https://rpc.example';
const hex = (amount: bigint) => `0x${amount.toString(16)}`;

describeInBrowser('what a wallet of the browser holds', () => {
  let shop: Shop;
  let application: ShopApplication;
  const tabs = useBrowser(() => shop);

  beforeAll(async () => {
    shop = await Shop.open({ CHAIN_ETHEREUM_WALLET_RPC_URL: PUBLIC_RPC });
    application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
  });
  afterAll(async () => shop?.close());

  let calls: WalletCall[];
  let chain: string;
  let knownChains: string[];
  let account: string;
  /** By account, in units of the token. */
  let tokens: Record<string, bigint>;
  let coins: bigint;
  /** Whether the customer answers when the wallet asks to send. */
  let hasAnswers: boolean;

  beforeEach(() => {
    calls = [];
    chain = '0x7a69';
    knownChains = ['0x1', '0x7a69'];
    account = shop.chain.account(0);
    tokens = { [account]: 141_000_000n };
    coins = 10n ** 18n;
    hasAnswers = true;
  });

  async function request(call: WalletCall): Promise<unknown> {
    calls.push(call);
    const [first] = (call.params ?? []) as { chainId: string }[];
    const wanted = first?.chainId ?? '';
    switch (call.method) {
      case 'eth_requestAccounts':
        return { result: [account] };
      case 'eth_chainId':
        return { result: chain };
      case 'eth_getBalance':
        return { result: hex(coins) };
      case 'eth_call':
        return { result: `0x${(tokens[account] ?? 0n).toString(16).padStart(64, '0')}` };
      case 'wallet_switchEthereumChain':
        if (!knownChains.includes(wanted)) return { error: { code: 4902, message: 'Unrecognized chain' } };
        chain = wanted;
        return { result: null };
      case 'wallet_addEthereumChain':
        knownChains.push(wanted);
        return { result: null };
      default:
        return hasAnswers ? { result: `0x${'ab'.repeat(32)}` } : new Promise(() => {});
    }
  }

  async function payScreen(): Promise<Page> {
    const payment = await shop.createPayment(application);
    await chooseMethod(shop, payment, USDT);
    const { page } = await tabs.open();
    await installWallet(page, request);
    await page.goto(pageUrl(shop, payment));
    return page;
  }

  const pay = (page: Page) => page.getByRole('button', { name: 'Pay with Test Wallet' });
  const anyway = (page: Page) => page.getByRole('button', { name: 'Send anyway with Test Wallet' });
  const sent = () => calls.filter(({ method }) => method === 'eth_sendTransaction').length;
  const plain = (text: string) => text.replaceAll('\u{a0}', ' ');
  const words = async (page: Page) => plain(await page.locator('#wallets p').innerText());

  it('is said while it is asked to pay', async () => {
    const page = await payScreen();
    await pay(page).click();
    await page.locator('#wallets p').filter({ hasText: 'Sent from Test Wallet' }).waitFor();
    expect(sent()).toBe(1);
  });

  it('is said before the wallet has answered', async () => {
    const page = await payScreen();
    hasAnswers = false;
    await pay(page).click();
    await page.locator('#wallets p').filter({ hasText: 'This wallet holds 141 USDT on Ethereum.' }).waitFor();
  });

  it('is too little: it says how much, and the customer may send all the same', async () => {
    tokens[account] = 3_000_000n;
    const page = await payScreen();
    await pay(page).click();
    await anyway(page).waitFor();
    expect(await words(page)).toContain('has 3 USDT on Ethereum, and you need 100 USDT');
    expect(sent()).toBe(0);
    await anyway(page).click();
    await page.locator('#wallets code').waitFor();
    expect(sent()).toBe(1);
  });

  it('lacks coin for the fee, which an account that pays no fees may ignore', async () => {
    coins = 0n;
    const page = await payScreen();
    await pay(page).click();
    await anyway(page).waitFor();
    expect(await words(page)).toContain('to pay the network fee');
    await anyway(page).click();
    await page.locator('#wallets code').waitFor();
  });

  it('is another account than the one that the customer was told of: that one is looked at anew', async () => {
    tokens[account] = 3_000_000n;
    const page = await payScreen();
    await pay(page).click();
    await anyway(page).waitFor();
    account = shop.chain.account(1);
    tokens[account] = 2_000_000n;
    await anyway(page).click();
    await page.locator('#wallets p').filter({ hasText: 'has 2 USDT' }).waitFor();
    expect(sent()).toBe(0);
  });

  it('is offered the network that it does not know, with the address that the operator lists', async () => {
    [chain, knownChains] = ['0x1', ['0x1']];
    const page = await payScreen();
    await pay(page).click();
    await page.locator('#wallets code').waitFor();
    expect(calls.find(({ method }) => method === 'wallet_addEthereumChain')?.params).toEqual([
      {
        chainId: '0x7a69',
        chainName: 'Ethereum',
        rpcUrls: [PUBLIC_RPC],
        nativeCurrency: { name: 'ETH', symbol: 'ETH', decimals: 18 },
      },
    ]);
  });

  describe('on the list of coins', () => {
    const look = (page: Page) => page.getByRole('button', { name: 'See what Test Wallet can pay' });
    const marks = async (page: Page) => (await page.locator('.wallet-mark').allInnerTexts()).map(plain);

    async function list(): Promise<Page> {
      const { page } = await tabs.open();
      await installWallet(page, request);
      await page.goto(pageUrl(shop, await shop.createPayment(application)));
      return page;
    }

    it('marks what it can pay, and nothing is sent or kept', async () => {
      coins = 1n;
      const page = await list();
      expect(calls).toEqual([]);
      const requests: string[] = [];
      page.on('request', (one) => requests.push(one.url()));
      await look(page).click();
      await page.locator('#wallet-check p').filter({ hasText: 'answered for Ethereum' }).waitFor();
      expect((await marks(page)).toSorted()).toEqual([
        'Not enough in your wallet: 0.000000000000000001 ETH on Ethereum test network',
        '✓ In your wallet: 141 USDC on Ethereum test network',
        '✓ In your wallet: 141 USDT on Ethereum test network',
      ]);
      // The page's own stream of changes starts on its own.
      expect(requests.filter((url) => !url.includes('/events?'))).toEqual([]);
      expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
      expect(new Set(calls.map(({ method }) => method))).toEqual(
        new Set(['eth_requestAccounts', 'eth_chainId', 'eth_call', 'eth_getBalance']),
      );
      // A page that renews itself keeps what was said.
      await page.evaluate(
        `(() => { const main = document.querySelector('main'); main.id = 'old'; main.dataset.version = ''; dispatchEvent(new Event('online')); })()`,
      );
      await page.locator('main:not(#old)').waitFor();
      expect(await marks(page)).toHaveLength(3);
      // Asked twice, it is said once.
      await look(page).click();
      await look(page).waitFor();
      expect(await marks(page)).toHaveLength(3);
    });

    it('says that it is on another network', async () => {
      chain = '0x2105';
      const page = await list();
      await look(page).click();
      await page.getByRole('status').filter({ hasText: 'isn’t accepted here' }).waitFor();
      expect(await marks(page)).toEqual([]);
    });
  });
});
