import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser } from '../support/chromium.js';
import { rawTransaction } from '../support/evm-chain.js';
import { Shop, type ShopApplication } from '../support/shop.js';

const ETH = { provider: 'ethereum', method: 'eth' };
const BLOCKS = 20;

/** What a screen reader says while a payment is confirmed: what matters, and not each block. */
describeInBrowser('the announcements of the checkout page', () => {
  let shop: Shop;
  let application: ShopApplication;
  let page: Page;
  const tabs = useBrowser(() => shop);

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application({
      url: 'https://shop.example',
      confirmations: { ethereum: BLOCKS },
    });
  });
  afterAll(() => shop?.close());

  /** An open page of a payment whose transaction has its first block. */
  const seen = async () => {
    const payment = await shop.createPayment(application);
    page = await tabs.visit(await chooseMethod(shop, payment, ETH));
    await page.evaluate(`window.said = []; for (const region of [document.getElementById('alert'), document.getElementById('status')])
      new MutationObserver(() => region.textContent && said.push(region.textContent)).observe(region, { childList: true }); 0`);
    const hash = await shop.send(await shop.instructions(payment));
    await shop.mine();
    await counts(1);
    return hash;
  };
  const counts = async (blocks: number) => {
    await shop.tell();
    await page
      .locator('.way')
      .filter({ hasText: `Confirming: ${blocks} of ${BLOCKS}` })
      .waitFor();
  };
  const isSaid = (words: string) =>
    page.locator('#alert, #status').filter({ hasText: words }).waitFor({ state: 'attached' });
  const said = () => page.evaluate('said') as Promise<string[]>;

  it('are four in 20 blocks: seen, the half, the last one, paid', async () => {
    await seen();
    await isSaid('Payment seen');
    for (let blocks = 2; blocks < BLOCKS; blocks++) {
      await shop.mine();
      await counts(blocks);
      if (blocks === BLOCKS / 2) await isSaid('Half of the confirmations are in.');
    }
    await isSaid('Just one more confirmation to go.');
    await shop.mine();
    await shop.tell();
    await page.locator('main[data-screen="paid"]').waitFor();
    await isSaid('Payment complete.');
    expect(await said()).toEqual([
      'Payment seen, being confirmed',
      'Half of the confirmations are in.',
      'Just one more confirmation to go.',
      'Payment complete.',
    ]);
    expect(await page.title()).toMatch(/^✓ Paid · /);
  });

  it('say once that the network has taken blocks back, and the page shows it from then on', async () => {
    const hash = await seen();
    await isSaid('Payment seen');
    const raw = await rawTransaction(shop.chain, hash);
    await shop.mine(4);
    await counts(5);
    expect(await page.locator('#recount').isVisible()).toBe(false);
    await shop.chain.reorg(5, [[raw, 3]]);
    await shop.mine();
    await counts(3);
    await isSaid('the count has started again');
    await shop.mine();
    await counts(4);
    expect(await page.locator('#recount').isVisible()).toBe(true);
    const words = 'The network replaced its newest blocks, so the count has started again.';
    expect(await said()).toEqual(['Payment seen, being confirmed', expect.stringContaining(words)]);
  });
});
