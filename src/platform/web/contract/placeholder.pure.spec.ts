import { isPlaceholder } from './placeholder.pure.js';

it.each<[string, boolean]>([
  ['<webhook secret>', true],
  [' <webhook secret> ', true],
  ['whsec_<secret>', true],
  ['$WEBHOOK_SECRET', true],
  ['${WEBHOOK_SECRET}', true],
  ['whsec_dGhpcnR5LXR3by1yYW5kb20tYnl0ZXMtYXJlLWdvb2Q=', false],
  ['a < b > c', false],
  ['$5aGk', false],
  ['<>', false],
  ['https://pay.example.com', false],
])('%s: %s', (text, expected) => expect(isPlaceholder(text)).toBe(expected));
