import { WAYS } from '../payments/payment-moves.pure.js';
import { PAYMENT_ATTENTION } from '../payments/payment-attention.pure.js';
import {
  actionsOf,
  ATTENTION_KINDS,
  type AttentionItem,
  type AttentionKind,
  type AttentionPlace,
  comparePlaces,
  formatAttentionPlace,
  parseAttentionPlace,
} from './attention.pure.js';

const place = (kind: AttentionKind, ms: number, id = 'a'): AttentionPlace => ({
  kind,
  since: new Date(ms),
  id,
});
const about = (kind: AttentionKind): AttentionItem => ({
  ...place(kind, 0),
  applicationId: 'A',
  paymentId: 'P',
  refundId: 'R',
  deliveryId: 'D',
  otherPaymentId: 'O',
  blockchain: 'ethereum',
});

describe('the kinds of attention', () => {
  it('have every reason of a payment, in the same order', () => {
    const ofPayments = ATTENTION_KINDS.filter(
      (kind) =>
        !['key_shared', 'gap_limit', 'endpoint_paused', 'chain_halted', 'traces_unread'].includes(kind),
    );
    expect(ofPayments).toEqual(PAYMENT_ATTENTION);
  });
});

describe('comparePlaces', () => {
  it('puts the worst first, then the oldest, then by id', () => {
    const ordered = [
      place('reorg', 9),
      place('chain_halted', 1, 'bitcoin'),
      place('chain_halted', 1, 'ethereum'),
      place('underpaid', 1),
      place('underpaid', 2),
    ];
    expect(ordered.toReversed().toSorted(comparePlaces)).toEqual(ordered);
    expect(comparePlaces(place('reorg', 1), place('reorg', 1))).toBe(0);
  });
});

describe('a place in the queue', () => {
  it.each([place('reorg', 0), place('chain_halted', 1_768_471_200_123, 'bitcoin-cash')])(
    'returns %p as it was',
    (at) => {
      expect(parseAttentionPlace(formatAttentionPlace(at))).toEqual(at);
    },
  );

  it.each([
    '',
    'e12',
    'unknown_kind:1:a',
    'reorg:-1:a',
    'reorg:01:a',
    'reorg:1:',
    'reorg:1:A',
    'reorg:999999999999999:a',
    'reorg:1:a ',
  ])('refuses %p', (text) => {
    expect(parseAttentionPlace(text)).toBeNull();
  });
});

describe('actionsOf', () => {
  it.each<[AttentionKind, string[]]>([
    ['integrity', ['GET /api/payment/P']],
    ['reorg', ['GET /api/payment/P/timeline']],
    [
      'endpoint_paused',
      [
        'POST /api/payment-applications/A/webhook-endpoint/resume',
        'POST /api/payment-applications/A/webhook-test',
      ],
    ],
    [
      'shop_not_told',
      [
        'POST /api/payment-applications/A/webhook-deliveries/D/redeliver',
        'POST /api/payment/P/accept',
        'GET /api/payment/P/timeline',
      ],
    ],
    ['chain_halted', ['GET /api/blockchains/ethereum']],
    [
      'refund_failed',
      [
        'POST /api/payment/P/refunds/R/complete',
        'POST /api/payment/P/refunds/R/address',
        'POST /api/payment/P/refunds/R/cancel',
        'GET /api/payment/P/timeline',
      ],
    ],
    [
      'refund_waits',
      [
        'POST /api/payment/P/refunds/R/complete',
        'POST /api/payment/P/refunds/R/address',
        'POST /api/payment/P/refunds/R/cancel',
        'GET /api/payment/P/timeline',
      ],
    ],
    [
      'unmatched_funds',
      ['POST /api/payment/P/accept', 'POST /api/payment/P/refunds', 'GET /api/payment/P/timeline'],
    ],
    ['unlisted_token', ['POST /api/payment/P/keep', 'GET /api/payment/P/timeline']],
    [
      'paid_twice',
      ['POST /api/payment/P/refunds', 'POST /api/payment/P/keep', 'GET /api/payment/P/timeline'],
    ],
    ['overpaid', ['POST /api/payment/P/refunds', 'POST /api/payment/P/keep', 'GET /api/payment/P/timeline']],
    [
      'funds_after_end',
      ['POST /api/payment/P/refunds', 'POST /api/payment/P/keep', 'GET /api/payment/P/timeline'],
    ],
    ['paid_late', ['POST /api/payment/P/refunds', 'POST /api/payment/P/keep', 'GET /api/payment/P/timeline']],
    [
      'overpaid_held',
      ['POST /api/payment/P/accept', 'POST /api/payment/P/refunds', 'GET /api/payment/P/timeline'],
    ],
    ['late_funds', ['GET /api/payment/P/timeline']],
    [
      'underpaid',
      ['POST /api/payment/P/accept', 'POST /api/payment/P/refunds', 'GET /api/payment/P/timeline'],
    ],
  ])('%s', (kind, requests) => {
    expect(actionsOf(about(kind), WAYS).map(({ method, path }) => `${method} ${path}`)).toEqual(requests);
  });

  it.each<[AttentionKind, string[]]>([
    ['unmatched_funds', ['GET /api/payment/P/timeline']],
    ['paid_twice', ['POST /api/payment/P/keep', 'GET /api/payment/P/timeline']],
    ['funds_after_end', ['GET /api/payment/P/timeline']],
    ['underpaid', ['GET /api/payment/P/timeline']],
  ])('of %s offers only what the payment allows', (kind, requests) => {
    expect(actionsOf(about(kind), []).map(({ method, path }) => `${method} ${path}`)).toEqual(requests);
  });
});
