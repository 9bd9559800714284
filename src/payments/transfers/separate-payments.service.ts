import { Injectable, Logger } from '@nestjs/common';
import { isTransient } from '../../platform/database/database-errors.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import type { PaymentAggregate } from '../payment.pure.js';
import { PaymentRepository } from '../payment.repository.js';

/** With the payments locked: those that are there, and all that were asked for. */
export type Work = (states: readonly PaymentAggregate[], ids: ReadonlySet<string>) => Promise<void>;

/** What to do for some payments of a chain, in the watcher's transaction. */
interface WorkOfStep {
  chain: string;
  paymentIds: readonly string[];
  all: Work;
  /** Of that, what the chain shows, without what follows from it. */
  record: Work;
  /** The chain stops unless that is written: what has left its chain must not count. */
  isRecordRequired?: boolean;
}

/**
 * Does the watcher's work on payments: all at once, or, after a step of the chain has failed, each in a savepoint. What
 * the database refuses for one payment, because somebody has written a row beside it, stops that payment and not a chain
 * (docs/decisions/0883-stop-a-payment-never-a-chain.md).
 */
@Injectable()
export class SeparatePayments {
  private readonly logger = new Logger('SeparatePayments');
  /** Chains whose last step has failed, or has stopped a payment. */
  private readonly failed = new Set<string>();
  private readonly stopping = new Set<string>();

  constructor(
    private readonly sql: Sql,
    private readonly payments: PaymentRepository,
    private readonly clock: Clock,
  ) {}

  /** Notes how the last step of a chain has ended. Returns whether the next one does it otherwise. */
  noteStep(chain: string, outcome: 'done' | 'failed'): boolean {
    const isNew = !this.failed.has(chain);
    const hasStopped = this.stopping.delete(chain);
    if (outcome === 'failed' || hasStopped) this.failed.add(chain);
    else this.failed.delete(chain);
    return isNew && this.failed.has(chain);
  }

  async run(step: WorkOfStep): Promise<void> {
    const ids = new Set(step.paymentIds);
    if (!this.failed.has(step.chain)) return step.all(await this.payments.lockForUpdate([...ids]), ids);
    // In the order in which they are locked together.
    for (const id of [...ids].toSorted()) await this.runAlone(id, step);
  }

  private async runAlone(
    paymentId: string,
    { chain, all, record, isRecordRequired }: WorkOfStep,
  ): Promise<void> {
    const failure = await this.attempt(paymentId, all);
    if (!failure) return;
    const unrecorded = await this.attempt(paymentId, record);
    if (unrecorded && isRecordRequired) throw unrecorded;
    this.stopping.add(chain);
    const isRecorded = unrecorded === null;
    this.logger.error(
      { paymentId, chain, isRecorded, err: failure },
      'payment stopped: what its chain shows could not be written',
    );
    const unmarked = await this.attempt(paymentId, () => this.payments.stop(paymentId, this.clock.now()));
    if (unmarked) this.logger.error({ paymentId, chain, err: unmarked }, 'stopped payment not marked');
  }

  /** Returns why nothing of it was written, or null. */
  private async attempt(paymentId: string, work: Work): Promise<Error | null> {
    try {
      await this.sql.transaction(async () => {
        await work(await this.payments.lockForUpdate([paymentId]), new Set([paymentId]));
        await this.payments.checkNow();
      });
      return null;
    } catch (error) {
      if (!(error instanceof Error) || isTransient(error)) throw error;
      return error;
    }
  }
}

/** Those of some payments. */
export function ofThem<T extends { paymentId: string }>(all: readonly T[], ids: ReadonlySet<string>): T[] {
  return all.filter(({ paymentId }) => ids.has(paymentId));
}
