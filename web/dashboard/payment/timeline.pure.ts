import type { TimelineEntry } from '../api/operations.js';
import { formatMoney } from '../i18n/format.pure.js';
import type { Message, MessageKey } from '../i18n/message-key.pure.js';
import type { Tone } from '../parts/tone.pure.js';
import { STATUS_WORDS } from '../payments/status.pure.js';
import { REFUND_WORDS } from '../refunds/refund-words.pure.js';
import { DELIVERY_WORDS } from '../webhooks/delivery-words.pure.js';
import type { Names } from './why.pure.js';

/** What happened, in words. */
export interface Words {
  tone: Tone;
  title: Message;
  details: readonly Message[];
  /** Said by the gateway in English, or by a machine. */
  raw: string | null;
}

/** Why a payment moved, where the status does not say it. */
const REASONS: Readonly<Record<string, MessageKey>> = {
  reorg: 'timeline.reorg',
  transfers_gone: 'timeline.gone',
  underpayment_accepted: 'timeline.underpayment',
  // Also where nothing tells it: then nothing has to be waited for.
  merchant_acknowledged: 'timeline.acknowledged',
};
const ACTS: Readonly<Record<string, MessageKey>> = {
  'payment.cancelled': 'timeline.act-cancelled',
  'payment.accepted': 'timeline.act-accepted',
  'payment.kept': 'timeline.act-kept',
  'transfer.accepted': 'timeline.act-transfer',
  'refund.created': 'timeline.act-refund',
  'refund.address_set': 'timeline.act-address',
  'refund.transaction_recorded': 'timeline.act-paid',
  'refund.cancelled': 'timeline.act-declined',
  'delivery.redelivered': 'timeline.act-resent',
};
export const ACTORS: Readonly<Record<string, MessageKey>> = {
  user: 'actor.user',
  oauth_client: 'actor.program',
  client_token: 'actor.token',
  operator: 'actor.operator',
  customer: 'actor.customer',
};

/** An entry of the timeline. What this version does not know yet is shown by its code. */
export function tell(entry: TimelineEntry, names: Names): Words {
  const words = tellKind(entry, names);
  const actor = entry.actor === null ? undefined : ACTORS[entry.actor];
  return actor ? { ...words, details: [...words.details, { key: actor }] } : words;
}

function tellKind(entry: TimelineEntry, { locale, networkOf }: Names): Words {
  const { kind, code, reason, previous } = entry;
  const values = {
    amount: entry.amount ? formatMoney(entry.amount, locale) : '',
    network: entry.blockchain === null ? '' : networkOf(entry.blockchain),
  };
  const say = (tone: Tone, title: Message, details: Message[] = [], raw: string | null = null): Words => ({
    tone,
    title,
    details,
    raw,
  });
  switch (kind) {
    case 'address':
      return say('idle', { key: 'timeline.address' }, [], code);
    case 'quote':
      return say(
        'idle',
        { key: code === 'rate_locked' ? 'timeline.quote' : 'timeline.late-quote', values },
        reason === null ? [] : [{ key: 'timeline.rate', values: { rate: reason } }],
      );
    case 'transfer':
      return code === 'confirmed'
        ? say('good', { key: 'timeline.confirmed', values })
        : say(reason === null ? 'calm' : 'warn', { key: 'timeline.seen', values }, reasonOfTransfer(reason));
    case 'status': {
      if (previous === null) return say('idle', { key: 'timeline.created' });
      const words = lookUp(STATUS_WORDS, code);
      const why = reason === null ? undefined : lookUp(REASONS, reason);
      if (!words) return say('idle', { key: 'payments.status' }, [], code);
      // The words of the list say that notifying the shop has failed; here it has not happened yet.
      const title: MessageKey = code === 'RECEIVED' ? 'timeline.received' : words.word;
      return say(code === 'RECEIVED' ? 'good' : words.tone, { key: title }, why ? [{ key: why }] : []);
    }
    case 'refund': {
      const words = lookUp(REFUND_WORDS, code);
      const title: Message = { key: 'timeline.refund', values: { amount: values.amount } };
      return words ? say(words[0], title, [{ key: words[1] }]) : say('idle', title, [], code);
    }
    case 'event': {
      const title: Message = { key: 'timeline.event', values: { event: code } };
      // Nobody got it, or nobody knows any more who did.
      if (entry.deliveryStatus === 'SKIPPED') return say('idle', title, [{ key: 'timeline.no-endpoint' }]);
      if (entry.deliveryStatus === null) return say('idle', title, [{ key: 'timeline.delivery-gone' }]);
      const words = lookUp(DELIVERY_WORDS, entry.deliveryStatus);
      return say(words?.[0] ?? 'idle', title, words ? [{ key: words[1] }] : [], reason);
    }
    case 'act': {
      const act = lookUp(ACTS, code);
      return act ? say('idle', { key: act }) : say('idle', { key: 'timeline.act' }, [], code);
    }
  }
}

function reasonOfTransfer(reason: string | null): Message[] {
  if (reason === 'unmatched') return [{ key: 'payments.unmatched' }];
  return reason === 'late' ? [{ key: 'attention.late_funds' }] : [];
}

function lookUp<T>(words: Readonly<Record<string, T>>, code: string): T | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined;
}
