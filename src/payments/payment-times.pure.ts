import type { HistoryRow } from './payment-status-history.repository.js';
import type { Finding } from './audit/payment-records.pure.js';
import type { Payment } from './payment.pure.js';

type Times = Pick<Payment, 'foundAt' | 'receivedAt' | 'confirmedAt' | 'cancelledAt' | 'errorReason'>;
/** What the moves of a payment say about it. */
export type Entry = Pick<HistoryRow, 'fromStatus' | 'toStatus' | 'reason' | 'createdAt'>;

/**
 * Finds times and reasons of a payment that do not follow from its history, whose entries carry MACs. Replays what
 * PaymentStateMachine writes with each move.
 */
export function auditTimes(
  payment: Times & Pick<Payment, 'createdAt' | 'cancelReason'>,
  history: readonly Entry[],
): Finding[] {
  const due = replay(history, payment.createdAt);
  const compare = (subject: keyof Times): Finding[] => {
    const [expected, found] = [textOf(due[subject]), textOf(payment[subject])];
    return expected === found ? [] : [{ check: 'history', subject, expected, found }];
  };
  const isUnfounded = payment.cancelReason !== null && due.cancelledAt === null;
  return [
    ...(['foundAt', 'receivedAt', 'confirmedAt', 'cancelledAt', 'errorReason'] as const).flatMap(compare),
    ...(isUnfounded
      ? [
          {
            check: 'history',
            subject: 'cancelReason',
            expected: 'none',
            found: String(payment.cancelReason),
          } as const,
        ]
      : []),
  ];
}

function replay(history: readonly Entry[], createdAt: Date): Times {
  const times: Times = {
    foundAt: null,
    receivedAt: null,
    confirmedAt: null,
    cancelledAt: null,
    errorReason: null,
  };
  for (const { fromStatus, toStatus, reason, createdAt: at } of history) {
    if (toStatus === 'OPEN') times.foundAt = null;
    if (toStatus === 'FOUND') times.foundAt ??= later(at, createdAt);
    if (toStatus === 'RECEIVED') times.receivedAt = at;
    if (fromStatus === 'RECEIVED' && reason === 'reorg') times.receivedAt = null;
    if (toStatus === 'CONFIRMED') times.confirmedAt = later(at, times.foundAt);
    if (toStatus === 'CANCELLED') times.cancelledAt = at;
    if (toStatus === 'ERROR') times.errorReason = reason;
  }
  return times;
}

function later(one: Date, other: Date | null): Date {
  return other !== null && other > one ? other : one;
}

/** A time that a writer of the database stored may be none that JavaScript knows. */
function textOf(value: Date | string | null): string {
  if (value === null) return 'none';
  if (!(value instanceof Date)) return String(value);
  return Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString();
}
