import { isOwedKind, openOf, type OpenFacts, OWED_KINDS, owedBy, owedKindsOf } from './open-sums.pure.js';
import { PAYMENT_ATTENTION } from '../payment-attention.pure.js';

const PAID: OpenFacts = {
  status: 'CONFIRMED',
  reviewReason: null,
  receivedAmount: 1_500n,
  overpaidAmount: 500n,
  underpaidAmount: null,
  seenExcess: 500n,
  promised: 0n,
  keptAmount: null,
  isOverpayAccepted: false,
  isTwiceKept: false,
  hasTwin: false,
  hasFundsAfterEnd: false,
  isPaidLate: false,
  isLateKept: false,
};
const EXACT = { receivedAmount: 1_000n, overpaidAmount: null, seenExcess: 0n } as const;
const SHORT = { ...EXACT, status: 'UNDERPAID', receivedAmount: 930n, underpaidAmount: 70n } as const;

it.each<[string, Partial<OpenFacts>, [string, bigint] | null]>([
  ['nothing of what was paid exactly', EXACT, null],
  ['the excess', {}, ['overpaid', 500n]],
  ['the rest of an excess', { promised: 200n }, ['overpaid', 300n]],
  ['nothing of an excess that went back, or is to', { promised: 500n }, null],
  ['nothing where more than the excess went back', { promised: 900n }, null],
  ['nothing of an excess that is accepted', { isOverpayAccepted: true }, null],
  ['nothing of an excess that is kept', { keptAmount: 500n }, null],
  ['what came on top of what is kept', { keptAmount: 300n, isOverpayAccepted: true }, ['overpaid', 200n]],
  ['what is neither given back nor kept', { promised: 150n, keptAmount: 300n }, ['overpaid', 50n]],
  [
    'a held excess, also what waits for its blocks',
    { status: 'RECEIVED', reviewReason: 'overpaid', seenExcess: 700n },
    ['overpaid_held', 700n],
  ],
  ['all of a second payment', { ...EXACT, hasTwin: true }, ['paid_twice', 1_000n]],
  ['all of a second payment once, with its excess', { hasTwin: true }, ['paid_twice', 1_500n]],
  ['the excess of a second payment that is kept', { hasTwin: true, isTwiceKept: true }, ['overpaid', 500n]],
  ['all of a payment after the end', { ...EXACT, isPaidLate: true, promised: 1n }, ['paid_late', 999n]],
  ['nothing of one that is kept', { ...EXACT, isPaidLate: true, isLateKept: true }, null],
  ['once what is late and paid twice', { hasTwin: true, isPaidLate: true }, ['paid_late', 1_500n]],
  [
    'money after a cancellation',
    { ...EXACT, status: 'CANCELLED', reviewReason: 'funds_after_cancel', hasFundsAfterEnd: true },
    ['funds_after_end', 1_000n],
  ],
  [
    'nothing of that while it waits for its blocks',
    {
      ...EXACT,
      receivedAmount: 0n,
      status: 'CANCELLED',
      reviewReason: 'funds_after_cancel',
      hasFundsAfterEnd: true,
    },
    null,
  ],
  ['what is missing', SHORT, ['underpaid', 70n]],
  [
    'nothing that is missing of an order that is paid otherwise',
    { ...SHORT, hasTwin: true },
    ['paid_twice', 930n],
  ],
  ['nothing that is missing of an accepted payment', { ...SHORT, status: 'RECEIVED' }, null],
  ['nothing of a zero', { ...EXACT, status: 'UNDERPAID', underpaidAmount: 0n }, null],
])('open is %s', (_what, facts, expected) => {
  const open = openOf({ ...PAID, ...facts });
  expect(open && [open.kind, open.amount]).toEqual(expected);
});

it('has every kind of attention with a sum, in its order', () => {
  expect(OWED_KINDS.every((kind) => (PAYMENT_ATTENTION as readonly string[]).includes(kind))).toBe(true);
  expect(PAYMENT_ATTENTION.filter(isOwedKind)).toEqual(
    PAYMENT_ATTENTION.filter((kind) => (OWED_KINDS as readonly string[]).includes(kind)),
  );
});

it('counts each unit once: no item of a payment has more than what is open of it', () => {
  const flags = [false, true];
  let compared = 0;
  for (const status of ['UNDERPAID', 'RECEIVED', 'CONFIRMED', 'CANCELLED'] as const)
    for (const reviewReason of [null, 'overpaid', 'reorg', 'funds_after_cancel'] as const)
      for (const promised of [0n, 200n, 1_500n])
        for (const keptAmount of [null, 300n])
          for (const isPaidLate of flags)
            for (const hasTwin of flags)
              for (const hasFundsAfterEnd of flags) {
                const facts = { ...PAID, status, reviewReason, promised, keptAmount, isPaidLate, hasTwin };
                const all = { ...facts, hasFundsAfterEnd };
                const sums = owedKindsOf(all).map((kind) => owedBy(kind, all));
                if (sums.length === 0) continue;
                const widest = sums.reduce((a, b) => (a > b ? a : b));
                expect([all, openOf(all)?.amount ?? 0n]).toEqual([all, widest]);
                compared += 1;
              }
  expect(compared).toBeGreaterThan(100);
});
