import type { PaymentAttention } from '../payments/payment-attention.pure.js';
import type { Way } from '../payments/payment-moves.pure.js';

/** What concerns a network, and so everybody. */
export type ChainAttention = 'chain_halted' | 'traces_unread';

/** What concerns a key. */
export type WalletAttention = 'key_shared' | 'gap_limit';

/** Everything that needs the merchant, worst first (specification/overview.md#attention). */
export const ATTENTION_KINDS = [
  'integrity',
  'reorg',
  'key_shared',
  'endpoint_paused',
  'shop_not_told',
  'chain_halted',
  'traces_unread',
  'refund_failed',
  'refund_waits',
  'unmatched_funds',
  'unlisted_token',
  'funds_after_end',
  'paid_late',
  'paid_twice',
  'overpaid',
  'overpaid_held',
  'late_funds',
  'underpaid',
  'gap_limit',
] as const satisfies readonly (PaymentAttention | WalletAttention | 'endpoint_paused' | ChainAttention)[];
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** One reason that something needs the merchant. */
export interface AttentionItem {
  kind: AttentionKind;
  since: Date;
  /** Of the payment, the refund, the wallet, the application or the chain; unique among the items of a kind. */
  id: string;
  /** Null: it is about a chain, or a key of the whole account. */
  applicationId: string | null;
  paymentId: string | null;
  refundId: string | null;
  deliveryId: string | null;
  /** The other payment of `paid_twice`. */
  otherPaymentId: string | null;
  blockchain: string | null;
}

/** What can be done, as a request of this API. */
export interface AttentionAction {
  name: string;
  method: 'GET' | 'POST';
  path: string;
}

/** The place of an item in the queue. */
export type AttentionPlace = Pick<AttentionItem, 'kind' | 'since' | 'id'>;

export const rankOf = (kind: AttentionKind) => ATTENTION_KINDS.indexOf(kind);

/** Worst first; of the same kind, the oldest first. */
export function comparePlaces(a: AttentionPlace, b: AttentionPlace): number {
  const byKind = rankOf(a.kind) - rankOf(b.kind);
  if (byKind !== 0) return byKind;
  const byTime = a.since.getTime() - b.since.getTime();
  if (byTime !== 0) return byTime;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

/** The format may change, but cursors of before must remain readable. */
const PLACE = /^([a-z_]{1,32}):(0|[1-9][0-9]{0,13}):([a-z0-9-]{1,64})$/;

export function formatAttentionPlace({ kind, since, id }: AttentionPlace): string {
  return `${kind}:${since.getTime()}:${id}`;
}

/** Null if {@link formatAttentionPlace} did not make it. */
export function parseAttentionPlace(text: string): AttentionPlace | null {
  const parts = PLACE.exec(text);
  const kind = ATTENTION_KINDS.find((known) => known === parts?.[1]);
  const id = parts?.[3];
  if (kind === undefined || id === undefined) return null;
  return { kind, since: new Date(Number(parts?.[2])), id };
}

/**
 * What can be done about it, the right one first. Of refunds and acceptances those that the payment allows.
 * @param ways that are open for the payment (payment-moves.pure.ts)
 */
export function actionsOf(item: AttentionItem, ways: readonly Way[]): AttentionAction[] {
  const payment = `/api/payment/${item.paymentId}`;
  const refund = `${payment}/refunds/${item.refundId}`;
  const application = `/api/payment-applications/${item.applicationId}`;
  const post = (name: string, path: string): AttentionAction => ({ name, method: 'POST', path });
  const timeline: AttentionAction = { name: 'timeline', method: 'GET', path: `${payment}/timeline` };
  const ifOpen = (way: Way, action: AttentionAction) => (ways.includes(way) ? [action] : []);
  const giveBack = ifOpen('refund', post('refund', `${payment}/refunds`));
  switch (item.kind) {
    case 'endpoint_paused':
      return [
        post('resume', `${application}/webhook-endpoint/resume`),
        post('test', `${application}/webhook-test`),
      ];
    case 'key_shared':
    case 'gap_limit':
      return [
        {
          name: 'wallets',
          method: 'GET',
          path: item.applicationId === null ? '/api/account/wallets' : `${application}/wallets`,
        },
      ];
    case 'chain_halted':
    case 'traces_unread':
      return [{ name: 'blockchain', method: 'GET', path: `/api/blockchains/${item.blockchain}` }];
    case 'shop_not_told':
      return [
        post('redeliver', `${application}/webhook-deliveries/${item.deliveryId}/redeliver`),
        post('accept', `${payment}/accept`),
        timeline,
      ];
    case 'refund_failed':
    case 'refund_waits':
      return [
        post('record_transaction', `${refund}/complete`),
        post('set_address', `${refund}/address`),
        post('cancel_refund', `${refund}/cancel`),
        timeline,
      ];
    case 'unmatched_funds':
      return [
        ...ifOpen('count', post('accept_transfer', `${payment}/accept`)),
        ...ifOpen('return', post('refund', `${payment}/refunds`)),
        timeline,
      ];
    case 'unlisted_token':
      return [post('keep', `${payment}/keep`), timeline];
    case 'paid_late':
    case 'paid_twice':
    case 'overpaid':
      return [...giveBack, post('keep', `${payment}/keep`), timeline];
    case 'funds_after_end':
      // Nothing can be kept before it is confirmed.
      return [...giveBack, ...ifOpen('refund', post('keep', `${payment}/keep`)), timeline];
    case 'overpaid_held':
    case 'underpaid':
      return [...ifOpen('accept', post('accept', `${payment}/accept`)), ...giveBack, timeline];
    case 'integrity':
      // Until its rows are put back, every request about it is refused.
      return [{ name: 'payment', method: 'GET', path: payment }];
    case 'reorg':
    case 'late_funds':
      return [timeline];
  }
}
