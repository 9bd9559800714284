import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const FOLDER = new URL('../web/build/dashboard/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, FOLDER));
const PAGE = read('index.html').toString('utf8');
/** What the page itself names. */
const FIRST = [...PAGE.matchAll(/(?:src|href)="\/dashboard\/(assets\/[\w.-]+)"/g)].map(
  ([, name = '']) => name,
);
/** Chunks that the first screen does without. */
const SCREENS = [
  'dialog',
  'palette',
  'payments',
  'payment',
  'attention',
  'refunds',
  'application',
  'tokens',
  'webhooks',
];
const sizeOf = (name: string) => gzipSync(read(name), { level: 9 }).length;

describe('the built dashboard', () => {
  it('loads at most 180 kB of compressed script for its first screen', () => {
    const scripts = FIRST.filter((name) => name.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.map(sizeOf).reduce((sum, size) => sum + size, 0)).toBeLessThan(180_000);
  });

  it('names one file in its page, a script, which loads no other one before the first screen', () => {
    expect(FIRST).toEqual([expect.stringMatching(/^assets\/first-[\w-]+\.js$/)]);
    const [imported = null] = /\b(?:from|import)"\.[^"]*"/.exec(read(FIRST[0] ?? '').toString('utf8')) ?? [];
    expect(imported).toBeNull();
  });

  it('loads dialogs and the screens behind the first ones when they are opened', () => {
    const later = readdirSync(new URL('assets/', FOLDER)).filter((name) => !FIRST.includes(`assets/${name}`));
    for (const part of SCREENS) expect(later.some((name) => name.startsWith(`${part}-`))).toBe(true);
  });

  it('has no code for development, no parser of messages, and no eval', () => {
    for (const name of readdirSync(new URL('assets/', FOLDER)).filter((one) => one.endsWith('.js'))) {
      const text = read(`assets/${name}`).toString('utf8');
      expect(text).not.toMatch(/jsxDEV|EXPECT_ARGUMENT_CLOSING_BRACE|\beval\(|new Function\(/);
    }
  });
});
