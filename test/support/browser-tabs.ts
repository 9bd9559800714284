import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { foreignRequests, launchChromium, openTab, type Served, type Tab } from './chromium.js';

/** A browser of one group of tests. After each test its tabs are checked and closed. */
export class BrowserTabs {
  private browser: Browser | null = null;
  private tabs: Tab[] = [];
  private readonly unchecked = new Set<Tab>();

  /** @param expected incidents that the group causes on purpose */
  constructor(
    private readonly served: () => Served,
    private readonly expected: RegExp,
  ) {}

  async open(options: BrowserContextOptions = {}): Promise<Tab> {
    if (!this.browser) throw new Error('the browser is started before the first test');
    const tab = await openTab(this.browser, options);
    this.tabs.push(tab);
    return tab;
  }

  /** A tab that also visits other websites, and whose incidents are up to the test. */
  async openUnchecked(options: BrowserContextOptions = {}): Promise<Tab> {
    const tab = await this.open(options);
    this.unchecked.add(tab);
    return tab;
  }

  /** A page in a tab of its own. */
  async visit(url: string, options?: BrowserContextOptions): Promise<Page> {
    const { page } = await this.open(options);
    await page.goto(url);
    return page;
  }

  async start(): Promise<void> {
    this.browser = await launchChromium();
  }

  /** Throws if a tab had an incident, or asked anything of anybody but the gateway. */
  async check(): Promise<void> {
    const tabs = this.tabs.splice(0);
    // None stays open, whatever is found.
    for (const { page } of tabs) await page.context().close();
    for (const tab of tabs.filter((one) => !this.unchecked.has(one))) {
      expect(tab.incidents.filter((incident) => !this.expected.test(incident))).toEqual([]);
      expect(foreignRequests(tab, this.served())).toEqual([]);
    }
  }

  async close(): Promise<void> {
    await this.browser?.close();
  }
}

/** Nothing is expected. */
const NOTHING = /^$/;

/**
 * The browser of the surrounding `describeInBrowser`. Call it before the hooks that open what is served, so that the
 * browser closes first.
 */
export function useBrowser(served: () => Served, expected = NOTHING): BrowserTabs {
  const tabs = new BrowserTabs(served, expected);
  beforeAll(() => tabs.start());
  afterEach(() => tabs.check());
  afterAll(() => tabs.close());
  return tabs;
}
