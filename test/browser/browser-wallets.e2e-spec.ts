import type { Page } from 'playwright-core';
import { TransactionSearch } from '../../src/chain-watcher/transaction-search.service.js';
import { ChainHealthService } from '../../src/chains/chain-health.service.js';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser, pageUrl } from '../support/chromium.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const ETH = { provider: 'ethereum', method: 'eth' };
const USDT = { provider: 'ethereum', method: 'usdt' };

/**
 * A wallet of the browser as EIP-6963 announces it. It hands everything to `walletRequest`, and throws what that
 * returns as an error. Runs in the page.
 */
const WALLET = `(() => {
  const provider = { request: async (call) => {
    const { error, result } = await walletRequest(call);
    if (error) throw Object.assign(new Error(error.message), { code: error.code });
    return result;
  } };
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Test <b>Wallet', icon: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', rdns: 'org.example' };
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  addEventListener('eip6963:requestProvider', announce);
  // What no wallet announces.
  dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: {}, provider: null } }));
})()`;

interface Call {
  method: string;
  params?: unknown[];
}

describeInBrowser('a wallet of the browser', () => {
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

  const rejected = { error: { code: 4001, message: 'User rejected' } };
  let calls: Call[];
  let chain: string;
  let answers: Record<string, (() => unknown) | undefined>;

  beforeEach(() => {
    calls = [];
    chain = '0x1';
    answers = {};
  });

  /** The wallet of the chain's first account, which signs whatever it is asked for. */
  async function request(call: Call): Promise<unknown> {
    calls.push(call);
    const answer = answers[call.method];
    if (answer) return answer();
    const [first] = call.params ?? [];
    switch (call.method) {
      case 'eth_requestAccounts':
        return { result: [shop.chain.account(0)] };
      case 'eth_chainId':
        return { result: chain };
      case 'wallet_switchEthereumChain':
        chain = (first as { chainId: string }).chainId;
        return { result: null };
      default:
        return { result: await shop.chain.rpc(call.method, call.params) };
    }
  }
  async function open(payment: CreatedPayment): Promise<Page> {
    const { page } = await tabs.open();
    await page.exposeFunction('walletRequest', request);
    await page.addInitScript(WALLET);
    await page.goto(pageUrl(shop, payment));
    return page;
  }
  const button = (page: Page) => page.getByRole('button', { name: 'Pay with Test <b>Wallet' });
  const sent = () => calls.filter(({ method }) => method === 'eth_sendTransaction');

  it.each([
    ['ETH', ETH],
    ['USDT', USDT],
  ])('pays %s in full, and its answer is only a hint', async (_coin, choice) => {
    const payment = await choose(choice);
    const { address, amount, token } = await shop.instructions(payment, choice.method);
    const page = await open(payment);
    await button(page).click();
    await page.locator('#wallets code').waitFor();
    const hash = await page.locator('#wallets code').innerText();
    expect(await page.locator('#wallets').innerText()).toContain('Sent from Test <b>Wallet.');
    // A second click must not pay again.
    expect(await button(page).isDisabled()).toBe(true);
    expect(calls.map(({ method }) => method)).toEqual([
      'eth_requestAccounts',
      'eth_chainId',
      'wallet_switchEthereumChain',
      'eth_chainId',
      ...(token ? ['eth_call'] : []),
      'eth_getBalance',
      'eth_sendTransaction',
    ]);
    const [transaction] = (sent().at(0)?.params ?? []) as { value: string }[];
    expect(transaction).toMatchObject({ chainId: '0x7a69', to: token ? token.contractAddress : address });
    expect(BigInt(transaction?.value ?? '')).toBe(token ? 0n : BigInt(amount.atomic));
    expect(await shop.status(payment)).toBe('OPEN');
    await shop.mine();
    await page.getByRole('heading', { name: 'Payment seen' }).waitFor();
    expect((await shop.payment(payment)).transactions).toMatchObject([
      { txHash: hash, amount: { atomic: amount.atomic } },
    ]);
    await shop.mine(CONFIRMATIONS);
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('is not asked again after it has sent, when the page has renewed itself', async () => {
    const page = await open(await choose(ETH));
    const renewed = page.waitForResponse((response) => response.url().includes('/part') && response.ok());
    await button(page).click();
    const hash = await page.locator('#wallets code').innerText();
    // What it reported is on the page before the node is gone.
    await renewed;
    await shop.gateway.get(ChainHealthService).sawTrouble('ethereum', 'gone', null);
    try {
      await shop.wait(61);
      // It asks again when it is looked at, and beside its stream only every 30 s.
      await page.evaluate("dispatchEvent(new Event('online'))");
      await page.locator('#trouble').waitFor();
      expect(await page.locator('#wallets code').innerText()).toBe(hash);
      expect(await button(page).isDisabled()).toBe(true);
      expect(sent()).toHaveLength(1);
    } finally {
      // The network is there again for the others.
      await shop.watch();
    }
  });

  it.each<[string, Record<string, (() => unknown) | undefined>, string]>([
    ['the connection', { eth_requestAccounts: () => rejected }, 'You didn’t connect Test <b>Wallet'],
    ['the payment', { eth_sendTransaction: () => rejected }, 'You declined the payment'],
    ['the other network', { wallet_switchEthereumChain: () => rejected }, 'is on another network'],
    [
      'a network that it does not know',
      { wallet_switchEthereumChain: () => ({ error: { code: 4902, message: 'Unrecognized chain' } }) },
      'doesn’t have the Ethereum network. Please add it there',
    ],
    [
      'silently the other network',
      { wallet_switchEthereumChain: () => ({ result: null }) },
      'is on another network',
    ],
    [
      'by an error',
      { eth_sendTransaction: () => ({ error: { code: -32000, message: 'execution reverted' } }) },
      'reported an error',
    ],
    [
      'for want of funds',
      { eth_sendTransaction: () => ({ error: { code: -32000, message: 'insufficient funds for gas' } }) },
      'doesn’t have',
    ],
    [
      'because it is open already',
      { eth_requestAccounts: () => ({ error: { code: -32002, message: 'Already processing' } }) },
      'is waiting for your answer to an earlier request',
    ],
    ['by nonsense', { eth_chainId: () => ({ result: 'mainnet' }) }, 'reported an error'],
    ['without an account', { eth_requestAccounts: () => ({ result: [] }) }, 'reported an error'],
  ])('refuses %s: it is said, and the customer can try again', async (_what, refusal, words) => {
    const page = await open(await choose(ETH));
    answers = refusal;
    await button(page).click();
    await page.getByRole('status').filter({ hasText: words }).waitFor();
    expect(await page.locator('#wallets').innerText()).toContain(words);
    expect(calls.some(({ method }) => method === 'wallet_addEthereumChain')).toBe(false);
    expect(await button(page).isEnabled()).toBe(true);
  });

  it('that says no balances is asked all the same', async () => {
    const page = await open(await choose(ETH));
    answers = { eth_getBalance: () => ({ error: { code: 4200, message: 'Unsupported' } }) };
    await button(page).click();
    await page.locator('#wallets code').waitFor();
    expect(sent()).toHaveLength(1);
  });

  it('of a token without coin for the fee is told so before it is asked', async () => {
    const page = await open(await choose(USDT));
    answers = { eth_getBalance: () => ({ result: '0x0' }) };
    await button(page).click();
    await page.getByRole('status').filter({ hasText: 'to pay the network fee' }).waitFor();
    expect(sent()).toEqual([]);
  });

  it('that has sent is reported at once, and not asked again after a reload or on another device', async () => {
    const payment = await choose(ETH);
    const page = await open(payment);
    await button(page).click();
    await page.locator('main .note').filter({ hasText: 'looking for this transaction' }).waitFor();
    const hash = await page.locator('#wallets code').innerText();
    const { body } = await shop.checkout<{ reportedTransactions: object[] }>(
      payment,
      `payment/${payment.id}`,
    );
    expect(body.data.reportedTransactions).toMatchObject([{ txHash: hash, provider: 'ethereum' }]);
    await page.reload();
    expect(await page.locator('#wallets code').innerText()).toBe(hash);
    expect(await button(page).isDisabled()).toBe(true);
    const elsewhere = await tabs.visit(pageUrl(shop, payment));
    expect(await elsewhere.locator('main').innerText()).toContain(hash);
  });

  async function search(): Promise<void> {
    while (await shop.gateway.get(TransactionSearch).runOnce()) continue;
  }

  it('is not asked in another window, while what was sent waits for a block', async () => {
    const payment = await choose(ETH);
    const [first, second] = [await open(payment), await open(payment)];
    await button(second).waitFor();
    expect(await button(second).isEnabled()).toBe(true);
    await button(first).click();
    await first.locator('main .note').filter({ hasText: 'looking for this transaction' }).waitFor();
    for (const words of ['looking for this transaction', 'can see this transaction']) {
      await second.evaluate("dispatchEvent(new Event('online'))");
      await second.locator('main .note').filter({ hasText: words }).waitFor();
      expect(await button(second).isDisabled()).toBe(true);
      await search();
    }
    expect(sent()).toHaveLength(1);
  });

  it('can be asked although a transaction was reported that no node knows', async () => {
    const payment = await choose(ETH);
    const body = { txHash: `0x${'ab'.repeat(32)}`, provider: 'ethereum' };
    const path = `/api/checkout/payment/${payment.id}/transaction${new URL(payment.checkoutUrl).search}`;
    await shop.call('POST', path, null, body);
    await search();
    const page = await open(payment);
    await page.locator('main .note').filter({ hasText: 'This transaction isn’t on' }).waitFor();
    expect(await button(page).isEnabled()).toBe(true);
  });

  it('that never answers can be asked again, and a late answer counts', async () => {
    const { page } = await tabs.open();
    await page.clock.install();
    await page.exposeFunction('walletRequest', request);
    await page.addInitScript(WALLET);
    await page.goto(pageUrl(shop, await choose(ETH)));
    let answer: (() => void) | undefined;
    answers = {
      eth_requestAccounts: () =>
        new Promise((resolve) => {
          answer = () => resolve({ result: [shop.chain.account(0)] });
        }),
    };
    await button(page).click();
    await page.clock.fastForward(20_000);
    await page.getByRole('status').filter({ hasText: 'No answer from Test <b>Wallet yet' }).waitFor();
    expect(await button(page).isEnabled()).toBe(true);
    answer?.();
    await page.locator('#wallets code').waitFor();
    expect(await button(page).isDisabled()).toBe(true);
  });

  it('that was asked twice has sent, although the other request is rejected', async () => {
    const { page } = await tabs.open();
    await page.clock.install();
    await page.exposeFunction('walletRequest', request);
    await page.addInitScript(WALLET);
    await page.goto(pageUrl(shop, await choose(ETH)));
    const waiting: ((answer: unknown) => void)[] = [];
    answers = { eth_requestAccounts: () => new Promise((resolve) => waiting.push(resolve)) };
    await button(page).click();
    await page.clock.fastForward(20_000);
    await page.getByRole('status').filter({ hasText: 'No answer from Test <b>Wallet yet' }).waitFor();
    await button(page).click();
    while (waiting.length < 2) await page.evaluate('0');
    waiting[0]?.({ result: [shop.chain.account(0)] });
    await page.locator('#wallets code').waitFor();
    waiting[1]?.(rejected);
    await page.clock.fastForward(20_000);
    expect(await page.locator('#wallets').innerText()).toContain('Sent from Test <b>Wallet.');
    expect(await button(page).isDisabled()).toBe(true);
    expect(sent()).toHaveLength(1);
  });

  it('of an older kind, which only stands in the window, has a button by the name that it gives itself', async () => {
    const { page } = await tabs.open();
    await page.exposeFunction('walletRequest', request);
    await page.addInitScript(
      'window.ethereum = { isTrust: true, isMetaMask: true, request: async (call) => (await walletRequest(call)).result }',
    );
    await page.goto(pageUrl(shop, await choose(ETH)));
    await page.getByRole('button', { name: 'Pay with Trust Wallet' }).click();
    await page.locator('#wallets code').waitFor();
    expect(sent()).toHaveLength(1);
  });

  it('is not asked to pay a price that has ended while it was being unlocked', async () => {
    const page = await open(await choose(ETH));
    answers = {
      eth_requestAccounts: async () => {
        await page.evaluate("document.getElementById('payable').remove()");
        return { result: [shop.chain.account(0)] };
      },
    };
    await button(page).click();
    await page.getByRole('status').filter({ hasText: 'reported an error' }).waitFor();
    expect(sent()).toEqual([]);
  });

  it.each<[where: string, isTouch: boolean, choice: Record<string, string>, isShown: boolean]>([
    ['a token on a phone', true, USDT, true],
    ['a coin on a phone', true, ETH, true],
    ['a desk', false, USDT, false],
  ])('outside of the browser is led to by plain links: %s', async (_where, isTouch, choice, isShown) => {
    const options = { viewport: { width: 390, height: 844 }, hasTouch: isTouch, isMobile: isTouch };
    const payment = await choose(choice);
    const page = await tabs.visit(pageUrl(shop, payment), options);
    const fold = page.locator('#fold-apps');
    expect(await fold.isVisible()).toBe(isShown);
    if (!isShown) return;
    await page.getByText('Pay in a wallet app').tap();
    const links = await fold.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    const here = page.url();
    expect(links).toEqual([
      `https://link.metamask.io/dapp/${here.replace(/^https?:\/\//, '')}`,
      `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(here)}`,
      `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(here)}`,
      `https://phantom.app/ul/browse/${encodeURIComponent(here)}?ref=${encodeURIComponent(here)}`,
    ]);
  });

  it('leaves no link to other apps once it is there, also when it announces itself late', async () => {
    const { page } = await tabs.open({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await page.exposeFunction('walletRequest', request);
    await page.goto(pageUrl(shop, await choose(ETH)));
    expect(await page.locator('#fold-apps').isVisible()).toBe(true);
    await page.evaluate(`${WALLET}; dispatchEvent(new Event('eip6963:requestProvider'))`);
    await button(page).waitFor();
    expect(await page.locator('#fold-apps').isVisible()).toBe(false);
  });
});
