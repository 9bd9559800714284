import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core';
import { ProvisioningService } from '../../src/identity/oauth/provisioning.service.js';
import { openTab, type Tab } from './chromium.js';
import { freePort } from './free-port.js';
import { PASSWORD } from './oauth-api.js';
import type { TestGateway } from './test-gateway.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** A gateway whose own address is where it listens: browsers follow its redirects. */
export async function ownAddress(): Promise<Record<string, string>> {
  const port = await freePort();
  return { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
}

/** A user who can sign in. */
export async function createMerchant(gateway: TestGateway, email: string): Promise<string> {
  return (await gateway.get(ProvisioningService).ensureUser(email, PASSWORD)).id;
}

/**
 * A tab at a screen of the dashboard, signed in through the pages. It has no stream of changes, so that its network
 * becomes idle, and polls instead; test/browser/dashboard-live.e2e-spec.ts has one.
 */
export async function openDashboard(
  browser: Chromium,
  gateway: TestGateway,
  email: string,
  {
    path = '/dashboard',
    password,
    ...options
  }: BrowserContextOptions & { path?: string; password?: string } = {},
): Promise<Tab> {
  const tab = await openTab(browser, { locale: 'en-US', ...options });
  await tab.page.context().route('**/api/changes', (route) => route.fulfill({ status: 204 }));
  await tab.page.goto(`${gateway.baseUrl}${path}`);
  await fillSignIn(tab, email, password);
  await tab.page.waitForURL(`${gateway.baseUrl}${path}`);
  await tab.page.locator('h1').waitFor();
  return tab;
}

/** The page of the authorization server. */
export async function fillSignIn(
  { page }: Pick<Tab, 'page'>,
  email: string,
  password = PASSWORD,
): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('input[name=password]').press('Enter');
}

/** What axe finds wrong with the page as it is shown. */
export async function violations(page: Page): Promise<string[]> {
  // Until its first answer arrives, a screen that was just opened is a line of text.
  await page.locator('h1').first().waitFor();
  await page.evaluate(await readFile(AXE, 'utf8'));
  // React Aria announces a pending button by a node that names another one, which is gone a moment later.
  const found = (await page.evaluate(`axe.run({ exclude: [['[data-live-announcer]']] })`)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
