import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { COLLECTOR_FACTORY } from '../../src/wallets/treasury/treasury-address.pure.js';
import { type Hex, startAnvil, type TestChain } from '../support/anvil.js';
import { describeInBrowser, launchChromium, openTab, type Tab } from '../support/chromium.js';
import { addressOf, deployFactory, newTreasury } from '../support/collecting.js';

const root = path.resolve(import.meta.dirname, '../..');
const treasury = newTreasury();
const DEPOSITS = 103;
let token: Hex;

const row = (index: number, change: Record<string, unknown> = {}) => ({
  address: addressOf(treasury, index),
  index,
  namespace: treasury.namespace,
  treasury: treasury.address,
  factory: COLLECTOR_FACTORY,
  tokens: [token],
  ...change,
});

describeInBrowser('the page that collects without the gateway', () => {
  let browser: Browser;
  let chain: TestChain;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    chain = await startAnvil();
    ({ address: token } = await chain.deployToken());
    folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-collector-'));
    file = path.join(folder, 'collector.html');
    await writeFile(file, await readFile(path.join(root, 'web/build/collector.html')));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await chain?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** @param account of the wallet that the browser has; null: it has none */
  const open = async (account: Hex | null, chainId = chain.chainId): Promise<Tab> => {
    const tab = await openTab(browser);
    if (account !== null) {
      await tab.page.exposeFunction('ask', async (method: string, params: unknown[] = []) => {
        if (method === 'eth_requestAccounts') return [account];
        if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
        const answer = await chain.rpc(method, params);
        if (method === 'eth_sendTransaction') await chain.mine();
        return answer;
      });
      await tab.page.addInitScript(
        'window.ethereum = { request: ({ method, params }) => window.ask(method, params) };',
      );
    }
    await tab.page.goto(pathToFileURL(file).href);
    return tab;
  };
  const prepare = async (page: Page, rows: string): Promise<string | null> => {
    await page.fill('#rows', rows);
    await page.fill('#chain', String(chain.chainId));
    await page.click('button[type=submit]');
    return page.textContent('#result');
  };
  /** Presses the nth button to send, and returns what is said beside it. */
  const send = async (page: Page, nth: number): Promise<string> => {
    const section = page.locator('section').filter({ hasText: 'Send with wallet' }).nth(nth);
    await section.getByRole('button').click();
    await section.getByRole('status').filter({ hasText: /./ }).waitFor();
    return (await section.getByRole('status').textContent()) ?? '';
  };

  it('sends what it prepared by the wallet of the browser, and the contract first where there is none', async () => {
    for (let index = 0; index < DEPOSITS; index++)
      await chain.sendToken({ token, to: addressOf(treasury, index), value: 3n });
    await chain.mine();
    const { page, incidents, requests } = await open(chain.account(1));
    const rows = Array.from({ length: DEPOSITS }, (_, index) => row(index));
    expect(await prepare(page, JSON.stringify(rows))).toBe(
      '103 deposit addresses in 2 transactions; 0 rows refused.',
    );
    expect(await send(page, 0)).toBe(
      `There is no contract at ${COLLECTOR_FACTORY} on this chain: deploy it first (below).`,
    );
    expect(await send(page, 2)).toMatch(/^Sent: 0x[0-9a-f]{64}$/);
    expect(await send(page, 0)).toMatch(/^Sent: /);
    expect(await send(page, 1)).toMatch(/^Sent: /);
    expect(await chain.tokenBalance(token, treasury.address as Hex)).toBe(309n);
    // It deploys once: a second time is noticed before it is sent.
    expect(await send(page, 2)).toMatch(/^Not sent: /);
    expect(incidents).toEqual([]);
    expect(requests).toEqual([pathToFileURL(file).href]);
    await page.context().close();
  });

  it('sends nothing on another chain, and nothing from a smart account', async () => {
    await deployFactory(chain);
    const other = await open(chain.account(1), 5);
    await prepare(other.page, JSON.stringify([row(0)]));
    expect(await send(other.page, 0)).toBe('The wallet is on chain 5: switch it to chain 31337.');
    const smart = await open(token);
    await prepare(smart.page, JSON.stringify([row(0)]));
    expect(await send(smart.page, 0)).toContain('is a smart account');
    for (const { page } of [other, smart]) await page.context().close();
  });

  it('names the rows that it refuses, and collects the others', async () => {
    const { page, incidents } = await open(null);
    const swapped = row(1, { treasury: token });
    expect(await prepare(page, JSON.stringify([row(0), swapped, row(2)]))).toBe(
      '2 deposit addresses in 1 transaction; 1 row refused.',
    );
    expect(await page.locator('.refused li').allTextContents()).toEqual([
      `Row 2, ${swapped.address}: address: is not the one with this index of this treasury`,
    ]);
    expect(await page.getByText('No wallet in this browser').count()).toBe(2);
    expect(await prepare(page, 'hello')).toMatch(/^The first line must name the columns/);
    expect(await page.locator('section').count()).toBe(0);
    expect(incidents).toEqual([]);
    await page.context().close();
  });

  it('saves one file for a Safe, and reads its rows from a file', async () => {
    const { page } = await open(null);
    const rows = path.join(folder, 'rows.csv');
    const { tokens, ...fields } = row(0);
    const names = Object.keys(fields);
    await writeFile(rows, `${names.join()},tokens\n${Object.values(fields).join()},${tokens.join(' ')}\n`);
    await page.setInputFiles('#file', rows);
    await page.waitForFunction("document.getElementById('rows').value !== ''");
    await page.fill('#chain', '137');
    await page.click('button[type=submit]');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Save for the Safe/ }).click();
    const name = await (await saved).path();
    const batch = JSON.parse(await readFile(name, 'utf8')) as {
      chainId: string;
      transactions: { to: string }[];
    };
    expect([batch.chainId, batch.transactions.map(({ to }) => to)]).toEqual(['137', [COLLECTOR_FACTORY]]);
    await page.context().close();
  });

  it.each([
    [320, 'light'],
    [390, 'dark'],
    [800, 'light'],
    [1280, 'dark'],
  ] as const)('fits %d pixels in %s', async (width, colorScheme) => {
    const { page } = await openTab(browser, { viewport: { width, height: 900 }, colorScheme });
    await page.goto(pathToFileURL(file).href);
    const swapped = row(1, { treasury: token });
    await prepare(page, JSON.stringify([row(0), swapped]));
    const sizes = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
    expect(sizes).toEqual([width, width]);
    const pictures = process.env['PICTURES'];
    if (pictures)
      await page.screenshot({ path: path.join(pictures, `collector-${width}.png`), fullPage: true });
    await page.context().close();
  });
});
