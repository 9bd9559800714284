import type { Chain, FinalityTag, Requirement } from '../chains/chain.pure.js';
import { usualWait } from '../chains/required-confirmations.pure.js';
import { recordedRequirement } from './confirmation-policy.pure.js';
import type { PaymentAggregate } from './payment.pure.js';
import { isLive } from './transfers/transfer-state.pure.js';

/** Confirmation progress of a payment's funds, in blocks. */
export interface Progress {
  seen: number;
  /** Where the funds wait for a tag, the usual number. */
  required: number;
  finality: FinalityTag | null;
  /** `blocks`: funds were seen and need more blocks. `done`: all received funds count. */
  waitsFor: 'funds' | 'blocks' | 'done';
  /** Blocks still to come. 0 while it waits for blocks: the block is not final yet. */
  missing: number;
}

/**
 * Progress of the funds on a chain: of the pending transfer with the most blocks to go, or of all transfers if none is
 * pending.
 * @param expected what a transfer arriving now would wait for
 */
export function progressOf(
  { transfers }: Pick<PaymentAggregate, 'transfers'>,
  chain: Chain,
  expected: Requirement,
): Progress {
  const live = transfers
    .filter((t) => t.isMatched && !t.isDust && t.chain === chain.slug && isLive(t))
    .map((t) => ({ ...t, required: usualWait(chain, recordedRequirement(t)) }));
  if (live.length === 0) {
    const required = usualWait(chain, expected);
    return { seen: 0, required, finality: expected.finality, waitsFor: 'funds', missing: required };
  }
  const missingOf = (t: (typeof live)[number]) => t.required - t.confirmations;
  const waiting = live.filter(({ state }) => state === 'pending');
  const [slowest] = waiting.toSorted((a, b) => missingOf(b) - missingOf(a));
  if (!slowest) {
    const { required, finalityRequired } = live.reduce((most, t) => (t.required > most.required ? t : most));
    return { seen: required, required, finality: finalityRequired, waitsFor: 'done', missing: 0 };
  }
  const { confirmations, required, finalityRequired: finality } = slowest;
  // Deep enough and still pending: only finality is missing, shown as the last step.
  const seen = Math.min(confirmations, required - 1);
  return { seen, required, finality, waitsFor: 'blocks', missing: Math.max(0, missingOf(slowest)) };
}
