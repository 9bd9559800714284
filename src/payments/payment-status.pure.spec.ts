import {
  canMove,
  type Decisions,
  eventOnEntry,
  isStillPaid,
  nextMove,
  PAYMENT_STATUSES,
  type PaymentStatus,
  refundMove,
  TRANSITIONS,
} from './payment-status.pure.js';
import type { Settlement } from './quotes/settlement.pure.js';

const NOTHING: Settlement = {
  isSeen: false,
  isAllConfirmed: true,
  coverage: 'none',
  isLeastShareMet: true,
  receivedAmount: 0n,
  countedAmount: 0n,
  excessAmount: 0n,
  leastAmount: 1n,
  isCompletedByDust: false,
  dust: new Set(),
  overpaidAmount: null,
  underpaidAmount: null,
  remaining: { numerator: 1n, denominator: 1n },
};
const SEEN: Settlement = { ...NOTHING, isSeen: true, isAllConfirmed: false };
const SHORT: Settlement = { ...NOTHING, isSeen: true, coverage: 'short', receivedAmount: 60n };
const SHORT_AND_PENDING: Settlement = { ...SHORT, isAllConfirmed: false };
const SHORTER: Settlement = { ...SHORT, receivedAmount: 59n };
const SHORTER_AND_PENDING: Settlement = { ...SHORTER, isAllConfirmed: false };
const LONGER: Settlement = { ...SHORT, receivedAmount: 61n };
const FULL: Settlement = { ...NOTHING, isSeen: true, coverage: 'full' };
const OVER: Settlement = { ...NOTHING, isSeen: true, coverage: 'over', excessAmount: 1n };
/** A second payment was seen, and is not confirmed. */
const OVER_SOON: Settlement = { ...FULL, excessAmount: 1n };

const STRICT: Decisions = {
  allowUnderpay: false,
  allowOverpay: true,
  isQuoteEnded: false,
  acceptedAmount: null,
  isOverpayAccepted: false,
  refundedAmount: 0n,
  isAcknowledged: false,
};

