import { Controller, Get } from '@nestjs/common';
import { data, Operation } from '../../platform/contract/operation.js';
import { OperatorOnly } from '../../platform/security/auth.js';
import { ReconciliationContract } from './reconciliation.contract.js';
import { Reconciliation } from './reconciliation.service.js';
import { presentReport } from './reconciliation-view.pure.js';

/** Maximum number of differences in a response, and maximum duration in milliseconds; proxies time out after a minute. */
const LIMITS = { limit: 1_000, budget: 45_000 };

/** Compares the records with the chains (specification/operations.md#reconciliation). */
@Controller('api/admin/reconciliation')
@OperatorOnly()
export class ReconciliationController {
  private running: Promise<ReconciliationContract> | null = null;

  constructor(private readonly reconciliation: Reconciliation) {}

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
}
