import { reviewReason } from './payment-review.pure.js';
import { type Decisions, PAYMENT_STATUSES, type PaymentStatus } from './payment-status.pure.js';
import type { Payment, ReviewReason } from './payment.pure.js';
import type { Settlement } from './quotes/settlement.pure.js';

const GONE: Settlement = {
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
const SEEN: Settlement = { ...GONE, isSeen: true, isAllConfirmed: false };
const SHORT: Settlement = { ...GONE, isSeen: true, coverage: 'short', receivedAmount: 60n };
const SHORTER: Settlement = { ...SHORT, receivedAmount: 59n };
const FULL: Settlement = {
  ...GONE,
  isSeen: true,
  coverage: 'full',
  receivedAmount: 100n,
  countedAmount: 100n,
};
const OVER: Settlement = {
  ...FULL,
  coverage: 'over',
  receivedAmount: 101n,
  countedAmount: 101n,
  excessAmount: 1n,
};
/** The second payment was seen, and is not confirmed. */
const OVER_SOON: Settlement = { ...FULL, excessAmount: 100n };
const EVERY_FUNDS = [GONE, SEEN, SHORT, SHORTER, FULL, OVER];

const DECISIONS: Decisions = {
  allowUnderpay: false,
  allowOverpay: true,
  isQuoteEnded: true,
  acceptedAmount: null,
  isOverpayAccepted: false,
  refundedAmount: 0n,
  isAcknowledged: false,
};
const EVERY_REASON: (ReviewReason | null)[] = [null, 'overpaid', 'reorg', 'funds_after_cancel'];

interface Given extends Partial<Decisions> {
  before?: ReviewReason | null;
  /** It was stopped meanwhile. */
  isStopped?: boolean;
  refundedAmount?: bigint;
}

function review(
  status: PaymentStatus,
  funds: Settlement,
  { before: reason = null, isStopped = false, refundedAmount = 0n, ...decisions }: Given,
) {
  const marks = isStopped
    ? { reviewReason: 'integrity', reasonBefore: reason }
    : { reviewReason: reason, reasonBefore: 'funds_after_cancel' };
  const payment = { status, ...marks, refundedAmount } as Payment;
  return reviewReason({ payment, transfers: [] }, funds, { ...DECISIONS, refundedAmount, ...decisions });
}

describe('reviewReason', () => {
  const held = { allowOverpay: false };
  const accepted = { acceptedAmount: 60n };
  it.each<[PaymentStatus, string, Settlement, Given, ReviewReason | null]>([
    ['RECEIVED', 'paid in full', FULL, {}, null],
    ['RECEIVED', 'over, held', OVER, held, 'overpaid'],
    ['RECEIVED', 'over by what is only seen, held', OVER_SOON, held, 'overpaid'],
    ['RECEIVED', 'over by what is only seen, allowed', OVER_SOON, {}, null],
    ['RECEIVED', 'over, held, after a reorg', OVER, { ...held, before: 'reorg' }, 'overpaid'],
    ['RECEIVED', 'over, accepted', OVER, { ...held, isOverpayAccepted: true, before: 'overpaid' }, null],
    ['RECEIVED', 'over, excess refunded', OVER, { ...held, refundedAmount: 1n, before: 'overpaid' }, null],
    ['RECEIVED', 'back after a reorg', FULL, { before: 'reorg' }, null],
    ['RECEIVED', 'accepted short after a reorg', SHORT, { ...accepted, before: 'reorg' }, null],
    ['CONFIRMED', 'paid in full', FULL, {}, null],
    ['CONFIRMED', 'over', OVER, held, null],
    ['CONFIRMED', 'a reorg left nothing', GONE, {}, 'reorg'],
    ['CONFIRMED', 'all pending again', SEEN, {}, 'reorg'],
    ['CONFIRMED', 'a reorg left too little', SHORT, {}, 'reorg'],
    ['CONFIRMED', 'back after a reorg', FULL, { before: 'reorg' }, null],
    ['CONFIRMED', 'accepted short', SHORT, accepted, null],
    ['CONFIRMED', 'accepted short, the rest arrived', FULL, accepted, null],
    ['CONFIRMED', 'accepted short, a reorg left nothing', GONE, accepted, 'reorg'],
    ['CONFIRMED', 'accepted short, all pending again', SEEN, accepted, 'reorg'],
    ['CONFIRMED', 'accepted short, a reorg left less', SHORTER, accepted, 'reorg'],
    ['CONFIRMED', 'accepted short, still gone', SHORTER, { ...accepted, before: 'reorg' }, 'reorg'],
    ['CONFIRMED', 'accepted short, back after a reorg', SHORT, { ...accepted, before: 'reorg' }, null],
    ['CANCELLED', 'no funds', GONE, {}, null],
    ['CANCELLED', 'funds arrived', SEEN, {}, 'funds_after_cancel'],
    ['ERROR', 'funds arrived', FULL, {}, 'funds_after_cancel'],
    ['REFUND', 'all refunded', FULL, { refundedAmount: 100n }, null],
    ['REFUND', 'dust arrived', { ...OVER, leastAmount: 2n }, { refundedAmount: 100n }, null],
    ['REFUND', 'more arrived', OVER, { refundedAmount: 100n }, 'funds_after_cancel'],
    ['REFUND', 'a reorg before it', GONE, { refundedAmount: 100n, before: 'reorg' }, 'reorg'],
  ])('%s, %s', (status, _name, funds, given, expected) => {
    expect(review(status, funds, given)).toBe(expected);
  });

  it.each(['OPEN', 'FOUND', 'UNDERPAID'] as const)('is reorg while a payment is %s again', (status) => {
    for (const funds of EVERY_FUNDS) {
      expect(review(status, funds, { before: 'reorg' })).toBe('reorg');
      expect(review(status, funds, { before: 'overpaid' })).toBeNull();
      expect(review(status, funds, {})).toBeNull();
    }
  });

  it('is what it would have been if the payment had not been stopped', () => {
    for (const status of PAYMENT_STATUSES)
      for (const funds of EVERY_FUNDS)
        for (const before of EVERY_REASON)
          expect([status, before, review(status, funds, { before, isStopped: true })]).toEqual([
            status,
            before,
            review(status, funds, { before }),
          ]);
  });

  it('is overpaid only in RECEIVED, and is reorg for every CONFIRMED payment whose funds are missing', () => {
    for (const status of PAYMENT_STATUSES)
      for (const funds of EVERY_FUNDS)
        for (const before of EVERY_REASON) {
          const reason = review(status, funds, { ...held, before });
          if (status !== 'RECEIVED') expect(reason).not.toBe('overpaid');
          if (status === 'CONFIRMED') expect(reason === 'reorg').toBe(![FULL, OVER].includes(funds));
        }
  });
});
