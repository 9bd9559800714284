import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { asOwner } from '../support/as-owner.js';
import { describeInBrowser, foreignRequests, launchChromium, type Tab } from '../support/chromium.js';
import { openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { RefundRequestsApi } from '../support/refund-requests-api.js';
import { CONFIRMATIONS, type CreatedPayment, type Shop, type ShopApplication } from '../support/shop.js';
import { TwoChains } from '../support/two-chains.js';

/** A browser logs every refusal, here of a session that is not there yet and of what a person wrote. */
const unexpected = ({ incidents }: Tab) => incidents.filter((one) => !/status of 4(01|22)/.test(one));

describeInBrowser('the screens of payments', () => {
  let chains: TwoChains;
  let shop: Shop;
  let application: ShopApplication;
  let browser: Browser;
  let tab: Tab;
  let page: Page;
  let short: CreatedPayment;
  let stray: CreatedPayment;
  let paid: CreatedPayment;

  const open = (address: string) =>
    openDashboard(browser, shop.gateway, `${shop.owner.clientId}@example.test`, {
      path: address,
      password: `password of ${shop.owner.clientId}`,
    });

  beforeAll(async () => {
    chains = await TwoChains.open(await ownAddress());
    shop = chains.shop;
    application = await shop.application({ name: 'Bean & Leaf' });
    browser = await launchChromium();
    tab = await open('/dashboard/payments');
    page = tab.page;
  });
  afterAll(async () => {
    await browser?.close();
    await chains?.close();
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const go = (address: string) => page.goto(`${shop.gateway.baseUrl}/dashboard${address}`);
  const search = () => new URL(page.url()).search;
  const row = (reference: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name: reference, exact: true }) });
  const dialog = () => page.getByRole('dialog');
  const saveAs = async (format: string) => {
    await dialog().getByLabel('Format').selectOption({ label: format });
    await dialog().getByRole('button', { name: 'Save file' }).click();
  };

  it('offers three ways to a first payment, and makes a link by hand with its code', async () => {
    await page.getByText('There are no payments yet').waitFor();
    expect(await page.getByRole('main').getByRole('listitem').allTextContents()).toEqual([
      'New payment link',
      'Create a token and a first payment',
      'Read how shops and plugins do it',
    ]);
    await page.getByRole('button', { name: 'New payment link' }).first().click();
    // No source quotes it: said before a customer stands before a link that nobody can pay.
    await dialog().getByLabel('Currency of the price').selectOption('KWD');
    await dialog().getByText('No source has a price of any coin in KWD').waitFor();
    await dialog().getByLabel('Currency of the price').selectOption('USD');
    await dialog().getByText('No source has a price').waitFor({ state: 'detached' });
    expect(await dialog().getByLabel('Currency of the price').locator('option[value=DOGE]').count()).toBe(0);
    await dialog().getByLabel('Amount').fill('25.505');
    await dialog().getByLabel('Reference').fill('BY-HAND');
    await dialog().getByRole('button', { name: 'Create link' }).click();
    await dialog()
      .getByText('This can mean $25.50 or $25,505.00')
      .or(dialog().getByText('at most 2 decimal places'))
      .first()
      .waitFor();
    await dialog().getByRole('alert').getByRole('button', { name: 'Amount' }).click();
    expect(await page.evaluate('document.activeElement.name')).toBe('amount');
    await dialog().getByLabel('Amount').fill('25.50');
    await dialog().getByText('Understood: $25.50').waitFor();
    await dialog().getByRole('button', { name: 'Create link: \u{2068}$25.50\u{2069}' }).click();
    await dialog().getByRole('img', { name: 'QR code of the payment link' }).waitFor();
    expect(await dialog().locator('pre').textContent()).toContain('/checkout/');
    expect(await violations(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Done' }).click();
    await row('BY-HAND').getByText('$25.50').waitFor();
    await row('BY-HAND').getByText('waiting for the customer to choose').waitFor();
  });

  it('says of each payment what came, where, and what happens', async () => {
    short = await shop.createPayment(application, { reference: 'SHORT' });
    stray = await shop.createPayment(application, { reference: 'STRAY' });
    paid = await shop.createPayment(application, { reference: 'PAID', amount: 7_000 });
    const half = await shop.instructions(short);
    await shop.send(half, BigInt(half.amount.amount) / 2n);
    await shop.send(await shop.instructions(paid));
    await chains.sendBnb(stray, { blocks: 20 });
    await shop.mine(1);
    await page.reload();
    await row('PAID').getByText(`of ${CONFIRMATIONS} blocks`).waitFor();
    await shop.mine(CONFIRMATIONS);
    await page.reload();
    await row('PAID').getByText('the shop knows').waitFor();
    await row('PAID').getByText('ETH on Ethereum').waitFor();
    await row('SHORT').getByText('$50.00 missing').waitFor();
    await row('STRAY').getByText('Wrong network or coin').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('filters by chips that count, and by what is behind them; the address has it all', async () => {
    await press('Underpaid 1');
    await row('PAID').waitFor({ state: 'detached' });
    expect(search()).toBe('?status=UNDERPAID');
    await press('Wrong network or coin 1');
    await row('STRAY').waitFor();
    expect(search()).toBe('?attention=unmatched_funds');
    await press('All');
    await row('PAID').waitFor();
    await page.getByText('More filters').click();
    await page.getByLabel('Network').selectOption('ethereum');
    await page.getByLabel('Currency of the price').selectOption('USD');
    await page.getByLabel('Price at most').fill('70');
    await press('Apply filters');
    await row('SHORT').waitFor({ state: 'detached' });
    await row('PAID').waitFor();
    expect(search()).toBe('?network=ethereum&currency=USD&max=70');
    await page.reload();
    await row('PAID').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByLabel('Price at most').fill('1');
    await press('Apply filters');
    await page.getByText('No payment matches').waitFor();
    await page.goBack();
    await row('PAID').waitFor();
    await go('/payments?search=4711');
    await page.getByText('It does not look at the middle of a reference, at amounts').waitFor();
    await go('/payments?network=ethereum&currency=USD&max=70');
    await row('PAID').waitFor();
  });

  it('keeps filters as a view, which can be picked and deleted', async () => {
    await press('Save this view');
    await dialog().getByLabel('Name of the view').fill('Small ones');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
    await go('/payments');
    await page.getByRole('link', { name: 'Small ones' }).click();
    expect(search()).toBe('?network=ethereum&currency=USD&max=70');
    await press('Delete this view');
    await page.getByRole('link', { name: 'Small ones' }).waitFor({ state: 'detached' });
  });

  it('exports what the filters show, by network and amount too', async () => {
    await go('/payments?network=ethereum&currency=USD&max=70');
    await row('PAID').waitFor();
    const shown = await page.locator('tbody tr a').allTextContents();
    expect(shown).toEqual(['PAID']);
    await press('Export…');
    const [small] = await Promise.all([page.waitForEvent('download'), saveAs('JSON Lines for programs')]);
    const lines = (await readFile(await small.path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { reference: string }).reference)).toEqual(shown);
    await page.keyboard.press('Escape');
    await go('/payments?status=CONFIRMED');
    await press('Export…');
    const [file] = await Promise.all([page.waitForEvent('download'), saveAs('CSV for programs')]);
    expect(file.suggestedFilename()).toBe('payments.csv');
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toContain('PAID');
    expect(text.trim().split('\r\n')).toHaveLength(2);
    await page.getByText('The file is complete').waitFor();
    await page.keyboard.press('Escape');
  });

  it('keeps the old rows, dimmed, while others are on their way, and above them what went wrong', async () => {
    await go('/payments');
    await row('PAID').waitFor();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/payment-overview**', async (route) => {
      await held;
      await route.fulfill({
        status: 503,
        headers: { 'x-request-id': 'request-17' },
        contentType: 'application/json',
        body: JSON.stringify({ code: 'service_unavailable', message: 'Not now.', requestId: 'request-17' }),
      });
    });
    await press('Cancelled');
    await page.locator('table[aria-busy=true]').waitFor();
    expect(await row('PAID').count()).toBe(1);
    release();
    await page.getByRole('alert').getByText('request-17').waitFor();
    expect(await row('PAID').count()).toBe(1);
    await page.unroute('**/api/payment-overview**');
    await press('Try again');
    await page.getByText('No payment matches').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('tells everything that happened to a payment, and where its money is, by one request each', async () => {
    tab.requests.length = 0;
    await go(`/payments/${short.id}`);
    const happened = page.locator('section').filter({ hasText: 'What happened' }).getByRole('listitem');
    await happened.filter({ hasText: 'Webhook' }).first().waitFor();
    const titles = (await happened.locator('strong').allTextContents()).join(' | ');
    expect(titles).toMatch(
      /^Link made \| Address allotted \| Customer chose: 0.05.ETH on Ethereum \| 0.025.ETH seen on Ethereum \| 0.025.ETH confirmed on Ethereum \| Confirming \| Underpaid \| Webhook payment.underpaid$/,
    );
    const { address } = await shop.instructions(short);
    await page.getByText(address, { exact: true }).waitFor();
    await page.getByText("the operator's key, not yours").waitFor();
    await page.getByRole('link', { name: 'Bean & Leaf' }).waitFor();
    const asked = tab.requests.map((url) => new URL(url).pathname);
    expect(asked.filter((one) => one === '/api/payment-overview').length).toBeLessThanOrEqual(2);
    expect(asked.filter((one) => one === '/api/payment')).toEqual([]);
    expect(await violations(page)).toEqual([]);
  });

  it('goes anywhere by the keyboard: a screen, an application, a payment by its reference or address', async () => {
    const palette = page.getByRole('dialog', { name: 'Go to' });
    await page.keyboard.press('Control+k');
    await palette.getByRole('menuitem', { name: 'Refunds' }).waitFor();
    await page.keyboard.type('bean');
    await palette.getByRole('menuitem', { name: 'Bean & Leaf' }).waitFor();
    expect(await palette.getByRole('menuitem').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await palette.getByRole('searchbox').fill((await shop.instructions(paid)).address.slice(0, 10));
    await palette.getByRole('menuitem', { name: 'PAID' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'PAID' }).waitFor();
    expect(await palette.count()).toBe(0);
    await page.getByRole('button', { name: 'Go to…' }).click();
    await palette.getByRole('searchbox').fill('nothing of the kind');
    await palette.getByText('Nothing found').waitFor();
    // Pasted as somebody has it.
    await palette
      .getByRole('searchbox')
      .fill(`https://etherscan.io/address/${(await shop.instructions(paid)).address}`);
    await palette.getByRole('menuitem', { name: 'PAID' }).waitFor();
    // Once for the text, once for the dialog.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
  });

  it('queues what needs the merchant, and settles it in place', async () => {
    await shop.call(
      'POST',
      `/api/payment-applications/${application.id}/webhook-endpoint/pause`,
      shop.owner.accessToken,
      {},
    );
    await go('/attention');
    const items = page.getByRole('main').getByRole('listitem');
    await items.filter({ hasText: 'Webhooks paused' }).waitFor();
    expect(await items.count()).toBe(3);
    await page.setViewportSize({ width: 1_100, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('navigation', { name: 'Main menu' }).getByText('3', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await press('Underpaid 1');
    await items.filter({ hasText: 'Webhooks paused' }).waitFor({ state: 'detached' });
    expect(search()).toBe('?kind=underpaid');
    await press('All');
    await press('Resume');
    await items.filter({ hasText: 'Webhooks paused' }).waitFor({ state: 'detached' });
    await press('Accept this transfer');
    await dialog()
      .getByRole('button', { name: /^Accept this transfer: .*0\.2.BNB of .* · BNB Smart Chain · / })
      .click();
    await items.filter({ hasText: 'STRAY' }).waitFor({ state: 'detached' });
    await press('Accept as paid');
    await dialog()
      .getByRole('button', { name: /^Accept as paid: .* of .* · / })
      .click();
    await page.getByText('Nothing needs you. Last checked').waitFor();
    await shop.settle();
    expect(await violations(page)).toEqual([]);
  });

  it('shows which source has failed, and the rest', async () => {
    await page.route('**/api/attention/counts', (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.reload();
    await page.getByRole('alert').waitFor();
    await page.getByText('Nothing needs you').waitFor();
    await page.unroute('**/api/attention/counts');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('lists what customers ask for, to pay or to decline', async () => {
    const over = await shop.createPayment(application, { reference: 'OVER' });
    const instructions = await shop.instructions(over);
    await shop.send(instructions, BigInt(instructions.amount.amount) * 2n);
    await shop.mine(CONFIRMATIONS);
    const customer = new RefundRequestsApi(shop);
    await customer.askAndClaim(over, { type: 'OVERPAYMENT' }, `0x${'5'.repeat(40)}`);
    await go('/refunds');
    const [refund] = [page.getByRole('main').getByRole('listitem').first()];
    await refund.getByText('the customer asks for it').waitFor();
    await refund.getByText('Waiting for you to pay').waitFor();
    expect(await violations(page)).toEqual([]);
    await press('I have paid it');
    await dialog().getByLabel('Transaction hash').fill('nonsense');
    await dialog().getByRole('button', { name: 'I have paid it' }).click();
    await dialog().getByRole('alert').waitFor();
    await dialog().getByRole('button', { name: 'Back' }).click();
    await press('Cancel refund');
    await dialog().getByRole('button', { name: 'Cancel refund' }).click();
    await refund.getByText('Cancelled').waitFor();
    await press('Completed');
    await page.getByText('There is no refund in this state').waitFor();
    expect(search()).toBe('?status=COMPLETED');
    await press('Clear filters');
    await press('Export…');
    const [file] = await Promise.all([page.waitForEvent('download'), saveAs('JSON Lines for programs')]);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ status: 'CANCELLED' }),
    ]);
    await page.keyboard.press('Escape');
  });

  describe('with 100,000 payments more', () => {
    const COUNT = 100_000;

    beforeAll(async () => {
      await asOwner(shop.gateway, async (tx) => {
        await tx.query(
          `insert into payments (id, user_id, application_id, reference, reference_label, currency_code,
             settlement_currency_code, amount, expires_at, created_at, status, cancelled_at)
           select gen_random_uuid(), $1, $2, 'BULK-' || n, 'Bulk', 'USD', 'USD', n,
             $3::timestamptz + interval '1 day', $3::timestamptz - n * interval '1 minute',
             case when n % 100 = 0 then 'CANCELLED' else 'OPEN' end,
             case when n % 100 = 0 then $3::timestamptz end
           from generate_series(1, $4::integer) n`,
          [shop.owner.userId, application.id, shop.gateway.clock.now(), COUNT],
        );
      });
      await shop.gateway.sql.query('analyze payments');
    });

    it('lists, filters, turns pages and finds as before', async () => {
      await go('/payments');
      await row('BULK-1').waitFor();
      expect(await page.getByRole('row').count()).toBe(26);
      await press('Cancelled');
      await row('BULK-100').waitFor();
      await press('Next');
      await row('BULK-2600').waitFor();
      await press('Next');
      await row('BULK-5100').waitFor();
      await press('Previous');
      await row('BULK-2600').waitFor();
      await page.goBack();
      await row('BULK-5100').waitFor();
      await press('Newest');
      await row('BULK-100').waitFor();
      await page.getByRole('searchbox').fill('bulk-99900');
      await press('Search');
      await row('BULK-99900').waitFor();
      expect(await page.getByRole('row').count()).toBe(2);
      await page.getByRole('searchbox').fill('bulk-');
      await press('Search');
      await row('BULK-100').waitFor();
      await page.getByRole('searchbox').fill('');
      await press('Search');
      await row('BULK-100').waitFor();
    });
  });

  it('sent requests only to the gateway, and the policy refused nothing', () => {
    expect(foreignRequests(tab, shop)).toEqual([]);
    expect(unexpected(tab).filter((one) => !/status of 50[03]/.test(one))).toEqual([]);
  });
});
