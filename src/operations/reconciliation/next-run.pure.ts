import { formatProgress, type Progress } from './verification-pass.pure.js';

/** Milliseconds. As often all payments are compared again, which alone finds a later change of an old record. */
const FULL_EVERY = 30 * 86_400_000;

/** What the scheduled verification knows when it may begin or go on. */
export interface Situation {
  progress: Progress;
  fullRequestedAt: Date | null;
  intervalMs: number;
  now: Date;
}

/** What to do: nothing yet, go on with what may have changed, or begin with all payments. */
export type NextRun = 'none' | 'go on' | 'full';

export function nextRun({ progress, fullRequestedAt, intervalMs, now }: Situation): NextRun {
  if (fullRequestedAt) return 'full';
  if (progress.pass) return 'go on';
  const isWithin = (time: Date | null, ms: number) => time !== null && now.getTime() - time.getTime() < ms;
  if (isWithin(progress.comparedAt, intervalMs)) return 'none';
  return isWithin(progress.fullAt, FULL_EVERY) ? 'go on' : 'full';
}

/** Whether a part has compared something that the next one need not. Otherwise it was in vain, and so would be the next. */
export function hasAdvanced(before: Progress, after: Progress): boolean {
  if (after.pass) return formatProgress(after) !== formatProgress(before);
  return after.comparedAt?.getTime() !== before.comparedAt?.getTime();
}
