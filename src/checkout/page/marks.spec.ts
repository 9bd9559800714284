import { CHAIN_CATALOG } from '../../chains/chain-catalog.pure.js';
import { webAsset } from '../../platform/web/html/web-asset.js';
import { coinMark, methodMark, networkMark } from './marks.js';

const STYLE = webAsset('page.css').replaceAll(' ', '');
const colorsIn = (text: string) =>
  [...text.matchAll(/<(?:circle|rect) class="(?!rim)([a-z]+)"/g)].map(([, name]) => name);

describe('marks', () => {
  it.each(
    CHAIN_CATALOG.map(({ slug, assets }) => [slug, assets.map(({ currencyCode }) => currencyCode)] as const),
  )('%s and its coins %j have glyphs, in colors of the style sheet', (slug, codes) => {
    const marks = [networkMark(slug), ...codes.map(coinMark)].map(({ text }) => text);
    for (const mark of marks) {
      expect(mark).toContain('<path class="glyph"');
      for (const color of colorsIn(mark)) expect(STYLE.includes(`.${color}{fill:var(--`)).toBe(true);
    }
  });

  it('a coin and a network without a glyph get their first letter, escaped', () => {
    expect(coinMark('SOL').text).toMatch(/class="unlisted".*>S<\/text>/);
    expect(coinMark('<b>').text).toContain('>&lt;</text>');
    expect(networkMark('zora').text).toContain('>Z</text>');
  });

  it('a coin on a network has both', () => {
    expect(colorsIn(methodMark('USDC', 'base').text)).toEqual(['usdc', 'base']);
  });
});
