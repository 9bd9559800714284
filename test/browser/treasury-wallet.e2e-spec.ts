/**
 * @inOrder One merchant, from no wallet to a payment that can only go to the address of their own.
 */
import type { Browser, Page } from 'playwright-core';
import { depositAddressOf } from '../../src/wallets/treasury/treasury-address.pure.js';
import { findTreasury } from '../../src/wallets/wallet-source.pure.js';
import { describeInBrowser, foreignRequests, launchChromium, type Tab } from '../support/chromium.js';
import { createMerchant, fillSignIn, openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { Shop } from '../support/shop.js';

const MIA = 'mia@example.test';
/** EIP-55's own examples. */
const MINE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const NEXT = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const XPUB =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt';
const SECRETS = [`0x${'4f'.repeat(32)}`, `${'abandon '.repeat(11)}about`];

const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
/** A browser logs every refusal: of a field, or of a session that is too old. */
const unexpected = ({ incidents }: Tab) => incidents.filter((one) => !/status of (401|403|422)/.test(one));

describeInBrowser('a wallet that is an address alone', () => {
  let shop: Shop;
  let browser: Browser;
  let tab: Tab;
  let page: Page;
  /** Every body that has left the browser. */
  const sent: string[] = [];

  beforeAll(async () => {
    shop = await Shop.open({ ...(await ownAddress()), WALLET_CHANGE_DELAY: '86400' });
    browser = await launchChromium();
    await createMerchant(shop.gateway, MIA);
    tab = await openDashboard(browser, shop.gateway, MIA, { path: '/dashboard/applications?new=true' });
    page = tab.page;
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.getByLabel('Name').fill('Coffee');
    await page.getByLabel('Webhook URL').fill(shop.merchant.url);
    await page.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
    await clickButton(page, 'I have stored it');
    await page.getByRole('link', { name: 'Wallets' }).click();
    await clickButton(page, 'Add a wallet');
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  const field = () => page.getByRole('textbox', { name: 'Your address' });

  it('comes first for EVM, and is not there for coins without contracts', async () => {
    expect(await page.getByRole('radio', { name: 'An address of mine (wallet or Safe)' }).isChecked()).toBe(
      true,
    );
    await page.getByText('not one of an exchange').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it.each([
    ['a name', 'vitalik.eth', 'This is a name.'],
    ['an address of Tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'This is an address of Tron.'],
    ['an extended public key', XPUB, 'This is an extended public key.'],
    ['a mistyped address', MINE.replace('aA', 'AA'), 'The address is mistyped'],
    ['a digit too few', MINE.slice(0, -1), 'This is not an address.'],
    ['an address that burns', '0x000000000000000000000000000000000000dEaD', 'Nobody can spend from this'],
  ])('says what is wrong with %s, and sends nothing', async (_what, text, reason) => {
    await field().fill(text);
    await clickButton(page, 'Check this address');
    await page.getByRole('alert').getByText(reason).waitFor();
    expect(sent.filter((one) => one.includes(text))).toEqual([]);
    expect(await violations(page)).toEqual([]);
  });

  it.each([
    ['a private key, or the hash of a transaction', 'This has 64 characters', SECRETS[0] ?? ''],
    ['recovery words', 'This is a recovery phrase', SECRETS[1] ?? ''],
  ])('takes %s off the screen, and sends nothing of it', async (_what, warning, secret) => {
    await field().fill(secret);
    await page.getByText(warning).waitFor();
    expect(await field().inputValue()).toBe('');
    expect(sent.filter((one) => one.includes(secret.slice(0, 20)))).toEqual([]);
    expect(await page.content()).not.toContain(secret);
  });

  it('is compared, comes back from the sign-in, is used, and shows addresses that can only go there', async () => {
    await field().fill(` eth:${MINE}`);
    await clickButton(page, 'Check this address');
    await page.getByText(MINE, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Use this address' }).isDisabled()).toBe(true);
    await page.getByText('This is the address of my wallet').click();
    await clickButton(page, 'Use this address');
    await page.getByText('A new sign-in is needed').waitFor();
    expect(await violations(page)).toEqual([]);
    await clickButton(page, 'Sign in');
    await fillSignIn({ page }, MIA);
    await page.getByText(MINE, { exact: true }).waitFor();
    await page.getByText('This is the address of my wallet').click();
    await clickButton(page, 'Use this address');
    await page.getByText('The address is in use.').waitFor();
    await page.getByText(`can only go on to ${MINE}`).first().waitFor();
    expect(await violations(page)).toEqual([]);
    const shown = await page.locator('ol code').allTextContents();
    const [row] = await shop.gateway.sql.query<{ shown: string }>(
      'select masked_key as shown from wallets where user_id is not null',
    );
    const treasury = findTreasury(row?.shown ?? null);
    if (!treasury) throw new Error('no treasury');
    expect(shown.slice(0, 3)).toEqual([0, 1, 2].map((index) => depositAddressOf(treasury, index).address));
    await clickButton(page, 'Done');
    await page.getByText('Confirmed on').waitFor();
    // Random, and nothing else leads to the money when the gateway is lost.
    await page.getByText(`Keep this namespace with your wallet: ${treasury.namespace}.`).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('asks for the confirmation of an address that somebody else has set', async () => {
    await shop.gateway.sql.query('update wallets set compared_at = null');
    await page.reload();
    await page.getByText('Not confirmed yet').waitFor();
    await clickButton(page, 'This is the address of my wallet, and I can spend from it');
    await page.getByText('Confirmed on').waitFor();
  });

  it('is named as where the money goes', async () => {
    await page.locator('[data-destinations]').getByText(MINE).waitFor();
  });

  it('is replaced only after the delay, with the whole address of what waits', async () => {
    await page.getByRole('button', { name: /^Replace the wallet/ }).click();
    await field().fill(NEXT);
    await clickButton(page, 'Check this address');
    await page.getByText('This is the address of my wallet').first().click();
    await clickButton(page, 'Use this address');
    await page.getByText('New payments can only go to this address from').waitFor();
    await clickButton(page, 'Done');
    await page.getByText(`new payments can only go to ${NEXT}`).waitFor();
    expect(await violations(page)).toEqual([]);
    await clickButton(page, 'Cancel this change');
    await page.getByText(`new payments can only go to ${NEXT}`).waitFor({ state: 'detached' });
  });

  it('asks nobody but the gateway', () => {
    expect(foreignRequests(tab, shop)).toEqual([]);
    expect(unexpected(tab)).toEqual([]);
  });
});
