import type { Payment, PaymentAggregate, ReviewReason, Transfer } from './payment.pure.js';

/** Why `payment.updated` was sent (specification/events.md#changes). */
export const CHANGE_REASONS = [
  'funds_received',
  'unmatched_funds_received',
  'unmatched_funds_accepted',
  'funds_removed',
  'review_changed',
] as const;
export type ChangeReason = (typeof CHANGE_REASONS)[number];

/** What was not asked for, in one coin: confirmed, and more than dust. */
export interface UnmatchedSum {
  chain: string;
  currencyCode: string;
  decimals: number;
  amount: bigint;
  /** Smaller changes are dust. */
  floor: bigint;
}

/** The sums of a payment that its events tell. */
export interface Sums {
  receivedAmount: bigint;
  overpaidAmount: bigint | null;
  underpaidAmount: bigint | null;
  reviewReason: ReviewReason | null;
  unmatched: readonly UnmatchedSum[];
}

/** What the events of a payment have told, and how many `payment.updated` it has. */
export interface Told {
  updates: number;
  sums: Sums;
}

/** What a `payment.updated` reports. */
export interface Change {
  reason: ChangeReason;
  before: Sums;
  after: Sums;
}

/** So many of a payment are sent for every change that matters; each further one needs twice the change of the last. */
export const EVERY_CHANGE = 20;

export const NO_SUMS: Sums = {
  receivedAmount: 0n,
  overpaidAmount: null,
  underpaidAmount: null,
  reviewReason: null,
  unmatched: [],
};

/** The sums of a payment as they are; its own columns must be recomputed. */
export function sumsOf({ payment, transfers }: Pick<PaymentAggregate, 'payment' | 'transfers'>): Sums {
  const { receivedAmount, overpaidAmount, underpaidAmount, reviewReason } = payment;
  return {
    receivedAmount,
    overpaidAmount,
    underpaidAmount,
    reviewReason,
    unmatched: unmatchedOf(transfers),
  };
}

function unmatchedOf(transfers: readonly Transfer[]): UnmatchedSum[] {
  const sums = new Map<string, UnmatchedSum>();
  for (const { chain, currencyCode, assetDecimals, asset, amount, floor, ...transfer } of transfers) {
    if (transfer.isMatched || transfer.isDust || transfer.state !== 'confirmed') continue;
    const before = sums.get(`${chain} ${asset}`);
    sums.set(`${chain} ${asset}`, {
      chain,
      currencyCode,
      decimals: assetDecimals,
      amount: amount + (before?.amount ?? 0n),
      floor: before && before.floor < floor ? before.floor : floor,
    });
  }
  return [...sums.values()];
}

/**
 * The change that an event has to tell, or null: none, or one too small to matter, which then counts with the next.
 * @param least smaller changes of what was received are dust
 * @param isTakenBack the payment went back to an earlier status, and no event says so
 */
export function changeToTell(
  { updates, sums: before }: Told,
  after: Sums,
  { least, isTakenBack }: { least: bigint; isTakenBack: boolean },
): Change | null {
  const factor = updates < EVERY_CHANGE ? 1n : 1n << BigInt(updates - EVERY_CHANGE + 1);
  const received = after.receivedAmount - before.receivedAmount;
  const matters = (change: bigint, floor: bigint) =>
    change !== 0n && magnitude(change) >= (floor > 1n ? floor : 1n) * factor;
  const unmatched = [...before.unmatched, ...after.unmatched].map((sum) => ({
    change: amountIn(after, sum) - amountIn(before, sum),
    floor: sum.floor,
  }));
  const isUnmatchedTold = unmatched.some(({ change, floor }) => matters(change, floor));
  const isReviewTold = before.reviewReason !== after.reviewReason || isTakenBack;
  if (!matters(received, least) && !isUnmatchedTold && !(isReviewTold && factor === 1n)) return null;
  const hasMore = unmatched.some(({ change }) => change > 0n);
  const hasLess = unmatched.some(({ change }) => change < 0n);
  const reason = reasonOf({ received, hasMore, hasLess, isTakenBack });
  return { reason, before, after };
}

function reasonOf(change: {
  received: bigint;
  hasMore: boolean;
  hasLess: boolean;
  isTakenBack: boolean;
}): ChangeReason {
  const { received, hasMore, hasLess, isTakenBack } = change;
  if (received > 0n) return hasLess ? 'unmatched_funds_accepted' : 'funds_received';
  if (received < 0n || hasLess || isTakenBack) return 'funds_removed';
  return hasMore ? 'unmatched_funds_received' : 'review_changed';
}

/** The unmatched sum of the coin of another one. */
export function amountIn({ unmatched }: Sums, { chain, currencyCode }: UnmatchedSum): bigint {
  return unmatched.find((sum) => sum.chain === chain && sum.currencyCode === currencyCode)?.amount ?? 0n;
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

/** For the row of the payment. */
export function writeTold({ updates, sums }: Told): string {
  return JSON.stringify({ updates, ...sums }, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/**
 * What the row of a payment says was told. Null: the payment is from before this was recorded, and nothing that it has now
 * is news.
 */
export function readTold(state: Pick<PaymentAggregate, 'payment' | 'transfers'>): Told {
  const { told } = state.payment as Payment;
  if (told === null) return { updates: 0, sums: sumsOf(state) };
  const { updates = 0, ...stored } = JSON.parse(told) as Partial<StoredTold>;
  const { unmatched = [], reviewReason = null } = stored;
  return {
    updates,
    sums: {
      receivedAmount: BigInt(stored.receivedAmount ?? 0),
      overpaidAmount: toAmount(stored.overpaidAmount),
      underpaidAmount: toAmount(stored.underpaidAmount),
      reviewReason,
      unmatched: unmatched.map((sum) => ({ ...sum, amount: BigInt(sum.amount), floor: BigInt(sum.floor) })),
    },
  };
}

function toAmount(text: string | null | undefined): bigint | null {
  return text === null || text === undefined ? null : BigInt(text);
}

/** Amounts as JSON has them. */
interface StoredTold {
  updates: number;
  receivedAmount: string;
  overpaidAmount: string | null;
  underpaidAmount: string | null;
  reviewReason: ReviewReason | null;
  unmatched: (Omit<UnmatchedSum, 'amount' | 'floor'> & Record<'amount' | 'floor', string>)[];
}
