import { Injectable } from '@nestjs/common';
import { Hook } from '../../platform/kernel/hook.js';

/** A row about a payment that is not as the gateway wrote it. */
export interface ForeignRow {
  paymentId: string;
  /** Its table and key. */
  subject: string;
}

/** Rows of other modules that belong to payments: one that is not authentic stops its payment, like a row of its own. */
@Injectable()
export class ForeignRows {
  /** Listeners add those of the payments, by one statement that they send at once. */
  readonly looking = new Hook<{ paymentIds: readonly string[]; found: ForeignRow[] }>();

  async list(paymentIds: readonly string[]): Promise<ForeignRow[]> {
    const found: ForeignRow[] = [];
    await this.looking.call({ paymentIds, found });
    return found;
  }
}
