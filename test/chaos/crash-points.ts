import type { Failpoint } from '../../src/platform/kernel/failpoints.js';

/** Roles of processes. */
export const ROLES = ['api', 'watcher', 'worker'] as const;
export type ProcessRole = (typeof ROLES)[number];

/** A failpoint at which processes are killed. */
export interface CrashPoint {
  /** The roles that reach it. */
  roles: readonly ProcessRole[];
  /** Between BEGIN and COMMIT. */
  isInTransaction: boolean;
}

/** Every failpoint of src/platform/kernel/failpoints.ts, which describes the risk of each. */
export const CRASH_POINTS = {
  'transaction.before-commit': { roles: ROLES, isInTransaction: true },
  'transaction.after-commit': { roles: ROLES, isInTransaction: false },
  'idempotency.reserved': { roles: ['api'], isInTransaction: true },
  'idempotency.acted': { roles: ['api'], isInTransaction: true },
  'idempotency.committed': { roles: ['api'], isInTransaction: false },
  'payments.created': { roles: ['api'], isInTransaction: false },
  'address.index-taken': { roles: ['api'], isInTransaction: true },
  'quote.written': { roles: ['api'], isInTransaction: true },
  'blocks.matched': { roles: ['watcher'], isInTransaction: false },
  'blocks.cursor-moved': { roles: ['watcher'], isInTransaction: true },
  'blocks.transfers-recorded': { roles: ['watcher'], isInTransaction: true },
  'blocks.committed': { roles: ['watcher'], isInTransaction: false },
  'reorg.cursor-moved': { roles: ['watcher'], isInTransaction: true },
  'reorg.committed': { roles: ['watcher'], isInTransaction: false },
  'payment.moved': { roles: ['watcher', 'worker'], isInTransaction: true },
  'payment.announced': { roles: ['watcher', 'worker'], isInTransaction: true },
  'events.dispatched': { roles: ['worker'], isInTransaction: false },
  'deliveries.claimed': { roles: ['worker'], isInTransaction: false },
  'delivery.answered': { roles: ['worker'], isInTransaction: false },
  'delivery.acknowledged': { roles: ['worker'], isInTransaction: true },
  'delivery.claim-ended': { roles: ['worker'], isInTransaction: true },
  'delivery.recorded': { roles: ['worker'], isInTransaction: false },
  'refund.claimed': { roles: ['watcher'], isInTransaction: false },
  'refund.completed': { roles: ['watcher'], isInTransaction: true },
} as const satisfies Record<Failpoint, CrashPoint>;

export const FAILPOINTS = Object.keys(CRASH_POINTS) as Failpoint[];

export function crashPointOf(failpoint: Failpoint): CrashPoint {
  return CRASH_POINTS[failpoint];
}
