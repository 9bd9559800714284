import { sourceNames } from './rate-sources.pure.js';

it.each([
  ['median(kraken,coinbase)', 'Kraken, Coinbase'],
  ['kraken', 'Kraken'],
  ['identity', 'Identity'],
])('names who quoted "%s": %s', (source, names) => {
  expect(sourceNames(source)).toBe(names);
});