type Row = [PaymentStatus, string, Settlement, Partial<Decisions>, PaymentStatus | null];
const ROWS: Row[] = [
  ['OPEN', 'nothing seen', NOTHING, {}, null],
  ['OPEN', 'a transfer seen', SEEN, {}, 'FOUND'],
  ['OPEN', 'full funds seen at once', FULL, {}, 'FOUND'],
  ['FOUND', 'still unconfirmed', SEEN, {}, null],
  ['FOUND', 'everything gone', NOTHING, {}, 'OPEN'],
  ['FOUND', 'full', FULL, {}, 'RECEIVED'],
  ['FOUND', 'over', OVER, {}, 'RECEIVED'],
  ['FOUND', 'over where not allowed', OVER, { allowOverpay: false }, 'RECEIVED'],
  ['FOUND', 'short, more pending', SHORT_AND_PENDING, {}, null],
  ['FOUND', 'short, all confirmed', SHORT, {}, 'UNDERPAID'],
  ['FOUND', 'short even where allowed', SHORT, { allowUnderpay: true, isQuoteEnded: true }, 'UNDERPAID'],
  ['UNDERPAID', 'still short', SHORT, {}, null],
  ['UNDERPAID', 'topped up', FULL, {}, 'RECEIVED'],
  ['UNDERPAID', 'topped up above', OVER, {}, 'RECEIVED'],
  ['UNDERPAID', 'orphaned to zero', NOTHING, {}, 'OPEN'],
  ['UNDERPAID', 'allowed but the quote still runs', SHORT, { allowUnderpay: true }, null],
  ['UNDERPAID', 'allowed, quote ended', SHORT, { allowUnderpay: true, isQuoteEnded: true }, 'RECEIVED'],
  [
    'UNDERPAID',
    'allowed, quote ended, more pending',
    SHORT_AND_PENDING,
    { allowUnderpay: true, isQuoteEnded: true },
    null,
  ],
  [
    'UNDERPAID',
    'allowed, but below the minimum',
    { ...SHORT, isLeastShareMet: false },
    { allowUnderpay: true, isQuoteEnded: true },
    null,
  ],
  ['UNDERPAID', 'not allowed, quote ended', SHORT, { isQuoteEnded: true }, null],
  ['UNDERPAID', 'accepted by the merchant', SHORT, { acceptedAmount: 60n }, 'RECEIVED'],
  ['RECEIVED', 'waiting for the merchant', FULL, {}, null],
  ['RECEIVED', 'acknowledged', FULL, { isAcknowledged: true }, 'CONFIRMED'],
  ['RECEIVED', 'overpaid and allowed', OVER, { isAcknowledged: true }, 'CONFIRMED'],
  ['RECEIVED', 'overpaid soon and allowed', OVER_SOON, { isAcknowledged: true }, 'CONFIRMED'],
  ['RECEIVED', 'overpaid soon, on hold', OVER_SOON, { isAcknowledged: true, allowOverpay: false }, null],
  ['RECEIVED', 'overpaid on hold', OVER, { isAcknowledged: true, allowOverpay: false }, null],
  [
    'RECEIVED',
    'overpaid, accepted',
    OVER,
    { isAcknowledged: true, allowOverpay: false, isOverpayAccepted: true },
    'CONFIRMED',
  ],
  [
    'RECEIVED',
    'overpaid, excess refunded',
    OVER,
    { isAcknowledged: true, allowOverpay: false, refundedAmount: 1n },
    'CONFIRMED',
  ],
  [
    'RECEIVED',
    'overpaid, excess refunded, not acknowledged',
    OVER,
    { allowOverpay: false, refundedAmount: 1n },
    null,
  ],
  [
    'RECEIVED',
    'overpaid, accepted, not acknowledged',
    OVER,
    { allowOverpay: false, isOverpayAccepted: true },
    null,
  ],
  [
    'RECEIVED',
    'accepted short, acknowledged',
    SHORT,
    { acceptedAmount: 60n, isAcknowledged: true },
    'CONFIRMED',
  ],
  ['RECEIVED', 'a reorg removed all', NOTHING, { isAcknowledged: true }, 'OPEN'],
  ['RECEIVED', 'reorg: is pending again', SEEN, { isAcknowledged: true }, 'FOUND'],
  ['RECEIVED', 'reorg: short now', SHORT, { isAcknowledged: true }, 'UNDERPAID'],
  ['RECEIVED', 'accepted short', SHORT, { acceptedAmount: 60n }, null],
  ['RECEIVED', 'accepted short, more pending', SHORT_AND_PENDING, { acceptedAmount: 60n }, null],
  ['RECEIVED', 'accepted short, more arrived', LONGER, { acceptedAmount: 60n }, null],
  ['RECEIVED', 'accepted short, the rest arrived', FULL, { acceptedAmount: 60n }, null],
  ['RECEIVED', 'accepted short, more than the rest arrived', OVER, { acceptedAmount: 60n }, null],
  [
    'RECEIVED',
    'accepted short, acknowledged, more pending',
    SHORT_AND_PENDING,
    { acceptedAmount: 60n, isAcknowledged: true },
    'CONFIRMED',
  ],
  ['RECEIVED', 'reorg under an accepted short sum', SHORTER, { acceptedAmount: 60n }, 'UNDERPAID'],
  [
    'RECEIVED',
    'reorg under an accepted short sum, is pending again',
    SHORTER_AND_PENDING,
    { acceptedAmount: 60n },
    'FOUND',
  ],
  [
    'RECEIVED',
    'reorg under an accepted short sum, acknowledged before it was known',
    SHORTER,
    { acceptedAmount: 60n, isAcknowledged: true },
    'UNDERPAID',
  ],
  ['RECEIVED', 'a reorg removed all of an accepted short sum', NOTHING, { acceptedAmount: 60n }, 'OPEN'],
  ['RECEIVED', 'all of an accepted short sum is pending again', SEEN, { acceptedAmount: 60n }, 'FOUND'],
  [
    'RECEIVED',
    'a reorg removed an accepted sum worth less than a unit',
    NOTHING,
    { acceptedAmount: 0n },
    'OPEN',
  ],
  ['RECEIVED', 'short, allowed, and never accepted', SHORT, { allowUnderpay: true }, 'UNDERPAID'],
  ['CONFIRMED', 'a reorg removed all', NOTHING, {}, null],
  ['CONFIRMED', 'reorg under an accepted short sum', SHORTER, { acceptedAmount: 60n }, null],
  ['CONFIRMED', 'more arrived', OVER, { allowOverpay: false }, null],
  ['CANCELLED', 'funds arrived', FULL, { isAcknowledged: true }, null],
  ['ERROR', 'funds arrived', FULL, { isAcknowledged: true }, null],
  ['REFUND', 'funds arrived', FULL, { isAcknowledged: true }, null],
];

