import type { PaymentConfirmationsContract } from '../checkout.contract.js';

/** What a screen reader is told of a payment that was seen: not each block, of which there may be hundreds. */
export type AnnouncedStage = 'seen' | 'half' | 'last' | 'delayed';

/** @param progress null: nothing is known */
export function announcedStage(
  progress: Pick<PaymentConfirmationsContract, 'seen' | 'required' | 'delayed'> | null,
): AnnouncedStage {
  if (progress === null) return 'seen';
  const { seen, required, delayed } = progress;
  if (delayed) return 'delayed';
  if (seen === 0) return 'seen';
  if (seen >= required - 1) return 'last';
  return seen * 2 >= required ? 'half' : 'seen';
}
