import type { Amount, TimelineEntry } from '../api/operations.js';
import { tell } from './timeline.pure.js';

const entry = (changes: Partial<TimelineEntry>): TimelineEntry => ({
  kind: 'status',
  at: '2026-01-15T10:00:00Z',
  code: 'OPEN',
  previous: null,
  reason: null,
  actor: null,
  actorId: null,
  blockchain: null,
  amount: null,
  txHash: null,
  objectId: null,
  deliveryStatus: null,
  attempts: null,
  ...changes,
});
const names = { locale: 'en', networkOf: (slug: string) => slug.toUpperCase() };
const amount = { atomic: '2500000', decimals: 6, currency: { code: 'USDC' } } as unknown as Amount;
const onBase = { blockchain: 'base', amount };

it.each<[string, Partial<TimelineEntry>, string, string, string[]]>([
  ['its creation', {}, 'idle', 'timeline.created', []],
  ['money seen', { previous: 'OPEN', code: 'FOUND', reason: 'transfer_seen' }, 'calm', 'status.found', []],
  [
    'too little',
    { previous: 'FOUND', code: 'UNDERPAID', reason: 'amount_short' },
    'warn',
    'status.underpaid',
    [],
  ],
  [
    'payment',
    { previous: 'FOUND', code: 'RECEIVED', reason: 'paid_in_full' },
    'good',
    'timeline.received',
    [],
  ],
  [
    'a loss',
    { previous: 'RECEIVED', code: 'FOUND', reason: 'reorg' },
    'calm',
    'status.found',
    ['timeline.reorg'],
  ],
  [
    'the end',
    { previous: 'RECEIVED', code: 'CONFIRMED', reason: 'merchant_acknowledged' },
    'good',
    'status.confirmed',
    ['timeline.acknowledged'],
  ],
  ['a status of the future', { previous: 'OPEN', code: 'toString' }, 'idle', 'payments.status', []],
  ['an address', { kind: 'address', code: 'evm' }, 'idle', 'timeline.address', []],
  [
    'a choice',
    { kind: 'quote', code: 'rate_locked', reason: '1.0001', ...onBase },
    'idle',
    'timeline.quote',
    ['timeline.rate'],
  ],
  [
    'a late rate',
    { kind: 'quote', code: 'late_rate', actor: 'user', ...onBase },
    'idle',
    'timeline.late-quote',
    ['actor.user'],
  ],
  ['a transfer', { kind: 'transfer', code: 'seen', ...onBase }, 'calm', 'timeline.seen', []],
  [
    'a wrong transfer',
    { kind: 'transfer', code: 'seen', reason: 'unmatched', ...onBase },
    'warn',
    'timeline.seen',
    ['payments.unmatched'],
  ],
  [
    'a late transfer',
    { kind: 'transfer', code: 'seen', reason: 'late', ...onBase },
    'warn',
    'timeline.seen',
    ['attention.late_funds'],
  ],
  ['enough blocks', { kind: 'transfer', code: 'confirmed', ...onBase }, 'good', 'timeline.confirmed', []],
  [
    'a refund',
    { kind: 'refund', code: 'COMPLETED', amount },
    'good',
    'timeline.refund',
    ['refund.completed'],
  ],
  ['a refund of the future', { kind: 'refund', code: 'NEW' }, 'idle', 'timeline.refund', []],
  [
    'an event',
    { kind: 'event', code: 'payment.received', deliveryStatus: 'SUCCEEDED' },
    'good',
    'timeline.event',
    ['delivery.succeeded'],
  ],
  [
    'an event without an endpoint',
    { kind: 'event', code: 'payment.received', deliveryStatus: 'SKIPPED', reason: 'no callback URL' },
    'idle',
    'timeline.event',
    ['timeline.no-endpoint'],
  ],
  [
    'an event whose delivery is not kept any more',
    { kind: 'event', code: 'payment.received' },
    'idle',
    'timeline.event',
    ['timeline.delivery-gone'],
  ],
  [
    'an act of a token',
    { kind: 'act', code: 'payment.cancelled', actor: 'client_token' },
    'idle',
    'timeline.act-cancelled',
    ['actor.token'],
  ],
  ['an act of the future', { kind: 'act', code: 'payment.sold', actor: 'robot' }, 'idle', 'timeline.act', []],
])('tells %s', (_title, changes, tone, title, details) => {
  const words = tell(entry(changes), names);
  expect(words.tone).toBe(tone);
  expect(words.title.key).toBe(title);
  expect(words.details.map(({ key }) => key)).toEqual(details);
});

it('names amount and network', () => {
  const { title } = tell(entry({ kind: 'transfer', code: 'seen', ...onBase }), names);
  expect(title.values).toEqual({ amount: '\u{2066}2.5\u{a0}USDC\u{2069}', network: 'BASE' });
});

it('keeps the words of machines as they are', () => {
  const failed = {
    kind: 'event',
    code: 'payment.received',
    deliveryStatus: 'FAILED',
    reason: 'HTTP 503',
  } as const;
  expect(tell(entry(failed), names).raw).toBe('HTTP 503');
  expect(tell(entry({ kind: 'act', code: 'payment.sold' }), names).raw).toBe('payment.sold');
});
