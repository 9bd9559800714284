import type { PoolClient } from 'pg';
import { ContextVariable } from '../kernel/context-variable.js';
import { sqlState } from './database-errors.pure.js';

/** A row whose changes the audit log records. */
export interface ChangedRow {
  table: string;
  /** The values of its primary key, as texts. */
  key: readonly string[];
}

/** An open transaction of {@link Sql}, in which everything that is called inside it takes part. */
export interface UnitOfWork {
  client: PoolClient;
  /** True after commit or rollback: the connection is back in the pool, and work that still runs must not use it. */
  isOver: () => boolean;
  afterCommit: (() => void)[];
  /** Rows that no entry of the audit log lists yet, by name ({@link noteChange}). */
  changed: Map<string, ChangedRow>;
  /** The last savepoint on this level. They run one after the other: two open at once would overlap. */
  lastNested: Promise<unknown>;
  /** Of its statements, for {@link causeOf}. */
  firstFailure: unknown;
}

/** SQLSTATE of a statement that is refused because an earlier one of its transaction has failed. */
const AFTER_A_FAILURE = '25P02';

const current = new ContextVariable<UnitOfWork>('unit of work');

/** The unit of work that the caller runs in, or null. */
export function currentUnitOfWork(): UnitOfWork | null {
  const unit = current.get();
  return unit && !unit.isOver() ? unit : null;
}

/**
 * @param rows in the plural, e.g. `payments`
 * @throws Error outside of a transaction, where a lock would end with its statement
 */
export function requireTransaction(rows: string): void {
  if (!currentUnitOfWork()) throw new Error(`${rows} can only be locked in a transaction`);
}

/** Runs `work`, and everything that it calls, as part of `unit`. */
export function runInUnitOfWork<T>(unit: UnitOfWork, work: () => Promise<T>): Promise<T> {
  return current.run(unit, work);
}

/**
 * Runs `work` outside of the caller's transaction, which neither commits nor rolls back what it writes. For work that
 * only starts here: it belongs to other callers as well, or continues after the caller has ended.
 */
export function outsideUnitOfWork<T>(work: () => T): T {
  return current.run(undefined, work);
}

export function newUnitOfWork(
  client: PoolClient,
  isOver: () => boolean,
  afterCommit: (() => void)[],
): UnitOfWork {
  const nothing = { lastNested: Promise.resolve(), firstFailure: null };
  return { client, isOver, afterCommit, changed: new Map(), ...nothing };
}

/**
 * Notes that the caller's transaction has changed a row, so that its entry in the audit log lists it.
 * @throws Error outside of a transaction
 */
export function noteChange(row: ChangedRow): void {
  const unit = currentUnitOfWork();
  if (!unit) throw new Error(`rows of ${row.table} can only be changed in a transaction`);
  unit.changed.set([row.table, ...row.key].join(' '), row);
}

/** What was noted in the transaction since the last call. */
export function takeChanges(): ChangedRow[] {
  const unit = currentUnitOfWork();
  if (!unit) return [];
  const rows = [...unit.changed.values()];
  unit.changed.clear();
  return rows;
}

export function noteFailure(unit: UnitOfWork, error: unknown): void {
  if (sqlState(error) !== AFTER_A_FAILURE) unit.firstFailure ??= error;
}

/** What a unit of work has failed by: of statements that were sent together, the error of a later one may be seen first. */
export function causeOf(unit: UnitOfWork, error: unknown): unknown {
  return sqlState(error) === AFTER_A_FAILURE ? (unit.firstFailure ?? error) : error;
}

/** Runs `work` in a savepoint: when it fails, only its own writes are rolled back, and the caller may continue. */
export async function inSavepoint<T>(unit: UnitOfWork, work: () => Promise<T>): Promise<T> {
  const { client, isOver, afterCommit } = unit;
  const turn = unit.lastNested.then(async () => {
    if (isOver()) throw new Error('the transaction around this one has ended');
    await client.query('savepoint nested');
    // Apart, because they are not to run when only this part is rolled back.
    const hints: (() => void)[] = [];
    const nested = newUnitOfWork(client, isOver, hints);
    const before = [...unit.changed];
    for (const [name, row] of before) nested.changed.set(name, row);
    try {
      const result = await runInUnitOfWork(nested, work);
      await client.query('release savepoint nested');
      afterCommit.push(...hints);
      // Those that it has taken are listed; when it is rolled back, they are not.
      for (const [name] of before) unit.changed.delete(name);
      for (const [name, row] of nested.changed) unit.changed.set(name, row);
      return result;
    } catch (error) {
      // If even this fails, the connection is lost and with it the transaction.
      await client.query('rollback to savepoint nested; release savepoint nested').catch(() => undefined);
      throw causeOf(nested, error);
    }
  });
  // The next one starts when this one has ended, even by failing; the caller gets the failure.
  unit.lastNested = turn.catch(() => undefined);
  return turn;
}

/**
 * Runs `hint` once the caller's writes are visible to others: after the commit of its transaction, or at once without
 * one. It does not run after a rollback, and never as part of the transaction.
 */
export function afterCommit(hint: () => void): void {
  const unit = currentUnitOfWork();
  if (unit) unit.afterCommit.push(hint);
  else hint();
}
