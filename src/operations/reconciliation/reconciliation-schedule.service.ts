import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { ConflictError } from '../../platform/kernel/errors/errors.pure.js';
import { Clock, toIsoSeconds } from '../../platform/kernel/clock.pure.js';
import { LoopName } from '../../platform/kernel/loop-name.pure.js';
import { PollingLoops } from '../../platform/database/polling-loop.js';
import type { ReconciliationScheduleContract } from './reconciliation.contract.js';
import { ReconciliationProgress } from './reconciliation-progress.service.js';
import { ReconciliationRepository } from './reconciliation.repository.js';
import { ReconciliationScheduleRepository } from './reconciliation-schedule.repository.js';

/** What an operator sees of the scheduled verification. */
@Injectable()
export class ReconciliationScheduleService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly schedule: ReconciliationScheduleRepository,
    private readonly progress: ReconciliationProgress,
    private readonly states: ReconciliationRepository,
    private readonly loops: PollingLoops,
  ) {}

  async get(): Promise<ReconciliationScheduleContract> {
    const [{ startedAt, compared, fullRequestedAt }, { comparedAt, fullAt }, state] = await Promise.all([
      this.schedule.get(),
      this.progress.read(),
      this.states.findState(),
    ]);
    return {
      intervalSeconds: this.config.verifyIntervalSeconds,
      startedAt: startedAt && toIsoSeconds(startedAt),
      compared,
      fullRequested: fullRequestedAt !== null,
      comparedAt: comparedAt && toIsoSeconds(comparedAt),
      fullAt: fullAt && toIsoSeconds(fullAt),
      finishedAt: state && toIsoSeconds(state.finishedAt),
      differenceCount: state?.differences ?? null,
      notCheckedCount: state?.leftOut ?? null,
    };
  }

  /** @throws ConflictError when the schedule is off */
  async start(): Promise<ReconciliationScheduleContract> {
    if (this.config.verifyIntervalSeconds === 0)
      throw new ConflictError(
        'invalid_state_transition',
        'VERIFY_INTERVAL is 0: nothing is compared by schedule. Run the command verify instead.',
      );
    await this.schedule.requestFull(this.clock.now());
    this.loops.wake(LoopName.Reconciliation);
    return this.get();
  }
}
