import { LOCALES } from '../src/platform/kernel/i18n/locale.pure.js';
import { heavyPage, weigh } from './support/page-weight.js';

/** Bytes (docs/explanation/checkout.md). */
const BUDGET = { html: 20_000, css: 8_000, script: 15_000, total: 40_000 };

describe.each(LOCALES)('the pay screen in %s', (locale) => {
  const page = heavyPage(locale);

  it('is within its budget', () => {
    const weight = weigh(page);
    const over = Object.entries(BUDGET).filter(([part, most]) => weight[part as keyof typeof BUDGET] > most);
    expect(over).toEqual([]);
  });

  it('loads one script, which does not hold back what is painted, and nothing else', () => {
    const loaded = [...page.matchAll(/<(?:script|link|img|iframe)\b[^>]*>/g)].map(([tag]) => tag);
    expect(loaded).toEqual([
      expect.stringMatching(/^<link rel="icon" href="data:/),
      expect.stringMatching(/^<script src="\.\.\/checkout\/assets\/checkout\.\w{16}\.js" defer>$/),
    ]);
  });
});
