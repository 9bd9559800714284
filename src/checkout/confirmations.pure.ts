import type { PaymentAggregate } from '../payments/payment.pure.js';
import { isLive } from '../payments/transfer-state.pure.js';

/** How far funds are, in blocks. */
export interface Progress {
  seen: number;
  required: number;
  /** `done`: all that came counts. */
  waitsFor: 'funds' | 'blocks' | 'done';
  /** Blocks that are still to come; none and yet waiting: the chain has to call the block final. */
  missing: number;
}

/**
 * How far the funds on a chain are: the one of those that wait that has most blocks to wait for, or all of them once
 * none waits.
 * @param demanded what funds will need that come now
 */
export function progressOf(
  { transfers }: Pick<PaymentAggregate, 'transfers'>,
  chain: string,
  demanded: number,
): Progress {
  const live = transfers.filter((t) => t.isMatched && t.chain === chain && isLive(t));
  if (live.length === 0) return { seen: 0, required: demanded, waitsFor: 'funds', missing: demanded };
  const missingOf = (t: (typeof live)[number]) => t.confirmationsRequired - t.confirmations;
  const waiting = live.filter(({ state }) => state === 'pending');
  const [slowest] = waiting.toSorted((a, b) => missingOf(b) - missingOf(a));
  if (!slowest) {
    const required = Math.max(...live.map((t) => t.confirmationsRequired));
    return { seen: required, required, waitsFor: 'done', missing: 0 };
  }
  const { confirmations, confirmationsRequired: required } = slowest;
  // Deep enough and still pending: it waits for finality, which is the last step.
  const seen = Math.min(confirmations, required - 1);
  return { seen, required, waitsFor: 'blocks', missing: Math.max(0, missingOf(slowest)) };
}
