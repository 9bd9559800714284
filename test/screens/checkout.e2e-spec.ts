import { jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { LOCALES } from '../../src/platform/kernel/i18n/locale.pure.js';
import { textsOf } from '../../src/platform/kernel/i18n/texts.js';
import { SCENES } from '../support/checkout-scenes.js';
import { CheckoutStage } from '../support/checkout-stage.js';
import { useBrowser } from '../support/browser-tabs.js';
import { describeInBrowser } from '../support/chromium.js';
import { ContactSheet } from '../support/contact-sheet.js';
import { LONG_AMOUNTS } from '../support/long-amount-scenes.js';
import { layoutFaults, WIDTHS } from '../support/page-layout.js';
import {
  accessibilityTree,
  axeViolations,
  borderless,
  nameless,
  reversedAmounts,
  walkByKeyboard,
} from '../support/page-access.js';

/** A refused page shows up in the console; it is no incident here. */
const EXPECTED = /^console: Failed to load resource: the server responded with a status of (403|404|429|500)/;
/** Languages, and whether scripts run. */
const READERS = [
  ['en', true],
  ['en', false],
  ['de', false],
  ['ar', true],
] as const;
/** The second last is a desk of 1280 by 1024 pixels at 400 % zoom. */
const WINDOWS = [
  ...WIDTHS.map((width) => [width, 800] as const),
  [1_280, 800],
  [320, 256],
  [3_840, 2_160],
] as const;
const PHONE = { width: 320, height: 640 };
/** A folder for pictures of every screen, e.g. .data/screenshots, and their language. */
const { SCREENSHOTS, SCREENSHOTS_LOCALE: locale = 'en' } = process.env;
const sheet = SCREENSHOTS === undefined ? null : new ContactSheet(SCREENSHOTS);

/** Every screen, on real chains: its words, with and without JavaScript, and whether everybody can use it (WCAG 2.2 AA). */
describeInBrowser('the screens of the checkout', () => {
  let stage: CheckoutStage;
  const tabs = useBrowser(() => stage.shop, EXPECTED);

  beforeAll(async () => {
    stage = await CheckoutStage.open();
  });
  afterAll(() => stage?.close());
  afterAll(() => sheet?.write());

  describe.each(SCENES)('$name', (scene) => {
    let url: string;
    beforeAll(async () => {
      url = await scene.set(stage);
    });
    afterAll(async () => {
      jest.restoreAllMocks();
      if (scene.hasTrouble) await stage.recover();
    });

    async function visit(options?: Parameters<typeof tabs.visit>[1]): Promise<Page> {
      const page = await tabs.visit(url, options);
      await scene.act?.(page, stage);
      return page;
    }

    it('says what it has to in English, German and Arabic, with and without JavaScript', async () => {
      for (const [locale, javaScriptEnabled] of READERS) {
        const page = await visit({ locale, javaScriptEnabled });
        const texts = textsOf(locale);
        expect(plain(await page.locator('h1').textContent())).toBe(plain(scene.heading(texts)));
        if (scene.words)
          expect(plain(await page.locator('main').innerText())).toContain(plain(scene.words(texts)));
        if (scene.screen) expect(await page.locator('main').getAttribute('data-screen')).toBe(scene.screen);
        const html = page.locator('html');
        expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual([
          locale,
          locale === 'ar' ? 'rtl' : 'ltr',
        ]);
        // Also where nothing of the address can be trusted.
        expect(await page.locator('#languages').count()).toBe(1);
        expect(await reversedAmounts(page)).toEqual([]);
        // Colors and measures are in the style sheets, which the policy knows.
        if (!javaScriptEnabled) expect(await page.locator('[style]').count()).toBe(0);
        if (!javaScriptEnabled)
          expect(
            await page.locator('.copy:visible, #wallets:visible, #return:visible, #offline:visible').count(),
          ).toBe(0);
      }
    });

    it('has nothing that axe-core objects to, one heading, one live region, and a name for each control', async () => {
      const page = await visit({ reducedMotion: 'reduce' });
      const tree = await accessibilityTree(page);
      expect(nameless(tree)).toEqual([]);
      expect(tree.filter(({ role, level }) => role === 'heading' && level === 1)).toHaveLength(1);
      const regions = tree.map(({ role }) => role).filter((role) => role === 'status' || role === 'alert');
      expect(new Set(regions).size).toBe(regions.length);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await axeViolations(page)).toEqual([]);
      }
    });

    it('can be walked by keyboard, with the focus in sight', async () => {
      expect(await walkByKeyboard(await visit())).toEqual({ missed: [], unseen: [] });
    });

    it.each([
      ['by mouse', {}],
      ['by mouse without JavaScript', { javaScriptEnabled: false }],
      // A finger gets buttons that a mouse does not.
      ['by touch', { hasTouch: true, isMobile: true }],
    ])(
      'fits windows from 320 to 3840 px and can be read there, with any fold open, %s',
      async (_how, options) => {
        const page = await visit(options);
        for (const [width, height] of WINDOWS) {
          await page.setViewportSize({ width, height });
          expect([width, await layoutFaults(page)]).toEqual([width, []]);
        }
      },
    );

    it('shows the edges of its boxes in forced colors, and stands still for whoever wants no motion', async () => {
      const page = await visit({ forcedColors: 'active', reducedMotion: 'reduce' });
      expect(await borderless(page)).toEqual([]);
      expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    });

    if (sheet)
      it('is photographed', async () => {
        await sheet.take(await visit({ locale }), scene.name);
      });
  });

  it.each(LONG_AMOUNTS)('amounts of 19 digits and long names are not broken: $name', async ({ set, act }) => {
    const url = await set(stage);
    const { page } = await tabs.open({ viewport: PHONE });
    for (const locale of LOCALES) {
      await openIn(page, locale, url);
      await act?.(page, stage);
      expect([locale, await layoutFaults(page)]).toEqual([locale, []]);
    }
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await layoutFaults(page)]).toEqual([width, []]);
    }
  });
});

/** As a browser of that language does. */
async function openIn(page: Page, locale: string, url: string): Promise<void> {
  await page.setExtraHTTPHeaders({ 'accept-language': locale });
  await page.goto(url);
}

/** Without the spaces and marks of direction that differ between a text and its markup. */
function plain(text: string | null): string {
  return (text ?? '')
    .replaceAll(/[\u2066-\u2069\u200e\u200f]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
