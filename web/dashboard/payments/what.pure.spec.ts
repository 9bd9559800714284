import type { Amount, PaymentSituation } from '../api/operations.js';
import { pillOf, type Seen, whatHappens } from './what.pure.js';

const usd = (cents: number) =>
  ({ atomic: String(cents), decimals: 2, currency: { code: 'USD' } }) as unknown as Amount;
const seen = (changes: Partial<Seen>): Seen => ({
  status: 'OPEN',
  happens: 'awaiting_choice',
  attention: [],
  told: 'nothing_to_tell',
  underpaidAmount: null,
  overpaidAmount: null,
  confirmations: null,
  ...changes,
});

it.each<[string, Partial<Seen>, string, object | undefined]>([
  ['that is new', {}, 'happens.awaiting_choice', undefined],
  [
    'that waits for blocks',
    { happens: 'confirming', confirmations: { seen: 3, required: 12 } },
    'transfer.blocks',
    { seen: 3, needed: 12 },
  ],
  ['that is short by an unknown amount', { happens: 'awaiting_rest' }, 'what.underpaid', undefined],
  ['that is held for an unknown amount', { happens: 'overpaid_held' }, 'attention.overpaid_held', undefined],
  ['that waits for nothing known', { happens: 'confirming' }, 'what.found', undefined],
  [
    'that is short',
    { happens: 'awaiting_rest', underpaidAmount: usd(100) },
    'happens.awaiting_rest',
    { missing: '\u{2066}$1.00\u{2069}' },
  ],
  [
    'that is held',
    { happens: 'overpaid_held', overpaidAmount: usd(50) },
    'happens.overpaid_held',
    { over: '\u{2066}$0.50\u{2069}' },
  ],
  ['of which the shop knows', { happens: 'paid', told: 'told' }, 'what.confirmed', undefined],
  ['of which the shop will know', { happens: 'paid', told: 'waiting' }, 'happens.telling_shop', undefined],
  ['of which the shop does not know', { happens: 'paid', told: 'failed' }, 'what.received', undefined],
  [
    'of which nobody knows whether the shop does',
    { happens: 'paid', told: 'unknown' },
    'what.settled',
    undefined,
  ],
  ['with nothing to tell', { happens: 'paid', told: 'nothing_to_tell' }, 'what.settled', undefined],
  ['without an endpoint', { happens: 'paid', told: 'no_endpoint' }, 'happens.no_endpoint', undefined],
])('says of a payment %s what happens', (_title, changes, key, values) => {
  const [first] = whatHappens(seen(changes), 'en');
  expect(first?.key).toBe(key);
  expect(first?.values).toEqual(values);
});

it('adds the reasons that what happens does not say', () => {
  const keys = whatHappens(
    seen({
      status: 'UNDERPAID',
      happens: 'awaiting_rest',
      underpaidAmount: usd(1),
      attention: ['refund_waits', 'late_funds', 'underpaid'],
    }),
    'en',
  ).map(({ key }) => key);
  expect(keys).toEqual(['happens.awaiting_rest', 'attention.refund_waits', 'attention.late_funds']);
});

it.each<[Partial<Seen>, string, string]>([
  [{}, 'idle', 'status.open'],
  [{ happens: 'link_expired' }, 'idle', 'status.expired'],
  [{ happens: 'unmatched_funds', attention: ['unmatched_funds'] }, 'warn', 'status.open'],
  [{ status: 'RECEIVED', happens: 'telling_shop' }, 'good', 'status.confirmed'],
  [{ status: 'RECEIVED', happens: 'shop_not_told', attention: ['shop_not_told'] }, 'warn', 'status.received'],
  [
    { status: 'RECEIVED', happens: 'overpaid_held', attention: ['overpaid_held'] },
    'warn',
    'attention.overpaid_held',
  ],
  [{ status: 'CONFIRMED', happens: 'paid' }, 'good', 'status.confirmed'],
  [{ status: 'CONFIRMED', happens: 'paid', attention: ['reorg'] }, 'warn', 'status.confirmed'],
  [{ status: 'ERROR', happens: 'failed', attention: ['funds_after_end'] }, 'bad', 'status.error'],
])('shows %j as %s: %s', (changes, tone, word) => {
  expect(pillOf(seen(changes))).toEqual({ tone, word });
});

it.each<[PaymentSituation, string]>([
  ['awaiting_funds', 'what.open'],
  ['link_expired', 'happens.link_expired'],
  ['unmatched_funds', 'payments.unmatched'],
  ['telling_shop', 'happens.telling_shop'],
  ['shop_not_told', 'what.received'],
  ['cancelled', 'what.cancelled'],
  ['failed', 'what.error'],
  ['refunded', 'what.refund'],
])('of %s says %s', (happens, key) => {
  expect(whatHappens(seen({ happens }), 'en')).toEqual([{ key }]);
});
