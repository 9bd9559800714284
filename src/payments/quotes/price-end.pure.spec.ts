import { priceEnd } from './price-end.pure.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);

describe('priceEnd', () => {
  it.each([
    ['of a link that lasts longer is its own', 'method', 86_400, 900],
    ['of a link that ends with it is both', 'method', 900, 900],
    ['of a link that ends a second before is that of the link', 'method', 899, 899],
    ['of a link of a minute is that of the link', 'method', 60, 60],
    ['after the end of the link is its own', 'method', 0, 900],
    ['long after the end of the link is its own', 'method', -86_400, 900],
    ['after an acceptance is its own', 'acceptance', 60, 900],
    ['of late funds is now', 'late', 86_400, 0],
    ['of late funds after the link is now', 'late', -1, 0],
  ] as const)('%s', (_what, purpose, link, end) => {
    expect(priceEnd(at(0), 900, { linkEndsAt: at(link), purpose })).toEqual(at(end));
  });
});
