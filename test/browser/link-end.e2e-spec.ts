import type { Page, Route } from 'playwright-core';
import { LOOK_SECONDS } from '../../src/checkout/page/page-access.pure.js';
import { SEEN_COOKIE } from '../../src/platform/web/http/cookies.pure.js';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser, pageUrl } from '../support/chromium.js';
import { RefundsApi } from '../support/refunds-api.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const ETH = { provider: 'ethereum', method: 'eth' };
/** Seconds. */
const LINK = 300;
/** The page of an ended link of a payment that nothing came for. */
const EXPECTED = /^console: Failed to load resource: the server responded with a status of 403/;
const NAME = SEEN_COOKIE.plain;

/** Payments whose money is under way when their link ends. */
describeInBrowser('the end of the link', () => {
  let shop: Shop;
  let application: ShopApplication;
  const tabs = useBrowser(() => shop, EXPECTED);

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
  });
  afterAll(() => shop?.close());

  const create = () =>
    shop.createPayment(application, {
      expiresAt: new Date(shop.gateway.clock.now().getTime() + LINK * 1000).toISOString(),
    });
  const send = async (payment: CreatedPayment, percent = 100n) => {
    const instructions = await shop.instructions(payment);
    await shop.send(instructions, (BigInt(instructions.amount.atomic) * percent) / 100n);
    return instructions;
  };
  const end = async (seconds = LINK + 1) => {
    await shop.wait(seconds);
    await shop.tell();
  };
  const screen = (page: Page, name: string) => page.locator(`main[data-screen="${name}"]`);
  const heading = (page: Page) => page.locator('h1').innerText();
  const html = async (payment: CreatedPayment, headers: Record<string, string> = {}) => {
    const response = await fetch(pageUrl(shop, payment), { headers });
    return { status: response.status, text: await response.text(), cookie: cookieIn(response) };
  };
  const cookieIn = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? null;
  const quotesOf = async ({ id }: CreatedPayment) => {
    const [row] = await shop.gateway.sql.query<{ count: string }>(
      'select count(*) from quotes where payment_id = $1',
      [id],
    );
    return Number(row?.count);
  };
  /** What was said to people who use a screen reader. */
  const listen = (page: Page) =>
    page.evaluate(`window.said = []; for (const region of [document.getElementById('alert'), document.getElementById('status')])
      new MutationObserver(() => region.textContent && said.push(region.textContent)).observe(region, { childList: true }); 0`);
  const saidOf = (page: Page, words: string) =>
    page.locator('#alert, #status').filter({ hasText: words }).waitFor({ state: 'attached' });
  const said = (page: Page) => page.evaluate('said') as Promise<string[]>;

  const requestRefund = async (page: Page) => {
    for (const step of ['#fold-back > summary', '.ask > summary', '.ask button'])
      await page.locator(step).click();
  };
  it('an open page goes on by itself from seen to paid, and says nothing of the link', async () => {
    const payment = await create();
    const tab = await tabs.open();
    const { page } = tab;
    await page.goto(await chooseMethod(shop, payment, ETH));
    await send(payment);
    await shop.mine();
    await saidOf(page, 'Payment seen, being confirmed');
    await listen(page);
    const version = await page.locator('main').getAttribute('data-version');
    await end();
    await page.locator(`main[data-screen="found"]:not([data-version="${version}"])`).waitFor();
    expect(await heading(page)).toBe('Your payment goes on without the link');
    expect(await page.locator('ul.seen code, ul.seen a').count()).toBeGreaterThan(0);
    expect(await said(page)).toEqual([]);
    await shop.mine(CONFIRMATIONS);
    await screen(page, 'paid').waitFor();
    expect(await page.locator('#receipt').count()).toBe(1);
    // Opened again in the same browser, nothing is lost.
    expect((await page.reload())?.status()).toBe(200);
    expect(await heading(page)).toBe('Payment complete');
    expect(await page.locator('ul.seen li').count()).toBe(1);
  });

  it('without JavaScript the page goes on by reloading itself', async () => {
    const payment = await create();
    const page = await tabs.visit(await chooseMethod(shop, payment, ETH), { javaScriptEnabled: false });
    expect(await page.locator('.left').innerText()).toMatch(/^this link works until .*\sUTC$/);
    await send(payment);
    await shop.mine();
    await end();
    await page.reload();
    expect(await heading(page)).toBe('Your payment goes on without the link');
    expect(await page.locator('ul.seen li').count()).toBe(1);
    expect(await page.locator('noscript').first().innerHTML()).toContain('http-equiv="refresh"');
    await shop.mine(CONFIRMATIONS);
    await page.reload();
    expect(await heading(page)).toBe('Payment complete');
    expect(await page.locator('#receipt').count()).toBe(1);
  });

  it('the clock is that of the link, its end is said once, and money that comes later is noticed', async () => {
    const payment = await create();
    const tab = await tabs.open();
    const { page } = tab;
    await page.clock.install();
    await page.goto(await chooseMethod(shop, payment, ETH));
    const instructions = await shop.instructions(payment);
    expect(await page.getByRole('timer').innerText()).toMatch(/^this link works for 0[45]:\d\d$/);
    await listen(page);
    await page.clock.fastForward((LINK - 40) * 1000);
    await page.getByText('This link works for one more minute.').waitFor();
    await page.clock.fastForward(45_000);
    // The device is first; nothing can be paid any more, and no other price is offered.
    await screen(page, 'expired').waitFor();
    expect(await page.locator('#address, .qr, .copy, #wallet, #renew').count()).toBe(0);
    expect(await page.locator('#ended').innerText()).toContain('This payment link has expired');
    expect(await page.title()).toMatch(/^Link expired · /);
    await end();
    await page.getByText('Please go back to the shop to start again.').waitFor();
    await page.clock.runFor(1_000);
    expect(await said(page)).toEqual([
      'This link works for one more minute.',
      'This payment link has expired.',
    ]);

    await shop.send(instructions);
    await shop.mine();
    await screen(page, 'found').waitFor();
    await page.clock.runFor(1_000);
    expect((await said(page)).at(-1)).toContain('Payment seen, being confirmed');
    await shop.mine(CONFIRMATIONS);
    await screen(page, 'paid').waitFor();
    expect(await page.locator('#receipt').count()).toBe(1);
  });

  it('a page that was opened after the end notices money by itself, too', async () => {
    const payment = await create();
    const instructions = await shop.instructions(payment);
    await end();
    const page = await tabs.visit(pageUrl(shop, payment));
    await screen(page, 'expired').waitFor();
    expect(await page.locator('main').innerText()).toContain('Please don’t pay again');
    await shop.send(instructions);
    await shop.mine();
    await screen(page, 'found').waitFor();
    expect(await page.locator('ul.seen').count()).toBe(0);
    await shop.mine(CONFIRMATIONS);
    await screen(page, 'paid').waitFor();
    expect(await page.locator('#receipt').count()).toBe(1);
  });

  it('half paid: whoever saw it can ask for it back, and nobody else', async () => {
    const payment = await create();
    const page = await tabs.visit(await chooseMethod(shop, payment, ETH));
    await send(payment, 50n);
    await shop.mine(CONFIRMATIONS);
    await screen(page, 'underpaid').waitFor();
    await end();
    await page.getByText('The time to pay is over: please don’t send the rest.').waitFor();
    expect(await page.locator('#address, .copy, .qr').count()).toBe(0);
    const action = await page.evaluate<string>('document.querySelector(".ask form").action');
    const refunds = async () =>
      (await new RefundsApi(shop, application).get<unknown[]>(payment, '')).body.data.length;

    // A stranger with the same link.
    const body = new URLSearchParams({ type: 'UNDERPAYMENT' });
    const stranger = await fetch(action, { method: 'POST', body, redirect: 'manual' });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(new RegExp(`^\\.\\./${payment.id}\\?`)),
    ]);
    expect((await html(payment)).text).not.toMatch(/refund-request|\/refund\//);
    expect(await refunds()).toBe(0);

    await requestRefund(page);
    await screen(page, 'address').waitFor();
    expect(await refunds()).toBe(1);
    // The link to name the address is the customer's alone.
    expect((await html(payment)).text).not.toMatch(/refund-request|\/refund\//);
    await page.goto(pageUrl(shop, payment));
    expect(await page.locator('main a[href^="../refund/"]').count()).toBe(1);
  });

  it('taken back by a reorganization after the end, and paid again', async () => {
    const payment = await create();
    const page = await tabs.visit(await chooseMethod(shop, payment, ETH));
    const instructions = await send(payment);
    await shop.mine();
    await saidOf(page, 'Payment seen, being confirmed');
    await end();
    await listen(page);
    await shop.chain.reorg(1);
    await shop.mine(2);
    await screen(page, 'taken-back').waitFor();
    expect(await heading(page)).toBe('The network has dropped your payment');
    expect(await page.locator('main').innerText()).toContain('taken back by the network');
    expect((await html(payment)).text).toContain('data-screen="taken-back"');
    await saidOf(page, 'dropped your payment');
    await shop.send(instructions);
    await shop.mine();
    await saidOf(page, 'Payment seen, being confirmed');
    expect(await said(page)).toEqual([
      'The network has dropped your payment',
      expect.stringContaining('Payment seen, being confirmed'),
    ]);
  });

  it('cancelled after the end, while somebody looks on', async () => {
    const payment = await create();
    const page = await tabs.visit(pageUrl(shop, payment));
    await end();
    await screen(page, 'expired').waitFor();
    await shop.call('POST', `/api/payment/${payment.id}/cancel`, application.clientToken);
    await shop.tell();
    await screen(page, 'cancelled').waitFor();
    expect((await html(payment)).status).toBe(200);
  });

  describe('a browser that keeps no cookies', () => {
    /** As in the frame of a shop: what the gateway sets does not arrive. */
    const dropCookies = async (route: Route) => {
      const request = route.request();
      const response = await fetch(request.url(), { headers: await request.allHeaders() });
      const headers = Object.fromEntries(response.headers);
      for (const name of ['set-cookie', 'content-encoding', 'content-length']) delete headers[name];
      await route.fulfill({
        status: response.status,
        headers,
        body: Buffer.from(await response.arrayBuffer()),
      });
    };

    it('looks on in the open page, by what the page gave it', async () => {
      const payment = await create();
      const tab = await tabs.open();
      const { page } = tab;
      await page.route(/\/checkout\/[0-9a-f-]{36}(\/part)?\?/, dropCookies);
      await page.goto(await chooseMethod(shop, payment, ETH));
      await send(payment, 50n);
      await shop.mine(CONFIRMATIONS);
      await screen(page, 'underpaid').waitFor();
      await end();
      await page.getByText('The time to pay is over').waitFor();
      expect(await page.context().cookies()).toEqual([]);
      expect(await page.locator('ul.seen li').count()).toBe(1);
      // The link that somebody copies from the address is the shop's, no more.
      expect(page.url()).not.toContain('seen=');
      // The forms of the page have it, too.
      await requestRefund(page);
      await screen(page, 'address').waitFor();
    });
  });

  describe('shows what it may', () => {
    /** Half paid and ended, with the cookie of a browser that saw it. */
    const halfPaid = async () => {
      const payment = await create();
      const { cookie } = await html(payment);
      if (cookie === null) throw new Error('no cookie');
      const { address } = await send(payment, 50n);
      await shop.mine(CONFIRMATIONS);
      const [transaction] = (await shop.payment(payment)).transactions;
      if (!transaction) throw new Error('no transaction');
      const { txHash } = transaction;
      return { payment, cookie, address, txHash };
    };

    it('in the browser that saw the payment, for 14 days', async () => {
      const { payment, cookie, address, txHash } = await halfPaid();
      await end();
      const looked = await html(payment, { cookie });
      expect([looked.text.includes(txHash), looked.text.includes(address)]).toEqual([true, false]);
      await end(LOOK_SECONDS - 1);
      expect((await html(payment, { cookie })).text).toContain(txHash);
      await end(1);
      const later = await html(payment, { cookie });
      expect(later.text).toContain('is still missing');
      expect(later.text).not.toMatch(new RegExp(`${txHash}|refund-request|data-part|http-equiv`));
      await shop.watch();
    });

    it.each<[string, (own: string, other: string) => string | null]>([
      ['no cookie', () => null],
      ['the cookie of another payment', (_own, other) => other],
      ['a forged cookie', (own) => own.replace(/.{4}$/, 'AAAA')],
      ['a list without its signature', (own) => own.replace(/\..*/, '.')],
      ['an empty cookie', () => `${NAME}=`],
      ['the name for TLS', (own) => own.replace(NAME, SEEN_COOKIE.secure)],
    ])('and with %s, no more than how far the money is', async (_what, forge) => {
      const { payment, cookie, address, txHash } = await halfPaid();
      const { cookie: other } = await html(await create());
      await end();
      const forged = forge(cookie, other ?? '');
      const { text, status } = await html(payment, forged === null ? {} : { cookie: forged });
      expect([status, /\$50\.00 is still missing/.test(text.replace(/<[^>]*>/g, ''))]).toEqual([200, true]);
      for (const secret of [txHash, address, 'refund-request', '/refund/', 'data-seen'])
        expect([secret, text.includes(secret)]).toEqual([secret, false]);
    });

    it('on another device that copied the cookie, only with the link as well', async () => {
      const { payment, cookie, txHash } = await halfPaid();
      await end();
      expect((await html(payment, { cookie })).text).toContain(txHash);
      for (const query of ['', '?expires=1773576000&signature=' + '0'.repeat(64)]) {
        for (const part of ['', '/part', '/events']) {
          const url = `${shop.gateway.baseUrl}/checkout/${payment.id}${part}${query}`;
          const response = await fetch(url, { headers: { cookie } });
          expect([part, response.status]).toEqual([part, 403]);
          expect(await response.text()).not.toMatch(/Bluebird|ORDER-1|50\.00/);
        }
      }
    });

    it('and does nothing that pays: no address, no price, no method, and nothing of the API', async () => {
      const payment = await create();
      const { cookie } = await html(payment);
      await end();
      const headers = { cookie: cookie ?? '' };
      const query = new URL(payment.checkoutUrl).search;
      const { baseUrl } = shop.gateway;
      const chosen = await fetch(`${baseUrl}/checkout/${payment.id}/choose${query}`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(ETH),
        redirect: 'manual',
      });
      expect(chosen.status).toBe(303);
      expect(await quotesOf(payment)).toBe(0);
      for (const path of [
        `payment/${payment.id}`,
        `${payment.id}/payment-methods`,
        `payment/${payment.id}/provider/ethereum/method/eth`,
      ]) {
        const answer = await fetch(`${baseUrl}/api/checkout/${path}${query}`, { headers });
        expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
          403,
          'link_expired',
        ]);
      }
      const { text } = await html(payment, headers);
      expect(text).not.toMatch(/\/choose|choose=/);
    });

    it('of a paid payment to whoever has the ended link: that, and the receipt', async () => {
      const payment = await create();
      await send(payment);
      await shop.mine(CONFIRMATIONS);
      await end();
      const { status, text, cookie } = await html(payment);
      expect([status, cookie]).toEqual([200, null]);
      expect(text).toMatch(/<title>✓ Paid · /);
      expect(text).toContain('/receipt/');
      expect(text).not.toMatch(/<ul class="seen"|data-part/);
    });
  });

  describe('the cookie', () => {
    it('is out of the reach of scripts and of other sites, and is set once for each payment', async () => {
      const payment = await create();
      const response = await fetch(pageUrl(shop, payment));
      expect(response.headers.get('set-cookie')).toMatch(
        new RegExp(
          `^${NAME}=[\\w.-]+; Max-Age=${LINK + LOOK_SECONDS}; Path=/checkout; HttpOnly; SameSite=Lax$`,
        ),
      );
      const cookie = cookieIn(response) ?? '';
      expect((await html(payment, { cookie })).cookie).toBeNull();
      // A browser that has it need not carry it in the page.
      expect((await html(payment, { cookie })).text).not.toContain('data-seen');
      const both = (await html(await create(), { cookie })).cookie ?? '';
      await end();
      expect((await html(payment, { cookie: both })).cookie).toBeNull();
    });

    it('is not set for a payment that has ended, and not after the link', async () => {
      const cancelled = await create();
      await shop.call('POST', `/api/payment/${cancelled.id}/cancel`, application.clientToken);
      expect((await html(cancelled)).cookie).toBeNull();
      const payment = await create();
      await end();
      expect((await html(payment)).cookie).toBeNull();
    });

    it('keeps 20 payments', async () => {
      const first = await create();
      let { cookie } = await html(first);
      for (let n = 0; n < 20; n++) ({ cookie } = await html(await create(), { cookie: cookie ?? '' }));
      expect((cookie ?? '').length).toBeLessThan(750);
      // The one that was seen first has made room, and comes back as soon as it is looked at.
      expect((await html(first, { cookie: cookie ?? '' })).cookie).not.toBeNull();
    });
  });
});
