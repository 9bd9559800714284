import { STANDARD_EVENTS } from '../applications/event-types.pure.js';
import { TOLD } from '../../test/support/event-progress.js';
import { deterministicId } from '../platform/kernel/ids.pure.js';
import type { PaymentRecords } from './audit/payment-records.pure.js';
import { checkPaymentInvariants } from './payment-invariants.pure.js';
import type { Decisions, PaymentStatus } from './payment-status.pure.js';
import type { Payment, Quote, Transfer } from './payment.pure.js';
import { settle } from './quotes/settlement.pure.js';

const ID = '0190f3c2-6d1e-7b3a-9c4f-2f1e6a7b8c9d';
const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 10, minute));
const ETHER = 10n ** 18n;

const QUOTE: Quote = {
  id: 'q1',
  chain: 'ethereum',
  asset: 'native',
  currencyCode: 'ETH',
  assetDecimals: 18,
  assetAmount: ETHER / 20n,
  rate: '2000',
  rateSource: 'test',
  settlementRate: null,
  isLate: false,
  acceptedTransferId: null,
  lockedAt: at(1),
  expiresAt: at(16),
};
const TRANSFER = {
  id: 't1',
  chain: 'ethereum',
  txHash: '0xaa',
  ordinal: 'value',
  asset: 'native',
  currencyCode: 'ETH',
  assetDecimals: 18,
  amount: ETHER / 20n,
  floor: ETHER / 1_000n,
  isDust: false,
  state: 'confirmed',
  blockHeight: 100,
  confirmationsRequired: 12,
  finalityRequired: null,
  awaitsAgreement: false,
  quoteId: 'q1',
  isMatched: true,
  isLate: false,
  seenAt: at(2),
  confirmedAt: at(4),
  confirmations: 12,
  sumOf: null,
  isCoinbase: false,
} as Transfer;

const DECISIONS: Decisions = {
  allowUnderpay: false,
  allowOverpay: true,
  isQuoteEnded: true,
  acceptedAmount: null,
  isOverpayAccepted: false,
  refundedAmount: 0n,
  isAcknowledged: true,
};

const TYPES: Partial<Record<PaymentStatus, string>> = {
  RECEIVED: 'payment.received',
  CONFIRMED: 'payment.completed',
  UNDERPAID: 'payment.underpaid',
};

interface Given {
  /** Statuses in order; the last one is the payment's. */
  path?: PaymentStatus[];
  payment?: Partial<Payment>;
  quotes?: Quote[];
  transfers?: Partial<Transfer>[];
  decisions?: Partial<Decisions>;
  change?: (records: PaymentRecords) => void;
}

/** The findings about a payment of 100.00 USD, paid in full unless given otherwise. */
function audit({ path = ['OPEN', 'FOUND', 'RECEIVED', 'CONFIRMED'], decisions, change, ...given }: Given) {
  const transfers = (given.transfers ?? [{}]).map((changes) => ({ ...TRANSFER, ...changes }));
  const quotes = given.quotes ?? [QUOTE];
  const policy = { underpayToleranceBps: 0, underpayLeastShareBps: 9_500 };
  const funds = settle(10_000n, transfers, quotes, policy);
  const { receivedAmount, overpaidAmount, underpaidAmount } = funds;
  const payment = {
    id: ID,
    status: path.at(-1),
    statusSeq: path.length,
    currencyCode: 'USD',
    settlementCurrencyCode: 'USD',
    amount: 10_000n,
    expiresAt: at(1_440),
    receivedAmount,
    overpaidAmount,
    underpaidAmount,
    settledAmount: path.includes('RECEIVED') ? receivedAmount : null,
    receivedAt: path.includes('RECEIVED') ? at(5) : null,
    reviewReason: null,
    told: null,
    underpayAcceptedAmount: null,
    refundedAmount: 0n,
    ...given.payment,
  } as Payment;
  const eventOf = (to: PaymentStatus, seq: number) => {
    const [id, type] = [deterministicId(`event|${ID}|${seq}`), TYPES[to]];
    const body = JSON.stringify({
      id,
      event: type,
      payment: { id: ID, status: to, amount: { amount: 10_000 } },
    });
    return type ? [{ id, seq, place: null, type, body, createdAt: at(seq), ...TOLD }] : [];
  };
  const records: PaymentRecords = {
    state: {
      payment,
      isAuthentic: true,
      quotes,
      transfers,
      site: {
        allowOverpay: true,
        allowUnderpay: false,
        ...policy,
        hasCallback: true,
        events: STANDARD_EVENTS,
        confirmations: {},
      },
    },
    history: path.map((to, i) => ({ seq: i + 1, from: path[i - 1] ?? null, to })),
    events: path.flatMap((to, i) => eventOf(to, i + 1)),
    refunded: 0n,
  };
  change?.(records);
  return checkPaymentInvariants(records, funds, { ...DECISIONS, ...decisions });
}

