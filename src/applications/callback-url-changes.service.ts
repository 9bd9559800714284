import { Injectable } from '@nestjs/common';
import type { Queryable } from '../platform/database/sql.js';

/** Runs in the transaction that saves an application's callback URL, even if the URL stays the same. */
export type CallbackUrlListener = (tx: Queryable, applicationId: string) => Promise<void>;

/** Lets modules that import this one react to a saved callback URL, in the same transaction. */
@Injectable()
export class CallbackUrlChangesService {
  private readonly listeners: CallbackUrlListener[] = [];

  /** Call it while the module starts. */
  subscribe(listener: CallbackUrlListener): void {
    this.listeners.push(listener);
  }

  async publish(tx: Queryable, applicationId: string): Promise<void> {
    for (const listener of this.listeners) await listener(tx, applicationId);
  }
}
