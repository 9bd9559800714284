import type { Browser, BrowserContextOptions } from 'playwright-core';
import { TransactionSearch } from '../../src/chain-watcher/transaction-search.service.js';
import type {
  CheckoutStatusContract,
  ReportedTransactionContract,
} from '../../src/checkout/checkout.contract.js';
import { describeInBrowser, launchChromium, openTab, pageUrl } from '../support/chromium.js';
import { RpcProxy } from '../support/rpc-proxy.js';
import {
  type Answer,
  CONFIRMATIONS,
  type CreatedPayment,
  Shop,
  type ShopApplication,
} from '../support/shop.js';
import { skipNextBlock } from '../support/skipped-blocks.js';

const UNKNOWN = `0x${'ab'.repeat(32)}`;
const hashOf = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;

let shop: Shop;
let proxy: RpcProxy;
let application: ShopApplication;

beforeAll(async () => {
  const proxies: RpcProxy[] = [];
  shop = await Shop.open({ RATE_LIMIT_PAYMENT: '30' }, async (node) => {
    proxies.push(await RpcProxy.start(node));
    return proxies[0]?.url ?? node;
  });
  [proxy] = proxies as [RpcProxy];
  application = await shop.application();
});
afterAll(async () => {
  await shop?.close();
  await proxy?.stop();
});
beforeEach(() => proxy.setFaults({}));

async function asked(of = application) {
  const payment = await shop.createPayment(of);
  return { payment, instructions: await shop.instructions(payment) };
}

function report(payment: CreatedPayment, body: unknown): Promise<Answer<ReportedTransactionContract>> {
  const path = `/api/checkout/payment/${payment.id}/transaction${new URL(payment.checkoutUrl).search}`;
  return shop.call('POST', path, null, body);
}

/** Sends the form of the page; returns where it leads. */
async function submit(payment: CreatedPayment, form: Record<string, string>): Promise<URL> {
  const action = new URL(pageUrl(shop, payment));
  action.pathname += '/transaction';
  const answer = await fetch(action, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '', action);
}

async function search(): Promise<void> {
  while (await shop.gateway.get(TransactionSearch).runOnce()) continue;
}

async function reportedOf(payment: CreatedPayment): Promise<ReportedTransactionContract[]> {
  const { body } = await shop.checkout<CheckoutStatusContract>(payment, `payment/${payment.id}`);
  return body.data.reportedTransactions;
}
const stateOf = async (payment: CreatedPayment) => (await reportedOf(payment)).map(({ state }) => state);

async function textOf(url: string | URL): Promise<string> {
  return (await (await fetch(url)).text()).replaceAll(/\s+/g, ' ');
}

describe('a transaction that the watcher has missed', () => {
  it('is found by its id and credited by the ordinary way', async () => {
    const { payment, instructions } = await asked();
    const txHash = await shop.send(instructions);
    await skipNextBlock(shop);
    await shop.mine(2);
    expect(await shop.status(payment)).toBe('OPEN');

    expect(
      await report(payment, {
        txHash: `https://etherscan.io/tx/${txHash.toUpperCase().replace('0X', '0x')}`,
      }),
    ).toMatchObject({
      status: 200,
      body: { data: { provider: 'ethereum', txHash, state: 'SEARCHING' } },
    });
    expect(await shop.status(payment)).toBe('OPEN');
    await search();
    expect(await stateOf(payment)).toEqual(['FOUND']);
    expect(await shop.status(payment)).toBe('FOUND');
    await shop.mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      transactions: [{ txHash, status: 'CONFIRMED' }],
    });
    expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
  });

  it('is credited once, however often it is reported', async () => {
    const { payment, instructions } = await asked();
    const txHash = await shop.send(instructions);
    await skipNextBlock(shop);
    await shop.mine();
    await Promise.all([1, 2, 3].map(() => report(payment, { txHash })));
    await Promise.all([search(), search()]);
    await report(payment, { txHash });
    await search();
    expect(await stateOf(payment)).toEqual(['FOUND']);
    expect((await shop.payment(payment)).transactions).toHaveLength(1);
  });

  it('counts for the payment that it pays, whose id the page that reported it does not show', async () => {
    const [mine, theirs] = [await asked(), await asked(await shop.application({ name: 'Other shop' }))];
    const txHash = await shop.send(theirs.instructions);
    await skipNextBlock(shop);
    await shop.mine();
    await report(mine.payment, { txHash });
    await search();
    expect(await stateOf(mine.payment)).toEqual(['OTHER_ADDRESS']);
    expect(await shop.status(mine.payment)).toBe('OPEN');
    expect(await stateOf(theirs.payment)).toEqual([]);
    expect(await shop.status(theirs.payment)).toBe('FOUND');
    const page = await textOf(pageUrl(shop, mine.payment));
    expect(page).toContain('didn’t pay this order’s address');
    expect(page).not.toContain(theirs.payment.id);
  });
});

