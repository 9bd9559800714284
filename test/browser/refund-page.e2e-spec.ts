import { Logger } from '@nestjs/common';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { useBrowser } from '../support/browser-tabs.js';
import { installWallet, type WalletAnswer } from '../support/browser-wallet.js';
import { describeInBrowser } from '../support/chromium.js';
import { CUSTOMER, type RefundDto, RefundsApi } from '../support/refunds-api.js';
import { CONFIRMATIONS, Shop } from '../support/shop.js';

const OTHER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const PRIVATE_KEY = '4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d';
const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
/** Browsers log the 422 of a refused form; here it is expected. */
const EXPECTED = /^console: Failed to load resource: the server responded with a status of (403|404|422)/;

/** A customer claims a refund in a real browser; the shop pays it on a real chain. */
describeInBrowser('the refund page', () => {
  let shop: Shop;
  let api: RefundsApi;
  const tabs = useBrowser(() => shop, EXPECTED);
  const printed: string[] = [];

  beforeAll(async () => {
    shop = await Shop.open();
    keepTheLog();
    const site = { name: 'Bluebird Coffee', url: 'https://shop.example' };
    api = new RefundsApi(shop, await shop.application(site));
  });
  afterAll(() => shop?.close());

  /** The messages of Nest loggers. The access log contains only the route of a request (logger.spec.ts). */
  function keepTheLog(): void {
    const keep = (...texts: unknown[]) => void printed.push(JSON.stringify(texts));
    Logger.overrideLogger({ log: keep, error: keep, warn: keep, debug: keep, verbose: keep, fatal: keep });
  }

  const open = async (body: Record<string, unknown> = {}, method = 'usdt'): Promise<RefundDto> =>
    api.create(
      await api.paid(
        { amount: 4_999, reference: 'ORDER-1042', referenceLabel: 'Two bags of Sidamo' },
        method,
      ),
      body,
    );
  const urlOf = ({ claimUrl }: RefundDto) => {
    const { pathname, search } = new URL(claimUrl);
    return `${shop.gateway.baseUrl}${pathname}${search}`;
  };
  const visit = (refund: RefundDto, options?: BrowserContextOptions) => tabs.visit(urlOf(refund), options);
  const heading = (page: Page) => page.locator('h1').innerText();
  const enter = async (page: Page, address: string) => {
    await page.getByLabel('Your USDT on Ethereum (ERC-20) test network address').fill(address);
    await page.getByRole('button', { name: 'Check this address' }).click();
  };

  it.each([
    ['with JavaScript', {}],
    ['without JavaScript', { javaScriptEnabled: false }],
  ])(
    'accepts an address in two steps and shows the refund until it is completed, %s',
    async (_name, options) => {
      const refund = await open();
      const page = await visit(refund, options);
      expect(await heading(page)).toBe('Where should your refund go?');
      expect(await page.title()).toBe('Your refund · Two bags of Sidamo · Bluebird Coffee');
      expect(await page.locator('.total').innerText()).toContain('$49.99');
      expect(await page.locator('#amount').innerText()).toBe('49.99\u{a0}USDT');

      await enter(page, CUSTOMER.replace('E7', 'e7'));
      expect(await page.getByRole('alert').filter({ hasText: 'checksum' }).isVisible()).toBe(true);
      expect(await page.getByRole('textbox').inputValue()).toBe(CUSTOMER.replace('E7', 'e7'));
      await enter(page, ` ${CUSTOMER.toLowerCase()} `);
      expect(await heading(page)).toBe('Is this your address?');
      expect(await page.locator('#address').textContent()).toBe(CUSTOMER);
      // Nothing is recorded before it is confirmed.
      expect((await api.read(refund)).status).toBe('AWAITING_ADDRESS');
      await page.getByRole('link', { name: 'No, enter another address' }).click();
      await enter(page, CUSTOMER);
      await page.getByRole('button', { name: /^Yes, send .+ to this address$/ }).click();
      expect(await heading(page)).toBe('Your address is saved');
      expect(page.url()).toBe(urlOf(refund));
      const addressed = await api.read(refund);
      expect(addressed).toMatchObject({
        status: 'AWAITING_PAYMENT',
        address: CUSTOMER,
        addressSetBy: 'customer',
      });

      const hash = await api.payOut(addressed);
      await api.complete(addressed, hash);
      await api.confirm(3);
      await page.reload();
      expect(await heading(page)).toBe('Your refund is on its way');
      expect(await page.locator('.state').innerText()).toContain('3 of 12 confirmations');
      expect(await page.locator('main').innerText()).toContain(hash);
      await api.confirm(CONFIRMATIONS - 3);
      // Without an action of the customer, within 10 s, with a script or without.
      await page.getByRole('heading', { name: 'Your refund was sent' }).waitFor();
      expect(await page.content()).not.toContain('http-equiv="refresh"');
    },
  );

  it('takes the address that a wallet of the browser gives, and says when it gives none', async () => {
    const { page } = await tabs.open();
    const asked: string[] = [];
    let answer: WalletAnswer = { error: { code: 4001, message: 'no' } };
    await installWallet(page, async ({ method }) => {
      asked.push(method);
      return answer;
    });
    await page.goto(urlOf(await open()));
    await page.getByRole('button', { name: 'Use the address of Test Wallet' }).click();
    await page.getByText('Test Wallet didn’t give its address.').waitFor();
    expect(await page.getByRole('textbox').inputValue()).toBe('');
    answer = { result: [CUSTOMER.toLowerCase()] };
    await page.getByRole('button', { name: 'Use the address of Test Wallet' }).click();
    await page.getByText('Test Wallet didn’t give its address.').waitFor({ state: 'hidden' });
    await page.waitForFunction(`document.activeElement?.id === 'address'`);
    expect(await page.getByRole('textbox').inputValue()).toBe(CUSTOMER.toLowerCase());
    await page.getByRole('button', { name: 'Check this address' }).click();
    expect(await heading(page)).toBe('Is this your address?');
    expect(await page.locator('#address').textContent()).toBe(CUSTOMER);
    expect(asked).toEqual(['eth_requestAccounts', 'eth_requestAccounts']);
  });

  it('updates the number of confirmations without a reload', async () => {
    const refund = await open({ address: CUSTOMER });
    await api.complete(refund, await api.payOut(refund));
    const tab = await tabs.open();
    const { page } = tab;
    await page.clock.install();
    await page.goto(urlOf(refund));
    await api.confirm(2);
    await page.clock.fastForward(10_000);
    await page.locator('#seen').filter({ hasText: '2' }).waitFor();
    expect(tab.requests.filter((url) => url === urlOf(refund))).toHaveLength(1);
  });

  it.each([
    ['a private key', PRIVATE_KEY],
    ['a private key with 0x', `0x${PRIVATE_KEY}`],
    ['a private key between spaces', `  ${PRIVATE_KEY} `],
    ['a private key after a label', `key: ${PRIVATE_KEY}`],
    ['recovery words', WORDS],
  ])('refuses %s, does not show it again, and never logs it', async (_name, secret) => {
    const page = await visit(await open());
    await enter(page, secret);
    expect(
      await page.getByRole('alert').filter({ hasText: 'not a private key or a recovery phrase' }).isVisible(),
    ).toBe(true);
    expect(await page.content()).not.toContain(secret.trim());
    expect(page.url()).not.toContain(secret);
    expect(printed.join('')).toContain('refund created');
    expect(printed.join('')).not.toContain(secret.trim());
  });

  it('refuses the zero address, a token and an address of the shop, each with its reason', async () => {
    const payment = await api.paid({}, 'usdt');
    const { address } = await shop.instructions(payment, 'usdt');
    const page = await visit(await api.create(payment));
    for (const [wrong, words] of [
      [`0x${'0'.repeat(40)}`, 'has an owner'],
      [shop.tokens.USDT, 'a token’s contract'],
      [address, 'the shop receives payments on this one'],
      ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'a valid address on the network'],
    ] as const) {
      await enter(page, wrong);
      expect(await page.locator('#address-problem').innerText()).toContain(words);
    }
  });

  it('does not change a recorded address by a late confirmation', async () => {
    const refund = await open();
    const page = await visit(refund);
    await enter(page, OTHER);
    await api.post({ id: refund.paymentId }, `/${refund.id}/address`, { address: CUSTOMER });
    await page.getByRole('button', { name: /^Yes, send .+ to this address$/ }).click();
    expect(await heading(page)).toBe('Your address is saved');
    expect(await page.locator('#address').textContent()).toBe(CUSTOMER);
  });

  it('shows that a refund has failed or was cancelled', async () => {
    const refund = await open({ address: CUSTOMER });
    await api.complete(refund, await api.payOut(refund, 1n));
    await api.confirm();
    const page = await visit(refund);
    expect(await heading(page)).toBe('The transfer did not go through');
    await api.post({ id: refund.paymentId }, `/${refund.id}/cancel`);
    await page.reload();
    expect(await heading(page)).toBe('This refund was cancelled');
  });

  it('escapes the name of the shop', async () => {
    const evil = '"><script>alert(1)</script>';
    const other = new RefundsApi(shop, await shop.application({ name: evil }));
    const refund = await other.create(await other.paid({ reference: evil, referenceLabel: evil }), {});
    const page = await visit(refund);
    expect(await page.locator('.shop').innerText()).toBe(evil);
    await page.getByRole('textbox').fill(evil);
    await page.getByRole('button').click();
    expect(await page.getByRole('textbox').inputValue()).toBe(evil);
  });

  it('is served with strict headers, and only with a valid link', async () => {
    const refund = await open();
    const good = await fetch(urlOf(refund));
    expect(good.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'nonce-[\w-]{22}'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(Object.fromEntries(good.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    const unsigned = urlOf(refund).replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const method of ['GET', 'POST']) {
      const refused = await fetch(unsigned, { method });
      expect([refused.status, refused.headers.get('content-type')]).toEqual([
        403,
        'text/html; charset=utf-8',
      ]);
      expect(await refused.text()).toContain('This refund link isn’t valid');
    }
    const form = { method: 'POST', body: new URLSearchParams({ address: CUSTOMER, confirm: 'yes' }) };
    const api415 = `${shop.gateway.baseUrl}/api/checkout/refund/${refund.id}${new URL(refund.claimUrl).search}`;
    expect((await fetch(api415, form)).status).toBe(415);
    const claimed = await fetch(urlOf(refund), { ...form, redirect: 'manual' });
    expect([claimed.status, claimed.headers.get('location')]).toEqual([303, new URL(refund.claimUrl).search]);
    // Two addresses, or none, are refused.
    const twice = await fetch(urlOf(await open()), {
      method: 'POST',
      body: new URLSearchParams([
        ['address', CUSTOMER],
        ['address', OTHER],
        ['confirm', 'yes'],
      ]),
    });
    expect(twice.status).toBe(422);
  });

  it.each([
    ['light', {}],
    ['dark, on a phone', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
  ] satisfies [string, BrowserContextOptions][])(
    'fits the screen and can be used by keyboard: %s',
    async (_name, options) => {
      const page = await visit(await open(), options);
      const width = await page.evaluate<number>('innerWidth');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.keyboard.press('Tab');
      await page.keyboard.type(CUSTOMER);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Is this your address?' }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your address is saved' }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    },
  );
});
