import { PAYMENT_STATUSES } from './payment-status.pure.js';
import { insteadOfAccepting, insteadOfCancelling } from './refused-move.pure.js';

describe('a payment that cannot be cancelled', () => {
  it.each([
    ['OPEN', 'funds for this one are on their way'],
    ['FOUND', 'funds for this one are on their way'],
    ['UNDERPAID', '/accept'],
    ['RECEIVED', '/refunds'],
    ['CONFIRMED', '/refunds'],
    ['CANCELLED', 'final'],
    ['ERROR', 'final'],
    ['REFUND', 'final'],
  ] as const)('%s: the error says what to do instead', (status, says) =>
    expect(insteadOfCancelling(status)).toContain(says),
  );
});

describe('a payment that cannot be accepted', () => {
  it.each([
    ['OPEN', 'Nothing was received'],
    ['FOUND', 'not confirmed yet'],
    ['UNDERPAID', 'not confirmed yet'],
    ['RECEIVED', 'complete'],
    ['CONFIRMED', 'complete'],
    ['CANCELLED', '/refunds'],
    ['ERROR', '/refunds'],
    ['REFUND', 'final'],
  ] as const)('%s: the error says why', (status, says) => expect(insteadOfAccepting(status)).toContain(says));
});

test('every status has a description for error messages', () => {
  for (const status of PAYMENT_STATUSES) {
    expect(insteadOfCancelling(status)).toMatch(/\.$/);
    expect(insteadOfAccepting(status)).toMatch(/\.$/);
  }
});