describe('the audit of a payment finds nothing in', () => {
  const third = TRANSFER.amount / 3n;
  it.each<[name: string, given: Given]>([
    ['a paid payment', {}],
    ['an open payment', { path: ['OPEN'], transfers: [] }],
    [
      'a payment with pending funds',
      { path: ['OPEN', 'FOUND'], transfers: [{ state: 'pending', confirmedAt: null }] },
    ],
    [
      'parts that need more confirmations than earlier ones did',
      {
        path: ['OPEN', 'FOUND'],
        transfers: [
          { amount: third },
          ...[
            { id: 't2', txHash: '0xbb' },
            { id: 't3', txHash: '0xcc' },
          ].map((part) => ({
            ...part,
            amount: third,
            state: 'pending' as const,
            confirmedAt: null,
            confirmationsRequired: 32,
          })),
        ],
      },
    ],
    ['an underpayment', { path: ['OPEN', 'FOUND', 'UNDERPAID'], transfers: [{ amount: third }] }],
    [
      'an underpayment that was not announced',
      {
        path: ['OPEN', 'FOUND', 'UNDERPAID'],
        transfers: [{ amount: third }],
        change: (records) => records.events.splice(0),
      },
    ],
    [
      'an underpayment that awaits the sweep, or had another setting before',
      {
        path: ['OPEN', 'FOUND', 'UNDERPAID'],
        transfers: [{ amount: third }],
        decisions: { allowUnderpay: true },
      },
    ],
    [
      'an underpayment within the tolerance of that time',
      {
        transfers: [{ amount: third }],
        payment: { underpaidAmount: null, underpayAcceptedAmount: 3_333n },
        decisions: { acceptedAmount: 3_333n },
      },
    ],
    ['a payment that was paid twice', { transfers: [{}, { id: 't2', txHash: '0xbb' }] }],
    [
      'a payment that received more after it was settled',
      {
        transfers: [{}, { id: 't2', txHash: '0xbb', confirmedAt: at(9) }],
        payment: { settledAmount: 10_000n },
      },
    ],
    [
      'a payment that received more at the moment of its settlement',
      {
        quotes: [QUOTE, { ...QUOTE, id: 'q2', chain: 'bsc', lockedAt: at(5), acceptedTransferId: 't2' }],
        transfers: [{}, { id: 't2', txHash: '0xbb', chain: 'bsc', quoteId: 'q2' }],
        payment: { settledAmount: 10_000n },
      },
    ],
    [
      'a payment that is not acknowledged',
      { path: ['OPEN', 'FOUND', 'RECEIVED'], decisions: { isAcknowledged: false } },
    ],
    [
      'a payment whose funds a reorg removed',
      { transfers: [{ state: 'orphaned' }], payment: { reviewReason: 'reorg' } },
    ],
    [
      'a cancelled payment that was paid nevertheless',
      { path: ['OPEN', 'CANCELLED'], payment: { reviewReason: 'funds_after_cancel' } },
    ],
    ...(['CANCELLED', 'ERROR'] as const).map((end): [string, Given] => [
      `a payment in ${end} with unmatched funds`,
      {
        path: ['OPEN', end],
        transfers: [{ isMatched: false, quoteId: null, asset: '0xdd' }],
        payment: { reviewReason: 'funds_after_cancel' },
      },
    ]),
    [
      'a cancelled payment whose unmatched funds are gone again',
      {
        path: ['OPEN', 'CANCELLED'],
        transfers: [{ isMatched: false, quoteId: null, asset: '0xdd', state: 'orphaned' }],
      },
    ],
    [
      'an asset that was not quoted',
      { transfers: [{}, { id: 't2', isMatched: false, quoteId: null, asset: '0xdd' }] },
    ],
    [
      'a payment that was paid by an accepted transfer',
      { quotes: [{ ...QUOTE, lockedAt: at(5), acceptedTransferId: 't1' }] },
    ],
    [
      'a transfer that was accepted after the payment had been settled without it',
      {
        quotes: [QUOTE, { ...QUOTE, id: 'q2', chain: 'bsc', lockedAt: at(9), acceptedTransferId: 't2' }],
        transfers: [{}, { id: 't2', txHash: '0xbb', chain: 'bsc', quoteId: 'q2' }],
        payment: { settledAmount: 10_000n },
      },
    ],
    [
      'a late transfer without a rate',
      { transfers: [{}, { id: 't2', txHash: '0xbb', quoteId: null, isLate: true }] },
    ],
  ])('%s', (_name, given) => {
    expect(audit(given)).toEqual([]);
  });
});

