import { type TooMuchFacts, tooMuchOf } from './too-much.pure.js';

/** What is open of payments between merchant and customer: the sums of Attention and of the month are these. */

/** Kinds of Attention with a sum that a refund would give back, the widest first: it has the money of the others, too. */
export const OWED_KINDS = [
  'funds_after_end',
  'paid_late',
  'paid_twice',
  'overpaid_held',
  'overpaid',
] as const;
export type OwedKind = (typeof OWED_KINDS)[number];

/** What decides; amounts are in the smallest unit of the payment's currency. */
export interface OpenFacts extends TooMuchFacts {
  /** What is more than the price of all that was seen, confirmed or not. */
  seenExcess: bigint;
  underpaidAmount: bigint | null;
}
type OwedFacts = Pick<
  OpenFacts,
  'receivedAmount' | 'overpaidAmount' | 'seenExcess' | 'promised' | 'keptAmount'
>;

export const isOwedKind = (kind: string): kind is OwedKind =>
  (OWED_KINDS as readonly string[]).includes(kind);

/** What a refund would give back of a payment that has an item of the kind; zero: nothing yet, or any more. */
export function owedBy(kind: OwedKind, facts: OwedFacts): bigint {
  const { receivedAmount, overpaidAmount, seenExcess, promised, keptAmount } = facts;
  switch (kind) {
    case 'funds_after_end':
    case 'paid_late':
    case 'paid_twice':
      return notBelowZero(receivedAmount - promised);
    case 'overpaid_held':
      return notBelowZero(seenExcess - promised);
    case 'overpaid':
      return notBelowZero((overpaidAmount ?? 0n) - promised - (keptAmount ?? 0n));
  }
}

/** The kinds that a payment has an item of, as the queue finds them, the widest first. */
export function owedKindsOf(facts: TooMuchFacts): OwedKind[] {
  const { owed, isPaidTwice, isAfterEnd, isPaidLate } = tooMuchOf(facts);
  const applies: Record<OwedKind, boolean> = {
    funds_after_end: isAfterEnd,
    paid_late: isPaidLate,
    paid_twice: isPaidTwice,
    overpaid_held: facts.reviewReason === 'overpaid',
    overpaid: owed > 0n,
  };
  return OWED_KINDS.filter((kind) => applies[kind]);
}

export interface Open {
  kind: OwedKind | 'underpaid';
  amount: bigint;
}

/** Each unit of money once: by its widest kind, or what is missing. Null: nothing is open. */
export function openOf(facts: OpenFacts): Open | null {
  const [kind] = owedKindsOf(facts);
  if (kind) {
    const amount = owedBy(kind, facts);
    return amount > 0n ? { kind, amount } : null;
  }
  const missing = facts.underpaidAmount ?? 0n;
  return facts.status === 'UNDERPAID' && missing > 0n ? { kind: 'underpaid', amount: missing } : null;
}

const notBelowZero = (amount: bigint) => (amount > 0n ? amount : 0n);
