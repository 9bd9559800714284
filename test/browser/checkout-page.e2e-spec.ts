import type { Page } from 'playwright-core';
import { PaymentsService } from '../../src/payments/payments.service.js';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser, pageUrl, type Tab } from '../support/chromium.js';
import { readQr } from '../support/qr-reader.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const heading = (page: Page) => page.locator('h1');

/** Read this first: a customer pays in a real browser, on a real chain. */
describeInBrowser('the checkout page', () => {
  let shop: Shop;
  let application: ShopApplication;
  const tabs = useBrowser(() => shop);
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
  });
  beforeEach(async () => {
    tab = await tabs.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    ({ page } = tab);
    // Runs as ever, and can be put forward.
    await page.clock.install();
  });
  afterAll(() => shop?.close());

  const create = (fields: Record<string, unknown> = {}) => shop.createPayment(application, fields);
  /** Lets open pages learn of a change, and waits for what this one shows then. */
  const seesNext = async (words: string) => {
    await shop.tell();
    await page.locator('main').filter({ hasText: words }).waitFor();
  };
  const open = async (payment: CreatedPayment, choice?: Record<string, string>) =>
    page.goto(choice ? await chooseMethod(shop, payment, choice) : pageUrl(shop, payment));
  const ETH = { provider: 'ethereum', method: 'eth' };
  const USDT = { provider: 'ethereum', method: 'usdt' };

  it('offers the methods, shows the instructions of the API, and follows the payment to its end', async () => {
    const payment = await create({
      reference: 'ORDER-42',
      referenceLabel: 'Two bags of Sidamo',
      redirectUrl: 'https://shop.example/thanks?lang=en',
    });

    // Who wants how much for what, and three ways to pay it.
    await open(payment);
    expect(await page.title()).toBe('Choose how to pay · Two bags of Sidamo · Bluebird Coffee');
    const header = await page.locator('header').innerText();
    for (const part of ['Bluebird Coffee', 'Two bags of Sidamo', 'ORDER-42', '$100.00'])
      expect(header).toContain(part);
    const coins = page.getByRole('listitem').getByRole('button');
    expect(await coins.allInnerTexts()).toEqual([
      expect.stringMatching(
        /USDT Tether USD\s+on Ethereum \(ERC-20\) test network\s+·\s+High fee\s+·\s+about 2 min\s+100\sUSDT\s+\$100\.00$/,
      ),
      expect.stringMatching(
        /USDC USD Coin\s+on Ethereum \(ERC-20\) test network\s+·\s+High fee\s+·\s+about 2 min\s+100\sUSDC\s+\$100\.00$/,
      ),
      expect.stringMatching(
        /ETH Ether\s+on Ethereum test network\s+·\s+High fee\s+·\s+about 2 min\s+0\.05\sETH\s+\$100\.00$/,
      ),
    ]);
    expect((await shop.payment(payment)).transactions).toEqual([]);

    // The choice is a form; behind it is exactly what the API answers.
    await coins.first().click();
    expect(await heading(page).innerText()).toBe('USDT on Ethereum (ERC-20) test network');
    expect(await page.title()).toMatch(/^Waiting for payment · /);
    const instructions = await shop.instructions(payment, 'usdt');
    expect(await page.locator('#amount').textContent()).toBe('100\u{a0}USDT');
    expect(await page.locator('#address').textContent()).toBe(instructions.address);
    expect(await page.locator('main').innerText()).toContain(
      'Send only USDT, only on Ethereum (ERC-20) test network.',
    );
    const qr = page.getByRole('img', { name: `QR code: the address ${instructions.address}` });
    expect(await readQr(page, qr)).toBe(instructions.address);
    expect(await page.locator('#scan').innerText()).toMatch(
      /choose\s+Ethereum \(ERC-20\) test network\s+and enter\s+100\sUSDT/,
    );
    // Of a token's link some wallets pay the token's contract, where the money is lost.
    expect(instructions.paymentUri).toMatch(/^ethereum:0x\w+@31337\/transfer\?/);
    expect(await page.content()).not.toContain('ethereum:');

    // The way back names payment and reference, never a status.
    expect(await page.locator('#back').innerText()).toBe('Back to shop.example');
    expect(await page.locator('#back').getAttribute('href')).toBe(
      `https://shop.example/thanks?lang=en&paymentId=${payment.id}&reference=ORDER-42`,
    );

    // The customer pays. The page changes by itself: no reload, the focus on the news, the news spoken.
    await page.evaluate('window.isSamePage = true');
    await shop.send(instructions);
    await shop.mine();
    await page.getByRole('heading', { name: 'Payment seen' }).waitFor();
    expect(await page.title()).toMatch(/^Payment seen · /);
    expect(await focused(page)).toBe('Payment seen');
    await page.getByRole('status').filter({ hasText: 'Payment seen, being confirmed' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('1 of 12 confirmations');

    // Confirmations are not a new screen, so the focus stays where it is.
    await page.locator('#back').focus();
    await shop.mine();
    await seesNext('Confirming: 2 of 12');
    expect(await focused(page)).toBe('Back to shop.example');

    await shop.mine(CONFIRMATIONS);
    await seesNext('Payment complete');
    expect(await page.title()).toMatch(/^✓ Paid · /);
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(await page.locator('main').getAttribute('data-part')).toBeNull();
    // Nothing is asked of the API: the stream says when there is something to fetch.
    const asked = tab.requests.map((url) => new URL(url).pathname.replace(/^.*\//, ''));
    // One of the list, one of the instructions and what followed.
    expect(asked.filter((name) => name === 'events')).toHaveLength(2);
    expect(asked.filter((name) => name === 'part')).toHaveLength(3);
  });

  it('opens the instructions of the only method, or of the one selected before', async () => {
    const ethOnly = await shop.application({ currencyWhitelist: ['ETH'], url: null });
    await open(await shop.createPayment(ethOnly));
    // The script sends the only form there is.
    await page.locator('#address').waitFor();
    expect(await heading(page).innerText()).toBe('ETH on Ethereum test network');
    expect(await page.locator('#change').count()).toBe(0);
    // Neither a redirectUrl nor a website: no way back to offer.
    expect(await page.locator('#back').count()).toBe(0);

    const payment = await create();
    await shop.instructions(payment, 'usdc');
    await open(payment);
    expect(await heading(page).innerText()).toBe('USDC on Ethereum (ERC-20) test network');
    await page.locator('#change').click();
    expect(await heading(page).innerText()).toBe('Choose how to pay');
    await page.getByRole('button', { name: /^ETH/ }).click();
    expect(await heading(page).innerText()).toBe('ETH on Ethereum test network');
    await page.getByText('Rate and network').click();
    expect(await page.locator('main').innerText()).toMatch(/1\sETH = 2,000\sUSD, from (Kraken|Coinbase)/);
  });

  it('requests exactly the remaining amount once an underpayment is seen', async () => {
    const payment = await create();
    const first = await shop.instructions(payment);
    await open(payment);
    await shop.send(first, 30_000_000_000_000_000n);
    await shop.mine();
    await seesNext('0.02 ETH is still missing');
    expect(await page.locator('main').innerText()).toMatch(
      /Being confirmed\s+0\.03\sETH\s+\$60\.00\s+Missing\s+0\.02\sETH\s+\$40\.00/,
    );
    await shop.mine(CONFIRMATIONS);
    await seesNext('Your payment arrived, but it’s less than the price.');
    expect(await page.locator('main').innerText()).toMatch(
      /Received\s+0\.03\sETH\s+\$60\.00\s+Missing\s+0\.02\sETH\s+\$40\.00/,
    );
    const rest = await shop.instructions(payment);
    expect(await page.locator('#address').textContent()).toBe(first.address);
    expect(await page.locator('#wallet').getAttribute('href')).toBe(rest.paymentUri);
    expect(rest.paymentUri).toContain('value=20000000000000000');
    await page.locator('#copy-amount').click();
    expect(await clipboard(page)).toBe('0.02');

    // Twice the rest: too much, which is said once all is final.
    await shop.send(rest, 40_000_000_000_000_000n);
    await shop.mine();
    await seesNext('Payment seen');
    await shop.mine(CONFIRMATIONS);
    await seesNext('Payment complete');
    expect(await page.locator('main').innerText()).toContain('You sent $40.00 too much.');
    // Nobody reads any more that something is missing.
    await page.getByRole('status').filter({ hasText: 'Payment complete.' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('');
  });

  it('shows unmatched funds in another coin', async () => {
    const payment = await create();
    const { address } = await shop.instructions(payment);
    await shop.chain.sendToken({ token: shop.tokens.USDC, to: address as `0x${string}`, value: 5_000_000n });
    await shop.mine();
    await open(payment);
    expect(await heading(page).innerText()).toBe('Sent in the wrong coin');
    expect((await page.locator('main').innerText()).replace(/\s+/g, ' ')).toContain(
      'We see 5 USDC on Ethereum This order asks for ETH on Ethereum It isn’t lost.',
    );
    expect(await page.locator('#address').textContent()).toBe(address);
  });

  it.each([
    ['CANCELLED', 'Payment cancelled'],
    ['ERROR', 'This payment can’t continue'],
  ])('shows the status %s at once and stops polling', async (status, words) => {
    const payment = await create();
    await open(payment, ETH);
    if (status === 'ERROR') await shop.gateway.get(PaymentsService).fail(payment.id, 'address_integrity');
    else await shop.call('POST', `/api/payment/${payment.id}/cancel`, application.clientToken);
    await seesNext(words);
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
    const text = await page.locator('main').innerText();
    expect(text).toMatch(/don’t send anything/);
    expect(text).toContain('ORDER-1');
    expect(await page.locator('#address, #wallet, [data-part]').count()).toBe(0);
  });

  describe('the price', () => {
    it('counts down, warns, expires, and is renewed on request at the same address', async () => {
      const payment = await create();
      await open(payment, ETH);
      const [timer, ended] = [page.getByRole('timer'), page.locator('#ended')];
      expect(await timer.innerText()).toMatch(/^price fixed for 1[45]:\d\d$/);
      const address = await page.locator('#address').textContent();

      const pass = async (seconds: number) => {
        await shop.wait(seconds);
        await page.clock.fastForward(seconds * 1000);
      };
      await pass(14 * 60 + 10);
      await page.getByText('One minute left at this price.').waitFor();
      expect(await timer.innerText()).toMatch(/^price fixed for 00:\d\d$/);
      expect(await ended.isVisible()).toBe(false);
      await pass(60);
      await ended.waitFor();
      await page.getByRole('alert').filter({ hasText: 'This price has expired.' }).waitFor();
      expect(await timer.count()).toBe(0);
      // The page offers no way to pay the old price.
      expect(await page.locator('#address, .qr, .copy, #wallet').count()).toBe(0);

      shop.rates.setPrice('ETH', 'USD', '2500');
      await page.locator('#renew').click();
      await page.getByText('Rate and network').click();
      await page.getByText('1 ETH = 2,500 USD').waitFor();
      expect(await page.locator('#amount').textContent()).toBe('0.04\u{a0}ETH');
      expect(await page.locator('#address').textContent()).toBe(address);
      shop.rates.setPrice('ETH', 'USD', '2000');
      // Rates are kept for 20 s.
      await shop.wait(30);
    });
  });

  it('requests no further amount while late funds wait for a rate', async () => {
    const payment = await create();
    const instructions = await shop.instructions(payment);
    await shop.wait(1_900);
    await shop.send(instructions);
    await shop.chain.mine(1);
    await shop.watch();
    await open(payment);
    expect(await heading(page).innerText()).toBe('Payment seen');
    expect(await page.locator('main').innerText()).toContain('we’re working out what it’s worth');
    expect(await page.locator('#address').count()).toBe(0);
    shop.rates.setPrice('ETH', 'USD', '1800');
    await shop.wait(30);
    await shop.settle();
    await page.reload();
    // Its 0.05 ETH are 90 of the 100 dollars now.
    expect(await heading(page).innerText()).toMatch(/^0\.0\d+\sETH is still missing$/);
    expect(await page.locator('main').innerText()).toMatch(/Missing\s+\$10\.0\d/);
    shop.rates.setPrice('ETH', 'USD', '2000');
  });

  describe('copying', () => {
    it('puts the whole address or the plain amount on the clipboard, and confirms it', async () => {
      const payment = await create();
      await open(payment, USDT);
      const { address } = await shop.instructions(payment, 'usdt');
      await page.getByRole('button', { name: 'Copy address' }).click();
      expect(await clipboard(page)).toBe(address);
      expect(await page.locator('#copy-address').innerText()).toMatch(/^Copied/);
      await page.getByRole('status').filter({ hasText: 'Once pasted, it must end in …' }).waitFor();
      await page.getByRole('button', { name: 'Copy address' }).waitFor();
      await page.getByRole('button', { name: 'Copy amount' }).click();
      expect(await clipboard(page)).toBe('100');
    });

    it('works without the clipboard API, and reports when nothing works', async () => {
      await page.addInitScript(
        'Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined })',
      );
      const payment = await create();
      await open(payment, USDT);
      const other = await page.context().newPage();
      await other.goto(pageUrl(shop, await create()));
      await page.bringToFront();
      await page.locator('#copy-address').click();
      await page.getByRole('status').filter({ hasText: 'Once pasted, it must end in …' }).waitFor();
      expect(await focused(page)).toMatch(/^Copied/);

      await page.evaluate('document.execCommand = () => false');
      await page.locator('#copy-amount').click();
      await page.getByRole('status').filter({ hasText: 'Couldn’t copy.' }).waitFor();
      expect(await page.evaluate('getSelection().toString()')).toBe('100\u{a0}USDT');
    });
  });
});

/** What the keyboard is on. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.innerText');
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate<string>('navigator.clipboard.readText()');
}
