import type { Browser as Chromium, BrowserContextOptions } from 'playwright-core';
import { ProvisioningService } from '../../src/identity/oauth/provisioning.service.js';
import { openTab, type Tab } from './chromium.js';
import { freePort } from './free-port.js';
import { PASSWORD } from './oauth-api.js';
import type { TestGateway } from './test-gateway.js';

/** A gateway whose own address is where it listens: browsers follow its redirects. */
export async function ownAddress(): Promise<Record<string, string>> {
  const port = await freePort();
  return { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
}

/** A user who can sign in. */
export async function createMerchant(gateway: TestGateway, email: string): Promise<string> {
  return (await gateway.get(ProvisioningService).ensureUser(email, PASSWORD)).id;
}

/** A tab at a screen of the dashboard, signed in through the pages. */
export async function openDashboard(
  browser: Chromium,
  gateway: TestGateway,
  email: string,
  { path = '/dashboard', ...options }: BrowserContextOptions & { path?: string } = {},
): Promise<Tab> {
  const tab = await openTab(browser, { locale: 'en-US', ...options });
  await tab.page.goto(`${gateway.baseUrl}${path}`);
  await fillSignIn(tab, email);
  await tab.page.waitForURL(`${gateway.baseUrl}${path}`);
  await tab.page.locator('h1').waitFor();
  return tab;
}

/** The page of the authorization server. */
export async function fillSignIn({ page }: Pick<Tab, 'page'>, email: string): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('input[name=password]').press('Enter');
}
