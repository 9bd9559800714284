import type { AmountContract } from '../../money/amount.contract.js';

/** The fields of a payment's public status that change the page. */
export interface LiveFacts {
  status: string;
  receivedAmount: Pick<AmountContract, 'atomic'>;
  remainingAmount: Pick<AmountContract, 'atomic'>;
  confirmations: {
    seen: number;
    required: number;
    estimatedSecondsRemaining: number | null;
    delayed: boolean;
  } | null;
  unmatchedTransactions: readonly { id: string }[];
}

/** A fingerprint of the page's content; the page's script computes the same from the polled status. */
export function liveState(facts: LiveFacts): string {
  const { status, receivedAmount, remainingAmount, confirmations, unmatchedTransactions } = facts;
  const { seen = 0, required = 0, estimatedSecondsRemaining = null, delayed = false } = confirmations ?? {};
  const progress = [seen, required, estimatedSecondsRemaining ?? 0, delayed];
  const unmatched = unmatchedTransactions.map(({ id }) => id);
  return [status, receivedAmount.atomic, remainingAmount.atomic, ...progress, unmatched].join(' ');
}