describe('nextMove', () => {
  it.each(ROWS)('%s, %s', (status, _name, funds, decisions, expected) => {
    expect(nextMove(status, funds, { ...STRICT, ...decisions })?.to ?? null).toBe(expected);
  });

  it('returns only legal transitions and ends for every input', () => {
    const bools = [false, true];
    for (const status of PAYMENT_STATUSES)
      for (const funds of [NOTHING, SEEN, SHORT, SHORT_AND_PENDING, SHORTER, LONGER, FULL, OVER])
        for (const allowUnderpay of bools)
          for (const allowOverpay of bools)
            for (const isQuoteEnded of bools)
              for (const isAcknowledged of bools) {
                const decisions = { ...STRICT, allowUnderpay, allowOverpay, isQuoteEnded, isAcknowledged };
                if (status === 'RECEIVED') decisions.acceptedAmount = 60n;
                let current: PaymentStatus = status;
                let steps = 0;
                for (
                  let move = nextMove(current, funds, decisions);
                  move;
                  move = nextMove(current, funds, decisions)
                ) {
                  expect(canMove(current, move.to)).toBe(true);
                  current = move.to;
                  expect(++steps).toBeLessThan(5);
                  // As the automatic acceptance stores it.
                  if (move.reason === 'underpayment_accepted')
                    decisions.acceptedAmount = funds.receivedAmount;
                  // As a reorg resets it.
                  if (move.reason === 'reorg') decisions.acceptedAmount = null;
                }
              }
  });
});

describe('isStillPaid', () => {
  it.each<[string, Settlement, acceptedAmount: bigint | null, boolean]>([
    ['paid in full', FULL, null, true],
    ['paid above', OVER, null, true],
    ['nothing confirmed', SEEN, null, false],
    ['short and never accepted', SHORT, null, false],
    ['exactly what was accepted', SHORT, 60n, true],
    ['the same, and more pending', SHORT_AND_PENDING, 60n, true],
    ['more than was accepted', LONGER, 60n, true],
    ['the rest arrived after it was accepted', FULL, 60n, true],
    ['one unit less than was accepted', SHORTER, 60n, false],
    ['less than was accepted, and the difference pending', SHORTER_AND_PENDING, 60n, false],
    ['nothing left of what was accepted', NOTHING, 60n, false],
    ['nothing confirmed any more of what was accepted', SEEN, 60n, false],
    ['less than a unit, accepted', { ...SHORT, receivedAmount: 0n }, 0n, true],
    ['nothing left of less than a unit', NOTHING, 0n, false],
  ])('%s', (_name, funds, acceptedAmount, expected) => {
    expect(isStillPaid(funds, { ...STRICT, acceptedAmount })).toBe(expected);
  });
});

describe('TRANSITIONS', () => {
  it('reject every pair that is not listed, including a status to itself', () => {
    const legal = Object.values(TRANSITIONS).flat().length;
    const pairs = PAYMENT_STATUSES.flatMap((from) => PAYMENT_STATUSES.map((to) => canMove(from, to)));
    expect(pairs.filter(Boolean)).toHaveLength(legal);
    expect(legal).toBe(16);
    for (const status of PAYMENT_STATUSES) expect(canMove(status, status)).toBe(false);
  });

  it('reach every status from OPEN and never leave the final ones', () => {
    const reached = new Set<PaymentStatus>(['OPEN']);
    for (const status of reached) for (const to of TRANSITIONS[status]) reached.add(to);
    expect([...reached].sort()).toEqual([...PAYMENT_STATUSES].sort());
    for (const status of ['CANCELLED', 'ERROR', 'REFUND'] as const) expect(TRANSITIONS[status]).toEqual([]);
    expect(TRANSITIONS.CONFIRMED).toEqual(['REFUND', 'CANCELLED']);
  });
});

describe('refundMove', () => {
  const REFUNDABLE = ['UNDERPAID', 'RECEIVED', 'CONFIRMED'];

  it.each(PAYMENT_STATUSES)('moves a %s payment only when everything was refunded, if at all', (status) => {
    const covered = REFUNDABLE.includes(status) ? 'REFUND' : null;
    const move = (countedAmount: bigint, refunded: bigint, leastAmount = 1n) =>
      refundMove(status, { countedAmount, leastAmount }, refunded)?.to ?? null;
    expect(move(100n, 100n)).toBe(covered);
    // A reorg removed funds after they were refunded.
    expect(move(99n, 100n)).toBe(covered);
    expect(move(100n, 99n)).toBeNull();
    expect(move(0n, 0n)).toBeNull();
    // Dust that came meanwhile does not keep it open.
    expect(move(104n, 100n, 5n)).toBe(covered);
    expect(move(105n, 100n, 5n)).toBeNull();
  });
});

describe('eventOnEntry', () => {
  it.each([
    ['RECEIVED', 'payment.received'],
    ['CONFIRMED', 'payment.completed'],
    ['UNDERPAID', 'payment.underpaid'],
    ['REFUND', 'payment.refund'],
    ['OPEN', null],
    ['FOUND', 'payment.found'],
    ['CANCELLED', 'payment.cancelled'],
    ['ERROR', null],
  ] as const)('%s announces %s', (status, event) => {
    expect(eventOnEntry(status, true)).toBe(event);
  });

  it('announces no underpayment that the application allows', () => {
    expect(eventOnEntry('UNDERPAID', false)).toBeNull();
  });
});
