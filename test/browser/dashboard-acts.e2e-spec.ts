import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { AddressGaps } from '../../src/wallets/earlier-use/address-gaps.service.js';
import { describeInBrowser, launchChromium } from '../support/chromium.js';
import { openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { layoutFaults } from '../support/page-layout.js';
import { CUSTOMER } from '../support/refunds-api.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';
import { newAccount } from '../support/wallets-api.js';

/** A folder for pictures of the dialogs, e.g. .data/screenshots. */
const { SCREENSHOTS } = process.env;
const plain = (text: string | null) =>
  (text ?? '').replace(/[\u{2066}-\u{2069}]/gu, '').replace(/\u{a0}/gu, ' ');

describeInBrowser('an act that cannot be undone', () => {
  let shop: Shop;
  let application: ShopApplication;
  let browser: Browser;
  let page: Page;
  let over: CreatedPayment;
  let short: CreatedPayment;
  let stray: CreatedPayment;
  let long: CreatedPayment;

  beforeAll(async () => {
    shop = await Shop.open(await ownAddress());
    application = await shop.application({ name: 'Bean & Leaf' });
    over = await shop.createPayment(application, { amount: 2_605, reference: 'ORDER-4711' });
    short = await shop.createPayment(application, { amount: 2_535, reference: 'ORDER-4712' });
    const [asked, less] = [await shop.instructions(over, 'usdc'), await shop.instructions(short, 'usdc')];
    await shop.send(asked);
    await shop.send(asked);
    await shop.send(less, 12_670_000n);
    stray = await shop.createPayment(application, { amount: 2_535, reference: 'ORDER-4713' });
    const { address } = await shop.instructions(stray, 'usdc');
    await shop.chain.sendToken({
      token: shop.tokens.USDT,
      to: address as `0x${string}`,
      value: 25_350_000n,
    });
    const amount = 1_234_567_890_123_456_789n;
    long = await shop.createPayment(application, { amount, currencyCode: 'ETH', reference: 'ORDER-4714' });
    await shop.send(await shop.instructions(long), amount / 3n);
    await shop.mine(CONFIRMATIONS);
    browser = await launchChromium();
    const { clientId } = shop.owner;
    const password = `password of ${clientId}`;
    page = (await openDashboard(browser, shop.gateway, `${clientId}@example.test`, { password })).page;
    page.setDefaultTimeout(15_000);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  const go = (address: string) => page.goto(`${shop.gateway.baseUrl}/dashboard${address}`);
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'));

  /** What can be given back, by the words of the dialog. */
  const ways = async () => {
    const choices = dialog().getByRole('group', { name: 'How much' }).locator('label');
    await choices.first().waitFor();
    return (await choices.allTextContents()).map(plain);
  };

  /** Everything can be read, and nobody is shut out, at the widths of phones, tablets and desks. */
  async function look(name: string): Promise<void> {
    for (const width of [320, 390, 800, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        expect([width, await layoutFaults(page)]).toEqual([width, []]);
        if (SCREENSHOTS === undefined) continue;
        await mkdir(SCREENSHOTS, { recursive: true });
        await page.screenshot({ path: path.join(SCREENSHOTS, `${name}-${width}-${colorScheme}.png`) });
      }
    expect(await violations(page)).toEqual([]);
  }

  it('gives back what was paid too much unless told otherwise, with both figures on the button', async () => {
    await go(`/payments/${over.id}`);
    await press('Refund…');
    const submit = dialog().getByRole('button', { name: /^Create refund: / });
    expect(plain(await submit.textContent())).toBe('Create refund: $26.05 = 26.05 USDC · ORDER-4711');
    expect(await ways()).toEqual([
      '$26.05 · Only what was paid too much',
      '$26.05 · Only what the order costs',
      '$52.10 · Everything that is left',
      'Another amount',
    ]);
    await look('refund');
    await dialog().getByRole('radio', { name: 'Another amount' }).check();
    await dialog().getByRole('textbox', { name: 'Another amount' }).fill('1.250');
    await dialog().getByText('This can mean $1.25 or $1,250.00').waitFor();
    await look('refund-other');
    for (const [written, says] of [
      ['52.11', 'At most $52.10 can be given back.'],
      ['0', 'Write an amount such as'],
      ['5 EUR', 'Write an amount such as'],
    ] as const) {
      await dialog().getByRole('textbox', { name: 'Another amount' }).fill(written);
      await dialog().getByText(says).waitFor();
      // No figure that is not given back.
      expect(await dialog().locator('button[type=submit]').textContent()).toBe('Create refund');
    }
    await dialog().getByRole('textbox', { name: 'Another amount' }).fill('10.5');
    await dialog().getByText('Understood: $10.50').waitFor();
    // By whoever presses everything twice.
    await dialog()
      .getByRole('button', { name: /^Create refund: / })
      .dblclick();
    await dialog().getByText('Send this link to the customer').waitFor();
    expect(plain(await dialog().locator('strong').textContent())).toBe('$10.50 = 10.5 USDC');
    await look('refund-made');
    await press('Done');
    const { body } = await shop.call<{ amount: { amount: number }; payoutAmount: { atomic: string } }[]>(
      'GET',
      `/api/payment/${over.id}/refunds`,
      application.clientToken,
    );
    expect(body.data).toMatchObject([{ amount: { amount: 1_050 }, payoutAmount: { atomic: '10500000' } }]);
  });

  it('offers nothing a second time that is in a refund already, paid or not', async () => {
    await go(`/payments/${over.id}`);
    await press('Refund…');
    expect(await ways()).toEqual([
      '$15.55 · Only what was paid too much',
      '$26.05 · Only what the order costs',
      '$41.60 · Everything that is left',
      'Another amount',
    ]);
    await dialog().getByRole('button', { name: 'Back' }).click();
  });

  it('copies by hand where the browser copies nothing, which it does without HTTPS', async () => {
    await go(`/payments/${short.id}`);
    await page.getByRole('button', { name: 'Copy payment link' }).waitFor();
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await press('Copy payment link');
    await page.getByRole('alert').filter({ hasText: 'Copying did not work.' }).waitFor();
    const selected = await page.evaluate('document.activeElement.value');
    expect(String(selected)).toContain(`/checkout/${short.id}?`);
    expect(await layoutFaults(page)).toEqual([]);
  });

  it('accepts an underpayment by its figures', async () => {
    await go(`/payments/${short.id}`);
    await press('Accept as paid');
    const button = dialog().getByRole('button', { name: /^Accept as paid: / });
    expect(plain(await button.textContent())).toBe('Accept as paid: $12.67 of $25.35 · ORDER-4712');
    await look('accept');
    await dialog().getByRole('button', { name: 'Back' }).click();
  });

  it.each(['en', 'de', 'ar'])('can be read in %s with amounts of all decimals', async (locale) => {
    await page.evaluate(`document.cookie = 'dashboard_locale=${locale}; Path=/dashboard'`);
    const texts = JSON.parse(await readFile(`web/messages/dashboard/${locale}.json`, 'utf8')) as Record<
      string,
      string
    >;
    for (const [name, payment, acts] of [
      ['long', long, ['action.accept', 'action.refund']],
      ['over', over, ['action.refund']],
      ['stray', stray, ['action.accept-transfer', 'action.refund']],
    ] as const)
      for (const act of acts) {
        await go(`/payments/${payment.id}`);
        await press(texts[act] ?? '');
        await dialog().locator('strong bdi bdi').first().waitFor();
        await look(`${name}-${act}-${locale}`);
      }
    await page.evaluate("document.cookie = 'dashboard_locale=en; Path=/dashboard'");
  });

  it('gives back as it came what came in another coin, which is no amount of the order', async () => {
    await go(`/payments/${stray.id}`);
    await press('Refund…');
    const submit = dialog().getByRole('button', { name: /^Create refund: / });
    expect(plain(await submit.textContent())).toBe('Create refund: 25.35 USDT · Ethereum · ORDER-4713');
    expect((await ways())[0]).toBe('25.35 USDT · Ethereum · Wrong network or coin');
    await submit.click();
    const done = dialog().getByRole('button', { name: 'Done' });
    await done.waitFor();
    expect(plain(await dialog().locator('strong').textContent())).toBe('25.35 USDT');
    await done.click();
  });

  it('shows beside a refund that waits what has to be sent, where to, and on which network', async () => {
    const payment = await shop.createPayment(application, { amount: 2_535, reference: 'ORDER-4715' });
    await shop.send(await shop.instructions(payment, 'usdc'));
    await shop.mine(CONFIRMATIONS);
    const body = { amount: 1_050, address: CUSTOMER };
    await shop.call('POST', `/api/payment/${payment.id}/refunds`, application.clientToken, body);
    await go('/attention?kind=refund_waits');
    const row = page.getByRole('listitem').filter({ hasText: 'ORDER-4715' });
    await row.getByText('10.5 USDC').waitFor();
    const words = plain(await row.innerText());
    for (const fact of [CUSTOMER, 'Ethereum', 'I have paid it']) expect(words).toContain(fact);
    await look('attention-refund');
  });

  it('makes a new secret after a question, and says until when the old one goes on', async () => {
    await go(`/applications/${application.id}/secret`);
    await press('Make a new secret');
    await look('secret-question');
    await dialog()
      .getByRole('button', { name: /^Make a new secret: .*Bean & Leaf/ })
      .click();
    await page.getByText('The old secret signs too until').waitFor();
    // It is in this page and nowhere else.
    await page.getByText('Store this secret now').waitFor();
    expect(await page.locator('main pre').textContent()).toMatch(/^whsec_\S{40,}$/);
    expect(await page.getByRole('button', { name: 'Make a new secret' }).count()).toBe(0);
    await look('secret-overlap');
    await press('My shop has the new secret');
    await look('secret-end');
    await dialog()
      .getByRole('button', { name: /^My shop has the new secret: .*Bean & Leaf/ })
      .click();
    await page.getByRole('button', { name: 'Make a new secret' }).waitFor();
  });

  it('shows whose key the money goes to before a link is made, and reads German', async () => {
    await page.evaluate("document.cookie = 'dashboard_locale=de; Path=/dashboard'");
    await go('/payments');
    await press(/Zahlungslink/);
    await dialog().getByText('der Schlüssel des Betreibers, nicht Ihrer').waitFor();
    await dialog().getByLabel('Betrag').fill('1.250');
    await dialog().getByText('Verstanden: 1.250,00').waitFor();
    await look('link-de');
    await go(`/applications/${application.id}/wallets`);
    await page.getByText('der Schlüssel des Betreibers, nicht Ihrer').waitFor();
    await look('wallets-de');
  });

  it('says what it has made although its row has left the list, and the row leaves with the dialog', async () => {
    await page.evaluate("document.cookie = 'dashboard_locale=en; Path=/dashboard'");
    await page.setViewportSize({ width: 1_280, height: 900 });
    await go('/attention?kind=overpaid');
    const row = page.getByRole('listitem').filter({ hasText: 'ORDER-4711' });
    await row.getByRole('button', { name: 'Refund…' }).click();
    await dialog()
      .getByRole('button', { name: /^Create refund: \W*\$15\.55/ })
      .click();
    await dialog().getByText('Send this link to the customer').waitFor();
    const { data: left } = (
      await shop.call<{ payment: { id: string } }[]>(
        'GET',
        '/api/attention?kind=overpaid',
        shop.owner.accessToken,
      )
    ).body;
    expect(left).toEqual([]);
    expect(await dialog().locator('pre').textContent()).toContain('/refund/');
    await press('Done');
    await row.waitFor({ state: 'detached' });
  });

  it('is done with a long run of unpaid addresses once the wallet is set to look behind it', async () => {
    const { accessToken } = shop.owner;
    const wallet = `/api/payment-applications/${application.id}/wallets/evm`;
    await shop.call('PUT', wallet, accessToken, { extendedPublicKey: newAccount().publicExtendedKey });
    await shop.gateway.sql.query(
      'update wallets set next_index = next_index + 21 where application_id = $1',
      [application.id],
    );
    await shop.gateway.get(AddressGaps).runOnce();
    await go('/attention?kind=gap_limit');
    await page.getByText('Longest run of addresses without a payment: 21. Set the gap limit').waitFor();
    expect(plain(await page.locator('main').textContent())).toContain('Ethereum');
    await look('gap-limit');
    await press('My wallet is set to 100');
    await page.getByText('Nothing of this kind needs you.').waitFor();
    await go(`/applications/${application.id}/wallets`);
    await page.getByText('First addresses').first().waitFor();
    expect(await page.getByText('Longest run').count()).toBe(0);
  });
});
