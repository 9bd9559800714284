import { Injectable } from '@nestjs/common';
import { type LastReconciliation, MetricsRepository } from './metrics.repository.js';

/** Webhooks that their receivers do not have yet; counted up to 10,000. */
export interface OutboxState {
  waiting: number;
  /** When the oldest event happened that its receiver does not have yet, those of paused endpoints apart; null: none. */
  oldestAt: Date | null;
  /** Deliveries whose retries are over. */
  exhausted: number;
}

/** What metrics know of the records, for people. */
@Injectable()
export class RecordState {
  constructor(private readonly repository: MetricsRepository) {}

  async outbox(): Promise<OutboxState> {
    const [{ undispatched, pending, blocked, exhausted }, { oldestAt }] = await Promise.all([
      this.repository.counts(),
      this.repository.undelivered(),
    ]);
    return { waiting: undispatched + pending + blocked, oldestAt, exhausted };
  }

  /** Null before the first one. */
  findLastReconciliation(): Promise<LastReconciliation | null> {
    return this.repository.findLastReconciliation();
  }
}
