import type { Amount, Transaction } from '../api/operations.js';
import { isRefundable, whyNotPaid } from './why.pure.js';

const NAMES = { locale: 'en', networkOf: (slug: string) => slug.toUpperCase() };
const usd = (cents: number): Amount => ({
  value: cents / 100,
  amount: BigInt(cents),
  formatted: '',
  atomic: String(cents),
  currency: { code: 'USD', name: 'US dollar', decimals: 2 },
  decimals: 2,
  symbol: '$',
});

const transfer = (changes: Partial<Transaction> = {}): Transaction =>
  ({
    id: 't1',
    blockchain: 'base',
    amount: usd(500),
    status: 'CONFIRMED',
    matched: true,
    acceptable: false,
    confirmations: 12,
    confirmationsRequired: 12,
    ...changes,
  }) as Transaction;

type Asked = Parameters<typeof whyNotPaid>[0];
const payment = (changes: Partial<Asked>): Asked => ({
  status: 'OPEN',
  amount: usd(2500),
  receivedAmount: usd(0),
  underpaidAmount: null,
  overpaidAmount: null,
  expired: false,
  reviewReason: null,
  errorReason: null,
  transactions: [],
  ...changes,
});

const STRAY = transfer({ matched: false, acceptable: true });
/** As the screen asks it, with nothing in a refund. */
const restOf = ({ transactions }: Asked, left = 500n) => ({
  left,
  unmatched: transactions.filter(({ matched }) => !matched),
  acceptable: transactions.filter(({ matched, acceptable }) => !matched && acceptable),
});

it.each<[string, Partial<Asked>, string | null, string[]]>([
  ['that waits for the customer', {}, 'why.open', ['copy-link', 'cancel']],
  ['whose link has expired', { expired: true }, 'why.expired', []],
  ['that is seen', { status: 'FOUND' }, 'why.found', []],
  ['that is short', { status: 'UNDERPAID' }, 'why.underpaid', ['accept', 'copy-link', 'refund']],
  ['that is short, expired', { status: 'UNDERPAID', expired: true }, 'why.underpaid', ['accept', 'refund']],
  ['of which the shop does not know', { status: 'RECEIVED' }, 'why.untold', ['resend', 'accept']],
  ['that is held', { status: 'RECEIVED', reviewReason: 'overpaid' }, 'why.overpaid', ['accept', 'refund']],
  ['that is cancelled', { status: 'CANCELLED' }, 'why.cancelled', []],
  [
    'that is cancelled and paid',
    { status: 'CANCELLED', reviewReason: 'funds_after_cancel' },
    'why.funds-after-cancel',
    ['refund'],
  ],
  ['that failed', { status: 'ERROR', errorReason: 'broken' }, 'why.error', []],
  ['that is paid', { status: 'CONFIRMED' }, null, []],
  ['that is refunded', { status: 'REFUND' }, null, []],
  ['with funds on another network', { transactions: [STRAY] }, 'why.stray', ['accept-transfer', 'refund']],
  ['that is paid, with other funds', { status: 'CONFIRMED', transactions: [STRAY] }, null, []],
  [
    'with funds that cannot be accepted',
    { transactions: [transfer({ matched: false })] },
    'why.open',
    ['copy-link', 'cancel'],
  ],
])('of a payment %s it says why and offers what helps', (_title, changes, text, actions) => {
  const asked = payment(changes);
  const why = whyNotPaid(asked, restOf(asked), NAMES);
  expect(why?.text ?? null).toBe(text);
  expect(why?.actions.map(({ kind }) => kind) ?? []).toEqual(actions);
});

const NOTHING = { left: 0n, unmatched: [], acceptable: [] };
it.each<[string, Partial<Asked>, typeof NOTHING | null, string | null, string[]]>([
  [
    'a stray that is given back',
    { transactions: [STRAY] },
    NOTHING,
    'why.stray-refunded',
    ['copy-link', 'cancel'],
  ],
  ['a part that is given back', { status: 'UNDERPAID' }, NOTHING, 'why.underpaid', ['copy-link']],
  [
    'a part of which some is given back',
    { status: 'UNDERPAID' },
    { ...NOTHING, left: 1n },
    'why.underpaid',
    ['accept', 'copy-link', 'refund'],
  ],
  [
    'an excess that is given back',
    { status: 'RECEIVED', reviewReason: 'overpaid' },
    NOTHING,
    'why.overpaid',
    ['accept'],
  ],
  [
    'funds after the end that are given back',
    { status: 'CANCELLED', reviewReason: 'funds_after_cancel' },
    NOTHING,
    'why.funds-after-cancel',
    [],
  ],
  ['a part, before the refunds are known', { status: 'UNDERPAID' }, null, 'why.underpaid', ['copy-link']],
  [
    'a stray, before the refunds are known',
    { transactions: [STRAY] },
    null,
    'why.open',
    ['copy-link', 'cancel'],
  ],
])('offers nothing twice of %s', (_title, changes, rest, text, actions) => {
  const why = whyNotPaid(payment(changes), rest, NAMES);
  expect([why?.text, ...(why?.actions.map(({ kind }) => kind) ?? [])]).toEqual([text, ...actions]);
});

it('counts the blocks of the transfer that needs the most', () => {
  const transactions = [
    transfer({ status: 'PENDING', confirmations: 5, confirmationsRequired: 6 }),
    transfer({ status: 'PENDING', confirmations: 2, confirmationsRequired: 12 }),
    transfer({ status: 'ORPHANED', confirmations: 0, confirmationsRequired: 99 }),
  ];
  expect(whyNotPaid(payment({ status: 'FOUND', transactions }), NOTHING, NAMES)?.values).toEqual({
    seen: 2,
    needed: 12,
  });
});

it('names the amounts', () => {
  const values = { receivedAmount: usd(2400), underpaidAmount: usd(100) };
  expect(whyNotPaid(payment({ status: 'UNDERPAID', ...values }), NOTHING, NAMES)?.values).toEqual({
    received: '\u{2066}$24.00\u{2069}',
    price: '\u{2066}$25.00\u{2069}',
    missing: '\u{2066}$1.00\u{2069}',
  });
});

it.each<[Asked['status'], Transaction[], boolean]>([
  ['OPEN', [STRAY], false],
  ['FOUND', [transfer()], false],
  ['UNDERPAID', [transfer()], true],
  ['CONFIRMED', [transfer({ status: 'ORPHANED' })], false],
  ['CANCELLED', [], false],
])('%s is refundable: only with confirmed funds, and not while they come in', (status, transactions, is) => {
  expect(isRefundable({ status, transactions })).toBe(is);
});
