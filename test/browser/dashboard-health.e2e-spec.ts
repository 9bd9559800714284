import type { Browser, Page } from 'playwright-core';
import { UsersService } from '../../src/identity/oauth/people/users.service.js';
import type { OperatorHealthContract } from '../../src/operations/condition/operator-health.contract.js';
import { describeInBrowser, launchChromium } from '../support/chromium.js';
import { openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { answering, RpcProxy } from '../support/rpc-proxy.js';
import { Shop } from '../support/shop.js';

let shop: Shop;
let node: RpcProxy;

describeInBrowser('the health of the gateway', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    shop = await Shop.open(await ownAddress());
    node = await RpcProxy.start(shop.chain.url);
    const { userId, clientId } = shop.owner;
    await shop.gateway.get(UsersService).setOperator(userId, true);
    await shop.gateway.sql.query('delete from chain_conditions');
    browser = await launchChromium();
    const tab = await openDashboard(browser, shop.gateway, `${clientId}@example.test`, {
      path: '/dashboard/operator',
      password: `password of ${clientId}`,
    });
    page = tab.page;
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
    await node?.stop();
  });

  const region = (name: string) => page.getByRole('region', { name });

  it('says of what nobody knows that nobody knows it, and what to do first', async () => {
    const first = region('Do this first');
    await first.getByText('Nobody knows whether there are backups.').waitFor();
    expect(await first.getByText('BACKUP_FOLDER=').count()).toBe(1);
    const network = page.getByRole('row').filter({ hasText: 'Ethereum' });
    await network.getByText('Not once so far').waitFor();
    expect(await network.getByText('Working').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  it('names a newer version first, and says that nobody was to be asked until then', async () => {
    await page.getByText('Newest version: Not known Not set up').waitFor();
    expect(await region('Do this first').getByText('Newest version').count()).toBe(0);
    await page.route('**/api/admin/health', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: OperatorHealthContract };
      const { checkedAt } = body.data;
      body.data.newestVersion = {
        version: '99.0.0',
        since: checkedAt,
        isNewer: true,
        askedAt: checkedAt,
        unknown: null,
      };
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await region('Do this first')
      .getByText(/^Newest version: 99\.0\.0 is available, seen since/)
      .waitFor();
    expect(await page.getByText('99.0.0 is available').count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    await page.unroute('**/api/admin/health');
  });

  it('shows the newest block once somebody has looked', async () => {
    await shop.mine();
    await shop.watch();
    await page.reload();
    const network = page.getByRole('row').filter({ hasText: 'Ethereum' });
    await network.getByText('Working').waitFor();
    await network.getByText(/seconds? ago|now/).waitFor();
  });

  it('runs the checks of the doctor when they are asked for, in the language that they have', async () => {
    const checks = region('Checks');
    await checks.getByRole('button', { name: 'Check all now' }).click();
    const found = checks.getByText('its node is at block');
    await found.waitFor();
    expect(await found.evaluate((element) => element.closest('[lang]')?.getAttribute('lang'))).toBe('en');
    expect(await violations(page)).toEqual([]);
  });

  it('tries a node, and writes the line to add', async () => {
    const trial = region('Try a node');
    await trial.getByLabel('Address of the node').fill('localhost');
    await trial.getByRole('button', { name: 'Ask the node' }).click();
    await trial
      .getByText(/must begin with http/)
      .first()
      .waitFor();
    const address = `${node.url}/?a=1&key=k`;
    await trial.getByLabel('Address of the node').fill(address);
    await page.keyboard.press('Enter');
    await trial.getByText('This node can be used').waitFor();
    await trial.getByText(`CHAIN_ETHEREUM_RPC_URL=${address}`).waitFor();
    await trial.getByText(`payment-gateway set-node ethereum '${address}'`).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('offers no line of a node of another network', async () => {
    node.setFaults({ eth_chainId: answering('0x89') });
    const trial = region('Try a node');
    await trial.getByRole('button', { name: 'Ask the node' }).click();
    await trial.getByText('This node cannot be used').waitFor();
    expect(await trial.getByText('CHAIN_ETHEREUM_RPC_URL=').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });
});
