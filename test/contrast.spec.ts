import { readFileSync } from 'node:fs';
import { checkContrast, contrast, schemesOf } from '../scripts/contrast.mjs';

const TOKENS = readFileSync(new URL('../web/tokens.css', import.meta.url), 'utf8');
const check = (tokens: string, css = '') => checkContrast(tokens, new Map([['page.css', css]])).problems;

it.each([
  ['#000', '#ffffff', 21],
  ['#fff', '#fff', 1],
  ['#777777', '#fff', 4.48],
])('%s on %s has the contrast %d', (a, b, ratio) => {
  expect(contrast(a, b)).toBeCloseTo(ratio, 2);
});

it('reads all schemes, and those after the light one inherit what they do not change', () => {
  const { light, dark, print } = schemesOf(TOKENS);
  expect([light.get('card'), dark.get('card')]).toEqual(['#ffffff', '#1b1a18']);
  expect([print.get('card'), print.get('text')]).toEqual(['#ffffff', '#000000']);
  expect(dark.get('paper')).toBe(light.get('paper'));
});

it('the tokens pass', () => {
  expect(check(TOKENS)).toEqual([]);
});

it.each<[string, string, string, string[]]>([
  [
    'a text that is too faint in the light scheme',
    TOKENS.replace('--soft: #55514a', '--soft: #8a919c'),
    '',
    [
      'soft on bg, light: 2.94, needs 4.5',
      'soft on card, light: 3.18, needs 4.5',
      'soft on sunk, light: 2.82, needs 4.5',
    ],
  ],
  ['a text that is too faint in the dark scheme', TOKENS.replace('--bad: #ffb0a4', '--bad: #a5231b'), '', []],
  [
    'a pair of one rule that is too faint, although it is not listed',
    TOKENS,
    '.a { color: var(--line); background: var(--card); }',
    [],
  ],
  ['a color beside the tokens', TOKENS, '.a { color: #777; }', ['page.css: #777 is not a token']],
  [
    'a token that does not exist',
    TOKENS,
    '.a { color: var(--gone); }',
    ['page.css: --gone is not in tokens.css'],
  ],
])('finds %s', (_what, tokens, css, expected) => {
  const problems = check(tokens, css);
  expect(problems).not.toEqual([]);
  expect(problems).toEqual(expect.arrayContaining(expected));
});

it('accepts ids in selectors, which look like colors', () => {
  expect(check(TOKENS, '#added { color: var(--text); }')).toEqual([]);
});