describe('a reported transaction', () => {
  it('is found at once when it is recorded already, without asking the node', async () => {
    const { payment, instructions } = await asked();
    const txHash = await shop.send(instructions, BigInt(instructions.amount.amount) / 2n);
    await shop.mine();
    await report(payment, { txHash });
    const before = proxy.seen.length;
    await search();
    expect(proxy.seen.length).toBe(before);
    expect(await stateOf(payment)).toEqual(['FOUND']);
    expect(await textOf(pageUrl(shop, payment))).toMatch(/Found it: this transaction .*?1 of 12/);
  });

  it('waits for its block', async () => {
    const { payment, instructions } = await asked();
    const txHash = await shop.send(instructions);
    await report(payment, { txHash });
    await search();
    expect(await stateOf(payment)).toEqual(['WAITING']);
    await shop.mine();
    shop.gateway.clock.advanceSeconds(5);
    await search();
    expect(await stateOf(payment)).toEqual(['FOUND']);
  });

  it('pays another address, or fails on chain', async () => {
    const { payment } = await asked();
    const other = await shop.chain.sendEth({ to: shop.chain.account(3), value: 1n });
    await shop.mine();
    await report(payment, { txHash: other });
    await search();
    expect(await stateOf(payment)).toEqual(['OTHER_ADDRESS']);
    expect(await shop.status(payment)).toBe('OPEN');
    expect((await shop.payment(payment)).transactions).toEqual([]);
  });

  it('is asked for less and less often, and given up after a day', async () => {
    const { payment } = await asked();
    await report(payment, { txHash: UNKNOWN });
    await search();
    expect(await stateOf(payment)).toEqual(['UNKNOWN']);
    const checks = async () => {
      const sql = 'select checks from reported_transactions where payment_id = $1';
      return (await shop.gateway.sql.query<{ checks: number }>(sql, [payment.id]))[0]?.checks;
    };
    await search();
    expect(await checks()).toBe(1);
    for (const [seconds, expected] of [
      [4, 1],
      [1, 2],
      [9, 2],
      [1, 3],
    ] as const) {
      shop.gateway.clock.advanceSeconds(seconds);
      await search();
      expect(await checks()).toBe(expected);
    }
    // The link of the payment is valid for a day as well: the records are read instead.
    shop.gateway.clock.advanceSeconds(86_400);
    await search();
    const [row] = await shop.gateway.sql.query(
      'select state, next_check_at from reported_transactions where payment_id = $1',
      [payment.id],
    );
    expect(row).toEqual({ state: 'NOT_FOUND', next_check_at: null });
  });

  it('is looked for again on request, a minute after the search has ended', async () => {
    const { payment } = await asked();
    const txHash = await shop.chain.sendEth({ to: shop.chain.account(3), value: 2n });
    await shop.mine();
    await report(payment, { txHash });
    await search();
    expect((await report(payment, { txHash })).body.data.state).toBe('OTHER_ADDRESS');
    shop.gateway.clock.advanceSeconds(60);
    expect((await report(payment, { txHash })).body.data.state).toBe('SEARCHING');
    expect(await reportedOf(payment)).toHaveLength(1);
    await search();
  });

  it('waits while the node does not respond', async () => {
    const { payment, instructions } = await asked();
    const txHash = await shop.send(instructions);
    await skipNextBlock(shop);
    await shop.mine();
    await report(payment, { txHash });
    proxy.setFaults({
      eth_getTransactionByHash: async () => ({ error: { code: -32_603, message: 'internal error' } }),
    });
    await search();
    expect(await stateOf(payment)).toEqual(['SEARCHING']);
    proxy.setFaults({});
    shop.gateway.clock.advanceSeconds(5);
    await search();
    expect(await stateOf(payment)).toEqual(['FOUND']);
  });
});

