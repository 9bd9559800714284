import { accessSync, constants, existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Where Debian puts them; the shell, which can do nothing but pages, is twice as fast. CHROMIUM_BIN names another one. */
const DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;
const PROGRAM = process.env['CHROMIUM_BIN'] ?? DEBIAN.find((program) => existsSync(program)) ?? DEBIAN[0];

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Whatever a page asks of another host fails here, and is still seen by the test.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

const MISSING =
  `no Chromium at ${PROGRAM}; on Debian: apt-get update && apt-get install -y --no-install-recommends chromium-headless-shell, ` +
  'elsewhere set CHROMIUM_BIN';

function isInstalled(): boolean {
  try {
    accessSync(PROGRAM, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A group of tests in a real browser. A newcomer's machine may have none: there the group is skipped and says
 * why. CI installs one, so there a missing browser is a failure.
 */
export function describeInBrowser(name: string, tests: () => void): void {
  if (isInstalled() || process.env['CI'] || process.env['CHROMIUM_BIN']) describe(name, tests);
  else describe.skip(`${name} (skipped: ${MISSING})`, tests);
}

/** A real browser with a profile of its own. @throws Error that says how to get one */
export async function launchChromium(): Promise<Browser> {
  if (!isInstalled()) throw new Error(MISSING);
  return chromium.launch({ executablePath: PROGRAM, args: QUIET });
}

/** One tab, with everything that must not happen in it written down. */
export interface Tab {
  page: Page;
  /** Dialogs, console errors, uncaught exceptions, refused loads. */
  incidents: string[];
  /** Every request's address. */
  requests: string[];
}

/** A tab of a fresh context: no cookies, no cache. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options });
  const page = await context.newPage();
  // Milliseconds, against hanging alone.
  page.setDefaultTimeout(240_000);
  const tab: Tab = { page, incidents: [], requests: [] };
  page.on('dialog', (dialog) => {
    tab.incidents.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      tab.incidents.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => tab.incidents.push(`exception: ${error.message}`));
  page.on('request', (request) => tab.requests.push(request.url()));
  return tab;
}

/** What a tab asked of anybody but the gateway. */
export function foreignRequests({ requests }: Tab, { gateway }: Served): string[] {
  return requests.filter((url) => !url.startsWith(`${gateway.baseUrl}/`) && !url.startsWith('data:'));
}

/** What a test has started, as a browser reaches it. */
export interface Served {
  gateway: { baseUrl: string };
}

/** The payment's checkout page where the test's gateway listens. @param more parameters that the page adds to its links */
export function pageUrl(
  { gateway }: Served,
  { checkoutUrl }: { checkoutUrl: string },
  more: Record<string, string> = {},
): string {
  const { pathname, search } = new URL(checkoutUrl);
  const added = new URLSearchParams(more).toString();
  return `${gateway.baseUrl}${pathname}${search}${added && `&${added}`}`;
}

/**
 * Chooses a way to pay as the page's form does.
 * @returns where the page goes on: with instructions, or with the reason why there are none
 */
export async function chooseMethod(
  served: Served,
  payment: { checkoutUrl: string },
  choice: Record<string, string>,
): Promise<string> {
  const action = new URL(pageUrl(served, payment));
  action.pathname += '/choose';
  const answer = await fetch(action, {
    method: 'POST',
    body: new URLSearchParams(choice),
    redirect: 'manual',
  });
  if (answer.status !== 303) throw new Error(`not chosen: ${answer.status} ${await answer.text()}`);
  return new URL(answer.headers.get('location') ?? '', action).href;
}
