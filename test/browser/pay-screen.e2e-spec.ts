import type { Page } from 'playwright-core';
import { ChainHealthService } from '../../src/chains/chain-health.service.js';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser, pageUrl } from '../support/chromium.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const ETH = { provider: 'ethereum', method: 'eth' };
const USDT = { provider: 'ethereum', method: 'usdt' };
const PHONE = { viewport: { width: 390, height: 844 } };

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

describeInBrowser('the pay screen', () => {
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

  describe('on a phone', () => {
    it.each([
      ['ETH', ETH],
      ['USDT', USDT],
    ])('%s: clock, amount and address are on the first screen, the code is folded', async (_coin, choice) => {
      const page = await tabs.visit(pageUrl(shop, await choose(choice)), PHONE);
      for (const part of [
        '[role=timer]',
        '#amount',
        '#address',
        '#copy-amount',
        '#copy-address',
        '#scan summary',
      ]) {
        const box = await page.locator(part).first().boundingBox();
        expect((box?.y ?? 1_000) + (box?.height ?? 0)).toBeLessThan(844);
      }
      const code = page.locator('.qr').first();
      expect(await code.isVisible()).toBe(false);
      await page.getByText('Show QR code').click();
      expect(await code.isVisible()).toBe(true);
      expect(await page.locator('[role=timer]').innerText()).toMatch(/^price fixed for 1[45]:\d\d$/);
    });

    it('the bar of the status stays in view', async () => {
      const page = await tabs.visit(pageUrl(shop, await choose(ETH)), {
        viewport: { width: 390, height: 500 },
      });
      await page.locator('#back').scrollIntoViewIfNeeded();
      await page.evaluate('scrollTo(0, 300)');
      expect((await page.locator('.bar').boundingBox())?.y).toBeCloseTo(0);
    });

    it.each([
      ['en', 'ltr'],
      ['en-XA', 'ltr'],
      ['en', 'rtl'],
    ])('nothing is wider than 320 px in %s, %s', async (lang, direction) => {
      const page = await tabs.visit(pageUrl(shop, await choose(ETH), { lang }), {
        viewport: { width: 320, height: 640 },
      });
      await page.evaluate(`document.documentElement.dir = '${direction}'`);
      await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
      expect(await page.locator('.qr').count()).toBe(2);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    });
  });

  it('has the code open on a wide screen, also without JavaScript, and no dead button', async () => {
    const page = await tabs.visit(pageUrl(shop, await choose(USDT)), { javaScriptEnabled: false });
    expect(await page.locator('.qr').first().isVisible()).toBe(true);
    expect(await page.locator('.copy:visible, #wallets:visible, #ended:visible').count()).toBe(0);
    expect(await page.locator('[role=timer]').innerText()).toMatch(/^price fixed until .*\sUTC$/);
  });

  it('shows times in the zone of the customer', async () => {
    const page = await tabs.visit(pageUrl(shop, await choose(ETH)), {
      timezoneId: 'Asia/Tokyo',
      locale: 'en',
    });
    await page.getByText('Rate and network').click();
    expect(await page.locator('#fold-rate time').innerText()).toMatch(/GMT\+9$/);
  });

  it('tells before anything is sent that the network is in trouble, and when it has passed', async () => {
    const payment = await choose(ETH);
    const health = shop.gateway.get(ChainHealthService);
    await health.sawTrouble('ethereum', 'gone', null);
    await shop.wait(61);
    const page = await tabs.visit(pageUrl(shop, payment));
    expect(await page.locator('#trouble').innerText()).toMatch(/not being followed as usual.*seen late/s);
    expect(await page.locator('#address').count()).toBe(1);
    await shop.watch();
    await page.reload();
    expect(await page.locator('#trouble').count()).toBe(0);
  });

  it('without JavaScript, an ended price is not renewed by itself', async () => {
    const payment = await choose(ETH);
    await shop.wait(1_000);
    const page = await tabs.visit(pageUrl(shop, payment), { javaScriptEnabled: false });
    expect(await page.locator('main').innerText()).toContain('This price has ended.');
    expect(await page.locator('#address, .qr, .copy, #wallet, #wallets').count()).toBe(0);
    await page.reload();
    expect(await page.locator('#address').count()).toBe(0);
    await page.getByRole('button', { name: 'Show the current price' }).click();
    expect(await page.locator('#address').count()).toBe(1);
    expect(await page.locator('#ended:visible').count()).toBe(0);
  });

  it('becomes the screen of an ended price by its script as by the server, in all that it states', async () => {
    const payment = await choose(ETH);
    const health = shop.gateway.get(ChainHealthService);
    await health.sawTrouble('ethereum', 'gone', null);
    await shop.wait(61);
    const stated = async (page: Page) => ({
      title: await page.title(),
      kept: await page.locator('main').getAttribute('data-title'),
      screen: await page.locator('main').getAttribute('data-screen'),
      bar: await page.locator('.bar').getAttribute('class'),
      // The times of the two differ.
      words: (await page.locator('main').innerText()).replaceAll(/\d+:\d+/g, ''),
    });
    const { page } = await tabs.open();
    await page.clock.install();
    await page.goto(pageUrl(shop, payment));
    await page.clock.fastForward(1_000_000);
    await page.locator('#ended').waitFor();
    const byScript = await stated(page);
    await shop.wait(1_000);
    const byServer = await stated(await tabs.visit(pageUrl(shop, payment)));
    await shop.watch();
    expect(byServer).toMatchObject({
      screen: 'price-ended',
      title: expect.stringMatching(/^Price ended · /) as string,
    });
    expect(byServer.words).toContain('not being followed as usual');
    expect(byScript).toEqual(byServer);
  });

  it.each<[what: string, choice: Record<string, string>, isTouch: boolean, isShown: boolean]>([
    ['a coin on a phone', ETH, true, true],
    ['a coin on a desk', ETH, false, false],
    ['a token on a phone', USDT, true, false],
  ])('offers to open a wallet only where something can: %s', async (_what, choice, isTouch, isShown) => {
    const options = isTouch ? { ...PHONE, hasTouch: true, isMobile: true } : PHONE;
    for (const javaScriptEnabled of [true, false]) {
      const page = await tabs.visit(pageUrl(shop, await choose(choice)), { ...options, javaScriptEnabled });
      expect(await page.locator('#wallet:visible').count()).toBe(isShown ? 1 : 0);
    }
  });

  it('says how to go on when nothing has opened', async () => {
    const { page } = await tabs.open({ ...PHONE, hasTouch: true, isMobile: true });
    await page.clock.install();
    await page.goto(pageUrl(shop, await choose(ETH)));
    const note = page.getByText('Did nothing open?');
    expect(await note.isVisible()).toBe(false);
    // Not the link itself: a browser would look for a program.
    await page.evaluate(
      "document.getElementById('wallet').addEventListener('click', (event) => event.preventDefault())",
    );
    await page.locator('#wallet').tap();
    await page.clock.fastForward(1_500);
    await note.waitFor();
  });

  describe('a wallet of the browser', () => {
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
      expect(await page.locator('#wallets').innerText()).toContain('Sent by Test <b>Wallet.');
      // A second click must not pay again.
      expect(await button(page).isDisabled()).toBe(true);
      expect(calls.map(({ method }) => method)).toEqual([
        'eth_requestAccounts',
        'eth_chainId',
        'wallet_switchEthereumChain',
        'eth_chainId',
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
      await button(page).click();
      const hash = await page.locator('#wallets code').innerText();
      await shop.gateway.get(ChainHealthService).sawTrouble('ethereum', 'gone', null);
      await shop.wait(61);
      // It asks again when it is looked at, and beside its stream only every 30 s.
      await page.evaluate("dispatchEvent(new Event('online'))");
      await page.locator('#trouble').waitFor();
      expect(await page.locator('#wallets code').innerText()).toBe(hash);
      expect(await button(page).isDisabled()).toBe(true);
      expect(sent()).toHaveLength(1);
      await shop.watch();
    });

    it.each<[string, Record<string, (() => unknown) | undefined>, string]>([
      ['the connection', { eth_requestAccounts: () => rejected }, 'You have rejected the payment'],
      ['the payment', { eth_sendTransaction: () => rejected }, 'You have rejected the payment'],
      ['the other network', { wallet_switchEthereumChain: () => rejected }, 'is on another network'],
      [
        'a network that it does not know',
        { wallet_switchEthereumChain: () => ({ error: { code: 4902, message: 'Unrecognized chain' } }) },
        'does not have the network Ethereum. Please add it there',
      ],
      [
        'silently the other network',
        { wallet_switchEthereumChain: () => ({ result: null }) },
        'is on another network',
      ],
      [
        'by an error',
        { eth_sendTransaction: () => ({ error: { code: -32000, message: 'insufficient funds' } }) },
        'reported an error',
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
  });
});
