import type { PaymentState } from '../payments/payment.js';

/**
 * How far the funds on a chain are: the least confirmed of those that still wait, or all of `required`
 * once none waits.
 */
export function confirmationsOf(
  { transfers }: Pick<PaymentState, 'transfers'>,
  chain: string,
  required: number,
): { seen: number; required: number } {
  const live = transfers.filter(
    (t) => t.isMatched && t.chain === chain && (t.state === 'pending' || t.state === 'confirmed'),
  );
  if (live.length === 0) return { seen: 0, required };
  // Deep enough and still pending: it waits for finality, which is the last step.
  const seen = live.map((transfer) =>
    transfer.state === 'confirmed' ? required : Math.min(transfer.confirmations, required - 1),
  );
  return { seen: Math.min(required, ...seen), required };
}
