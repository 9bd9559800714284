import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { sha256 } from './hmac.js';

/** Runs static SQL text with $n parameters and answers its rows; numeric and bigint columns arrive as text. */
export interface Queryable {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** SQLSTATE of serialization failure and deadlock: the whole unit is run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 5;

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

/** The hot door to the ORM's own connection pool: prepared statements, and transactions that retry. */
@Injectable()
export class Sql implements Queryable {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return run<Row>(this.pool(), text, values);
  }

  /**
   * Commits what `work` did, or nothing. Runs `work` again after a deadlock or serialization failure,
   * so it must have no effect outside the transaction. Never wait for the network in here.
   */
  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(work);
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !RETRYABLE.has(sqlState(error) ?? '')) throw error;
      }
    }
  }

  private async once<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const client = await this.pool().connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const result = await work({ query: (text, values = []) => run(client, text, values) });
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  private pool(): Pool {
    // TypeORM keeps its pg pool here; both doors share one set of connections.
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}
