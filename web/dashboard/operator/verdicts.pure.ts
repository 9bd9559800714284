import type { Reconciliation, ReconciliationSchedule } from '../api/operations.js';
import type { Message } from '../i18n/message-key.pure.js';
import type { Tone } from '../parts/tone.pure.js';

/** One thing that a comparison ended with. */
export interface Verdict {
  tone: Tone;
  message: Message;
}

type Result = Pick<Reconciliation, 'consistent' | 'complete' | 'differenceCount' | 'unattributedCount'>;

/** What a comparison ended with, the worst first. Money that belongs to no payment is no difference, and not fine either. */
export function verdictsOf({ consistent, complete, differenceCount, unattributedCount }: Result): Verdict[] {
  const wrong: Verdict[] = [];
  if (differenceCount > 0) wrong.push({ tone: 'bad', message: { key: 'reconciliation.different' } });
  if (!complete) wrong.push({ tone: 'warn', message: { key: 'reconciliation.incomplete' } });
  if (unattributedCount > 0)
    wrong.push({
      tone: 'warn',
      message: { key: 'reconciliation.unattributed', values: { count: unattributedCount } },
    });
  if (wrong.length > 0 || !consistent) return wrong;
  return [{ tone: 'good', message: { key: 'reconciliation.consistent' } }];
}

type Schedule = Pick<
  ReconciliationSchedule,
  'intervalSeconds' | 'startedAt' | 'compared' | 'fullRequested' | 'comparedAt'
>;

/** When the gateway compares by itself the next time: words, or a time. @param now when it is read */
export function nextRunOf(schedule: Schedule, now: Date): Message | { at: string } {
  const { intervalSeconds, startedAt, compared, fullRequested, comparedAt } = schedule;
  if (intervalSeconds === 0) return { key: 'reconciliation.off' };
  if (startedAt !== null) return { key: 'reconciliation.running', values: { count: compared } };
  if (fullRequested || comparedAt === null) return { key: 'reconciliation.due' };
  const at = new Date(new Date(comparedAt).getTime() + intervalSeconds * 1_000);
  return at > now ? { at: at.toISOString() } : { key: 'reconciliation.due' };
}
