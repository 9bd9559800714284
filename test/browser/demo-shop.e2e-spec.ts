import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { Browser } from 'playwright-core';
import { type ShopSite, WEBHOOK_PATH } from '../../src/demo/shop/shop-site.js';
import { chooseMethod, describeInBrowser, launchChromium, openTab } from '../support/chromium.js';
import { openDemoShop } from '../support/demo-shop.js';
import { layoutFaults, WIDTHS } from '../support/page-layout.js';
import { readQr } from '../support/qr-reader.js';
import { CONFIRMATIONS, type PaymentDto, type Shop } from '../support/shop.js';
import { startTestGateway } from '../support/test-gateway.js';

let world: Shop;
let site: ShopSite;

beforeAll(async () => {
  ({ world, site } = await openDemoShop());
});
afterAll(async () => {
  await site?.stop();
  await world?.close();
});

/** As the button of a page does it. */
const press = (path: string, fields: Record<string, string> = {}, origin = site.url) =>
  fetch(`${site.url}${path}`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });

async function buy(): Promise<string> {
  const answer = await press('/orders');
  expect(answer.status).toBe(303);
  return answer.headers.get('location') ?? '';
}

const desk = async (order: string) => (await fetch(`${site.url}${order}/desk`)).text();
const checkoutUrl = async (order: string) => {
  const page = await (await fetch(`${site.url}${order}`)).text();
  return (/<iframe [^>]*src="([^"]+)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&');
};

/** The customer chooses; then something happens, and the gateway sees it. */
async function happen(order: string, ...actions: string[]): Promise<string> {
  for (const action of actions) expect((await press(`${order}/sandbox/${action}`)).status).toBe(303);
  await world.mine();
  return desk(order);
}

