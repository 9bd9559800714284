import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with a page, a line each: all of its rules, those that are only advice included. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, any }) =>
      target + (any[0] ? ' (' + any[0].message + ')' : '')).join(', ')))`);
}

/** One element as assistive technology sees it. */
interface AccessibleElement {
  role: string;
  name: string;
  /** Of headings. */
  level: number | null;
}

/** The accessibility tree of the browser itself. */
export async function accessibilityTree(page: Page): Promise<AccessibleElement[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, properties = [] }) => ({
      role: String(role?.value),
      name: String(name?.value ?? '').trim(),
      level: Number(properties.find((property) => property.name === 'level')?.value.value ?? 0) || null,
    }));
}

/** Roles of what can be used, or stands for something that is only seen. */
const NAMED =
  /^(button|link|textbox|searchbox|combobox|checkbox|radio|DisclosureTriangle|img|image|RootWebArea)$/;

/** Controls and pictures without a name. */
export function nameless(tree: readonly AccessibleElement[]): AccessibleElement[] {
  return tree.filter(({ role, name }) => NAMED.test(role) && name === '');
}

/**
 * Goes through a page by Tab.
 * @returns the elements that are never reached, and those on which the focus cannot be seen
 */
export async function walkByKeyboard(page: Page): Promise<{ missed: string[]; unseen: string[] }> {
  const count = await page.evaluate<number>(`(() => {
    const all = 'a[href], button:not(:disabled), input:not([type=hidden], [type=radio]:not(:checked)), textarea, select, summary';
    globalThis.walk = { missed: new Set([...document.querySelectorAll(all)].filter((one) => one.checkVisibility())), unseen: [] };
    document.activeElement?.blur();
    return walk.missed.size;
  })()`);
  for (let pressed = 0; pressed <= count; pressed++) {
    await page.keyboard.press('Tab');
    await page.evaluate(`(() => {
      const at = document.activeElement;
      if (at === document.body || !walk.missed.delete(at)) return;
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      const isInView = box.top >= 0 && box.top < innerHeight;
      if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2 || !isInView) walk.unseen.push(at.outerHTML.slice(0, 120));
    })()`);
  }
  return page.evaluate(
    `({ missed: [...walk.missed].map((one) => one.outerHTML.slice(0, 120)), unseen: walk.unseen })`,
  );
}

/**
 * Boxes that have no border when the system replaces all colors by its own (forced-colors: active): there a background
 * says nothing. Set the emulation first.
 */
export function borderless(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('.bar, .note, .copyable, .mark, .button, .copy, .choice, .stop, input, textarea')]
    .filter((one) => one.type !== 'hidden' && one.checkVisibility())
    .filter((one) => {
      const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(one);
      return borderTopStyle === 'none' || parseFloat(borderTopWidth) === 0 || borderTopColor === backgroundColor;
    })
    .map((one) => one.outerHTML.slice(0, 120))`);
}

/** How far a page reaches beyond the window, in CSS pixels. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/** Amounts and rates that are written from right to left, where "2,000 USD" would read as "USD 2,000". */
export function reversedAmounts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      const isAmount = /\\d\\s*(ETH|USDT|USDC|BNB|LTC|USD|US\\$)|\\$\\s*\\d/.test(data);
      if (isAmount && parentElement.checkVisibility() && getComputedStyle(parentElement).direction === 'rtl')
        found.push(data.trim());
    }
    return found;
  })()`);
}
