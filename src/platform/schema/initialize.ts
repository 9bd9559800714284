import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { isTransient, sqlState } from '../database/database-errors.pure.js';

const ATTEMPTS = 3;
const PAUSE_MS = 500;
const logger = new Logger('Database');

/** The database that a variable of the configuration names cannot be used. The message is for whoever set it. */
export class ConnectionError extends Error {
  /** Of the system or SQLSTATE; that of a cut connection where pg gives none. */
  readonly code: string;

  constructor(variable: DatabaseVariable, cause: Error) {
    super(`${variable}: ${cause.message}`, { cause });
    this.code = sqlState(cause) ?? 'ECONNRESET';
  }
}

type DatabaseVariable = 'DATABASE_URL' | 'DATABASE_MIGRATION_URL';

/**
 * Opens the first connection. One that is cut at that moment, by a failover or a pooler that restarts, does not end the
 * start: it is tried twice more.
 * @param variable what names the database in the configuration
 * @throws ConnectionError with what the last attempt met, or the first one that another attempt cannot change
 */
export async function initialize<T extends DataSource>(
  dataSource: T,
  variable: DatabaseVariable,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      await dataSource.initialize();
      return dataSource;
    } catch (error) {
      // What has neither code nor transience is a mistake of ours, which its stack explains.
      if (!(error instanceof Error) || (sqlState(error) === null && !isTransient(error))) throw error;
      if (attempt === ATTEMPTS || !isTransient(error)) throw new ConnectionError(variable, error);
      logger.warn({ attempt, error: error.message }, 'the database could not be reached, trying again');
      await delay(PAUSE_MS);
    }
  }
}
