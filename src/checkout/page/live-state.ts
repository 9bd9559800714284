import type { AmountDto } from '../../money/amount-dto.js';

/** What of a payment's public status changes the page. */
export interface LiveFacts {
  status: string;
  receivedAmount: Pick<AmountDto, 'atomic'>;
  remainingAmount: Pick<AmountDto, 'atomic'>;
  confirmations: {
    seen: number;
    required: number;
    estimatedSecondsRemaining: number | null;
    delayed: boolean;
  } | null;
  unmatchedTransactions: readonly { id: string }[];
}

/** One text that changes when the page must; the page's script makes the same of what it polls. */
export function liveState(facts: LiveFacts): string {
  const { status, receivedAmount, remainingAmount, confirmations, unmatchedTransactions } = facts;
  const { seen = 0, required = 0, estimatedSecondsRemaining = null, delayed = false } = confirmations ?? {};
  const progress = [seen, required, estimatedSecondsRemaining ?? 0, delayed];
  const unmatched = unmatchedTransactions.map(({ id }) => id);
  return [status, receivedAmount.atomic, remainingAmount.atomic, ...progress, unmatched].join(' ');
}
