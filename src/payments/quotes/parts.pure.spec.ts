import fc from 'fast-check';
import { allotParts, creditedBy, type PartTransfer } from './parts.pure.js';
import { paidBy, partOf } from './weighing.pure.js';

// 29.08 EUR, quoted as 31.43 USDC, and in a coin of 18 places.
const DUE = 2_908n;
const QUOTES = [
  { id: 'usdc', assetAmount: 31_430_000n },
  { id: 'eth', assetAmount: 9_210_000_000_000_001n },
];
const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 10, minute));

function transfer(amount: bigint, changes: Partial<PartTransfer> = {}): PartTransfer {
  return {
    amount,
    quoteId: 'usdc',
    state: 'confirmed',
    isMatched: true,
    seenAt: at(1),
    confirmedAt: at(2),
    creditedAmount: null,
    ...changes,
  };
}
const waits = { state: 'pending', confirmedAt: null } as const;
/** Of 31.43 USDC: 9.6933 of 29.08 EUR. */
const THIRD = 10_476_666n;

function allotted(transfers: readonly PartTransfer[], due = DUE, quotes = QUOTES): (bigint | null)[] {
  const parts = allotParts(due, transfers, quotes);
  return transfers.map((each) => parts.get(each) ?? each.creditedAmount);
}

describe('allotParts', () => {
  it.each<[string, PartTransfer[], (bigint | null)[]]>([
    ['nothing', [], []],
    ['the whole amount', [transfer(31_430_000n)], [2_908n]],
    ['more than the amount', [transfer(62_860_000n)], [5_816n]],
    ['two halves, of 14.54 each', [transfer(15_715_000n), transfer(15_715_000n)], [1_454n, 1_454n]],
    [
      'a third and the rest: 9.693 and 19.386',
      [transfer(10_476_666n), transfer(20_953_334n)],
      [969n, 1_939n],
    ],
    [
      'three parts that are alike: the first two of them round up',
      [1, 2, 3].map(() => transfer(THIRD + 1n)),
      [970n, 969n, 969n],
    ],
    [
      'the largest remainder, wherever it stands',
      [transfer(10_480_000n), transfer(20_950_000n)],
      [970n, 1_938n],
    ],
    ['transfers of less than a cent each', [1, 2, 3, 4].map(() => transfer(4_000n)), [1n, 0n, 0n, 0n]],
    [
      'two coins with their own rates',
      [transfer(15_720_000n), transfer(4_603_600_000_000_001n, { quoteId: 'eth' })],
      [1_454n, 1_454n],
    ],
    ['what waits, after what counts', [transfer(THIRD), transfer(20_953_334n, waits)], [969n, 1_939n]],
    [
      'what waits, which alone would round up',
      [transfer(THIRD, waits), transfer(20_953_334n)],
      [970n, 1_938n],
    ],
    ['what the network has taken back', [transfer(31_430_000n, { state: 'orphaned' })], [null]],
    ['what was not asked for', [transfer(31_430_000n, { isMatched: false, quoteId: null })], [null]],
    ['what waits for a rate', [transfer(31_430_000n, { quoteId: null })], [null]],
    ['a quote of another payment', [transfer(31_430_000n, { quoteId: 'other' })], [null]],
    ['a part that nothing explains', [transfer(31_430_000n, { creditedAmount: 7n })], [2_908n]],
    [
      'a part that is rounded up without a rest',
      [transfer(15_715_000n, { creditedAmount: 1_455n })],
      [1_454n],
    ],
  ])('divides the sum among %s', (_what, transfers, expected) => {
    expect(allotted(transfers)).toEqual(expected);
  });

  const told = transfer(THIRD, { creditedAmount: 969n });
  const second = transfer(THIRD, { creditedAmount: 969n, confirmedAt: at(3) });
  it.each<[string, PartTransfer[], (bigint | null)[]]>([
    [
      'a third transfer takes what is missing, though an earlier one has a larger rest',
      [told, second, transfer(10_476_668n)],
      [969n, 969n, 970n],
    ],
    ['a first one stays as it is beside one that waits', [told, transfer(THIRD, waits)], [969n, 969n]],
    [
      'one that was rounded up stays so',
      [transfer(THIRD, { creditedAmount: 970n }), second, transfer(10_476_668n)],
      [970n, 969n, 969n],
    ],
    [
      'a transfer that comes back has the part that it had',
      [told, second, transfer(10_476_668n, { creditedAmount: 970n })],
      [969n, 969n, 970n],
    ],
    [
      'once another is gone, the one that counts for the shortest time is rounded down',
      [
        transfer(10_480_000n, { creditedAmount: 970n }),
        transfer(10_480_000n, { creditedAmount: 970n, confirmedAt: at(3) }),
        transfer(10_472_000n, { creditedAmount: 968n, state: 'orphaned', confirmedAt: null }),
      ],
      [970n, 969n, 968n],
    ],
    [
      'and the last is rounded up where one that was rounded down is gone',
      [
        transfer(10_480_000n, { creditedAmount: 969n }),
        transfer(10_480_000n, { creditedAmount: 969n, confirmedAt: at(3) }),
        transfer(10_480_000n, { creditedAmount: 970n, state: 'replaced', confirmedAt: null }),
      ],
      [969n, 970n, 970n],
    ],
    [
      'one that was valued late takes what is missing',
      [told, transfer(20_953_334n, { seenAt: at(0) })],
      [969n, 1_939n],
    ],
  ])('changes nothing without need: %s', (_what, transfers, expected) => {
    expect(allotted(transfers)).toEqual(expected);
  });

  it.each<[string, bigint, bigint]>([
    ['no decimals', 28_203n, 10n ** 8n],
    ['three', 9_876_543n, 31_430_000n],
    ['eighteen', 1_500_000_000_000_000_001n, 1_500_000_000_000_000_001n],
    ['a price of one unit', 1n, 31_430_001n],
  ])('adds up in a currency of %s', (_what, due, assetAmount) => {
    const quotes = [{ id: 'usdc', assetAmount }];
    const parts = allotted(
      [assetAmount / 3n, assetAmount / 7n, assetAmount - assetAmount / 3n - assetAmount / 7n].map((amount) =>
        transfer(amount),
      ),
      due,
      quotes,
    );
    expect(parts.reduce<bigint>((sum, part) => sum + (part ?? 0n), 0n)).toBe(due);
  });
});

