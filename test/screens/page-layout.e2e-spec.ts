import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchChromium, openTab } from '../support/chromium.js';
import { layoutFaults } from '../support/page-layout.js';

const LONG = 'Donaudampfschifffahrtsgesellschaftsbuchhandlung';
const CARDS = `<style>thead { position: absolute; clip-path: inset(50%) } td { display: block }
  td[data-column]::before { content: attr(data-column) ': ' }</style>`;
const table = (cells: string) =>
  `${CARDS}<table><thead><tr><th>Lag</th></tr></thead><tbody><tr>${cells}</tr></tbody></table>`;
const narrow = (content: string, width = '5rem') => `<div style="width: ${width}">${content}</div>`;

/** What checks all screens would say nothing if it could not see: every fault that it knows, planted. */
describeInBrowser('the check of layouts', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    ({ page } = await openTab(browser, { viewport: { width: 320, height: 600 } }));
  });
  afterAll(() => browser?.close());

  it.each<[fault: RegExp, planted: string]>([
    [/^folded: be.* lies on be/, '<p>beside</p><p style="margin-top: -2.5rem">below</p>'],
    [/: broken: 1,234/, narrow('<p style="overflow-wrap: anywhere">1,234,567.89</p>', '3rem')],
    [/: broken: confirmed/, narrow('<p style="overflow-wrap: anywhere">confirmed</p>', '3rem')],
    [/: broken: ERC-20/, narrow('<p>only on Ethereum (ERC-20)</p>', '4rem')],
    [/: broken: ORDER-1042/, narrow('<p>the order ORDER-1042</p>', '4.5rem')],
    [
      /: at the beginning of a line: \./,
      narrow('<p><b style="display: inline-block; width: 100%">RE-2026-11</b>.</p>'),
    ],
    [/: wider than its box: 1.5/, narrow('<p><span class="number">1.5&nbsp;ETH</span></p>', '2rem')],
    [/: too small: 12.5/, '<p><span class="number" style="font-size: 9px">12.5</span></p>'],
    [/: too small: 12.5/, '<p><span data-figure="12" style="font-size: 9px">12.5</span></p>'],
    [/: cut: 12.5/, '<select style="width: 4rem"><option>12.5 USDC, all that is left</option></select>'],
    [/: cut: Reference, payment/, '<input style="width: 6rem" placeholder="Reference, payment, address">'],
    [
      /: runs out of its box: Home/,
      '<nav style="position: fixed; display: flex; width: 6rem; overflow-x: auto"><a href="#a">Home</a><a href="#b">Transactions</a></nav>',
    ],
    [/: touches the edge of its button: Pay/, '<button style="height: 14px; padding: 0">Pay</button>'],
    [/: runs out of its box: Donau/, narrow(`<p>${LONG}</p>`)],
    [
      /: runs out of its box: Donau/,
      narrow(`<button style="width: 100%; white-space: nowrap">${LONG}</button>`),
    ],
    [
      /: runs out of its box: Donau/,
      `<div style="position: fixed; inset: 0; overflow: auto"><p style="width: 4rem">${LONG}</p></div>`,
    ],
    [/ px too wide: /, `<p>${LONG}${LONG}</p>`],
    [/: has no name: 7/, table('<td data-is="title">Base</td><td>7</td>')],
  ])('sees %s', async (fault, planted) => {
    await page.setContent(`<!doctype html><body style="font: 16px sans-serif">${planted}`);
    expect((await layoutFaults(page)).filter((line) => fault.test(line))).not.toEqual([]);
  });

  it.each([
    [
      'a page in order',
      `<h1>Pay 12.5&nbsp;USDC</h1><p>Send it on <span style="white-space: nowrap">(ERC-20)</span>.</p>`,
    ],
    ['a long name that is broken', narrow(`<p style="overflow-wrap: anywhere">${LONG}</p>`)],
    [
      'cards with names',
      table(
        '<td data-is="title">Base</td><td data-column="Lag">7</td><td data-is="acts"><button style="padding: 9px">End</button></td>',
      ),
    ],
    [
      'a table that is scrolled',
      `<div tabindex="0" style="overflow: auto; width: 5rem"><p style="width: 9rem">1</p></div>`,
    ],
  ])('says nothing of %s', async (_what, content) => {
    await page.setContent(`<!doctype html><body style="font: 16px sans-serif">${content}`);
    expect(await layoutFaults(page)).toEqual([]);
  });
});