describe('the demo shop', () => {
  it('sells a coffee: the checkout in a frame that the gateway allows, beside the desk', async () => {
    const order = await buy();
    const answer = await fetch(`${site.url}${order}`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'sha256-[\w+/=]+'/);
    expect(policy).toContain(`frame-src ${world.gateway.baseUrl};`);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(await answer.text()).toContain('Nothing was seen on any chain yet.');
    const framed = await fetch(await checkoutUrl(order));
    expect(framed.headers.get('content-security-policy')).toContain(`frame-ancestors ${site.url}`);
  });

  it('half, then the rest: says what is missing, and is paid after the last block, with proven webhooks', async () => {
    const order = await buy();
    const half = await happen(order, 'half');
    expect(half).toContain('$12.50 is still missing');
    expect(half).toMatch(/Sent on ethereum: transaction 0x[0-9a-f]{64}\./);
    expect(half).toContain('>Pay the rest<');
    const whole = await happen(order, 'exact');
    expect(whole).toContain('Seen, confirming');
    expect(whole).toContain('Confirming: 1 of 12 blocks.');
    expect(whole).toMatch(/payment\.found<\/code> <span class="good">✓ 200, signature valid/);
    await world.mine(CONFIRMATIONS);
    const paid = await desk(order);
    expect(paid).toContain('Paid, and the shop knows');
    for (const event of ['received', 'completed'])
      expect(paid).toMatch(new RegExp(`payment\\.${event}</code> <span class="good">✓ 200, signature valid`));
  });

  it('five blocks back: both fall back to the first block, and the payment completes', async () => {
    const order = await buy();
    await happen(order, 'exact');
    await world.mine(2);
    expect(await desk(order)).toContain('Confirming: 3 of 12 blocks.');
    await press(`${order}/sandbox/reorg`);
    const said = await desk(order);
    expect(said).toMatch(
      /Took 5 blocks of ethereum back\. Unconfirmed again, and mined again soon: 0x[0-9a-f]{64}\./,
    );
    await world.mine();
    expect(await desk(order)).toContain('Confirming: 1 of 12 blocks.');
    await world.mine(CONFIRMATIONS);
    expect(await desk(order)).toContain('Paid, and the shop knows');
    await press(`${order}/sandbox/reorg`);
    expect(await desk(order)).toContain('No transaction of this order was in them.');
  });

  it('a replaced transaction counts once, and a block is mined on request', async () => {
    const order = await buy();
    await press(`${order}/sandbox/replace`);
    expect(await desk(order)).toMatch(/transaction 0x\w{64}, replaced by 0x\w{64} with a higher fee/);
    await press(`${order}/sandbox/mine`);
    await world.settle();
    const seen = await desk(order);
    expect(seen).toContain('Mined a block of ethereum.');
    expect(seen).toContain('Confirming: 1 of 12 blocks.');
    expect(seen).toMatch(/<dt>Seen<\/dt><dd>\$25\.00<\/dd>/);
  });

  it('less that is final offers to accept it, which pays the order', async () => {
    const order = await buy();
    await happen(order, 'half');
    await world.mine(CONFIRMATIONS);
    const short = await desk(order);
    expect(short).toContain('Why is this order not paid?');
    expect(short).toContain(`action="${order}/accept"`);
    expect(short).toMatch(/payment\.underpaid<\/code> <span class="good">✓ 200/);
    await press(`${order}/accept`);
    await world.settle();
    expect(await desk(order)).toContain('Paid, and the shop knows');
  });

  it('too much is paid, and a refund leads the customer to the claim page', async () => {
    const order = await buy();
    await happen(order, 'more');
    await world.mine(CONFIRMATIONS);
    expect(await desk(order)).toContain('$2.50 more than the price arrived.');
    await press(`${order}/refund`);
    const said = await desk(order);
    expect(said).toMatch(/A refund of 0\.01375\d* ETH waits for an address/);
    const claim = (/href="(http[^"]+\/refund\/[^"]+)"/.exec(said)?.[1] ?? '').replaceAll('&amp;', '&');
    expect((await fetch(claim)).status).toBe(200);
  });

  it('what cannot be done is said with its reason', async () => {
    const order = await buy();
    // There is no second EVM chain here.
    await press(`${order}/sandbox/wrong-network`);
    expect(await desk(order)).toContain('Not done: a payment on ethereum cannot go to another network');
    await press(`${order}/accept`);
    expect(await desk(order)).toMatch(/Not done: [^<]*accept/i);
  });

  it('an unchanged desk is not sent again', async () => {
    const order = await buy();
    const { headers } = await fetch(`${site.url}${order}/desk`);
    const again = () =>
      fetch(`${site.url}${order}/desk`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect((await again()).status).toBe(304);
    await happen(order, 'half');
    expect((await again()).status).toBe(200);
  });

  it('lists an order of the nine lines with the sign-in that the terminal prints', async () => {
    const page = await (await fetch(`${site.url}/`)).text();
    const code = (/id="curl">([^<]+)</.exec(page)?.[1] ?? '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'");
    const body = JSON.parse(/ -d '([^']+)'/.exec(code)?.[1] ?? '') as { reference: string };
    const token = / Bearer (\S+)'/.exec(code)?.[1] ?? '';
    const created = await world.call('POST', '/api/payment/checkout', token, body);
    expect(created.status).toBe(201);
    expect(await (await fetch(`${site.url}/orders`)).text()).toContain(body.reference);
    expect(page).toContain('demo@example.com');
    expect(page).toContain('of the terminal');
  });
});

describe('the demo shop refuses', () => {
  it.each([
    ['a button of another website', 'https://evil.example'],
    ['a button of another program of this machine', 'http://127.0.0.1:1'],
    ['a button without an origin', ''],
  ])('%s, and nothing is done', async (_name, origin) => {
    const count = async () => (await (await fetch(`${site.url}/orders`)).text()).match(/COFFEE-/g)?.length;
    const before = await count();
    expect((await press('/orders', {}, origin)).status).toBe(403);
    expect(await count()).toBe(before);
  });

  it('a button of the front page that only the shop has', async () => {
    const order = await buy();
    const answer = await press(`${order}/sandbox/exact`, {}, world.gateway.baseUrl);
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('The Origin')]);
    expect(await desk(order)).not.toContain('Sent on');
  });

  it('a name that somebody else lets point to this machine', async () => {
    const request = httpRequest(site.url, { headers: { host: 'rebound.example' } }).end();
    const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(421);
  });

  it('a forged webhook', async () => {
    const answer = await fetch(`${site.url}${WEBHOOK_PATH}`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(400);
  });

  it.each([
    ['GET', '/orders/01a218b0-703b-7000-b431-7e11b552cab2', 404],
    ['GET', '/orders/x/sandbox/exact', 404],
    ['POST', '/orders/01a218b0-703b-7000-b431-7e11b552cab2/refund', 404],
    ['POST', '/nothing', 404],
    ['DELETE', '/orders', 405],
  ])('%s %s: %s', async (method, path, status) => {
    const answer = await fetch(`${site.url}${path}`, { method, headers: { origin: site.url } });
    expect(answer.status).toBe(status);
  });

  it('an action that does not exist', async () => {
    const order = await buy();
    expect((await press(`${order}/sandbox/toString`)).status).toBe(404);
  });
});

