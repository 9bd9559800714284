/**
 * @inOrder One merchant, from refunds that wait to refunds that are paid by one transaction.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { encodeFunctionData, parseAbi } from 'viem';
import type { Browser, Page } from 'playwright-core';
import { MULTICALL3 } from '../../src/chains/evm/multicall.pure.js';
import type { Hex } from '../support/anvil.js';
import { describeInBrowser, launchChromium, type Tab } from '../support/chromium.js';
import { openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { installMulticall3 } from '../support/multicall3.js';
import { layoutFaults } from '../support/page-layout.js';
import { CUSTOMER, type RefundDto, RefundsApi } from '../support/refunds-api.js';
import { Shop } from '../support/shop.js';

const AGGREGATE = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call[] calls) payable',
]);
/** Pictures to look at; none without it. */
const { PAYOUT_PICTURES: PICTURES } = process.env;

describeInBrowser('a payout of several refunds', () => {
  let shop: Shop;
  let api: RefundsApi;
  let browser: Browser;
  let tab: Tab;
  let page: Page;
  let refunds: RefundDto[];

  beforeAll(async () => {
    shop = await Shop.open(await ownAddress());
    await installMulticall3(shop.chain);
    api = new RefundsApi(shop, await shop.application());
    refunds = [];
    for (const reference of ['ORDER-1', 'ORDER-2', 'ORDER-3'])
      refunds.push(await api.create(await api.paid({ reference }), { address: CUSTOMER }));
    browser = await launchChromium();
    const { clientId } = shop.owner;
    tab = await openDashboard(browser, shop.gateway, `${clientId}@example.test`, {
      password: `password of ${clientId}`,
      path: '/dashboard/refunds?status=AWAITING_PAYMENT',
    });
    page = tab.page;
    page.setDefaultTimeout(20_000);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  /** In both directions, on phones and desks. */
  async function expectReadable(name: string): Promise<void> {
    for (const width of [320, 390, 800, 1_280]) {
      await page.setViewportSize({ width, height: 900 });
      expect([name, width, await violations(page), await layoutFaults(page)]).toEqual([name, width, [], []]);
      if (PICTURES)
        await page.screenshot({ path: path.join(PICTURES, `${name}-${width}.png`), fullPage: true });
    }
  }
  const row = (reference: string) => page.getByRole('listitem').filter({ hasText: reference });
  const dialog = () => page.getByRole('dialog');

  it('selects what waits, and says the sum on the button', async () => {
    for (const reference of ['ORDER-1', 'ORDER-2'])
      await row(reference).getByText('Pay together with others').click();
    await expectReadable('selected');
    const sum = Number(2n * BigInt(refunds[0]?.payoutAmount.atomic ?? 0)) / 1e18;
    await page.getByRole('button', { name: new RegExp(`^Prepare payout: \\W*${sum}`, 'u') }).click();
    await dialog().getByText('ORDER-2').waitFor();
    expect(await dialog().getByText('ORDER-3').count()).toBe(0);
    expect(await dialog().getByText(CUSTOMER).count()).toBe(2);
    await expectReadable('prepared');
  });

  it('saves the file, whose calls pay both in one transaction', async () => {
    const downloaded = page.waitForEvent('download');
    await dialog()
      .getByRole('button', { name: /^Save the file: / })
      .click();
    const file = await (await downloaded).path();
    const { transactions } = JSON.parse(await readFile(file, 'utf8')) as {
      transactions: { to: Hex; value: string; data: Hex }[];
    };
    const calls = transactions.map(({ to, value, data }) => ({
      target: to,
      allowFailure: false,
      value: BigInt(value),
      callData: data,
    }));
    const hash = await shop.chain.send({
      to: MULTICALL3,
      value: calls.reduce((sum, { value }) => sum + value, 0n),
      data: encodeFunctionData({ abi: AGGREGATE, functionName: 'aggregate3Value', args: [calls] }),
    });
    await dialog().getByRole('textbox').fill(hash);
    await dialog()
      .getByRole('button', { name: /^I have sent it: / })
      .click();
    for (const reference of ['ORDER-1', 'ORDER-2'])
      await dialog()
        .getByRole('listitem')
        .filter({ hasText: reference })
        .getByText('recorded, being verified')
        .waitFor();
    await expectReadable('reported');
    await api.confirm();
    for (const refund of refunds.slice(0, 2)) expect((await api.read(refund)).status).toBe('COMPLETED');
    expect(tab.incidents.filter((one) => !/status of 401/.test(one))).toEqual([]);
  });
});
