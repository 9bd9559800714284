import { Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { findPageScript, hashedName, PAGE_SCRIPTS, webAsset } from './web-asset.js';

const STYLE = webAsset('page.css');

/** Custom properties of the light and of the dark theme, in the order of the sheet. */
const THEMES = [...STYLE.matchAll(/:root ?\{([^}]*)\}/g)].map(([, block = '']) =>
  Object.fromEntries(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{3,6})/g)].map(([, name, hex]) => [name, hex]),
  ),
);

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const digits = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

describe.each([
  ['light', 0],
  ['dark', 1],
])('the %s theme', (_name, index) => {
  const theme = THEMES[index] ?? {};

  it.each([
    ['text', 'bg', 4.5],
    ['text', 'card', 4.5],
    ['soft', 'bg', 4.5],
    ['soft', 'card', 4.5],
    ['accent', 'card', 4.5],
    ['on-accent', 'accent', 4.5],
    ['warn', 'card', 4.5],
    ['good', 'card', 4.5],
    ['text', 'warn-bg', 4.5],
    ['text', 'good-bg', 4.5],
    ['text', 'bad-bg', 4.5],
    ['accent', 'warn-bg', 4.5],
    // Borders of controls and icons (WCAG 1.4.11).
    ['edge', 'card', 3],
    ['bad', 'card', 3],
  ])('%s on %s has a contrast of at least %d', (front, back, ratio) => {
    expect(contrast(theme[front] ?? '', theme[back] ?? '')).toBeGreaterThanOrEqual(ratio);
  });
});

it('the contrast of black on white is 21', () => {
  expect(contrast('#000', '#ffffff')).toBeCloseTo(21);
});

it('the style sheet is small and loads nothing', () => {
  expect(Buffer.byteLength(STYLE)).toBeLessThan(8 * 1024);
  expect(STYLE).not.toMatch(/url\(|@import|<\//);
});

it.each(['checkout.js', 'refund.js', 'docs.js'] as const)(
  'the script %s is complete, not a module, strict, and runs no text as code',
  (name) => {
    const script = webAsset(name);
    expect(() => new Script(script)).not.toThrow();
    expect(script).toMatch(/^("use strict";\n)?\(\(\)\s*=>\s*\{/);
    expect(script).not.toMatch(/innerHTML|eval|new Function|https?:|\bimport\b|\bexport\b/);
  },
);

it('the scripts of a customer’s pages take at most 15 kB compressed', () => {
  const sizes = PAGE_SCRIPTS.map((name) => gzipSync(webAsset(name)).length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(15_000);
});

describe('a page script', () => {
  it('has a name that changes with its contents, and is found by no other', () => {
    const name = hashedName('checkout.js');
    expect(name).toMatch(/^checkout\.[0-9a-f]{16}\.js$/);
    expect(findPageScript(name)).toBe(webAsset('checkout.js'));
    for (const other of [
      'checkout.js',
      'checkout.0000000000000000.js',
      name.toUpperCase(),
      '../page.css',
      '',
    ])
      expect(findPageScript(other)).toBeNull();
  });

  it('has no sentence of its own: all that it shows comes with the page', () => {
    for (const name of PAGE_SCRIPTS) {
      const strings = webAsset(name).match(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g) ?? [];
      // Two words with a space between; a selector and an error that nobody sees have none of these forms.
      const sentences = strings.filter((string) => /^.[A-Z][a-z]+ [a-z]+/.test(string));
      expect(sentences).toEqual([]);
    }
  });
});
