import type { PaymentAggregate } from '../payments/payment.pure.js';
import { isLive } from '../payments/transfer-state.pure.js';

/** Confirmation progress of a payment's funds, in blocks. */
export interface Progress {
  seen: number;
  required: number;
  /** `blocks`: funds were seen and need more blocks. `done`: all received funds count. */
  waitsFor: 'funds' | 'blocks' | 'done';
  /** Blocks still to come. 0 while it waits for blocks: the block is not final yet. */
  missing: number;
}

/**
 * Progress of the funds on a chain: of the pending transfer with the most blocks to go, or of all transfers if none is
 * pending.
 * @param expected confirmations that a transfer arriving now would need
 */
export function progressOf(
  { transfers }: Pick<PaymentAggregate, 'transfers'>,
  chain: string,
  expected: number,
): Progress {
  const live = transfers.filter((t) => t.isMatched && t.chain === chain && isLive(t));
  if (live.length === 0) return { seen: 0, required: expected, waitsFor: 'funds', missing: expected };
  const missingOf = (t: (typeof live)[number]) => t.confirmationsRequired - t.confirmations;
  const waiting = live.filter(({ state }) => state === 'pending');
  const [slowest] = waiting.toSorted((a, b) => missingOf(b) - missingOf(a));
  if (!slowest) {
    const required = Math.max(...live.map((t) => t.confirmationsRequired));
    return { seen: required, required, waitsFor: 'done', missing: 0 };
  }
  const { confirmations, confirmationsRequired: required } = slowest;
  // Deep enough and still pending: only finality is missing, shown as the last step.
  const seen = Math.min(confirmations, required - 1);
  return { seen, required, waitsFor: 'blocks', missing: Math.max(0, missingOf(slowest)) };
}
