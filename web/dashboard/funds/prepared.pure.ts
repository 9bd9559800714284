import type { Collection } from '../api/operations.js';
import type { Money } from '../i18n/format.pure.js';
import { sumOf } from './holdings.pure.js';

/** Several answers about older and older addresses as one. `next` is that of the last. */
export function joined(parts: readonly Collection[]): Collection {
  return {
    psbts: parts.flatMap(({ psbts }) => psbts),
    transactions: parts.flatMap(({ transactions }) => transactions),
    safeBatches: parts.flatMap(({ safeBatches }) => safeBatches),
    plans: parts.flatMap(({ plans }) => plans),
    deployment: parts.find(({ deployment }) => deployment !== null)?.deployment ?? null,
    expected: parts.flatMap(({ expected }) => expected),
    unpriced: [...new Set(parts.flatMap(({ unpriced }) => unpriced))],
    leftOut: parts.flatMap(({ leftOut }) => leftOut),
    next: parts.at(-1)?.next ?? null,
  };
}

/** By coin, in the order in which they come; the same code of two contracts is two coins. */
export function sumsOf(
  some: readonly { amount: Money; token: { contractAddress: string } | null }[],
): Money[] {
  const byCoin = new Map<string, Money[]>();
  for (const { amount, token } of some) {
    const coin = `${amount.currency.code} ${token?.contractAddress ?? ''}`;
    byCoin.set(coin, [...(byCoin.get(coin) ?? []), amount]);
  }
  return [...byCoin.values()].flatMap((amounts) => sumOf(amounts) ?? []);
}

/** What the senders pay together; null: of one of them it is not known, or there is none. */
export function feeOf({ psbts, transactions }: Pick<Collection, 'psbts' | 'transactions'>): Money | null {
  const fees = [...psbts, ...transactions].map(({ fee }) => fee);
  const known = fees.flatMap((fee) => fee ?? []);
  return known.length === fees.length ? sumOf(known) : null;
}

/** Prices in US dollars by the code of a coin, as decimal text; a coin that has none is not there. */
export type Prices = ReadonlyMap<string, string>;

export type Verdict = 'pays' | 'costs-more' | 'unknown';

/** Whether what arrives is worth more than the fee. Of one coin no price is needed. */
export function verdictOf(arrives: readonly Money[], fee: Money | null, prices: Prices): Verdict {
  if (fee === null) return 'unknown';
  const isSame = arrives.every(({ currency }) => currency.code === fee.currency.code);
  const values = isSame ? arrives.map(unitsOf) : arrives.map((one) => valueOf(one, prices));
  const cost = isSame ? unitsOf(fee) : valueOf(fee, prices);
  const worth = values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0n);
  if (worth === null || cost === null) return 'unknown';
  return worth > cost ? 'pays' : 'costs-more';
}

/** Digits after the point of what is compared: as many as a coin and its price can have together. */
const PRECISION = 80;

function unitsOf({ atomic, decimals }: Money): bigint {
  return BigInt(atomic) * 10n ** BigInt(PRECISION - decimals);
}

/** In US dollars; null: the coin has no price. */
function valueOf({ atomic, decimals, currency: { code } }: Money, prices: Prices): bigint | null {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,40}))?$/.exec(prices.get(code) ?? '') ?? [];
  if (whole === undefined) return null;
  return BigInt(atomic) * BigInt(whole + fraction) * 10n ** BigInt(PRECISION - decimals - fraction.length);
}
