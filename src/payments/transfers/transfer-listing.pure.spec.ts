import type { Transfer } from '../payment.pure.js';
import { countOf, MAX_LISTED, splitListed, sumsByKind } from './transfer-listing.pure.js';

let made = 0;
const transfer = (changes: Partial<Transfer> = {}) =>
  ({
    id: String(++made).padStart(6, '0'),
    chain: 'base',
    asset: 'native',
    assetDecimals: 18,
    state: 'confirmed',
    isMatched: true,
    amount: 1n,
    sumOf: null,
    ...changes,
  }) as Transfer;
const dust = (count: number, changes: Partial<Transfer> = {}) =>
  Array.from({ length: count }, () => transfer(changes));

describe('the transfers that are listed', () => {
  it('are all of them up to the limit, in their order', () => {
    const transfers = dust(MAX_LISTED);
    expect(splitListed(transfers)).toEqual({ listed: transfers, others: [] });
  });

  it('are those that came first, of equal ones', () => {
    const transfers = dust(MAX_LISTED + 3);
    expect(splitListed(transfers)).toEqual({
      listed: transfers.slice(0, MAX_LISTED),
      others: transfers.slice(MAX_LISTED),
    });
  });

  it.each<[string, Partial<Transfer>]>([
    ['dust of the same coin', {}],
    ['larger numbers of a cheap coin', { asset: '0xcheap', amount: 10n ** 30n }],
    ['larger transfers that were replaced', { state: 'replaced', amount: 10n ** 30n }],
    ['dust on another network', { chain: 'arbitrum' }],
  ])('contain what was paid, whatever comes before and after: %s', (_what, changes) => {
    const paid = transfer({ amount: 1_000n });
    const { listed, others } = splitListed([...dust(500, changes), paid, ...dust(500, changes)]);
    expect(listed).toContain(paid);
    expect(listed).toHaveLength(MAX_LISTED);
    expect(countOf(others)).toBe(1_001 - MAX_LISTED);
  });

  it('are never sums', () => {
    const sum = transfer({ sumOf: 17_975 });
    expect(splitListed([...dust(3), sum])).toMatchObject({ listed: [{}, {}, {}], others: [sum] });
  });
});

it('sums have one coin, network and status each', () => {
  const kinds = sumsByKind([
    ...dust(3, { sumOf: 5 }),
    ...dust(2, { state: 'dropped' }),
    ...dust(2, { state: 'replaced' }),
    ...dust(1, { isMatched: false }),
    ...dust(1, { chain: 'arbitrum' }),
  ]);
  expect(kinds.map(countOf)).toEqual([15, 4, 1, 1]);
});