describe('in production', () => {
  it('there is no welcome, no shop and no sandbox', async () => {
    const baseUrl = 'https://pay.example.com';
    const gateway = await startTestGateway({
      NODE_ENV: 'production',
      BASE_URL: baseUrl,
      CHAIN_ETHEREUM_RPC_URL: world.chain.url,
      CHAIN_ETHEREUM_CHAIN_ID: String(world.chain.chainId),
    });
    try {
      const ask = (path: string, method: string) =>
        fetch(`${gateway.baseUrl}${path}`, { method, headers: { accept: 'text/html', origin: baseUrl } });
      const page = await (await ask('/', 'GET')).text();
      expect(page).toContain('self-hosted service that takes payments');
      expect(page).not.toMatch(/coffee|Welcome|play money|sandbox/i);
      for (const path of ['/orders', '/orders/x', '/assets/sandbox.js', '/checkout/assets/sandbox.js'])
        expect((await ask(path, 'GET')).status).toBe(404);
      for (const path of ['/orders', '/orders/x/sandbox/exact', WEBHOOK_PATH])
        expect((await ask(path, 'POST')).status).toBe(404);
    } finally {
      await gateway.close();
    }
  });
});

describeInBrowser('the demo shop in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it.each([
    ['light', 320],
    ['dark', 320],
    ['dark', 1280],
  ] as const)('every page fits, in %s at %i px', async (colorScheme, width) => {
    const order = await buy();
    const tab = await openTab(browser, { viewport: { width, height: 800 }, colorScheme });
    for (const url of [`${world.gateway.baseUrl}/`, `${site.url}/`, `${site.url}${order}`]) {
      await tab.page.goto(url);
      expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await tab.page.locator('h1').count()).toBe(1);
    }
    expect(tab.incidents).toEqual([]);
    await tab.page.context().close();
  });

  it('can be read at every width, and so can the checkout in its frame, code included', async () => {
    const order = await buy();
    const payment = { checkoutUrl: await checkoutUrl(order) };
    await chooseMethod(world, payment, { provider: 'ethereum', method: 'eth' });
    const [{ page }, blank] = [await openTab(browser), await openTab(browser)];
    const states = [
      ['#payable', () => Promise.resolve('')],
      ['.table-sums', () => happen(order, 'half')],
      ['.way', () => happen(order, 'exact')],
    ] as const;
    for (const [shown, reach] of states) {
      await reach();
      await page.goto(`${site.url}${order}`);
      const [, frame] = page.frames();
      if (!frame) throw new Error('the checkout is in a frame');
      await frame.locator(shown).waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect([width, ...(await layoutFaults(page)), ...(await layoutFaults(frame))]).toEqual([width]);
        if (shown !== '#payable') continue;
        const code = frame.locator('.qr').first();
        await code.scrollIntoViewIfNeeded();
        // A picture taken while page and frame scroll is of what lay there before.
        await frame.evaluate(
          'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
        );
        expect(await readQr(blank.page, code)).toBe(await frame.locator('#address').textContent());
      }
    }
    await page.context().close();
    await blank.page.context().close();
  });

  it('works without JavaScript, from the welcome to an order that is seen', async () => {
    const tab = await openTab(browser, { javaScriptEnabled: false });
    await tab.page.goto(`${world.gateway.baseUrl}/`);
    await tab.page.getByRole('button', { name: 'Buy a coffee' }).click();
    await tab.page.waitForURL(/\/orders\//);
    await tab.page.getByRole('button', { name: 'Pay exactly' }).click();
    await world.mine();
    await tab.page.getByRole('link', { name: 'Reload' }).click();
    await tab.page.getByText('Seen, confirming').waitFor();
    expect(tab.incidents).toEqual([]);
    await tab.page.context().close();
  });

  it('sells by a link that soon expires, so that its end can be seen', async () => {
    const { page } = await openTab(browser);
    await page.goto(`${site.url}/`);
    await page.getByRole('button', { name: 'Order with a link that soon expires' }).click();
    await page.waitForURL(/\/orders\//);
    const id = page.url().split('/').at(-1) ?? '';
    const { body } = await world.call<PaymentDto>('GET', `/api/payment/${id}`, world.owner.accessToken);
    expect(Date.parse(body.data.expiresAt) - world.gateway.clock.now().getTime()).toBe(90_000);
    await page.context().close();
  });

  it('is used by keyboard alone: the focus stays on the pressed button, and the news is announced', async () => {
    const order = await buy();
    const tab = await openTab(browser);
    const { page } = tab;
    await page.goto(`${site.url}${order}`);
    await page.getByRole('button', { name: 'Mine a block' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#news', { hasText: 'Mined a block of ethereum.' }).waitFor({ state: 'attached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Mine a block');
    expect(tab.incidents).toEqual([]);
    await page.context().close();
  });
});
