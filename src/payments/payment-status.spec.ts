import {
  canMove,
  type Decisions,
  eventOnEntry,
  nextMove,
  PAYMENT_STATUSES,
  type PaymentStatus,
  refundMove,
  TRANSITIONS,
} from './payment-status.js';
import type { Settlement } from './settlement.js';

const NOTHING: Settlement = {
  isSeen: false,
  isAllConfirmed: true,
  coverage: 'none',
  isAcceptMinimumMet: true,
  receivedAmount: 0n,
  overpaidAmount: null,
  underpaidAmount: null,
  remaining: { numerator: 1n, denominator: 1n },
};
const SEEN: Settlement = { ...NOTHING, isSeen: true, isAllConfirmed: false };
const SHORT: Settlement = { ...NOTHING, isSeen: true, coverage: 'short' };
const SHORT_AND_PENDING: Settlement = { ...SHORT, isAllConfirmed: false };
const FULL: Settlement = { ...NOTHING, isSeen: true, coverage: 'full' };
const OVER: Settlement = { ...NOTHING, isSeen: true, coverage: 'over' };

const STRICT: Decisions = {
  allowUnderpay: false,
  allowOverpay: true,
  isQuoteEnded: false,
  isUnderpayAccepted: false,
  isOverpayAccepted: false,
  isExcessRefunded: false,
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
  ['FOUND', 'short, more on its way', SHORT_AND_PENDING, {}, null],
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
    'allowed, but below the floor',
    { ...SHORT, isAcceptMinimumMet: false },
    { allowUnderpay: true, isQuoteEnded: true },
    null,
  ],
  ['UNDERPAID', 'not allowed, quote ended', SHORT, { isQuoteEnded: true }, null],
  ['UNDERPAID', 'accepted by the merchant', SHORT, { isUnderpayAccepted: true }, 'RECEIVED'],
  ['RECEIVED', 'waiting for the merchant', FULL, {}, null],
  ['RECEIVED', 'acknowledged', FULL, { isAcknowledged: true }, 'CONFIRMED'],
  ['RECEIVED', 'overpaid and allowed', OVER, { isAcknowledged: true }, 'CONFIRMED'],
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
    { isAcknowledged: true, allowOverpay: false, isExcessRefunded: true },
    'CONFIRMED',
  ],
  [
    'RECEIVED',
    'overpaid, excess refunded, not acknowledged',
    OVER,
    { allowOverpay: false, isExcessRefunded: true },
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
    { isUnderpayAccepted: true, isAcknowledged: true },
    'CONFIRMED',
  ],
  ['RECEIVED', 'reorg took all', NOTHING, { isAcknowledged: true }, 'OPEN'],
  ['RECEIVED', 'reorg: waits again', SEEN, { isAcknowledged: true }, 'FOUND'],
  ['RECEIVED', 'reorg: short now', SHORT, { isAcknowledged: true }, 'UNDERPAID'],
  ['RECEIVED', 'reorg under an accepted short sum', SHORT_AND_PENDING, { isUnderpayAccepted: true }, 'FOUND'],
  ['CONFIRMED', 'reorg took all', NOTHING, {}, null],
  ['CONFIRMED', 'more came', OVER, { allowOverpay: false }, null],
  ['CANCELLED', 'funds came', FULL, { isAcknowledged: true }, null],
  ['ERROR', 'funds came', FULL, { isAcknowledged: true }, null],
  ['REFUND', 'funds came', FULL, { isAcknowledged: true }, null],
];

describe('nextMove', () => {
  it.each(ROWS)('%s, %s', (status, _name, funds, decisions, expected) => {
    expect(nextMove(status, funds, { ...STRICT, ...decisions })?.to ?? null).toBe(expected);
  });

  it('only ever asks for legal moves and comes to rest', () => {
    const bools = [false, true];
    for (const status of PAYMENT_STATUSES)
      for (const funds of [NOTHING, SEEN, SHORT, SHORT_AND_PENDING, FULL, OVER])
        for (const allowUnderpay of bools)
          for (const allowOverpay of bools)
            for (const isQuoteEnded of bools)
              for (const isAcknowledged of bools) {
                const decisions = { ...STRICT, allowUnderpay, allowOverpay, isQuoteEnded, isAcknowledged };
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
                  // What an automatic acceptance writes down.
                  if (move.reason === 'underpayment_accepted') decisions.isUnderpayAccepted = true;
                }
              }
  });
});

describe('TRANSITIONS', () => {
  it('refuses every pair that is not listed, staying included', () => {
    const legal = Object.values(TRANSITIONS).flat().length;
    const pairs = PAYMENT_STATUSES.flatMap((from) => PAYMENT_STATUSES.map((to) => canMove(from, to)));
    expect(pairs.filter(Boolean)).toHaveLength(legal);
    expect(legal).toBe(15);
    for (const status of PAYMENT_STATUSES) expect(canMove(status, status)).toBe(false);
  });

  it('reaches every status from OPEN and never leaves the final ones', () => {
    const reached = new Set<PaymentStatus>(['OPEN']);
    for (const status of reached) for (const to of TRANSITIONS[status]) reached.add(to);
    expect([...reached].sort()).toEqual([...PAYMENT_STATUSES].sort());
    for (const status of ['CANCELLED', 'ERROR', 'REFUND'] as const) expect(TRANSITIONS[status]).toEqual([]);
    expect(TRANSITIONS.CONFIRMED).toEqual(['REFUND']);
  });
});

describe('refundMove', () => {
  const REFUNDABLE = ['UNDERPAID', 'RECEIVED', 'CONFIRMED'];

  it.each(PAYMENT_STATUSES)('moves a %s payment only when everything was given back, if at all', (status) => {
    const covered = REFUNDABLE.includes(status) ? 'REFUND' : null;
    expect(refundMove(status, 100n, 100n)?.to ?? null).toBe(covered);
    // A reorg took funds back after they were refunded.
    expect(refundMove(status, 99n, 100n)?.to ?? null).toBe(covered);
    expect(refundMove(status, 100n, 99n)).toBeNull();
    expect(refundMove(status, 0n, 0n)).toBeNull();
  });
});

describe('eventOnEntry', () => {
  it.each([
    ['RECEIVED', 'payment.received'],
    ['CONFIRMED', 'payment.completed'],
    ['UNDERPAID', 'payment.underpaid'],
    ['REFUND', 'payment.refund'],
    ['OPEN', null],
    ['FOUND', null],
    ['CANCELLED', null],
    ['ERROR', null],
  ] as const)('%s announces %s', (status, event) => {
    expect(eventOnEntry(status, true)).toBe(event);
  });

  it('keeps an allowed underpayment quiet', () => {
    expect(eventOnEntry('UNDERPAID', false)).toBeNull();
  });
});
