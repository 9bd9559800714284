import { jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { textsOf } from '../../src/platform/i18n/texts.js';
import { SCENES } from '../support/checkout-scenes.js';
import { CheckoutStage } from '../support/checkout-stage.js';
import { useBrowser } from '../support/browser-tabs.js';
import { describeInBrowser } from '../support/chromium.js';
import { ContactSheet } from '../support/contact-sheet.js';
import {
  accessibilityTree,
  axeViolations,
  borderless,
  nameless,
  overflow,
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
/** The last is a desk of 1280 by 1024 pixels at 400 % zoom. */
const WINDOWS = [
  [3_840, 2_160],
  [1_920, 1_080],
  [1_280, 800],
  [800, 600],
  [390, 844],
  [320, 640],
  [320, 256],
] as const;
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
        expect(await reversedAmounts(page)).toEqual([]);
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

    it('fits windows from 320 to 3840 px, also at 400 % zoom and unfolded', async () => {
      const page = await visit();
      for (const isUnfolded of [false, true]) {
        if (isUnfolded)
          await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
        for (const [width, height] of WINDOWS) {
          await page.setViewportSize({ width, height });
          expect([width, await overflow(page)]).toEqual([width, 0]);
        }
      }
    });

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
});

/** Without the spaces and marks of direction that differ between a text and its markup. */
function plain(text: string | null): string {
  return (text ?? '')
    .replaceAll(/[\u2066-\u2069\u200e\u200f]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