describe('a report is refused', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['without an id', {}, 'txHash'],
    ['with text', { txHash: 'I paid yesterday' }, 'txHash'],
    ['with an address', { txHash: `0x${'ab'.repeat(20)}` }, 'txHash'],
    ['with a number', { txHash: 7 }, 'txHash'],
    ['with too long a text', { txHash: 'x'.repeat(501) }, 'txHash'],
    ['for a network without an address', { txHash: UNKNOWN, provider: 'bitcoin' }, 'provider'],
  ])('%s, naming the field', async (_title, body, field) => {
    const { payment } = await asked();
    const { status, body: answer } = await report(payment, body);
    expect([status, answer.code, Object.keys(answer.errors ?? {})]).toEqual([
      422,
      'validation_failed',
      [field],
    ]);
    expect(await reportedOf(payment)).toEqual([]);
  });

  it('before the payment has an address', async () => {
    const payment = await shop.createPayment(application);
    expect(await report(payment, { txHash: UNKNOWN })).toMatchObject({
      status: 422,
      body: { errors: { txHash: [expect.stringContaining('has no address yet')] } },
    });
  });

  it('from the eleventh transaction on, also when they come at once', async () => {
    const { payment } = await asked();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => report(payment, { txHash: hashOf(n + 1) })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.find(({ status }) => status === 422)?.body.errors).toEqual({
      txHash: [expect.stringContaining('10 reported transactions')],
    });
    expect(await reportedOf(payment)).toHaveLength(10);
    expect(await textOf(await submit(payment, { txHash: hashOf(99) }))).toContain(
      'can’t add any more transactions',
    );
  });

  it('with the link of another payment', async () => {
    const [{ payment }, { payment: other }] = [await asked(), await asked()];
    const forged = { ...payment, checkoutUrl: other.checkoutUrl };
    expect(await report(forged, { txHash: UNKNOWN })).toMatchObject({ status: 403 });
  });

  it('beyond the limit of requests, as a page on the page', async () => {
    const { payment } = await asked();
    for (let n = 0; n < 30; n++) await report(payment, { txHash: UNKNOWN });
    expect((await report(payment, { txHash: UNKNOWN })).status).toBe(429);
    const action = new URL(pageUrl(shop, payment));
    action.pathname += '/transaction';
    const answer = await fetch(action, { method: 'POST', body: new URLSearchParams({ txHash: UNKNOWN }) });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    shop.gateway.clock.advanceSeconds(60);
  });
});

describe('the page', () => {
  it('offers no form before an address was shown', async () => {
    const payment = await shop.createPayment(application);
    expect(await textOf(pageUrl(shop, payment))).not.toContain('I have already paid');
  });

  it('leads back with what was wrong, and repeats nothing that was entered', async () => {
    const { payment } = await asked();
    const next = await submit(payment, { txHash: 'my secret words' });
    expect(next.searchParams.get('paid')).toBe('malformed');
    const page = await textOf(next);
    expect(page).toContain('That isn’t a transaction ID.');
    expect(page).toContain('<details class="fold" id="fold-report" open>');
    expect(page).not.toContain('secret');
    expect(page).not.toContain('http-equiv="refresh"');
  });

  it('takes a report after the link has expired', async () => {
    const { payment, instructions } = await asked();
    const txHash = await shop.send(instructions);
    await skipNextBlock(shop);
    await shop.mine();
    await shop.wait(2 * 86_400);
    await shop.watch();
    const page = await textOf(pageUrl(shop, payment));
    expect(page).toContain('data-screen="expired"');
    expect(page).toContain('I have already paid');
    expect(await report(payment, { txHash })).toMatchObject({ status: 403, body: { code: 'link_expired' } });
    await submit(payment, { txHash, provider: 'ethereum' });
    await search();
    await shop.settle();
    expect((await shop.payment(payment)).transactions).toMatchObject([{ txHash }]);
  });

  describeInBrowser('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser?.close());

    it.each<[string, BrowserContextOptions]>([
      ['with JavaScript', {}],
      ['without JavaScript', { javaScriptEnabled: false }],
    ])('%s: takes the id and says what was found', async (_title, options) => {
      const { payment, instructions } = await asked();
      const txHash = await shop.send(instructions, BigInt(instructions.amount.amount) / 2n);
      await skipNextBlock(shop);
      await shop.mine();
      const { page, incidents } = await openTab(browser, options);
      await page.goto(pageUrl(shop, payment));
      await page.getByText('Something went wrong?').click();
      if (options.javaScriptEnabled === false) {
        // Playwright finds no texts within <noscript>.
        await page.locator('#fold-report noscript a').click();
        expect(new URL(page.url()).searchParams.get('paid')).toBe('1');
      }
      await page.getByLabel('Transaction ID').fill('nonsense');
      await page.getByRole('button', { name: 'Find it' }).click();
      await page.getByText('That isn’t a transaction ID').waitFor();
      await page.getByLabel('Transaction ID').fill(txHash);
      await page.getByRole('button', { name: 'Find it' }).click();
      await page.getByText('We’re looking for this transaction.').first().waitFor();
      await search();
      await shop.tell();
      if (options.javaScriptEnabled === false) await page.reload();
      await page.getByText('Found it: this transaction is recorded').first().waitFor();
      expect(incidents).toEqual([]);
      await page.context().close();
    });

    it('keeps what the customer is entering when the page changes', async () => {
      const { payment, instructions } = await asked();
      const { page } = await openTab(browser);
      await page.goto(pageUrl(shop, payment));
      await page.getByText('Something went wrong?').click();
      await page.getByLabel('Transaction ID').fill('0xabc');
      await shop.send(instructions, BigInt(instructions.amount.amount) / 2n);
      await shop.mine();
      await page.locator('[data-screen=found-short]').waitFor();
      expect(await page.getByLabel('Transaction ID').inputValue()).toBe('0xabc');
      await page.context().close();
    });
  });
});
