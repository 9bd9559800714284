import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { refusesWrites, sqlState } from './database-errors.pure.js';
import { failpoint } from '../kernel/failpoints.js';
import { sha256 } from '../kernel/hmac.pure.js';
import { Meters } from '../kernel/meters.js';
import type { FairPool } from './fair-pool.js';
import {
  causeOf,
  currentUnitOfWork,
  inSavepoint,
  newUnitOfWork,
  noteFailure,
  runInUnitOfWork,
  type UnitOfWork,
} from './unit-of-work.js';

/**
 * Runs static SQL text with $n parameters and returns its rows; numeric and bigint columns are returned as text.
 *
 * Within a transaction, statements run in the order of the calls, and each sees the effects of the ones before it.
 * Statements that do not need each other's results share one round trip: `Promise.all([tx.query(a), tx.query(b)])`.
 * Such a list may contain only statements, not functions that continue after their statement: when another one fails,
 * they would still be running after the end of the transaction.
 */
export interface Queryable {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** SQLSTATE of serialization failure and deadlock: the whole unit of work is run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 5;
/** SQLSTATE of a violated check constraint, which the triggers of this schema raise as well. */
const CHECK_VIOLATION = '23514';
const INSUFFICIENT_PRIVILEGE = '42501';
/** A program without errors never sees them. */
const GUARD_REFUSALS: readonly (string | null)[] = [CHECK_VIOLATION, INSUFFICIENT_PRIVILEGE];
/** Longest pause before the first repetition, doubled for each further one; random, so that competitors spread out. */
const RETRY_PAUSE_MS = 20;

const statementNames = new Map<string, string>();

/** A stable name per text: as a named prepared statement, it is parsed once per connection. */
function statementName(text: string): string {
  let name = statementNames.get(text);
  if (!name) {
    name = `s_${sha256(text).toString('hex').slice(0, 24)}`;
    statementNames.set(text, name);
  }
  return name;
}

/** @param isNamed whether the statement is prepared by name */
async function run<Row extends object>(
  on: Pool | PoolClient,
  isNamed: boolean,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const result = await on.query<Row>({
    ...(isNamed && { name: statementName(text) }),
    text,
    values: [...values],
  });
  return result.rows;
}

/**
 * Gathers what is written to the connection in this tick of the event loop into one write to its socket: a write for each
 * statement takes longer than Postgres needs to run a small one.
 */
function gatherWrites({ connection: { stream } }: PoolClient): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Prepared statements and transactions on TypeORM's connection pool; both are retried after deadlocks. */
@Injectable()
export class Sql implements Queryable {
  /** Writes that the database has refused ({@link refusesWrites}). */
  refusedWrites = 0;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly meters: Meters,
  ) {}

  /**
   * Outside of a unit of work a statement is a transaction of its own, and is run again after a deadlock or
   * serialization failure, as {@link transaction} is.
   */
  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const unit = currentUnitOfWork();
    return unit ? this.runIn<Row>(unit, text, values) : this.queryApart(text, values);
  }

  /** Runs outside of the caller's unit of work: what it writes stays when that is rolled back. */
  queryApart<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.counted(this.retry(() => run<Row>(this.pool(), this.keepsSessions, text, values)));
  }

  /** Numbers of connections of the pool, and of callers that wait for one. */
  connections(): { idle: number; busy: number; waiting: number } {
    const { idleCount, totalCount, waitingCallers } = this.pool();
    return { idle: idleCount, busy: totalCount - idleCount, waiting: waitingCallers };
  }

  /**
   * One transaction around `work` and all that it calls: every query and transaction of this service and every
   * repository of TypeORM inside it takes part, on one connection, so that it commits as a whole or leaves nothing.
   * Runs `work` again after a deadlock or serialization failure, so it must have no effect outside the transaction.
   * It must not wait for the network either. Inside another transaction it is a savepoint, and the outer one is
   * repeated.
   */
  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const unit = currentUnitOfWork();
    return unit ? inSavepoint(unit, () => work(this.queryableOn(unit))) : this.unitOfWork(work);
  }

  /** A {@link transaction} that must not be part of another one. */
  async unitOfWork<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    if (currentUnitOfWork()) throw new Error('a unit of work cannot start inside another one');
    return this.counted(this.retry(() => this.asUnit(work, 'begin')));
  }

  /**
   * Lets `work` read one consistent snapshot of the database; it cannot write. For several reads that must agree. Keep
   * it short: Postgres keeps old row versions meanwhile.
   */
  async snapshot<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.asUnit(work, 'begin isolation level repeatable read read only');
  }

  private async asUnit<T>(work: (tx: Queryable) => Promise<T>, begin: string): Promise<T> {
    const hints: (() => void)[] = [];
    let failed: UnitOfWork | null = null;
    const result = await this.once(async (client) => {
      let isOver = false;
      const unit = newUnitOfWork(client, () => isOver, hints);
      try {
        const done = await runInUnitOfWork(unit, () => work(this.queryableOn(unit)));
        if (unit.changed.size > 0)
          throw new Error(`no entry of the audit log lists ${[...unit.changed.keys()].join(', ')}`);
        return done;
      } catch (error) {
        failed = unit;
        throw error;
      } finally {
        isOver = true;
      }
    }, begin).catch((error: unknown) => {
      throw failed ? causeOf(failed, error) : error;
    });
    for (const hint of hints) hint();
    return result;
  }

  /** Counts violations of checks and of rights, which the program should have prevented, and refused writes. */
  private async counted<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (GUARD_REFUSALS.includes(sqlState(error))) this.meters.refusals.inc();
      if (error instanceof Error && refusesWrites(error)) this.refusedWrites++;
      throw error;
    }
  }

  private async retry<T>(attempt: () => Promise<T>): Promise<T> {
    for (let number = 1; ; number++) {
      try {
        return await attempt();
      } catch (error) {
        if (number >= MAX_ATTEMPTS || !RETRYABLE.has(sqlState(error) ?? '')) throw error;
        await delay(Math.random() * RETRY_PAUSE_MS * 2 ** (number - 1));
      }
    }
  }

  private async once<T>(work: (client: PoolClient) => Promise<T>, begin: string): Promise<T> {
    const client = await this.pool().connect();
    let broken: Error | undefined;
    // Between two queries there is no other listener, and an 'error' event without one ends the process.
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    try {
      await client.query(begin);
      const result = await work(client);
      failpoint('transaction.before-commit');
      const { command } = await client.query('commit');
      // After a failed statement whose error was swallowed, Postgres turns a commit into a rollback.
      if (command !== 'COMMIT')
        throw new Error('the transaction was rolled back: a statement in it had failed');
      failpoint('transaction.after-commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  private queryableOn(unit: UnitOfWork): Queryable {
    return {
      query: (text, values = []) => {
        const inner = currentUnitOfWork();
        // In a savepoint of this transaction, a failure is that of the savepoint.
        return this.runIn(inner?.client === unit.client ? inner : unit, text, values);
      },
    };
  }

  private async runIn<Row extends object>(
    unit: UnitOfWork,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    gatherWrites(unit.client);
    try {
      return await run<Row>(unit.client, this.keepsSessions, text, values);
    } catch (error) {
      noteFailure(unit, error);
      throw error;
    }
  }

  /** A pooler in transaction mode runs the next statement in another session, which does not know the name. */
  private get keepsSessions(): boolean {
    return this.pool().keepsSessions;
  }

  private pool(): FairPool {
    // TypeORM keeps its pool here; its repositories and this service share the connections.
    return (this.dataSource.driver as unknown as { master: FairPool }).master;
  }
}
