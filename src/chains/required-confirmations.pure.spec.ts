import type { Chain } from './chain.pure.js';
import { confirmationBounds, requiredConfirmations } from './required-confirmations.pure.js';

const CHAIN = {
  confirmationsRequired: 2,
  reorgWindow: 144,
  confirmationTiers: new Map([
    [
      'native',
      [
        { from: 100n, confirmations: 3 },
        { from: 1_000n, confirmations: 6 },
      ],
    ],
  ]),
} satisfies Partial<Chain>;

describe('requiredConfirmations', () => {
  it.each<[string, Partial<Chain>, string, bigint, number | null, number]>([
    ['an ordinary amount', {}, 'native', 99n, null, 2],
    ['nothing at all', {}, 'native', 0n, null, 2],
    ['a large amount', {}, 'native', 100n, null, 3],
    ['just below the next tier', {}, 'native', 999n, null, 3],
    ['a larger one', {}, 'native', 1_000n, null, 6],
    ['more than a number can hold', {}, 'native', 10n ** 60n, null, 6],
    ['an asset without tiers', {}, '0xtoken', 10n ** 60n, null, 2],
    ['a chain without tiers', { confirmationTiers: new Map() }, 'native', 10n ** 60n, null, 2],
    ['an application that asks for more', {}, 'native', 99n, 5, 5],
    ['more than the lower tier', {}, 'native', 100n, 5, 5],
    ['less than the tier', {}, 'native', 1_000n, 5, 6],
    ['less than it may', {}, 'native', 99n, 1, 2],
    ['less, where it may', { confirmationsMin: 1 }, 'native', 99n, 1, 1],
    ['less, where it may, for a large amount', { confirmationsMin: 1 }, 'native', 1_000n, 1, 6],
    ['more than it may', { confirmationsMax: 10 }, 'native', 99n, 60, 10],
    ['more than the kept history', {}, 'native', 99n, 1_000, 144],
    ['a chain that is settled by finality', { finality: 'finalized' }, 'native', 1_000n, 60, 2],
    ['a depth that is spelled out', { finality: 'depth' }, 'native', 1_000n, null, 6],
  ])('%s', (_what, changes, asset, amount, wanted, required) => {
    expect(requiredConfirmations({ ...CHAIN, ...changes }, asset, amount, wanted)).toBe(required);
  });

  it('never falls when the amount grows, nor when more is asked for', () => {
    const amounts = Array.from({ length: 1_200 }, (_, i) => BigInt(i));
    for (const wanted of [null, 1, 2, 3, 4, 6, 7]) {
      const all = amounts.map((amount) => requiredConfirmations(CHAIN, 'native', amount, wanted));
      expect(all).toEqual(all.toSorted((a, b) => a - b));
      expect(all.every((each, i) => each >= requiredConfirmations(CHAIN, 'native', BigInt(i), null))).toBe(
        true,
      );
    }
  });
});

describe('confirmationBounds', () => {
  it.each<[string, Partial<Chain>, { min: number; max: number } | null]>([
    ['only more, as far as history is kept', {}, { min: 2, max: 144 }],
    ['what the operator says', { confirmationsMin: 1, confirmationsMax: 6 }, { min: 1, max: 6 }],
    ['a number beyond the kept history', { confirmationsRequired: 500 }, { min: 500, max: 500 }],
    ['nothing where finality decides', { finality: 'finalized', confirmationsMin: 1 }, null],
  ])('%s', (_what, changes, bounds) => {
    expect(confirmationBounds({ ...CHAIN, ...changes })).toEqual(bounds);
  });
});
