import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { isTransient } from './sql.js';

const ATTEMPTS = 3;
const PAUSE_MS = 500;
const logger = new Logger('Database');

/**
 * Opens the first connection. One that is cut at that moment, by a failover or a pooler that restarts, does not end the
 * start: it is tried twice more.
 * @throws the error of the last attempt, or the first one that another attempt cannot change
 */
export async function initialize<T extends DataSource>(dataSource: T): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      await dataSource.initialize();
      return dataSource;
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof Error) || !isTransient(error)) throw error;
      logger.warn({ attempt, error: error.message }, 'the database could not be reached, trying again');
      await delay(PAUSE_MS);
    }
  }
}
