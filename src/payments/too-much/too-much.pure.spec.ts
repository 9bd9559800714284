import { PAYMENT_STATUSES } from '../payment-status.pure.js';
import { isKeepable, type TooMuchFacts, tooMuchOf } from './too-much.pure.js';

const PAID: TooMuchFacts = {
  status: 'CONFIRMED',
  reviewReason: null,
  receivedAmount: 130n,
  overpaidAmount: 30n,
  promised: 0n,
  keptAmount: null,
  isOverpayAccepted: false,
  isTwiceKept: false,
  hasTwin: false,
  hasFundsAfterEnd: false,
  isPaidLate: false,
  isLateKept: false,
};
const LATE = { overpaidAmount: null, receivedAmount: 100n, isPaidLate: true } as const;
const SECOND = { overpaidAmount: null, receivedAmount: 100n, hasTwin: true } as const;

describe('what is owed of an excess', () => {
  it.each<[string, Partial<TooMuchFacts>, bigint]>([
    ['all of it', {}, 30n],
    ['as well before the shop has acknowledged it', { status: 'RECEIVED' }, 30n],
    ['nothing without an excess', { overpaidAmount: null }, 0n],
    ['less what refunds promise', { promised: 10n }, 20n],
    ['nothing once they promise all of it', { promised: 30n }, 0n],
    ['nothing once they promise more', { promised: 130n }, 0n],
    ['nothing once it is kept', { keptAmount: 30n }, 0n],
    ['what came after it was kept', { keptAmount: 20n }, 10n],
    ['what is neither kept nor promised', { keptAmount: 20n, promised: 4n }, 6n],
    [
      'nothing where it is held, which has an item of its own',
      { status: 'RECEIVED', reviewReason: 'overpaid' },
      0n,
    ],
    ['what came after a held one was accepted', { isOverpayAccepted: true, keptAmount: 25n }, 5n],
    ['nothing where one was accepted before that was remembered', { isOverpayAccepted: true }, 0n],
    ['nothing that is refunded in full', { status: 'REFUND', promised: 130n }, 0n],
  ])('is %s', (_what, facts, owed) => {
    expect(tooMuchOf({ ...PAID, ...facts }).owed).toBe(owed);
  });
});

describe('what is paid twice', () => {
  it.each<[string, Partial<TooMuchFacts>, boolean]>([
    ['a second one that is paid', {}, true],
    ['a part of it, too', { status: 'UNDERPAID' }, true],
    ['the only one', { hasTwin: false }, false],
    ['one that nothing has paid', { status: 'OPEN', receivedAmount: 0n }, false],
    ['one that was cancelled', { status: 'CANCELLED' }, false],
    ['one that is given back', { promised: 100n }, false],
    ['one that is given back in part', { promised: 99n }, true],
    ['one that the merchant keeps', { isTwiceKept: true }, false],
    ['one whose money the chain took back', { reviewReason: 'reorg' }, false],
  ])('%s: %p %p', (_what, facts, expected) => {
    expect(tooMuchOf({ ...PAID, ...SECOND, ...facts }).isPaidTwice).toBe(expected);
  });
});

describe('what is paid after the end of the link', () => {
  it.each<[string, Partial<TooMuchFacts>, boolean]>([
    ['a payment', {}, true],
    ['one that the shop has not acknowledged', { status: 'RECEIVED' }, true],
    ['one that came in time', { isPaidLate: false }, false],
    ['one that the merchant keeps', { isLateKept: true }, false],
    ['one that is given back', { promised: 100n }, false],
    ['one that is given back in part', { promised: 99n }, true],
    ['one that is refunded', { status: 'REFUND', promised: 100n }, false],
    ['one whose money the chain took back', { reviewReason: 'reorg' }, false],
    ['one that is short, which is decided about there', { status: 'UNDERPAID' }, false],
    ['one that was cancelled, which is money after the end', { status: 'CANCELLED' }, false],
  ])('%s: %p %p', (_what, facts, expected) => {
    expect(tooMuchOf({ ...PAID, ...LATE, ...facts }).isPaidLate).toBe(expected);
  });
});

/** Every combination of the facts. */
function* all(): Generator<TooMuchFacts> {
  const [flags, amounts] = [
    [false, true],
    [0n, 1n, 30n, 130n],
  ];
  for (const status of PAYMENT_STATUSES)
    for (const reviewReason of [null, 'overpaid', 'reorg', 'funds_after_cancel'] as const)
      for (const overpaidAmount of [null, 30n])
        for (const promised of amounts)
          for (const keptAmount of [null, ...amounts])
            for (const isOverpayAccepted of flags)
              for (const isTwiceKept of flags)
                for (const hasTwin of flags)
                  for (const hasFundsAfterEnd of flags)
                    for (const [isPaidLate, isLateKept] of LATENESS)
                      yield {
                        status,
                        reviewReason,
                        receivedAmount: 130n,
                        overpaidAmount,
                        promised,
                        keptAmount,
                        isOverpayAccepted,
                        isTwiceKept,
                        hasTwin,
                        hasFundsAfterEnd,
                        isPaidLate,
                        isLateKept,
                      };
}

const LATENESS = [
  [false, false],
  [false, true],
  [true, false],
  [true, true],
] as const;

/** What is wrong with the decision about these facts; null: nothing. */
function wrongWith(one: TooMuchFacts): string | null {
  const { status, promised, receivedAmount } = one;
  const excess = one.overpaidAmount ?? 0n;
  const tooMuch = tooMuchOf(one);
  const { owed, isPaidTwice, isAfterEnd, isPaidLate } = tooMuch;
  if (owed < 0n || (owed > 0n && owed + promised > excess)) return 'owes more than is there';
  if (isKeepable(tooMuch) && !isAfterEnd && !['UNDERPAID', 'RECEIVED', 'CONFIRMED'].includes(status))
    return 'keeps after the end';
  if (isAfterEnd && one.reviewReason !== 'funds_after_cancel') return 'ended by no reason';
  // Both ends are ends: everything given back, or everything kept.
  // What rows beside the payment say of funds after the end follows from refunds and the mark.
  const settled = { ...one, hasFundsAfterEnd: false };
  if (isKeepable(tooMuchOf({ ...settled, promised: receivedAmount }))) return 'is there after the refund';
  const keptAmount = owed > 0n ? (one.keptAmount ?? 0n) + owed : one.keptAmount;
  const isTwiceKept = one.isTwiceKept || isPaidTwice;
  const isLateKept = one.isLateKept || isPaidLate;
  if (isKeepable(tooMuchOf({ ...settled, keptAmount, isTwiceKept, isLateKept })))
    return 'is there after it was kept';
  const more = tooMuchOf({ ...one, keptAmount, overpaidAmount: excess + 7n });
  return owed > 0n && more.owed !== 7n ? 'does not come back with a new excess' : null;
}

it('over all combinations owes no more than is there, and ends in both ways that there are', () => {
  const facts = [...all()];
  expect(facts).toHaveLength(8 * 4 * 2 * 4 * 5 * 16 * 4);
  expect(facts.map((one) => [wrongWith(one), one]).filter(([wrong]) => wrong !== null)).toEqual([]);
  expect(facts.filter((one) => isKeepable(tooMuchOf(one))).length).toBeGreaterThan(1_000);
});
