import { Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { findPageScript, hashedName, PAGE_SCRIPTS, webAsset } from './web-asset.js';

const STYLE = webAsset('page.css');

it('the style sheet has the tokens, is at most 8 kB compressed, and loads nothing', () => {
  expect(STYLE).toMatch(/^:root\{/);
  expect(gzipSync(STYLE).length).toBeLessThanOrEqual(8_000);
  expect(STYLE).not.toMatch(/url\(|@import|<\//);
});

it.each(['checkout.js', 'receipt.js', 'refund.js', 'docs.js'] as const)(
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
      // Two words with a space between; selectors, and errors that are never shown, have no such form.
      const sentences = strings.filter((string) => /^.[A-Z][a-z]+ [a-z]+/.test(string));
      expect(sentences).toEqual([]);
    }
  });
});
