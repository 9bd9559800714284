import { STANDARD_EVENTS } from '../applications/event-types.pure.js';
import { checkPaymentInvariants } from './payment-invariants.pure.js';
import type { Payment, Quote, Transfer } from './payment.pure.js';
import { settle } from './quotes/settlement.pure.js';

const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 10, minute));
const QUOTE = {
  id: 'q1',
  chain: 'ethereum',
  asset: 'native',
  assetAmount: 1_000n,
  rate: '2000',
  assetDecimals: 18,
  acceptedTransferId: null,
} as Quote;
const transfer = (id: string, amount: bigint) =>
  ({
    id,
    chain: 'ethereum',
    asset: 'native',
    amount,
    floor: 1n,
    isDust: false,
    state: 'confirmed',
    quoteId: 'q1',
    isMatched: true,
    seenAt: at(2),
    confirmedAt: at(4),
  }) as Transfer;
/** 50.00 and 10.00 of 100.00 USD; accepted at minute 5. */
const [FIFTY, TEN] = [transfer('t1', 500n), transfer('t2', 100n)];
/** Received later. */
const MORE: Transfer = { ...transfer('t3', 300n), seenAt: at(7), confirmedAt: at(9) };

const waits = (part: Transfer): Transfer => ({ ...part, state: 'pending', confirmedAt: null });
const isGone = (part: Transfer): Transfer => ({ ...part, state: 'orphaned', confirmedAt: null });

/** The findings about status and settlement. */
function audit(transfers: Transfer[], changes: Partial<Payment> = {}) {
  const payment = {
    status: 'CONFIRMED',
    currencyCode: 'USD',
    settlementCurrencyCode: 'USD',
    amount: 10_000n,
    settledAmount: 6_000n,
    underpayAcceptedAmount: 6_000n,
    receivedAt: at(5),
    reviewReason: null,
    told: null,
    ...changes,
  } as Payment;
  const site = {
    allowOverpay: true,
    allowUnderpay: false,
    underpayLeastShareBps: 9_500,
    underpayToleranceBps: 0,
    hasCallback: true,
    events: STANDARD_EVENTS,
    confirmations: {},
  };
  const state = { payment, isAuthentic: true, quotes: [QUOTE], transfers, site };
  const funds = settle(payment.amount, transfers, [QUOTE], site);
  const findings = checkPaymentInvariants({ state, history: [], events: [], refunded: 0n }, funds, {
    allowUnderpay: false,
    allowOverpay: true,
    isQuoteEnded: true,
    acceptedAmount: payment.underpayAcceptedAmount,
    isOverpayAccepted: false,
    refundedAmount: 0n,
    isAcknowledged: payment.status === 'CONFIRMED',
  });
  return findings.filter(({ check }) => check === 'status' || check === 'settled');
}

const RECEIVED = { status: 'RECEIVED' } as const;
const LOW = { status: 'not CONFIRMED: the confirmed funds do not pay it' };

describe('the audit of an accepted underpayment', () => {
  it.each<[name: string, Transfer[], Partial<Payment>]>([
    ['unchanged since its acceptance', [FIFTY, TEN], {}],
    ['not acknowledged', [FIFTY, TEN], RECEIVED],
    ['not acknowledged, with more pending', [FIFTY, TEN, waits(MORE)], RECEIVED],
    ['with more received later', [FIFTY, TEN, MORE], {}],
    ['with more received later and removed again', [FIFTY, TEN, isGone(MORE)], {}],
    [
      'that a reorg removed and later blocks contain again, with more',
      [{ ...FIFTY, confirmedAt: at(8) }, { ...TEN, confirmedAt: at(9) }, MORE],
      {},
    ],
    ['of which a reorg removed a part and a later transfer covers it', [FIFTY, isGone(TEN), MORE], {}],
    ['of which a reorg removed a part, flagged for review', [FIFTY, isGone(TEN)], { reviewReason: 'reorg' }],
    ['that a reorg removed, flagged for review', [isGone(FIFTY), waits(TEN)], { reviewReason: 'reorg' }],
    [
      'of a payment that was overpaid until a reorg removed the excess',
      [transfer('t1', 1_000n), isGone(TEN)],
      { settledAmount: 11_000n, underpayAcceptedAmount: null },
    ],
    [
      'with too many uncertain transfers to check',
      [FIFTY, ...Array.from({ length: 7 }, (_, i) => ({ ...TEN, id: `u${i}`, confirmedAt: at(9) }))],
      { settledAmount: 1n },
    ],
  ])('finds no difference in one %s', (_name, transfers, changes) => {
    expect(audit(transfers, changes)).toEqual([]);
  });

  it.each<[name: string, Transfer[], Partial<Payment>, expected: Record<string, string>]>([
    ['that a reorg removed, not flagged', [isGone(FIFTY), isGone(TEN)], {}, LOW],
    ['that is pending again, not flagged', [waits(FIFTY), waits(TEN)], {}, LOW],
    ['of which a reorg removed a part, not flagged', [FIFTY, isGone(TEN)], {}, LOW],
    ['of which a part is pending again, not flagged', [FIFTY, waits(TEN)], {}, LOW],
    ['RECEIVED, of which a reorg removed a part', [FIFTY, isGone(TEN)], RECEIVED, { status: 'UNDERPAID' }],
    ['RECEIVED, of which a part is pending again', [FIFTY, waits(TEN)], RECEIVED, { status: 'FOUND' }],
    ['RECEIVED, that a reorg removed', [isGone(FIFTY), isGone(TEN)], RECEIVED, { status: 'OPEN' }],
    [
      'with a stored amount below what was confirmed',
      [FIFTY, TEN],
      { underpayAcceptedAmount: 5_999n },
      { underpayAcceptedAmount: '6000' },
    ],
    [
      'with a stored amount above what was confirmed',
      [FIFTY, TEN],
      { underpayAcceptedAmount: 6_001n },
      { ...LOW, underpayAcceptedAmount: '6000' },
    ],
    [
      'with a settled amount that no reorg explains',
      [FIFTY, { ...TEN, confirmedAt: at(9) }],
      { settledAmount: 5_500n },
      { settledAmount: '5000' },
    ],
    ['without the stored amount of its acceptance', [FIFTY, TEN], { underpayAcceptedAmount: null }, LOW],
  ])('reports one %s', (_name, transfers, changes, expected) => {
    const found = audit(transfers, changes).map((finding) => [finding.subject, finding.expected]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});
