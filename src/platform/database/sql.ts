import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { failpoint } from '../runtime/failpoints.js';
import { sha256 } from '../security/hmac.pure.js';
import { Meters } from '../observability/meters.pure.js';
import { currentUnitOfWork, inSavepoint, newUnitOfWork, runInUnitOfWork } from './unit-of-work.js';

/**
 * Runs static SQL text with $n parameters and answers its rows; numeric and bigint columns arrive as text.
 *
 * Within a transaction, statements run in the order in which they were handed over, each seeing what the ones before
 * it did. Those that need no answer of each other cost one round trip together: `Promise.all([tx.query(a),
 * tx.query(b)])`. Only statements may stand in there, no functions that go on after their answer: they would outlive
 * the failure of another one, and with it the transaction.
 */
export interface Queryable {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** SQLSTATE of serialization failure and deadlock: the whole unit is run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 5;
/** SQLSTATE of a broken check, which is also what every guard of ours raises. */
const CHECK_VIOLATION = '23514';
/** Milliseconds before the first repetition at most, doubled for each further one; by chance, so that rivals part. */
const RETRY_PAUSE_MS = 20;

const statementNames = new Map<string, string>();

/** A stable name a text, so that Postgres plans each statement once a connection (a named prepared statement). */
function statementName(text: string): string {
  let name = statementNames.get(text);
  if (!name) {
    name = `s_${sha256(text).toString('hex').slice(0, 24)}`;
    statementNames.set(text, name);
  }
  return name;
}

async function run<Row extends object>(
  on: Pool | PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const result = await on.query<Row>({ name: statementName(text), text, values: [...values] });
  return result.rows;
}

/** SQLSTATE of a database error, or null. */
export function sqlState(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** What comes from the connection, the pool or an overloaded server, and passes by waiting. */
const UNAVAILABLE_SQLSTATE = /^(08|53|57P0|57014|55P03|25006|25P0[34]|40001|40P01|3D000)/;
const UNAVAILABLE_CODE = new Set(
  'ECONNREFUSED ECONNRESET ETIMEDOUT EPIPE ENOTFOUND ENOENT EAI_AGAIN EHOSTUNREACH ENETUNREACH'.split(' '),
);
/** Errors of pg and its pool that have no code. */
const UNAVAILABLE_MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Cannot use a pool after calling end)/;

/** The database is away or overloaded: weather, and not a statement that it refuses. */
export function isTransient(error: Error): boolean {
  const code = sqlState(error);
  return (
    UNAVAILABLE_SQLSTATE.test(code ?? '') ||
    UNAVAILABLE_CODE.has(code ?? '') ||
    UNAVAILABLE_MESSAGE.test(error.message)
  );
}

/** The hot door to the ORM's own connection pool: prepared statements, which retry, as transactions do. */
@Injectable()
export class Sql implements Queryable {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly meters: Meters,
  ) {}

  /**
   * Outside of a unit of work a statement is a transaction by itself, and is run again after a deadlock or
   * serialization failure as {@link transaction} is.
   */
  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const unit = currentUnitOfWork();
    return unit ? run<Row>(unit.client, text, values) : this.queryApart(text, values);
  }

  /** Takes no part in the caller's unit of work: what it writes stays when that is undone. */
  queryApart<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.counted(this.retry(() => run<Row>(this.pool(), text, values)));
  }

  /** Connections of the pool, and who waits for one. */
  connections(): { idle: number; busy: number; waiting: number } {
    const { idleCount, totalCount, waitingCount } = this.pool();
    return { idle: idleCount, busy: totalCount - idleCount, waiting: waitingCount };
  }

  /**
   * One transaction around `work` and all that it calls: every query and transaction of this service and every
   * repository of TypeORM inside it takes part, on one connection, so that it commits as a whole or leaves nothing.
   * Runs `work` again after a deadlock or serialization failure, so it must have no effect outside the transaction.
   * Never wait for the network in here. Inside another transaction it is a savepoint, and the outer one is repeated.
   */
  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const unit = currentUnitOfWork();
    return unit ? inSavepoint(unit, () => work(queryableOn(unit.client))) : this.unitOfWork(work);
  }

  /** A {@link transaction} that must not be part of another one. */
  async unitOfWork<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    if (currentUnitOfWork()) throw new Error('a unit of work inside another');
    return this.counted(this.retry(() => this.asUnit(work, 'begin')));
  }

  /**
   * Shows `work` one moment of the database, however long it reads; it cannot write. For reading batches that
   * belong together: a long one keeps old row versions alive.
   */
  async snapshot<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.asUnit(work, 'begin isolation level repeatable read read only');
  }

  private async asUnit<T>(work: (tx: Queryable) => Promise<T>, begin: string): Promise<T> {
    const hints: (() => void)[] = [];
    const result = await this.once(async (client) => {
      let isOver = false;
      try {
        const unit = newUnitOfWork(client, () => isOver, hints);
        return await runInUnitOfWork(unit, () => work(queryableOn(client)));
      } finally {
        isOver = true;
      }
    }, begin);
    for (const hint of hints) hint();
    return result;
  }

  /** An invariant that the database had to defend is our bug: somebody must hear of it. */
  private async counted<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (sqlState(error) === CHECK_VIOLATION) this.meters.refusals.add();
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
    // Between two queries nobody else listens, and an unheard 'error' ends the process.
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    try {
      await client.query(begin);
      const result = await work(client);
      failpoint('transaction.before-commit');
      const { command } = await client.query('commit');
      // What Postgres makes of a commit after a failure that nobody passed on.
      if (command !== 'COMMIT') throw new Error('the transaction was undone: a statement in it had failed');
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

  private pool(): Pool {
    // TypeORM keeps its pg pool here; both doors share one set of connections.
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}

function queryableOn(client: PoolClient): Queryable {
  return { query: (text, values = []) => run(client, text, values) };
}
