import { STANDARD_EVENTS } from '../applications/event-types.pure.js';
import { checkPaymentInvariants } from './payment-invariants.pure.js';
import type { Payment, Quote, Transfer } from './payment.pure.js';
import { settle } from './settlement.pure.js';

const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 10, minute));
const QUOTE = {
  id: 'q1',
  assetAmount: 1_000n,
  rate: '2000',
  assetDecimals: 18,
  acceptedTransferId: null,
} as Quote;
const transfer = (id: string, amount: bigint) =>
  ({
    id,
    amount,
    state: 'confirmed',
    quoteId: 'q1',
    isMatched: true,
    seenAt: at(2),
    confirmedAt: at(4),
  }) as Transfer;
/** 50.00 and 10.00 of 100.00 USD; accepted at minute 5. */
const [FIFTY, TEN] = [transfer('t1', 500n), transfer('t2', 100n)];
/** What came later. */
const MORE: Transfer = { ...transfer('t3', 300n), seenAt: at(7), confirmedAt: at(9) };

const waits = (part: Transfer): Transfer => ({ ...part, state: 'pending', confirmedAt: null });
const isGone = (part: Transfer): Transfer => ({ ...part, state: 'orphaned', confirmedAt: null });

/** What the audit says of status and settlement. */
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
    ...changes,
  } as Payment;
  const site = {
    allowOverpay: true,
    allowUnderpay: false,
    hasCallback: true,
    events: STANDARD_EVENTS,
    confirmations: {},
  };
  const state = { payment, quotes: [QUOTE], transfers, site };
  const funds = settle(payment.amount, transfers, [QUOTE], { toleranceBps: 0n, acceptMinBps: 0n });
  const findings = checkPaymentInvariants({ state, history: [], events: [], refunded: 0n }, funds, {
    allowUnderpay: false,
    allowOverpay: true,
    isQuoteEnded: true,
    acceptedAmount: payment.underpayAcceptedAmount,
    isOverpayAccepted: false,
    isExcessRefunded: false,
    isAcknowledged: payment.status === 'CONFIRMED',
  });
  return findings.filter(({ check }) => check === 'status' || check === 'settled');
}

const RECEIVED = { status: 'RECEIVED' } as const;
const LOW = { status: 'not CONFIRMED: the confirmed funds do not pay it' };

describe('the audit of an accepted underpayment', () => {
  it.each<[name: string, Transfer[], Partial<Payment>]>([
    ['as it was accepted', [FIFTY, TEN], {}],
    ['not acknowledged', [FIFTY, TEN], RECEIVED],
    ['not acknowledged, with more on its way', [FIFTY, TEN, waits(MORE)], RECEIVED],
    ['with more that came later', [FIFTY, TEN, MORE], {}],
    ['with more that came later and went', [FIFTY, TEN, isGone(MORE)], {}],
    [
      'that a reorg took and the chain brought back, with more',
      [{ ...FIFTY, confirmedAt: at(8) }, { ...TEN, confirmedAt: at(9) }, MORE],
      {},
    ],
    ['whose part a later one makes good', [FIFTY, isGone(TEN), MORE], {}],
    ['of which a reorg took a part, and says so', [FIFTY, isGone(TEN)], { reviewReason: 'reorg' }],
    ['that a reorg took, and says so', [isGone(FIFTY), waits(TEN)], { reviewReason: 'reorg' }],
    [
      'of a payment that was over its price until a reorg took the excess',
      [transfer('t1', 1_000n), isGone(TEN)],
      { settledAmount: 11_000n, underpayAcceptedAmount: null },
    ],
    [
      'of which too much came and went to tell what was there',
      [FIFTY, ...Array.from({ length: 7 }, (_, i) => ({ ...TEN, id: `u${i}`, confirmedAt: at(9) }))],
      { settledAmount: 1n },
    ],
  ])('finds no difference in one %s', (_name, transfers, changes) => {
    expect(audit(transfers, changes)).toEqual([]);
  });

  it.each<[name: string, Transfer[], Partial<Payment>, expected: Record<string, string>]>([
    ['that a reorg took, with nobody told', [isGone(FIFTY), isGone(TEN)], {}, LOW],
    ['that waits again, with nobody told', [waits(FIFTY), waits(TEN)], {}, LOW],
    ['of which a reorg took a part, with nobody told', [FIFTY, isGone(TEN)], {}, LOW],
    ['of which a part waits again, with nobody told', [FIFTY, waits(TEN)], {}, LOW],
    ['RECEIVED, of which a reorg took a part', [FIFTY, isGone(TEN)], RECEIVED, { status: 'UNDERPAID' }],
    ['RECEIVED, of which a part waits again', [FIFTY, waits(TEN)], RECEIVED, { status: 'FOUND' }],
    ['RECEIVED, that a reorg took', [isGone(FIFTY), isGone(TEN)], RECEIVED, { status: 'OPEN' }],
    [
      'that remembers less than was there',
      [FIFTY, TEN],
      { underpayAcceptedAmount: 5_999n },
      { underpayAcceptedAmount: '6000' },
    ],
    [
      'that remembers more than was there',
      [FIFTY, TEN],
      { underpayAcceptedAmount: 6_001n },
      { ...LOW, underpayAcceptedAmount: '6000' },
    ],
    [
      'that settled what no reorg explains',
      [FIFTY, { ...TEN, confirmedAt: at(9) }],
      { settledAmount: 5_500n },
      { settledAmount: '5000' },
    ],
    ['that forgot its acceptance', [FIFTY, TEN], { underpayAcceptedAmount: null }, LOW],
  ])('reports one %s', (_name, transfers, changes, expected) => {
    const found = audit(transfers, changes).map((finding) => [finding.subject, finding.expected]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});
