import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient } from 'pg';

/** One open transaction that whatever is called inside it takes part in ({@link Sql.unitOfWork}). */
export interface UnitOfWork {
  client: PoolClient;
  /** Ends the membership of work that outlives the transaction: its connection is somebody else's by then. */
  isOver: () => boolean;
  afterCommit: (() => void)[];
  /** The last of the savepoints on this level; two at once would mix up each other's. */
  lastNested: Promise<unknown>;
}

const storage = new AsyncLocalStorage<UnitOfWork>();

/** The unit of work that the caller runs in, or null. */
export function currentUnitOfWork(): UnitOfWork | null {
  const unit = storage.getStore();
  return unit && !unit.isOver() ? unit : null;
}

/** Runs `work`, and everything that it calls, as part of `unit`. */
export function runInUnitOfWork<T>(unit: UnitOfWork, work: () => Promise<T>): Promise<T> {
  return storage.run(unit, work);
}

/**
 * Runs `hint` when what the caller is writing is there to be read: after the commit of its unit of work, or
 * at once without one. It never runs after a rollback, and never as a part of the transaction.
 */
export function afterCommit(hint: () => void): void {
  const unit = currentUnitOfWork();
  if (unit) unit.afterCommit.push(hint);
  else hint();
}
