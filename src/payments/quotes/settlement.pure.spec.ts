import fc from 'fast-check';
import { dueUnits, settle, type Settlement, type SettlementTransfer, unitsOf } from './settlement.pure.js';

const POLICY = { underpayToleranceBps: 0, underpayLeastShareBps: 1 };
const ASSET = { chain: 'bitcoin', asset: 'native' };
// 100.00 USD, quoted as 155470 sat, later as 160000 sat.
const DUE = 10_000n;
const QUOTES = [
  { ...ASSET, id: 'first', assetAmount: 155_470n },
  { ...ASSET, id: 'second', assetAmount: 160_000n },
];

function transfer(amount: bigint, changes: Partial<SettlementTransfer> = {}): SettlementTransfer {
  return { ...ASSET, amount, floor: 1n, state: 'confirmed', isMatched: true, quoteId: 'first', ...changes };
}

describe('settle', () => {
  it.each<[string, SettlementTransfer[], Partial<Settlement & { remainingAmount: bigint }>]>([
    [
      'nothing',
      [],
      { isSeen: false, coverage: 'none', receivedAmount: 0n, remainingAmount: DUE, underpaidAmount: null },
    ],
    [
      'pending funds',
      [transfer(155_470n, { state: 'pending' })],
      { isSeen: true, isAllConfirmed: false, coverage: 'none', receivedAmount: 0n, remainingAmount: 0n },
    ],
    [
      'exactly the quote',
      [transfer(155_470n)],
      { coverage: 'full', receivedAmount: DUE, remainingAmount: 0n, overpaidAmount: null },
    ],
    [
      'one satoshi less',
      [transfer(155_469n)],
      { coverage: 'short', receivedAmount: 9_999n, underpaidAmount: 1n, remainingAmount: 1n },
    ],
    [
      'one satoshi more is less than a cent',
      [transfer(155_471n)],
      { coverage: 'full', receivedAmount: DUE, overpaidAmount: null },
    ],
    [
      'a cent more',
      [transfer(155_470n + 16n)],
      { coverage: 'over', receivedAmount: DUE + 1n, overpaidAmount: 1n },
    ],
    ['two halves', [transfer(77_735n), transfer(77_735n)], { coverage: 'full', receivedAmount: DUE }],
    [
      'half under each of two quotes',
      [transfer(77_735n), transfer(80_000n, { quoteId: 'second' })],
      { coverage: 'full', receivedAmount: DUE },
    ],
    [
      'half confirmed, half pending',
      [transfer(77_735n), transfer(77_735n, { state: 'pending' })],
      { coverage: 'short', isAllConfirmed: false, receivedAmount: 5_000n, remainingAmount: 0n },
    ],
    ['orphaned', [transfer(155_470n, { state: 'orphaned' })], { isSeen: false, coverage: 'none' }],
    ['replaced', [transfer(155_470n, { state: 'replaced' })], { isSeen: false, coverage: 'none' }],
    ['dropped', [transfer(155_470n, { state: 'dropped' })], { isSeen: false, coverage: 'none' }],
    [
      'an asset that was not quoted',
      [transfer(155_470n, { isMatched: false, quoteId: null })],
      { isSeen: false, coverage: 'none' },
    ],
    [
      'late funds without a rate yet',
      [transfer(155_470n, { quoteId: null })],
      { isSeen: true, isAllConfirmed: false, coverage: 'none', receivedAmount: 0n },
    ],
  ])('%s', (_name, transfers, expected) => {
    const funds = settle(DUE, transfers, QUOTES, POLICY);
    expect({ ...funds, remainingAmount: unitsOf(funds.remaining, DUE) }).toMatchObject(expected);
  });

  it("accepts a shortfall up to the operator's tolerance, and not a satoshi more", () => {
    const policy = { ...POLICY, underpayToleranceBps: 100 };
    const least = (155_470n * 99n + 99n) / 100n;
    const funds = settle(DUE, [transfer(least)], QUOTES, policy);
    expect(funds).toMatchObject({ coverage: 'full', underpaidAmount: null });
    expect(unitsOf(funds.remaining, DUE)).toBe(0n);
    expect(settle(DUE, [transfer(least - 1n)], QUOTES, policy)).toMatchObject({ coverage: 'short' });
  });

  it('accepts underpayments automatically down to the configured floor', () => {
    const policy = { ...POLICY, underpayLeastShareBps: 5_000 };
    expect(settle(DUE, [transfer(77_735n)], QUOTES, policy).isLeastShareMet).toBe(true);
    expect(settle(DUE, [transfer(77_734n)], QUOTES, policy).isLeastShareMet).toBe(false);
  });

  it('computes wei beyond 2^53 exactly', () => {
    const wei = 1_500_000_000_000_000_001n;
    const quotes = [{ ...ASSET, id: 'first', assetAmount: wei }];
    expect(settle(wei, [transfer(wei)], quotes, POLICY)).toMatchObject({
      coverage: 'full',
      receivedAmount: wei,
    });
    expect(settle(wei, [transfer(wei - 1n)], quotes, POLICY)).toMatchObject({
      coverage: 'short',
      underpaidAmount: 1n,
    });
    expect(settle(wei, [transfer(wei + 1n)], quotes, POLICY)).toMatchObject({
      coverage: 'over',
      overpaidAmount: 1n,
    });
  });
});

it.each<[string, SettlementTransfer[], bigint]>([
  ['all of it at first', [], 155_470n],
  ['the rest, rounded up', [transfer(155_469n)], 1n],
  ['the rest while the part is pending', [transfer(155_000n, { state: 'pending' })], 470n],
  ['all of it again once nothing is missing', [transfer(155_470n)], 155_470n],
])('the amount of a quote is %s', (_what, transfers, due) => {
  expect(dueUnits(settle(DUE, transfers, QUOTES, POLICY).remaining, 155_470n)).toBe(due);
});

describe('the remaining amount', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 24n });

  it('always suffices, whatever was paid before and at which quote', () => {
    fc.assert(
      fc.property(amount, amount, amount, amount, (due, first, second, paid) => {
        const quotes = [
          { ...ASSET, id: 'first', assetAmount: first },
          { ...ASSET, id: 'second', assetAmount: second },
        ];
        const before = [transfer(paid)];
        const missing = unitsOf(settle(due, before, quotes, POLICY).remaining, second);
        const after = [...before, ...(missing > 0n ? [transfer(missing, { quoteId: 'second' })] : [])];
        expect(['full', 'over']).toContain(settle(due, after, quotes, POLICY).coverage);
        expect(paid >= first).toBe(missing === 0n);
      }),
    );
  });

  it('exceeds the exact rest by less than one unit', () => {
    fc.assert(
      fc.property(amount, amount, (quoted, paid) => {
        const quotes = [{ ...ASSET, id: 'first', assetAmount: quoted }];
        expect(unitsOf(settle(quoted, [transfer(paid)], quotes, POLICY).remaining, quoted)).toBe(
          paid >= quoted ? 0n : quoted - paid,
        );
      }),
    );
  });
});
