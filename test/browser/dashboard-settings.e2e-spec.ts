import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { UsersService } from '../../src/identity/oauth/people/users.service.js';
import { WebhookDispatcher } from '../../src/webhooks/webhook-dispatcher.service.js';
import { describeInBrowser, foreignRequests, launchChromium, type Tab } from '../support/chromium.js';
import { createMerchant, fillSignIn, openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { PASSWORD } from '../support/oauth-api.js';
import { Shop } from '../support/shop.js';

const MIA = 'mia@example.test';
const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const ROOT = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS));
const ACCOUNT = ROOT.derive("m/44'/60'/0'");
const OTHER_ACCOUNT = ROOT.derive("m/44'/60'/1'");
const DELAY_SECONDS = 86_400;

/** What an authenticator app shows. */
const codeAt = (secret: string, time: Date) => new TOTP({ secret }).generate({ timestamp: time.getTime() });
const OWN_KEY = 'Extended public key';
const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
/** A browser logs every refusal: of a session that is not there yet, of a field, of a right, or of a missing rate. */
const unexpected = ({ incidents }: Tab) =>
  incidents.filter((one) => !/status of (401|403|422|503)/.test(one));

describeInBrowser('the settings in the dashboard', () => {
  let shop: Shop;
  let browser: Browser;
  let tab: Tab;
  let page: Page;
  let userId: string;
  let applicationId = '';
  /** Every body that has left the browser. */
  const sent: string[] = [];

  beforeAll(async () => {
    shop = await Shop.open({ ...(await ownAddress()), WALLET_CHANGE_DELAY: String(DELAY_SECONDS) });
    browser = await launchChromium();
    userId = await createMerchant(shop.gateway, MIA);
    tab = await openDashboard(browser, shop.gateway, MIA, { path: '/dashboard/applications?new=true' });
    page = tab.page;
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.getByLabel('Name').fill('Coffee');
    await page.getByLabel('Webhook URL').fill(shop.merchant.url);
    await page.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
    shop.merchant.trust((await page.locator('pre').textContent()) ?? '', shop.gateway.clock);
    await clickButton(page, 'I have stored it');
    await page.getByRole('heading', { level: 1, name: 'Coffee' }).waitFor();
    applicationId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  const keyField = () => page.getByRole('textbox', { name: OWN_KEY });
  const addKey = async () => {
    await clickButton(page, 'Add a wallet');
    await page.getByRole('radio', { name: OWN_KEY }).click();
  };

  describe('wallets', () => {
    beforeAll(async () => {
      await page.getByRole('link', { name: 'Wallets' }).click();
      await addKey();
    });

    it.each([
      ['a private key', 'This is a private key', ACCOUNT.privateExtendedKey],
      ['recovery words', 'This is a recovery phrase', WORDS],
    ])('says what %s is, and sends nothing of it', async (_what, warning, secret) => {
      await keyField().fill(secret);
      await page.getByText(warning).waitFor();
      expect(await keyField().inputValue()).toBe('');
      expect(sent.filter((one) => one.includes(secret.slice(0, 20)))).toEqual([]);
      expect(await page.content()).not.toContain(secret);
    });

    it('says why another text is no key, and leaves both ways on', async () => {
      await keyField().fill('0x9858EfFD232B4033E47d90003D41EC34EcaEda94');
      await clickButton(page, 'Show its addresses');
      await page.getByText('This is not an extended public key.').waitFor();
      for (const name of ['Show its addresses', 'Back'])
        expect(await page.getByRole('button', { name }).isVisible()).toBe(true);
    });

    it('asks for a new sign-in, comes back to the same key, and uses it', async () => {
      await keyField().fill(ACCOUNT.publicExtendedKey);
      await clickButton(page, 'Show its addresses');
      const addresses = page.locator('ol code');
      await addresses.first().waitFor();
      const shown = await addresses.allTextContents();
      expect(shown).toHaveLength(3);
      expect(await page.getByRole('button', { name: 'Use this key' }).isDisabled()).toBe(true);
      await page.getByText('My wallet shows exactly these').click();
      await clickButton(page, 'Use this key');
      await page.getByText('A new sign-in is needed').waitFor();
      expect(await violations(page)).toEqual([]);
      await clickButton(page, 'Sign in');
      await fillSignIn({ page }, MIA);
      await page.getByText('My wallet shows exactly these').click();
      await clickButton(page, 'Use this key');
      await page.getByText('The key is in use.').waitFor();
      await clickButton(page, 'Done');
      await page.getByText(ACCOUNT.publicExtendedKey.slice(-4)).first().waitFor();
      expect(await addresses.allTextContents()).toEqual(shown);
      await page.getByText('Compared with the wallet on').waitFor();
      expect(await violations(page)).toEqual([]);
    });

    it('asks for the comparison of a key that somebody else has set', async () => {
      await shop.gateway.sql.query('update wallets set compared_at = null');
      await page.reload();
      await page.getByText('Not compared yet').waitFor();
      expect(await violations(page)).toEqual([]);
      // As of a sign-in that did not ask for wallets.
      const refusal = { status: 403, json: { code: 'insufficient_permissions', message: 'Not this token.' } };
      await page.route('**/comparison', (route) => route.fulfill(refusal), { times: 1 });
      await clickButton(page, 'I compared these with my wallet');
      await page.getByText('A new sign-in is needed').waitFor();
      await clickButton(page, 'I compared these with my wallet');
      await page.getByText('Compared with the wallet on').waitFor();
    });

    it('takes the password again later, and shows the delay of another key', async () => {
      shop.gateway.clock.advanceSeconds(600);
      await page.getByRole('button', { name: /^Replace the wallet/ }).click();
      await keyField().fill(OTHER_ACCOUNT.publicExtendedKey);
      await clickButton(page, 'Show its addresses');
      await page.getByText('My wallet shows exactly these').click();
      await clickButton(page, 'Use this key');
      await clickButton(page, 'Sign in');
      await fillSignIn({ page }, MIA);
      await page.getByText('My wallet shows exactly these').click();
      await clickButton(page, 'Use this key');
      await page.getByText('The new key is used from').waitFor();
      await clickButton(page, 'Done');
      await page.getByText('A new key with the fingerprint').waitFor();
      await clickButton(page, 'Cancel this change');
      await page.getByText('A new key with the fingerprint').waitFor({ state: 'detached' });
    });

    it('sets and removes a default wallet, without touching that of the application', async () => {
      await page.getByRole('link', { name: 'Applications', exact: true }).click();
      await page.getByRole('link', { name: 'Default wallets' }).click();
      await page.getByText('You have no default wallet').waitFor();
      await addKey();
      await keyField().fill(OTHER_ACCOUNT.publicExtendedKey);
      await clickButton(page, 'Show its addresses');
      await page.getByText('My wallet shows exactly these').click();
      await clickButton(page, 'Use this key');
      await page.getByText('The key is in use.').waitFor();
      await clickButton(page, 'Done');
      await page.getByText('Compared with the wallet on').waitFor();
      await page.getByText(OTHER_ACCOUNT.publicExtendedKey.slice(-4)).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: /^Remove/ }).click();
      const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
      await question.getByText('Applications without a wallet of their own then have no key').waitFor();
      await question.getByRole('button', { name: /^Remove: / }).click();
      await page.getByText('The wallet will be removed on').waitFor();
      const rows = await shop.gateway.sql.query<{ of: boolean; removed: boolean }>(
        `select w.application_id is not null as of, exists (
           select from wallet_changes c where c.user_id = w.user_id and c.application_id is not distinct from w.application_id
             and c.applied_at is null and c.cancelled_at is null) as removed
         from wallets w where w.user_id = $1 and w.retired_at is null order by 1`,
        [userId],
      );
      expect(rows).toEqual([
        { of: false, removed: true },
        { of: true, removed: false },
      ]);
    });
  });

  const go = async (name: string) => {
    await page
      .getByRole('navigation', { name: 'Main menu' })
      .getByRole('link', { name, exact: true })
      .click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };
  const section = (name: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) });

  describe('the account', () => {
    let secret = '';

    it('has another name after it was saved, and shows what is wrong at its field', async () => {
      await go('Account');
      await section('Profile').getByLabel('Name').fill('Mia');
      await section('Profile').getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved').waitFor();
      await section('Password').getByLabel('Current password').fill(PASSWORD);
      await section('Password').getByLabel('New password').fill('password');
      await section('Password').getByRole('button', { name: 'Change password' }).click();
      // Led to the field, in words of the page.
      const refused = section('Password').getByRole('alert');
      await refused.getByText('One field is wrong').waitFor();
      expect(await refused.textContent()).not.toMatch(/newPassword|This did not work|Request/);
      expect(await page.evaluate('document.activeElement.name')).toBe('newPassword');
      await section('Password').getByLabel('Current password').focus();
      await refused.getByRole('button', { name: 'New password' }).click();
      expect(await page.evaluate('document.activeElement.name')).toBe('newPassword');
      expect(await violations(page)).toEqual([]);
    });

    it('gets a second factor: the code to scan, the first code of the app, and the recovery codes once', async () => {
      await clickButton(page, 'Switch on');
      await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD);
      await clickButton(page, 'Continue');
      await page.getByAltText('QR code for the authenticator app').waitFor();
      secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
      const code = codeAt(secret, shop.gateway.clock.now());
      await page.getByLabel('Code of the app').fill(code);
      await clickButton(page, 'Confirm');
      await page.getByText('Your recovery codes').waitFor();
      expect((await page.locator('[role=dialog] pre').textContent())?.split('\n')).toHaveLength(10);
      expect(await violations(page)).toEqual([]);
      await clickButton(page, 'I have stored it');
      await page.getByText('10 recovery codes are left.').waitFor();
    });

    it('creates a client for a server after a sign-in with the second factor, whose secret is shown once', async () => {
      const dialog = page.getByRole('dialog');
      await clickButton(page, 'Create OAuth client');
      await dialog.getByLabel('Name').fill('Warehouse');
      await dialog.getByText('payments:read').click();
      await dialog.getByRole('button', { name: 'Create OAuth client' }).click();
      await clickButton(page, 'Sign in');
      await fillSignIn({ page }, MIA);
      shop.gateway.clock.advanceSeconds(30);
      const code = codeAt(secret, shop.gateway.clock.now());
      await page.locator('input[name=code]').fill(code);
      await page.locator('input[name=code]').press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Warehouse');
      expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(1);
      await dialog.getByRole('button', { name: 'Create OAuth client' }).click();
      await page.getByText('Store the secret of the client').waitFor();
      const shown = (await page.locator('[role=dialog] pre').textContent()) ?? '';
      expect(shown).toMatch(/^client_id=\S+\nclient_secret=\S+$/);
      await clickButton(page, 'I have stored it');
      await section('OAuth clients').getByText('Warehouse').waitFor();
      expect(await page.content()).not.toContain(shown.split('client_secret=')[1]);
    });

    it('ends the other sessions', async () => {
      await clickButton(page, 'End all others');
      await page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' });
      await section('Sessions').getByText('This one').waitFor();
    });
  });

  it('shows a webhook on a page of its own, and how to verify it', async () => {
    await go('Webhooks');
    expect(await page.locator('[data-snippet=node]').textContent()).toContain(shop.merchant.url);
    await section('Verify the signature').locator('select').selectOption('python');
    expect(await page.locator('[data-snippet=python]').textContent()).toContain('WEBHOOK_SECRET');
    await clickButton(page, 'Send a test event');
    await page.getByText('Waiting for the answer of your server').waitFor();
    await page.getByRole('link', { name: 'Details' }).click();
    await page.getByText('Nothing has been sent yet').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/dashboard\/webhooks\/deliveries\/[\w-]+$/);
    while (await shop.gateway.get(WebhookDispatcher).runOnce()) continue;
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
    await page.getByText('Delivered').first().waitFor();
    await page.getByText('Request and response').click();
    await page.getByText(`POST ${shop.merchant.url}`).waitFor();
    expect(await violations(page)).toEqual([]);
    // Found without the application in the address as well.
    await page.goto(page.url().replace(/\?.*/, ''));
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
  });

  it('sends again what failed since a day, and lists the webhooks of all applications', async () => {
    await go('Webhooks');
    await clickButton(page, 'Send again');
    await page.getByText('since').first().waitFor();
    await page.getByLabel('Since').fill('2026-01-01');
    await clickButton(page, 'Send again');
    await page.getByText('0 webhooks are sent again').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Webhooks of all applications' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks of all applications' }).waitFor();
    await page.getByLabel('Status').selectOption('Delivered');
    await page.getByText('There is nothing that matches').waitFor();
    expect(new URL(page.url()).search).toBe('?status=SUCCEEDED');
    expect(await violations(page)).toEqual([]);
  });

  it('lists what was done, filtered by the address', async () => {
    await go('Audit log');
    await page.getByRole('cell', { name: 'Second factor switched on' }).waitFor();
    await page.getByLabel('Action').selectOption('wallet.activated');
    await page.getByRole('cell', { name: 'Second factor switched on' }).waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Wallet taken into use' }).first().waitFor();
    // By whom, and no code of an act in any cell.
    await page.getByRole('cell', { name: MIA }).first().waitFor();
    expect(await page.locator('td code', { hasText: /^[a-z_]+\.[a-z_]+$/ }).count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?act=wallet.activated');
    expect(await violations(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('cell', { name: 'Second factor switched on' }).waitFor();
  });

  it('shows chains, rates and the reconciliation to the operator only', async () => {
    expect(await page.getByRole('link', { name: 'Operator' }).count()).toBe(0);
    await shop.gateway.get(UsersService).setOperator(userId, true);
    await page.reload();
    await go('Operator');
    await page.getByRole('navigation', { name: 'Operator' }).getByRole('link', { name: 'Chains' }).click();
    await page.getByRole('heading', { level: 2, name: /^Ethereum/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Rates' }).click();
    // What a coin is worth, by the numbers of the sources, and not that there is a row for it.
    await page.getByRole('row', { name: /^ETH .*2000 .*Kraken, Coinbase/ }).waitFor();
    await page.getByRole('link', { name: 'Reconciliation' }).click();
    await clickButton(page, 'Compare now');
    await page.getByText('Everything agrees').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  const visit = async (address: string) => {
    await page.goto(`${shop.gateway.baseUrl}/dashboard${address}`);
    await page.locator('h1').waitFor();
    await page.waitForLoadState('networkidle');
  };

  it('chooses coins and confirmations, and says what the gateway refuses', async () => {
    await visit(`/applications/${applicationId}/methods`);
    const coins = section('Coins').getByRole('checkbox');
    await coins.first().waitFor();
    const all = await coins.count();
    const ticked = () => section('Coins').locator('input:checked').count();
    // As customers are asked: with all. None is not all.
    expect(await ticked()).toBe(all);
    for (const label of await section('Coins').locator('label').all()) await label.click();
    await section('Coins').getByRole('button', { name: 'Save' }).click();
    await section('Coins').getByText('Select at least one coin.').waitFor();
    await page.getByText('USD Coin').first().click();
    await section('Coins').getByRole('button', { name: 'Save' }).click();
    await section('Coins').getByText('Saved').waitFor();
    await page.reload();
    await coins.first().waitFor();
    expect(await ticked()).toBe(1);
    await page.getByLabel(/^Ethereum/).fill('0');
    await section('Confirmations').getByRole('button', { name: 'Save' }).click();
    const refused = section('Confirmations').getByRole('alert');
    await refused.getByRole('button', { name: /^Ethereum/ }).waitFor();
    expect(await section('Confirmations').textContent()).not.toContain('confirmations.');
    await page.getByLabel(/^Ethereum/).fill('20');
    await section('Confirmations').getByRole('button', { name: 'Save' }).click();
    await section('Confirmations').getByText('Saved').waitFor();
  });

  it('says in words what a share may be, before anything is sent, and reads it in every form', async () => {
    await visit(`/applications/${applicationId}`);
    const least = page.getByLabel('Least share to accept');
    const tolerance = page.getByLabel('Shortfall that counts as paid');
    const save = () => section('General').getByRole('button', { name: 'Save' }).click();
    expect(await least.isEnabled()).toBe(false);
    await page.getByText('Accept less than the price').click();
    const count = sent.length;
    for (const [share, shortfall, refusal] of [
      ['120', '0', 'Write a share from 0.01 to 100 %'],
      ['0', '0', 'Write a share from 0.01 to 100 %'],
      ['95', '1,234', 'Write a share from 0 to 100 %'],
      ['95', '6', 'At most 5 %'],
    ] as const) {
      await least.fill(share);
      await tolerance.fill(shortfall);
      await save();
      await section('General').getByText(refusal).first().waitFor();
    }
    expect(sent.slice(count).filter((request) => request.includes('Bps'))).toEqual([]);
    await least.fill('97,5 %');
    await tolerance.fill('1');
    await save();
    await section('General').getByText('Saved').waitFor();
    const shares = sent.filter((request) => request.includes('Bps'));
    expect(shares).toEqual([expect.stringContaining('LeastShareBps":9750,"underpayToleranceBps":100')]);
    expect(await violations(page)).toEqual([]);
  });

  it('deletes the application after a question', async () => {
    await visit(`/applications/${applicationId}`);
    await clickButton(page, 'Delete application');
    await page.getByText('Its tokens stop working at once').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete application' }).click();
    await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor();
    await page.getByText('There is no application yet').waitFor();
  });

  it('sent requests only to the gateway, and nothing failed in the page', () => {
    expect(foreignRequests(tab, shop)).toEqual([]);
    expect(unexpected(tab)).toEqual([]);
  });
});
