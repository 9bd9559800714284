import { hasLateFunds } from './late-funds.pure.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../payment-status.pure.js';
import type { Payment, Transfer } from '../payment.pure.js';

const STATES = ['pending', 'confirmed', 'orphaned', 'replaced', 'dropped'] as const;
const ENDED: readonly PaymentStatus[] = ['CANCELLED', 'ERROR', 'REFUND'];

const hasLate = (
  status: PaymentStatus,
  transfers: Partial<Transfer>[],
  isSeen = false,
  received = 0n,
  least = 1n,
) =>
  hasLateFunds(
    { payment: { status, refundedAmount: 10_000n } as Payment, transfers: transfers as Transfer[] },
    { isSeen, countedAmount: received, leastAmount: least },
  );

describe('hasLateFunds', () => {
  it.each(PAYMENT_STATUSES.flatMap((status) => STATES.map((state) => [status, state] as const)))(
    '%s, with an unmatched transfer that is %s',
    (status, state) => {
      const isThere = state === 'pending' || state === 'confirmed';
      expect(hasLate(status, [{ state, isMatched: false, isDust: false }])).toBe(
        ENDED.includes(status) && isThere,
      );
      expect(hasLate(status, [{ state, isMatched: false, isDust: true }])).toBe(false);
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

  it('is not set by dust that comes after a refund', () => {
    expect(hasLate('REFUND', [], true, 10_004n, 5n)).toBe(false);
    expect(hasLate('REFUND', [], true, 10_005n, 5n)).toBe(true);
  });
});
