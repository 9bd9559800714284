import { EVENT_TYPES, type EventType } from '../applications/event-types.pure.js';
import { TOLD } from '../../test/support/event-progress.js';
import { deterministicId } from '../platform/kernel/ids.pure.js';
import { checkPaymentInvariants } from './payment-invariants.pure.js';
import type { PaymentStatus } from './payment-status.pure.js';
import type { Payment } from './payment.pure.js';
import { settle } from './quotes/settlement.pure.js';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const DUE = 10_000n;
const ENDED = new Date('2026-01-15T10:00:00Z');
const after = (seconds: number) => new Date(ENDED.getTime() + seconds * 1_000);

/** The findings about the events of an unpaid payment. @param events types by number of the history entry */
function audit(path: PaymentStatus[], events: Record<number, EventType>, announcedAt = after(60)): string[] {
  const payment = {
    id: ID,
    status: path.at(-1),
    statusSeq: path.length,
    currencyCode: 'USD',
    settlementCurrencyCode: 'USD',
    amount: DUE,
    expiresAt: ENDED,
    receivedAmount: 0n,
    refundedAmount: 0n,
    overpaidAmount: null,
    underpaidAmount: null,
    reviewReason: null,
    told: null,
    underpayAcceptedAmount: null,
  } as Partial<Payment> as Payment;
  const site = {
    allowOverpay: true,
    allowUnderpay: false,
    underpayLeastShareBps: 9_500,
    underpayToleranceBps: 0,
    hasCallback: true,
    events: EVENT_TYPES,
    confirmations: {},
  };
  const records = {
    state: { payment, isAuthentic: true, quotes: [], transfers: [], site },
    history: path.map((to, i) => ({ seq: i + 1, from: path[i - 1] ?? null, to })),
    events: Object.entries(events).map(([entry, type]) => {
      const seq = Number(entry);
      const id = deterministicId(`event|${ID}|${seq}`);
      const payment = { id: ID, status: path[seq - 1], amount: { amount: Number(DUE) } };
      const body = JSON.stringify({ id, event: type, payment });
      return {
        id,
        seq,
        place: null,
        type,
        body,
        createdAt: announcedAt,
        ...TOLD,
      };
    }),
    refunded: 0n,
  };
  const decisions = {
    allowUnderpay: false,
    allowOverpay: true,
    isQuoteEnded: true,
    acceptedAmount: null,
    isOverpayAccepted: false,
    refundedAmount: 0n,
    isAcknowledged: false,
  };
  return checkPaymentInvariants(records, settle(DUE, [], [], site), decisions)
    .filter(({ check }) => check === 'events')
    .map(({ subject, expected }) => `${subject}: ${expected}`);
}

describe('the audit of opt-in events', () => {
  it.each<[what: string, path: PaymentStatus[], events: Record<number, EventType>]>([
    ['none was subscribed', ['OPEN', 'FOUND'], {}],
    ['it was announced as it was found', ['OPEN', 'FOUND'], { 2: 'payment.found' }],
    ['it was found twice', ['OPEN', 'FOUND', 'OPEN', 'FOUND'], { 2: 'payment.found', 4: 'payment.found' }],
    ['it expired', ['OPEN'], { 1: 'payment.expired' }],
    ['it expired and was found later', ['OPEN', 'FOUND'], { 1: 'payment.expired', 2: 'payment.found' }],
    ['it expired after its funds were gone', ['OPEN', 'FOUND', 'OPEN'], { 3: 'payment.expired' }],
    ['it was cancelled', ['OPEN', 'CANCELLED'], { 2: 'payment.cancelled' }],
  ])('finds no difference where %s', (_what, path, events) => {
    expect(audit(path, events)).toEqual([]);
  });

  it.each<[what: string, path: PaymentStatus[], events: Record<number, EventType>, finding: string]>([
    [
      'a payment.expired for a payment with funds',
      ['OPEN', 'FOUND'],
      { 2: 'payment.expired' },
      'event 2: payment.found',
    ],
    ['a payment.found without the move', ['OPEN'], { 1: 'payment.found' }, 'event 1: payment.expired'],
    [
      'a payment.cancelled without the move',
      ['OPEN', 'FOUND'],
      { 2: 'payment.cancelled' },
      'event 2: payment.found',
    ],
    [
      'a second payment.expired',
      ['OPEN', 'FOUND', 'OPEN'],
      { 1: 'payment.expired', 3: 'payment.expired' },
      'event 3: payment.expired once',
    ],
  ])('reports %s', (_what, path, events, finding) => {
    expect(audit(path, events)).toContain(finding);
  });

  it('reports an expiry event from before the end of the link', () => {
    expect(audit(['OPEN'], { 1: 'payment.expired' }, ENDED)).toEqual([
      'event 1: payment.expired after the expiry',
    ]);
  });
});
