import { hasLateFunds } from './late-funds.pure.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../payment-status.pure.js';
import type { Payment, Transfer } from '../payment.pure.js';

const STATES = ['pending', 'confirmed', 'orphaned', 'replaced', 'dropped'] as const;
const ENDED: readonly PaymentStatus[] = ['CANCELLED', 'ERROR', 'REFUND'];

const hasLate = (status: PaymentStatus, transfers: Partial<Transfer>[], isSeen = false, received = 0n) =>
  hasLateFunds(
    { payment: { status, refundedAmount: 10_000n } as Payment, transfers: transfers as Transfer[] },
    { isSeen, receivedAmount: received },
  );

describe('hasLateFunds', () => {
  it.each(PAYMENT_STATUSES.flatMap((status) => STATES.map((state) => [status, state] as const)))(
    '%s, with an unmatched transfer that is %s',
    (status, state) => {
      const isThere = state === 'pending' || state === 'confirmed';
      expect(hasLate(status, [{ state, isMatched: false }])).toBe(ENDED.includes(status) && isThere);
    },
  );

  it.each<[PaymentStatus, boolean, bigint, boolean]>([
    ['CANCELLED', false, 0n, false],
    ['CANCELLED', true, 0n, true],
    ['ERROR', false, 0n, false],
    ['ERROR', true, 10_000n, true],
    ['REFUND', true, 10_000n, false],
    ['REFUND', true, 10_001n, true],
    ['CONFIRMED', true, 20_000n, false],
    ['OPEN', false, 0n, false],
  ])('%s, matched funds seen: %s, received %s: %s', (status, isSeen, received, expected) => {
    expect(hasLate(status, [{ state: 'confirmed', isMatched: true }], isSeen, received)).toBe(expected);
  });
});