describe('creditedBy', () => {
  it.each<[PartTransfer['state'], bigint | null, bigint]>([
    ['confirmed', 5n, 5n],
    ['pending', 5n, 5n],
    ['orphaned', 5n, 0n],
    ['replaced', 5n, 0n],
    ['dropped', 5n, 0n],
    ['confirmed', null, 0n],
  ])('of a transfer that is %s with %s is %s', (state, creditedAmount, expected) => {
    expect(creditedBy({ state, creditedAmount })).toBe(expected);
  });
});

describe('parts, whatever comes and goes,', () => {
  const quote = fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    assetAmount: fc.bigInt({ min: 1n, max: 10n ** 20n }),
  });
  const change = fc.record({
    kind: fc.constantFrom('arrive', 'confirm', 'take back', 'wait again', 'come back'),
    which: fc.nat(7),
    amount: fc.bigInt({ min: 1n, max: 10n ** 20n }),
    quote: fc.nat(2),
  });

  it('add up to what was received, are off by less than one unit each, and stay when another one comes', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 20n }),
        fc.uniqueArray(quote, { selector: ({ id }) => id, minLength: 1, maxLength: 3 }),
        fc.array(change, { maxLength: 40 }),
        (due, quotes, changes) => {
          const all: PartTransfer[] = [];
          for (const [minute, { kind, which, amount, quote: at_ }] of changes.entries()) {
            const now = at(minute);
            const one = all[which % Math.max(all.length, 1)];
            const before = new Map(all.map((each) => [each, each.creditedAmount]));
            const isArrival = kind === 'arrive' || one === undefined;
            if (isArrival)
              all.push(
                transfer(amount, { ...waits, seenAt: now, quoteId: quotes[at_ % quotes.length]?.id ?? '' }),
              );
            else if (kind === 'confirm' && one.state === 'pending')
              Object.assign(one, { state: 'confirmed', confirmedAt: now });
            else if (kind === 'take back') Object.assign(one, { state: 'orphaned', confirmedAt: null });
            else if (kind === 'wait again' && one.state === 'confirmed')
              Object.assign(one, { state: 'pending', confirmedAt: null });
            else if (kind === 'come back' && one.state === 'orphaned') one.state = 'pending';
            for (const [each, part] of allotParts(due, all, quotes)) each.creditedAmount = part;
            const live = all.filter(({ state }) => state !== 'orphaned');
            const confirmed = live.filter(({ state }) => state === 'confirmed');
            const total = (some: PartTransfer[]) => some.reduce((sum, each) => sum + creditedBy(each), 0n);
            expect(total(confirmed)).toBe(partOf(due, paidBy(confirmed, quotes)));
            expect(total(live)).toBe(partOf(due, paidBy(live, quotes)));
            for (const each of live) {
              const divisor = quotes.find(({ id }) => id === each.quoteId)?.assetAmount ?? 1n;
              const error = creditedBy(each) * divisor - due * each.amount;
              expect(error > -divisor && error < divisor).toBe(true);
            }
            if (isArrival)
              for (const [each, part] of before) expect([each, each.creditedAmount]).toEqual([each, part]);
            expect(allotParts(due, all, quotes).size).toBe(0);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
