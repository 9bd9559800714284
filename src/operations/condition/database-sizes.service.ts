import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { ConditionRepository } from './condition.repository.js';

/** Milliseconds. */
const KEPT_MS = 60 * 86_400_000;

/** Writes down how large the database is, so that its growth is known. */
@Injectable()
export class DatabaseSizes {
  constructor(
    private readonly records: ConditionRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns false: nothing more to do at once. */
  async runOnce(): Promise<boolean> {
    const now = this.clock.now();
    await this.records.measure(now, new Date(now.getTime() - KEPT_MS));
    return false;
  }
}
