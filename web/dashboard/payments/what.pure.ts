import type { PaymentAttention, PaymentOverview } from '../api/operations.js';
import { formatMoney } from '../i18n/format.pure.js';
import type { Message, MessageKey } from '../i18n/message-key.pure.js';
import type { Tone } from '../parts/tone.pure.js';
import { ATTENTION_WORDS } from './attention-words.pure.js';
import { STATUS_WORDS } from './status.pure.js';

export type Seen = Pick<
  PaymentOverview,
  'status' | 'happens' | 'attention' | 'told' | 'underpaidAmount' | 'overpaidAmount' | 'confirmations'
>;

/** Reasons that what happens does not say already. */
const BESIDE: readonly PaymentAttention[] = [
  'reorg',
  'refund_failed',
  'refund_waits',
  'funds_after_end',
  'unlisted_token',
  'paid_late',
  'paid_twice',
  'overpaid',
  'late_funds',
];

/** The status as a shop says it. What needs somebody is never calm. */
export function pillOf({ status, happens, attention }: Seen): { tone: Tone; word: MessageKey } {
  const { tone, word } = STATUS_WORDS[status];
  if (happens === 'link_expired') return { tone: 'idle', word: 'status.expired' };
  if (happens === 'overpaid_held') return { tone: 'warn', word: 'attention.overpaid_held' };
  if (attention.length > 0) return { tone: tone === 'bad' ? 'bad' : 'warn', word };
  // On its way to the shop.
  if (happens === 'telling_shop') return { tone: 'good', word: 'status.confirmed' };
  return { tone, word };
}

/** What a payment waits for, or how it ended, and then why somebody has to look at it. */
export function whatHappens(payment: Seen, locale: string): Message[] {
  const beside = payment.attention
    .filter((kind) => BESIDE.includes(kind))
    .map((kind) => ({ key: ATTENTION_WORDS[kind] }));
  return [situation(payment, locale), ...beside];
}

function situation(payment: Seen, locale: string): Message {
  const { happens, told, confirmations, underpaidAmount, overpaidAmount } = payment;
  switch (happens) {
    case 'awaiting_choice':
      return { key: 'happens.awaiting_choice' };
    case 'awaiting_funds':
      return { key: 'what.open' };
    case 'link_expired':
      return { key: 'happens.link_expired' };
    case 'unmatched_funds':
      return { key: 'payments.unmatched' };
    case 'confirming':
      return confirmations
        ? { key: 'transfer.blocks', values: { seen: confirmations.seen, needed: confirmations.required } }
        : { key: 'what.found' };
    case 'awaiting_rest':
      return underpaidAmount
        ? { key: 'happens.awaiting_rest', values: { missing: formatMoney(underpaidAmount, locale) } }
        : { key: 'what.underpaid' };
    case 'overpaid_held':
      return overpaidAmount
        ? { key: 'happens.overpaid_held', values: { over: formatMoney(overpaidAmount, locale) } }
        : { key: 'attention.overpaid_held' };
    case 'telling_shop':
      return { key: 'happens.telling_shop' };
    case 'shop_not_told':
      return { key: 'what.received' };
    case 'paid':
      return { key: paidWords(told) };
    case 'cancelled':
      return { key: 'what.cancelled' };
    case 'failed':
      return { key: 'what.error' };
    case 'refunded':
      return { key: 'what.refund' };
  }
}

/** Of a payment that is paid: whether the shop knows. */
function paidWords(told: Seen['told']): MessageKey {
  switch (told) {
    case 'waiting':
      return 'happens.telling_shop';
    case 'retrying':
    case 'failed':
      return 'what.received';
    case 'no_endpoint':
      return 'happens.no_endpoint';
    case 'told':
      return 'what.confirmed';
    default:
      // Nothing says that the shop was told.
      return 'what.settled';
  }
}
