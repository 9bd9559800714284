import type { Browser, Locator } from 'playwright-core';
import { ChangeStreams } from '../../src/overview/changes/change-streams.service.js';
import { LIFETIME_MS } from '../../src/platform/web/http/server-sent-events.js';
import { describeInBrowser, launchChromium, openTab, type Tab } from '../support/chromium.js';
import { ownAddress } from '../support/dashboard.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

/** While `holdsPolls` is set, lists do not poll: what they show comes by the stream. */
const HOLD_POLLS = `
  const every = window.setInterval;
  window.setInterval = (work, ms) => every(() => { if (ms < 5_000 || !window.holdsPolls) work(); }, ms);`;

describeInBrowser('a dashboard that is open while things happen', () => {
  let shop: Shop;
  let application: ShopApplication;
  let browser: Browser;
  let tab: Tab;
  let first: CreatedPayment;

  beforeAll(async () => {
    shop = await Shop.open(await ownAddress());
    application = await shop.application();
    first = await shop.createPayment(application, { reference: 'ORDER-1' });
    browser = await launchChromium();
    tab = await openTab(browser, { locale: 'en-US' });
    const { page } = tab;
    await page.addInitScript(HOLD_POLLS);
    await page.goto(`${shop.gateway.baseUrl}/dashboard/payments`);
    const name = shop.owner.clientId;
    await page.locator('input[name=email]').fill(`${name}@example.test`);
    await page.locator('input[name=password]').fill(`password of ${name}`);
    await page.locator('input[name=password]').press('Enter');
    await page.getByRole('link', { name: 'ORDER-1' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  const streams = () => shop.gateway.get(ChangeStreams);
  /** One frame of the page, and one turn of the loop, which stands still in tests. */
  const turn = async () => {
    await streams().runOnce();
    await tab.page.evaluate(`new Promise((resolve) => requestAnimationFrame(resolve))`);
  };
  const shows = async (what: Locator) => {
    while (!(await what.isVisible())) await turn();
  };
  const connected = async () => {
    while (streams().size === 0) await turn();
  };
  /** How often a path was requested. */
  const countOf = (path: string) => tab.requests.filter((url) => new URL(url).pathname === path).length;

  it('keeps new payments behind a button, without having polled for them', async () => {
    await connected();
    const { page } = tab;
    const before = countOf('/api/payment-overview');
    await page.evaluate('window.holdsPolls = true');
    for (const reference of ['ORDER-2', 'ORDER-3']) await shop.createPayment(application, { reference });
    const button = page.getByRole('button', { name: '2 new payments' });
    await shows(button);
    expect(countOf('/api/payment-overview')).toBeGreaterThan(before);
    expect(await page.getByRole('link', { name: 'ORDER-3' }).isVisible()).toBe(false);
    await button.click();
    await page.getByRole('link', { name: 'ORDER-3' }).waitFor();
    await page.evaluate('window.holdsPolls = false');
  });

  it('asks again by itself who is signed in, while the gateway does not answer', async () => {
    const { page } = tab;
    const session = '**/dashboard/session/refresh';
    await page.route(session, (route) => route.fulfill({ status: 503 }));
    await page.reload();
    await page.getByText('The gateway doesn’t answer right now.').waitFor();
    await page.unroute(session);
    await page.getByRole('link', { name: 'ORDER-3' }).waitFor();
  });

  it('shows the status of a payment as it moves, on its own page', async () => {
    const { page } = tab;
    await page.getByRole('link', { name: 'ORDER-1' }).click();
    await page.getByText('The customer has not paid yet').waitFor();
    await connected();
    await shop.send(await shop.instructions(first));
    await shop.mine(1);
    await shows(page.getByText('Confirming', { exact: true }).first());
  });

  it('becomes right by polling while the stream is broken, and follows again afterwards', async () => {
    const { page } = tab;
    await page.route('**/api/changes', (route) => route.abort());
    shop.gateway.clock.advanceSeconds(LIFETIME_MS / 1000);
    while (streams().size > 0) await turn();
    await shop.mine(CONFIRMATIONS);
    // Nothing tells the page: it asks every five seconds.
    await page.getByText('Paid', { exact: true }).first().waitFor();
    expect(streams().size).toBe(0);
    await page.unroute('**/api/changes');
    await connected();
    const before = countOf(`/api/payment/${first.id}/refunds`);
    await shop.call('POST', `/api/payment/${first.id}/refunds`, application.clientToken, {});
    // Refunds of a payment are not polled.
    while (countOf(`/api/payment/${first.id}/refunds`) === before) await turn();
  });

  it('leaves its connection to other tabs while it is hidden', async () => {
    const { page } = tab;
    await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
    while (streams().size > 0) await turn();
    await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => false, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
    await connected();
  });
});
