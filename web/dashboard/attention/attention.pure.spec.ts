import type { AttentionAction } from '../api/operations.js';
import { WAYS } from '../../../src/payments/payment-moves.pure.js';
import {
  actionsOf,
  ATTENTION_KINDS as OF_API,
  type AttentionItem,
} from '../../../src/overview/attention.pure.js';
import { ATTENTION_KINDS, readKinds, remediesOf, totalOf } from './attention.pure.js';

it('has the kinds of the API, in their order', () => {
  expect(ATTENTION_KINDS).toEqual(OF_API);
});

it.each([
  ['', []],
  ['kind=underpaid', ['underpaid']],
  ['kind=underpaid,reorg', ['reorg', 'underpaid']],
  ['kind=anything', []],
  ['other=reorg', []],
])('reads the kinds of "%s"', (query, kinds) => {
  expect(readKinds(new URLSearchParams(query))).toEqual(kinds);
});

it('adds up what needs somebody', () => {
  expect(totalOf([])).toBe(0);
  expect(
    totalOf([
      { kind: 'reorg', count: 2 },
      { kind: 'underpaid', count: 1000 },
    ]),
  ).toBe(1002);
});

const item: Omit<AttentionItem, 'kind'> = {
  since: new Date(0),
  id: 'x',
  applicationId: 'a1',
  paymentId: 'p1',
  refundId: 'r1',
  deliveryId: 'd1',
  otherPaymentId: 'p2',
  blockchain: 'base',
};

it.each<[AttentionItem['kind'], object[]]>([
  ['integrity', []],
  ['reorg', []],
  ['key_shared', []],
  ['gap_limit', []],
  ['endpoint_paused', [{ kind: 'resume', applicationId: 'a1' }]],
  [
    'shop_not_told',
    [
      { kind: 'redeliver', applicationId: 'a1', deliveryId: 'd1' },
      { kind: 'accept', paymentId: 'p1' },
    ],
  ],
  ['chain_halted', []],
  ['traces_unread', []],
  [
    'refund_waits',
    [
      { kind: 'record-transaction', paymentId: 'p1', refundId: 'r1' },
      { kind: 'cancel-refund', paymentId: 'p1', refundId: 'r1' },
    ],
  ],
  [
    'unmatched_funds',
    [
      { kind: 'accept-transfer', paymentId: 'p1' },
      { kind: 'refund', paymentId: 'p1' },
    ],
  ],
  [
    'overpaid',
    [
      { kind: 'refund', paymentId: 'p1' },
      { kind: 'keep', paymentId: 'p1' },
    ],
  ],
  [
    'funds_after_end',
    [
      { kind: 'refund', paymentId: 'p1' },
      { kind: 'keep', paymentId: 'p1' },
    ],
  ],
  [
    'paid_late',
    [
      { kind: 'refund', paymentId: 'p1' },
      { kind: 'keep', paymentId: 'p1' },
    ],
  ],
  [
    'underpaid',
    [
      { kind: 'accept', paymentId: 'p1' },
      { kind: 'refund', paymentId: 'p1' },
    ],
  ],
  ['late_funds', []],
])('of %s offers what the API names', (kind, remedies) => {
  expect(remediesOf(actionsOf({ ...item, kind }, WAYS))).toEqual(remedies);
});

it.each<AttentionAction>([
  { name: 'accept', method: 'POST', path: '/api/payment/p1/cancel' },
  { name: 'accept', method: 'POST', path: 'https://elsewhere.example/api/payment/p1/accept' },
  { name: 'sell', method: 'POST', path: '/api/payment/p1/accept' },
])('offers nothing for what it does not know: %j', (action) => {
  expect(remediesOf([action])).toEqual([]);
});
