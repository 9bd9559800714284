import type { AmountDto } from '../../money/amount-dto.js';

/** What of a payment's public status changes the page. */
export interface LiveFacts {
  status: string;
  receivedAmount: Pick<AmountDto, 'atomic'>;
  remainingAmount: Pick<AmountDto, 'atomic'>;
  confirmations: { seen: number } | null;
}

/** One text that changes when the page must; the page's script makes the same of what it polls. */
export function liveState({ status, receivedAmount, remainingAmount, confirmations }: LiveFacts): string {
  return [status, receivedAmount.atomic, remainingAmount.atomic, confirmations?.seen ?? 0].join(' ');
}
