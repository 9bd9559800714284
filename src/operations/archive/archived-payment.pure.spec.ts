import { ARCHIVED_TABLES, findOpen, type PaymentRows } from './archived-payment.pure.js';

const OVER: PaymentRows = {
  payments: [{ status: 'CONFIRMED' }],
  payment_transfers: [{ state: 'confirmed', isMatched: true, quoteId: 'q' }],
  reported_transactions: [{ state: 'FOUND' }],
  refunds: [{ status: 'COMPLETED' }],
  payment_events: [{ dispatchedAt: '2026-01-15T10:00:00.000000Z' }],
  webhook_deliveries: [{ state: 'succeeded' }],
};

describe('ARCHIVED_TABLES', () => {
  it('has the payment first, and no tables of accounts', () => {
    expect(ARCHIVED_TABLES).toEqual([
      'payments',
      'payment_status_history',
      'quotes',
      'deposit_addresses',
      'payment_transfers',
      'reported_transactions',
      'refunds',
      'refund_history',
      'payment_events',
      'webhook_deliveries',
      'webhook_attempts',
    ]);
  });
});

describe('findOpen', () => {
  it.each<[string, Partial<PaymentRows>]>([
    ['was confirmed', {}],
    ['was cancelled', { payments: [{ status: 'CANCELLED' }], payment_transfers: [] }],
    ['failed', { payments: [{ status: 'ERROR' }] }],
    ['was refunded', { payments: [{ status: 'REFUND' }] }],
    [
      'has nothing but itself',
      { payment_transfers: [], refunds: [], payment_events: [], webhook_deliveries: [] },
    ],
    ['lost a transfer', { payment_transfers: [{ state: 'orphaned', isMatched: true, quoteId: null }] }],
    ['got a foreign token', { payment_transfers: [{ state: 'confirmed', isMatched: false, quoteId: null }] }],
    ['has a declined refund', { refunds: [{ status: 'CANCELLED' }, { status: 'EXPIRED' }] }],
    ['was reported in vain', { reported_transactions: [{ state: 'NOT_FOUND' }] }],
    [
      'has deliveries that were not needed',
      { webhook_deliveries: [{ state: 'superseded' }, { state: 'skipped' }] },
    ],
  ])('finds nothing where the payment %s', (_what, changes) => {
    expect(findOpen({ ...OVER, ...changes })).toBeNull();
  });

  it.each<[string, Partial<PaymentRows>, string]>([
    ['can be paid', { payments: [{ status: 'OPEN' }] }, 'status'],
    ['was seen', { payments: [{ status: 'FOUND' }] }, 'status'],
    ['is short', { payments: [{ status: 'UNDERPAID' }] }, 'status'],
    ['was not acknowledged', { payments: [{ status: 'RECEIVED' }] }, 'status'],
    [
      'waits for blocks',
      {
        payment_transfers: [...OVER.payment_transfers, { state: 'pending', isMatched: false, quoteId: null }],
      },
      'transfer',
    ],
    [
      'waits for the rate of late funds',
      { payment_transfers: [{ state: 'confirmed', isMatched: true, quoteId: null }] },
      'transfer',
    ],
    ['has a transaction that is searched for', { reported_transactions: [{ state: 'WAITING' }] }, 'search'],
    ['has a request for a refund', { refunds: [{ status: 'AWAITING_PAYMENT' }] }, 'refund'],
    ['has a refund without address', { refunds: [{ status: 'AWAITING_ADDRESS' }] }, 'refund'],
    ['has a payout that is verified', { refunds: [...OVER.refunds, { status: 'PROCESSING' }] }, 'refund'],
    ['has a payout that failed', { refunds: [{ status: 'FAILED' }] }, 'refund'],
    ['has an event that is not dispatched', { payment_events: [{ dispatchedAt: null }] }, 'event'],
    ['has a delivery that waits', { webhook_deliveries: [{ state: 'pending' }] }, 'delivery'],
    ['has a blocked delivery', { webhook_deliveries: [{ state: 'blocked' }] }, 'delivery'],
    ['has a delivery that failed for good', { webhook_deliveries: [{ state: 'exhausted' }] }, 'delivery'],
  ])('finds what is open where the payment %s', (_what, changes, expected) => {
    expect(findOpen({ ...OVER, ...changes })).toBe(expected);
  });
});
