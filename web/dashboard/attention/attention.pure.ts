import type { AttentionAction, AttentionCount, AttentionKind } from '../api/operations.js';
import type { Tone } from '../parts/tone.pure.js';

/** Worst first, as the API lists them. */
export const ATTENTION_TONES: Record<AttentionKind, Tone> = {
  integrity: 'bad',
  reorg: 'bad',
  key_shared: 'bad',
  endpoint_paused: 'bad',
  shop_not_told: 'bad',
  chain_halted: 'bad',
  traces_unread: 'warn',
  refund_failed: 'bad',
  refund_waits: 'warn',
  unmatched_funds: 'warn',
  unlisted_token: 'warn',
  funds_after_end: 'warn',
  paid_late: 'warn',
  paid_twice: 'warn',
  overpaid: 'warn',
  overpaid_held: 'warn',
  late_funds: 'warn',
  underpaid: 'warn',
  gap_limit: 'warn',
};
export const ATTENTION_KINDS = Object.keys(ATTENTION_TONES) as AttentionKind[];

/** The kinds of an address; what is none is left out. */
export function readKinds(query: URLSearchParams): AttentionKind[] {
  const asked = (query.get('kind') ?? '').split(',');
  return ATTENTION_KINDS.filter((kind) => asked.includes(kind));
}

export function totalOf(counts: readonly AttentionCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** What can be done about an item, here; a request that only reads is a link to the payment, which is there anyway. */
export type Remedy =
  | { kind: 'resume'; applicationId: string }
  | { kind: 'redeliver'; applicationId: string; deliveryId: string }
  | { kind: 'accept' | 'accept-transfer' | 'refund' | 'keep'; paymentId: string }
  | { kind: 'record-transaction' | 'cancel-refund'; paymentId: string; refundId: string };

/** The operation of each. */
export const OPERATIONS = {
  resume: 'resumeWebhooks',
  redeliver: 'redeliverWebhook',
  accept: 'acceptPayment',
  'accept-transfer': 'acceptPayment',
  refund: 'createRefund',
  keep: 'keepPayment',
  'record-transaction': 'completeRefund',
  'cancel-refund': 'cancelRefund',
} as const satisfies Record<Remedy['kind'], string>;

const APPLICATION = '/api/payment-applications/([^/]+)';
const PAYMENT = '/api/payment/([^/]+)';
const PATHS: readonly (readonly [name: string, RegExp, (a: string, b: string) => Remedy])[] = [
  [
    'resume',
    new RegExp(`^${APPLICATION}/webhook-endpoint/resume$`),
    (applicationId) => ({ kind: 'resume', applicationId }),
  ],
  [
    'redeliver',
    new RegExp(`^${APPLICATION}/webhook-deliveries/([^/]+)/redeliver$`),
    (applicationId, deliveryId) => ({ kind: 'redeliver', applicationId, deliveryId }),
  ],
  ['accept', new RegExp(`^${PAYMENT}/accept$`), (paymentId) => ({ kind: 'accept', paymentId })],
  [
    'accept_transfer',
    new RegExp(`^${PAYMENT}/accept$`),
    (paymentId) => ({ kind: 'accept-transfer', paymentId }),
  ],
  ['refund', new RegExp(`^${PAYMENT}/refunds$`), (paymentId) => ({ kind: 'refund', paymentId })],
  ['keep', new RegExp(`^${PAYMENT}/keep$`), (paymentId) => ({ kind: 'keep', paymentId })],
  [
    'record_transaction',
    new RegExp(`^${PAYMENT}/refunds/([^/]+)/complete$`),
    (paymentId, refundId) => ({ kind: 'record-transaction', paymentId, refundId }),
  ],
  [
    'cancel_refund',
    new RegExp(`^${PAYMENT}/refunds/([^/]+)/cancel$`),
    (paymentId, refundId) => ({ kind: 'cancel-refund', paymentId, refundId }),
  ],
];

/** Of the requests that settle an item those that this version knows, the usual first. */
export function remediesOf(actions: readonly AttentionAction[]): Remedy[] {
  return actions.flatMap(({ name, path }) => {
    const [, pattern, make] = PATHS.find(([known]) => known === name) ?? [];
    const [, first, second = ''] = pattern?.exec(path) ?? [];
    return make && first !== undefined ? [make(first, second)] : [];
  });
}
