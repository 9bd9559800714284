import { Injectable } from '@nestjs/common';

/** Runs in the transaction that saves an application's callback URL, even if the URL stays the same. */
export type CallbackUrlListener = (applicationId: string) => Promise<void>;

/** Lets modules that import this one react to a saved callback URL, in the same transaction. */
@Injectable()
export class CallbackUrlChangesService {
  private readonly listeners: CallbackUrlListener[] = [];

  /** Call it while the module starts. */
  subscribe(listener: CallbackUrlListener): void {
    this.listeners.push(listener);
  }

  async publish(applicationId: string): Promise<void> {
    for (const listener of this.listeners) await listener(applicationId);
  }
}
