import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { data, Operation } from '../../platform/web/contract/operation.js';
import { OperatorOnly, RecentOperator } from '../../platform/web/security/auth.js';
import { ReconciliationContract, ReconciliationScheduleContract } from './reconciliation.contract.js';
import { Reconciliation } from './reconciliation.service.js';
import { ReconciliationScheduleService } from './reconciliation-schedule.service.js';
import { presentReport } from './reconciliation-view.pure.js';

/** Maximum number of differences in a response, and maximum duration in milliseconds; proxies time out after a minute. */
const LIMITS = { limit: 1_000, budget: 45_000 };

/** Compares the records with the chains (specification/operations.md#reconciliation). */
@Controller('api/admin/reconciliation')
@OperatorOnly()
export class ReconciliationController {
  private running: Promise<ReconciliationContract> | null = null;

  constructor(
    private readonly reconciliation: Reconciliation,
    private readonly schedule: ReconciliationScheduleService,
  ) {}

  /** Compares now. Concurrent requests share one run and its report. */
  @Get()
  @Operation({
    id: 'getReconciliation',
    tag: 'Operator',
    summary: 'Compare the records with the chains',
    description:
      'Recomputes every balance and status now, for at most 45 seconds; the command `verify` has no limit.',
    returns: data(ReconciliationContract, 'The report.'),
  })
  async get(): Promise<ReconciliationContract> {
    this.running ??= this.reconciliation
      .run(LIMITS)
      .then(presentReport)
      .finally(() => {
        this.running = null;
      });
    return this.running;
  }

  @Get('schedule')
  @Operation({
    id: 'getReconciliationSchedule',
    tag: 'Operator',
    summary: 'Get the scheduled comparison',
    description: 'How far the comparison is that the gateway makes by itself, and how the last one ended.',
    returns: data(ReconciliationScheduleContract, 'The schedule.'),
  })
  getSchedule(): Promise<ReconciliationScheduleContract> {
    return this.schedule.get();
  }

  @Post('schedule')
  @HttpCode(202)
  @RecentOperator()
  @Operation({
    id: 'startReconciliation',
    tag: 'Operator',
    summary: 'Compare all payments again',
    description:
      'Begins a run over all payments within seconds, from the first one, also in the middle of another run. Takes a ' +
      'person who signed in during the last five minutes.',
    returns: data(ReconciliationScheduleContract, 'The schedule.'),
    errors: ['invalid_state_transition'],
  })
  start(): Promise<ReconciliationScheduleContract> {
    return this.schedule.start();
  }
}
