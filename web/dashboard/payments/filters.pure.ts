import type { PaymentAttention, PaymentStatus } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { AMOUNT, atomicOf } from './amount.pure.js';

/** The filters of the list; they are the query of its address, so that they can be kept and sent. */
export interface PaymentFilters {
  status: readonly PaymentStatus[];
  /** Empty: not filtered, as all the others. It goes with no status: each reason has its own ones. */
  attention: AttentionFilter | '';
  search: string;
  application: string;
  /** Slug. */
  network: string;
  coin: string;
  currency: string;
  /** Decimal, in whole units of the currency; only with one. */
  min: string;
  max: string;
  /** Days of the reader, as 2026-01-31; inclusive. */
  since: string;
  until: string;
}

export const STATUSES: readonly PaymentStatus[] = [
  'OPEN',
  'FOUND',
  'UNDERPAID',
  'RECEIVED',
  'CONFIRMED',
  'CANCELLED',
  'ERROR',
  'REFUND',
];
/** Reasons to look at a payment by which the list can be filtered; the rest is a status, or is in the queue. */
export const ATTENTION_FILTERS = [
  'reorg',
  'unmatched_funds',
  'funds_after_end',
  'overpaid',
  'overpaid_held',
  'late_funds',
  'expired_with_funds',
] as const;
/** Where a payment that needs somebody is found: by its status, by a filter of the list, or in the queue only. */
const REASONS: Readonly<Record<PaymentAttention, 'status' | AttentionFilter | 'queue'>> = {
  integrity: 'queue',
  reorg: 'reorg',
  shop_not_told: 'status',
  refund_failed: 'queue',
  refund_waits: 'queue',
  unmatched_funds: 'unmatched_funds',
  unlisted_token: 'queue',
  funds_after_end: 'funds_after_end',
  paid_late: 'queue',
  paid_twice: 'queue',
  overpaid: 'overpaid',
  overpaid_held: 'overpaid_held',
  late_funds: 'late_funds',
  underpaid: 'status',
};
/** Reasons that the list cannot be filtered by; their chips lead to Attention. */
export const QUEUED = (Object.keys(REASONS) as PaymentAttention[]).filter(
  (kind) => REASONS[kind] === 'queue',
);
export type AttentionFilter = (typeof ATTENTION_FILTERS)[number];

export const NO_FILTERS: PaymentFilters = {
  status: [],
  attention: '',
  search: '',
  application: '',
  network: '',
  coin: '',
  currency: '',
  min: '',
  max: '',
  since: '',
  until: '',
};
/** Those behind "More filters". */
export const MORE = ['application', 'network', 'coin', 'currency', 'min', 'max', 'since', 'until'] as const;
const TEXTS = ['search', ...MORE] as const;

/** Of any currency. */
const MOST_DECIMALS = 18;
/** Of the API. */
const MAX_SEARCH = 255;
const NAME = /^[A-Za-z0-9-]{1,32}$/;
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const VALID: Record<(typeof MORE)[number], RegExp> = {
  application: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  network: NAME,
  coin: NAME,
  currency: NAME,
  min: AMOUNT,
  max: AMOUNT,
  since: DAY,
  until: DAY,
};

/** What an address asks for; what it cannot mean is left out. */
export function readFilters(query: URLSearchParams): PaymentFilters {
  const asked = (query.get('status') ?? '').split(',');
  const attention = ATTENTION_FILTERS.find((one) => one === query.get('attention')) ?? '';
  const filters: PaymentFilters = {
    ...NO_FILTERS,
    attention,
    status: attention === '' ? STATUSES.filter((status) => asked.includes(status)) : [],
    search: (query.get('search') ?? '').trim().slice(0, MAX_SEARCH),
  };
  for (const name of MORE) {
    const text = (query.get(name) ?? '').trim();
    if (VALID[name].test(text)) filters[name] = text;
  }
  return filters.currency === '' ? { ...filters, min: '', max: '' } : filters;
}

/** The address of filters, without those that are not set. */
export function writeFilters(filters: PaymentFilters): URLSearchParams {
  const query = new URLSearchParams();
  if (filters.status.length > 0) query.set('status', filters.status.join(','));
  if (filters.attention !== '') query.set('attention', filters.attention);
  for (const name of TEXTS) if (filters[name] !== '') query.set(name, filters[name]);
  return query;
}

/** Whether anything is filtered: then an empty list does not mean that there is nothing. */
export function isFiltered(filters: PaymentFilters): boolean {
  return writeFilters(filters).size > 0;
}

/** Amounts can be asked for only with the decimals of their currency. */
export function hasAmounts({ min, max }: PaymentFilters): boolean {
  return min !== '' || max !== '';
}

/** How many of those that are out of sight are set. */
export function countMore(filters: PaymentFilters): number {
  return MORE.filter((name) => filters[name] !== '').length;
}

/** The fields of a span that ends before it begins: nothing is in it, which is not the same as that nothing was found. */
export function crossedOf({
  min = '',
  max = '',
  since = '',
  until = '',
}: Partial<PaymentFilters>): readonly [MessageKey, MessageKey] | null {
  if (since !== '' && until !== '' && since > until) return ['filters.since', 'filters.until'];
  if (min === '' || max === '') return null;
  const [least, most] = [min, max].map((decimal) => BigInt(atomicOf(decimal, MOST_DECIMALS, 'down')));
  return (least ?? 0n) > (most ?? 0n) ? ['filters.min', 'filters.max'] : null;
}
