import { silencesOf } from '../../payments/audit/events-audit.pure.js';
import type { WatchedProgress } from './event-watch.repository.js';

/** What is wrong with an event that is there, and with its delivery; the worst first. */
export function wrongsOf(
  progress: WatchedProgress,
  isAuthentic: boolean,
): { table: 'payment_events' | 'webhook_deliveries'; expected: string; found: string }[] {
  const { isOfEvent, isPostponed, hasSucceeded, isAccepted, deliveryState } = progress;
  const rules: [isWrong: boolean, expected: string, found: string][] = [
    [!isOfEvent, 'a delivery of the event as it is', 'another one'],
    [isPostponed, 'an attempt soon', 'one that was put off'],
    [hasSucceeded && deliveryState !== 'succeeded' && !isAccepted, 'an attempt that got a 2xx', 'none'],
  ];
  const own = rules.flatMap(([isWrong, expected, found]) => (isWrong ? [{ expected, found }] : []));
  return [
    ...(isAuthentic
      ? []
      : [
          {
            table: 'payment_events' as const,
            expected: 'as the gateway wrote it',
            found: 'another state of it',
          },
        ]),
    ...[...own, ...silencesOf(progress)].map((wrong) => ({ table: 'webhook_deliveries' as const, ...wrong })),
  ];
}

/** Whether something is still to be done about an event, so that it is to be looked at again. */
export function isOpen({ isDispatched, isSuperseded, isOvertaken, deliveryState }: WatchedProgress): boolean {
  if (deliveryState !== null) return deliveryState === 'pending' || deliveryState === 'blocked';
  return !isDispatched && !isSuperseded && !isOvertaken;
}
