import type { AmountContract } from '../money/amount.contract.js';
import { sha256 } from '../platform/kernel/hmac.pure.js';

/** The fields of a payment's public status that change the page. */
export interface LiveFacts {
  status: string;
  /** The link has ended. */
  expired: boolean;
  receivedAmount: Pick<AmountContract, 'atomic'>;
  remainingAmount: Pick<AmountContract, 'atomic'>;
  confirmations: {
    seen: number;
    required: number;
    estimatedSecondsRemaining: number | null;
    delayed: boolean;
    delayedSince: string | null;
    newestBlockAt: string | null;
  } | null;
  unmatchedTransactions: readonly { id: string }[];
  reportedTransactions: readonly { txHash: string; state: string }[];
  returnable: readonly { type: string; status: string | null }[];
}

/** Final statuses, after which nothing is followed any more (specification/payment-states.md#statuses). */
const TERMINAL: readonly string[] = ['CONFIRMED', 'CANCELLED', 'ERROR', 'REFUND'];

export function isTerminal({ status }: Pick<LiveFacts, 'status'>): boolean {
  return TERMINAL.includes(status);
}

/**
 * Names a state of a payment as its page shows it: the id of events, and the tag of the page's part. The selected
 * method is no part of it: instructions that a page shows stay valid until their price ends, whatever is chosen in another
 * window, and must not be replaced while the customer copies them.
 */
export function versionOf(facts: LiveFacts): string {
  return sha256(liveState(facts)).toString('base64url').slice(0, 22);
}

function liveState(facts: LiveFacts): string {
  const { status, expired, receivedAmount, remainingAmount, confirmations, unmatchedTransactions } = facts;
  const reported = facts.reportedTransactions.map((one) => `${one.txHash} ${one.state}`);
  const asked = facts.returnable.map((one) => `${one.type} ${one.status ?? ''}`);
  const { seen = 0, required = 0, estimatedSecondsRemaining = null, delayed = false } = confirmations ?? {};
  const { delayedSince = null, newestBlockAt = null } = confirmations ?? {};
  // Before anything was seen these are of the selected method.
  const ofFunds = [seen, required, estimatedSecondsRemaining ?? 0, newestBlockAt ?? ''];
  const progress = [...(status === 'OPEN' ? [] : ofFunds), delayed, delayedSince ?? ''];
  const unmatched = unmatchedTransactions.map(({ id }) => id);
  const sums = [status, expired, receivedAmount.atomic, remainingAmount.atomic];
  return [...sums, ...progress, unmatched, reported, asked].join(' ');
}