describe('the audit of a payment finds', () => {
  it.each<[name: string, given: Given, check: string, subject: string]>([
    [
      'a settled amount that leaves out what was accepted before',
      {
        quotes: [QUOTE, { ...QUOTE, id: 'q2', chain: 'bsc', lockedAt: at(4), acceptedTransferId: 't2' }],
        transfers: [{}, { id: 't2', txHash: '0xbb', chain: 'bsc', quoteId: 'q2' }],
        payment: { settledAmount: 10_000n },
      },
      'settled',
      'settledAmount',
    ],
    ['a received amount', { payment: { receivedAmount: 1n } }, 'amounts', 'receivedAmount'],
    ['an overpaid amount', { payment: { overpaidAmount: 1n } }, 'amounts', 'overpaidAmount'],
    ['an underpaid amount', { payment: { underpaidAmount: 1n } }, 'amounts', 'underpaidAmount'],
    ['a refunded amount', { payment: { refundedAmount: 1n } }, 'amounts', 'refundedAmount'],
    [
      'a refund that is missing from the sum',
      { change: (records) => (records.refunded = 5n) },
      'amounts',
      'refundedAmount',
    ],
    ['a settled amount', { payment: { settledAmount: 9_999n } }, 'settled', 'settledAmount'],
    ['no settled amount', { payment: { settledAmount: null } }, 'settled', 'settledAmount'],
    ['a status above its funds', { transfers: [] }, 'status', 'status'],
    ['a status below its funds', { path: ['OPEN', 'FOUND'] }, 'status', 'status'],
    ['a payment with pending funds that is OPEN', { path: ['OPEN'] }, 'status', 'status'],
    ['an underpayment that was not accepted', { transfers: [{ amount: 1n }] }, 'status', 'status'],
    ['funds of a cancelled payment', { path: ['OPEN', 'CANCELLED'] }, 'review', 'reviewReason'],
    [
      'unmatched funds of a cancelled payment',
      {
        path: ['OPEN', 'CANCELLED'],
        transfers: [{ isMatched: false, quoteId: null, asset: '0xdd', state: 'pending', confirmedAt: null }],
      },
      'review',
      'reviewReason',
    ],
    ['an illegal move', { path: ['OPEN', 'FOUND', 'CONFIRMED'] }, 'history', 'entry 3'],
    ['a history that begins elsewhere', { path: ['FOUND', 'RECEIVED', 'CONFIRMED'] }, 'history', 'entry 1'],
    ['a status that the history does not end with', { payment: { status: 'REFUND' } }, 'history', 'entry 4'],
    ['a number that the history does not end with', { payment: { statusSeq: 5 } }, 'history', 'entry 5'],
    ['a missing entry', { change: ({ history }) => history.splice(1, 1) }, 'history', 'entry 3'],
    ['an empty history', { change: ({ history }) => history.splice(0) }, 'history', 'entry 4'],
    [
      'an unknown status',
      { change: ({ history }) => (history[1] = { seq: 2, from: 'OPEN', to: 'PAID' }) },
      'history',
      'entry 2',
    ],
    ['a missing event', { change: ({ events }) => events.shift() }, 'events', 'event 3'],
    [
      'an event of another type',
      { change: ({ events }) => (events[0]!.type = 'payment.refund') },
      'events',
      'event 3',
    ],
    ['an event under another id', { change: ({ events }) => (events[0]!.id = ID) }, 'events', 'event 3'],
    ['an event without a move', { change: ({ events }) => (events[0]!.seq = 9) }, 'events', 'event 9'],
    [
      'an event with another amount',
      { change: ({ events }) => (events[1]!.body = events[1]!.body.replace('10000', '10001')) },
      'events',
      'event 4',
    ],
    [
      'a delivery of an event that was not dispatched',
      { change: ({ events }) => (events[0]!.isDispatched = false) },
      'events',
      'delivery of event 3',
    ],
    ['a changed rate', { quotes: [{ ...QUOTE, rate: '1999' }] }, 'quotes', 'quote q1'],
    [
      'a transfer with a quote that does not exist',
      { transfers: [{}, { id: 't2', txHash: '0xbb', quoteId: 'q9' }] },
      'attribution',
      'transfer 0xbb value',
    ],
    [
      'a transfer with a quote of another chain',
      { transfers: [{ chain: 'base' }] },
      'attribution',
      'transfer 0xaa value',
    ],
    [
      'a transfer with a quote that was made for another one',
      { quotes: [{ ...QUOTE, acceptedTransferId: 't9' }] },
      'attribution',
      'transfer 0xaa value',
    ],
    [
      'an acceptance without a transfer',
      { quotes: [QUOTE, { ...QUOTE, id: 'q2', acceptedTransferId: 't9' }] },
      'attribution',
      'transfer t9',
    ],
    [
      'an accepted transfer that does not count',
      {
        quotes: [QUOTE, { ...QUOTE, id: 'q2', acceptedTransferId: 't2' }],
        transfers: [{}, { id: 't2', isMatched: false, quoteId: null }],
      },
      'attribution',
      'transfer t2',
    ],
    [
      'a part that needs fewer confirmations than another',
      {
        path: ['OPEN', 'FOUND'],
        transfers: [
          { state: 'pending', confirmedAt: null },
          { id: 't2', txHash: '0xbb', state: 'pending', confirmedAt: null, confirmationsRequired: 13 },
        ],
      },
      'demand',
      'transfer 0xaa value',
    ],
    [
      'a part that may be less final than another',
      {
        path: ['OPEN', 'FOUND'],
        transfers: [
          { state: 'pending', confirmedAt: null },
          { id: 't2', txHash: '0xbb', state: 'pending', confirmedAt: null, finalityRequired: 'safe' },
        ],
      },
      'demand',
      'transfer 0xaa value',
    ],
    [
      'an unmatched transfer with a quote',
      { transfers: [{}, { id: 't2', txHash: '0xbb', isMatched: false }] },
      'attribution',
      'transfer 0xbb value',
    ],
  ])('%s', (_name, given, check, subject) => {
    expect(audit(given)).toContainEqual(expect.objectContaining({ check, subject }));
  });
});
