import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser } from '../support/chromium.js';
import { CONFIRMATIONS, type CreatedPayment, type ShopApplication } from '../support/shop.js';
import { BSC_CONFIRMATIONS, DUE_BNB, TwoChains } from '../support/two-chains.js';

const ARRIVED = '0.2 BNB on BNB Smart Chain arrived, but this order asks for ETH on Ethereum.';

/** A customer sends to the right address on the wrong network, and looks at the page. */
describeInBrowser('the notice of unmatched funds on the checkout page', () => {
  let chains: TwoChains;
  let application: ShopApplication;
  const tabs = useBrowser(() => chains.shop);
  let page: Page;

  beforeAll(async () => {
    chains = await TwoChains.open();
    application = await chains.shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
  });
  afterAll(() => chains?.close());

  async function open(payment: CreatedPayment, width = 1_100): Promise<void> {
    ({ page } = await tabs.open({ viewport: { width, height: 900 } }));
    // Runs as ever, and can be put forward.
    await page.clock.install();
    await page.goto(await chooseMethod(chains.shop, payment, { provider: 'ethereum', method: 'eth' }));
  }
  const create = () =>
    chains.shop.createPayment(application, { reference: 'ORDER-1042', referenceLabel: 'Two bags of Sidamo' });
  const notice = () => page.locator('main .note.warn').filter({ hasText: 'It isn’t lost.' });
  const seesNext = async (words: string) => {
    await page.clock.fastForward(5_000);
    await page.locator('main').filter({ hasText: words }).waitFor();
  };

  it('shows the received and the requested asset and the next step, without a reload, until they are accepted', async () => {
    const payment = await create();
    await open(payment);
    await page.evaluate('window.isSamePage = true');
    const address = await page.locator('#address').textContent();
    expect(await notice().count()).toBe(0);

    // Nothing else about the payment changes: only the polled status shows it.
    await chains.sendBnb(payment);
    await seesNext('Sent on the wrong network');
    await page.getByRole('alert').filter({ hasText: ARRIVED }).waitFor();
    const text = await notice().innerText();
    for (const part of [
      'We can see it, but it hasn’t paid this order yet.',
      'Bluebird Coffee can see it, and can accept it or send it back.',
      'Contact Bluebird Coffee and quote order ORDER-1042.',
      'Pay again, ETH on Ethereum',
    ])
      expect(text).toContain(part);
    // A customer who is about to pay keeps the address in view.
    expect(await page.locator('#address').textContent()).toBe(address);

    await chains.accept(application, payment);
    await seesNext('Payment seen');
    expect(await notice().count()).toBe(0);
    // Followed on the network where the funds are, not on the one that was chosen.
    expect(await page.locator('main').innerText()).toContain('Confirming: 1 of 15');
    await chains.mineBsc();
    await seesNext('Confirming: 2 of 15');
    await chains.mineBsc(BSC_CONFIRMATIONS);
    await seesNext('Payment complete');
    expect(await page.evaluate('window.isSamePage')).toBe(true);
  });

  it('leaves the instructions that are being copied when another device chooses another network, whatever happens then', async () => {
    const payment = await create();
    await open(payment);
    const main = page.locator('main');
    const before = await main.locator('h1').innerText();
    await chooseMethod(chains.shop, payment, { provider: 'bsc', method: 'bnb' });
    for (let turn = 0; turn < 3; turn++) {
      const answered = page.waitForResponse((response) => response.url().includes('/part?'));
      await page.clock.fastForward(31_000);
      expect((await answered).status()).toBe(304);
    }
    expect([await main.locator('h1').innerText(), await main.getAttribute('data-method')]).toEqual([
      before,
      'ethereum/eth',
    ]);
    // The rest is asked for where the first part came from.
    const instructions = await chains.shop.instructions(payment);
    await chooseMethod(chains.shop, payment, { provider: 'bsc', method: 'bnb' });
    await chains.shop.send(instructions, BigInt(instructions.amount.atomic) / 2n);
    await chains.shop.mine();
    await page.clock.fastForward(31_000);
    await page.locator('main[data-screen="found-short"][data-method="ethereum/eth"]').waitFor();
    // Whoever loads the page anew gets what was chosen last.
    await page.reload();
    await page.locator('main[data-method="bsc/bnb"]').waitFor();
  });

  it('disappears when a reorg removes the funds', async () => {
    const payment = await create();
    await open(payment);
    await chains.sendBnb(payment);
    await seesNext('Sent on the wrong network');
    await chains.reorgBsc(1);
    await page.clock.fastForward(5_000);
    await notice().waitFor({ state: 'detached' });
    expect(await page.locator('h1').innerText()).toBe('ETH on Ethereum test network');
  });

  it('says that they can be returned when the payment is complete without them', async () => {
    const payment = await create();
    await chains.sendBnb(payment, { amount: DUE_BNB });
    await chains.shop.send(await chains.shop.instructions(payment));
    await chains.shop.mine(CONFIRMATIONS);
    await open(payment);
    expect(await page.locator('h1').innerText()).toBe('Payment complete');
    expect(await notice().innerText()).toContain(
      'Your payment is complete without it. Bluebird Coffee can see it, and can send it back.',
    );
    expect(await page.locator('main').innerText()).toMatch(/BNB 1 of 15 confirmations, doesn’t count/);
  });

  it.each([320, 1_100])('is readable at a width of %i', async (width) => {
    const payment = await create();
    await chains.sendBnb(payment);
    await open(payment, width);
    const box = await notice().boundingBox();
    if (!box) throw new Error('no notice');
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    // A picture of it is a picture of something: text on a ground that differs from the page's.
    const [ground, around, ink] = await notice().evaluate((element) => {
      const view = element.ownerDocument.defaultView;
      const colorOf = (name: string, of: typeof element) =>
        view?.getComputedStyle(of).getPropertyValue(name) ?? '';
      const { body } = element.ownerDocument;
      return [
        colorOf('background-color', element),
        colorOf('background-color', body),
        colorOf('color', element),
      ];
    });
    expect(new Set([ground, around, ink]).size).toBe(3);
    // In the upper half of the first screenful, before anything that asks to pay.
    const pay = await page.locator('#payable').boundingBox();
    expect(box.y).toBeLessThan(pay?.y ?? 0);
    expect((await notice().screenshot()).byteLength).toBeGreaterThan(2_000);
  });
});
