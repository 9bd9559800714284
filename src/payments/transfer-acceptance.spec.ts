import { PAYMENT_STATUSES, type PaymentStatus } from './payment-status.js';
import { type AcceptanceVerdict, isUnmatched, judgeAcceptance } from './transfer-acceptance.js';

const STATES = ['pending', 'confirmed', 'orphaned', 'replaced', 'dropped'] as const;
const CLOSED: PaymentStatus[] = ['CANCELLED', 'ERROR', 'REFUND'];

describe('judgeAcceptance', () => {
  const cases = PAYMENT_STATUSES.flatMap((status) => STATES.map((state) => [status, state] as const));

  it.each(cases)('%s, a transfer that is %s and that nobody asked for', (status, state) => {
    const isGone = state === 'orphaned' || state === 'replaced' || state === 'dropped';
    const expected: AcceptanceVerdict = CLOSED.includes(status)
      ? 'payment_closed'
      : isGone
        ? 'transfer_gone'
        : 'accept';
    expect(judgeAcceptance(status, { state, isMatched: false })).toBe(expected);
  });

  it.each(cases)('%s, a transfer that is %s and counts already', (status, state) => {
    expect(judgeAcceptance(status, { state, isMatched: true })).toBe('counts_already');
  });

  it.each(PAYMENT_STATUSES)('%s, a transfer of another payment or of none', (status) => {
    expect(judgeAcceptance(status, null)).toBe('unknown_transfer');
  });
});

it.each(STATES)(
  'a transfer that is %s is unmatched while it is there and nobody has accepted it',
  (state) => {
    expect(isUnmatched({ state, isMatched: false })).toBe(state === 'pending' || state === 'confirmed');
    expect(isUnmatched({ state, isMatched: true })).toBe(false);
  },
);
