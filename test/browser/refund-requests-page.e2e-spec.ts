import type { Browser } from 'playwright-core';
import {
  chooseMethod,
  describeInBrowser,
  foreignRequests,
  launchChromium,
  openTab,
  pageUrl,
} from '../support/chromium.js';
import { CUSTOMER, RefundsApi } from '../support/refunds-api.js';
import type { CreatedPayment, ShopApplication } from '../support/shop.js';
import { BSC_CONFIRMATIONS, TwoChains } from '../support/two-chains.js';

const plain = (words: string) => words.replace(/\s+/g, ' ');

/** A customer asks for money back on the page, and follows what becomes of it. */
describeInBrowser('asking for money back on the checkout page', () => {
  let chains: TwoChains;
  let application: ShopApplication;
  let api: RefundsApi;
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
    chains = await TwoChains.open();
    application = await chains.shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
    api = new RefundsApi(chains.shop, application);
  });
  afterAll(async () => {
    await browser?.close();
    await chains?.close();
  });

  const refundsOf = async (payment: CreatedPayment) =>
    (await api.get<Awaited<ReturnType<RefundsApi['create']>>[]>(payment, '')).body.data;

  it.each([true, false])(
    'leads from the button to the address, and back to what became of it (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const { shop } = chains;
      const payment = await api.paid({}, 'eth', (due) => (due * 5n) / 4n);
      const tab = await openTab(browser, { javaScriptEnabled });
      const { page } = tab;
      await page.goto(pageUrl(shop, payment, { lang: 'de' }));
      await page.getByText('Rückerstattung von 0,0125 ETH (Ethereum) anfordern').click();
      await page.getByRole('button', { name: 'Ja, Rückerstattung anfordern' }).click();
      // The page of the refund, in the same language.
      await page.locator('main[data-screen="address"]').waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('de');

      await page.goto(pageUrl(shop, payment));
      const notice = async () => plain(await page.locator('main .note.warn').innerText());
      expect(await notice()).toContain(
        'You requested a refund of 0.0125 ETH on Ethereum. Bluebird Coffee needs your address.',
      );
      await page.getByRole('link', { name: 'Enter your address' }).click();
      // And back, from whichever screen.
      await page.getByRole('link', { name: 'Back to the payment' }).click();
      await page.locator('main[data-screen="paid"]').waitFor();
      await page.getByRole('link', { name: 'Enter your address' }).click();
      // A paste may bring line ends, which a field of several lines keeps.
      await page.locator('#address').fill(`${CUSTOMER}\n`);
      await page.getByRole('button', { name: 'Check this address' }).click();
      await page.getByRole('button', { name: /^Yes, send .+ to this address$/ }).click();
      await page.locator('main[data-screen="awaiting-payment"]').waitFor();

      await page.locator('#back').click();
      await page.locator('main[data-screen="paid"]').waitFor();
      expect(await notice()).toContain(
        'Bluebird Coffee has your address and can now send 0.0125 ETH on Ethereum.',
      );
      const [refund] = await refundsOf(payment);
      if (!refund) throw new Error('no refund');
      await api.settleRefund(refund);
      await page.reload();
      expect(await notice()).toContain('Bluebird Coffee has refunded 0.0125 ETH on Ethereum.');
      expect(tab.incidents).toEqual([]);
      expect(foreignRequests(tab, shop)).toEqual([]);
      await page.context().close();
    },
  );

  it('asks for no rest of a payment whose part is asked back', async () => {
    const { shop } = chains;
    const payment = await api.paid({}, 'eth', (due) => (due * 2n) / 5n);
    const { page } = await openTab(browser, {});
    await page.goto(pageUrl(shop, payment));
    expect(await page.locator('#address').count()).toBe(1);
    await page.locator('#fold-back > summary').click();
    await page.getByText('Request a refund of 0.02 ETH (Ethereum)').click();
    expect(await page.locator('.ask').innerText()).toContain('We’ll ask Bluebird Coffee to send it back.');
    await page.getByRole('button', { name: 'Yes, request the refund' }).click();
    await page.locator('main[data-screen="address"]').waitFor();
    await page.goto(pageUrl(shop, payment));
    expect(plain(await page.locator('main').innerText())).toContain('Don’t send the rest.');
    expect(await page.locator('#address').count()).toBe(0);
    await page.context().close();
  });

  it('leads to the refund of the wrong network first, and to the order below it', async () => {
    const { shop } = chains;
    const payment = await shop.createPayment(application);
    await chooseMethod(shop, payment, { provider: 'ethereum', method: 'eth' });
    await chains.sendBnb(payment, { blocks: BSC_CONFIRMATIONS });
    const { page } = await openTab(browser, {});
    await page.goto(pageUrl(shop, payment));
    await page.getByText('Request a refund of 0.2 BNB (BNB Smart Chain)').click();
    await page.getByRole('button', { name: 'Yes, request the refund' }).click();
    await page.locator('main[data-screen="address"]').waitFor();
    await page.goto(pageUrl(shop, payment));
    const seen = async () => plain(await page.locator('main').innerText());
    expect(await page.locator('h1').innerText()).toBe('Your refund');
    expect(await page.locator('#address, [data-ends]').locator('visible=true').count()).toBe(0);
    await page.getByText('Pay again, ETH on Ethereum').click();
    await page.locator('#address').waitFor();
    await page.getByRole('link', { name: 'Enter your address' }).click();
    await page.locator('#address').fill(CUSTOMER);
    await page.getByRole('button', { name: 'Check this address' }).click();
    await page.getByRole('button', { name: /^Yes, send .+ to this address$/ }).click();
    await page.locator('#back').click();
    await page.locator('main[data-screen="refund-under-way"]').waitFor();
    expect(await seen()).toContain('Bluebird Coffee has your address and can now send 0.2 BNB');
    expect(await seen()).not.toContain('accept it or send it back');
    await page.context().close();
  });

  it('names the funds of the wrong network, and says in words when they cannot be asked for any more', async () => {
    const { shop } = chains;
    const payment = await shop.createPayment(application);
    await chains.sendBnb(payment, { blocks: BSC_CONFIRMATIONS });
    const { page } = await openTab(browser, {});
    await page.goto(pageUrl(shop, payment));
    await page.getByText('Request a refund of 0.2 BNB (BNB Smart Chain)').click();
    const button = page.getByRole('button', { name: 'Yes, request the refund' });
    await button.waitFor();
    // The merchant accepts the funds while the customer reads.
    await chains.accept(application, payment);
    await button.click();
    await page.locator('main[data-screen="error"]').waitFor();
    expect(plain(await page.locator('main').innerText())).toContain('No refund is available');
    expect(plain(await page.locator('main').innerText())).toContain('Contact Bluebird Coffee');
    await page.context().close();
  });
});
