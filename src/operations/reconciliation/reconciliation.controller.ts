import { Controller, Get } from '@nestjs/common';
import { OperatorOnly } from '../../platform/security/auth.js';
import { Reconciliation } from './reconciliation.service.js';
import { reconciliationView } from './reconciliation-view.pure.js';

/** Maximum number of differences in a response, and maximum duration in milliseconds; proxies time out after a minute. */
const LIMITS = { limit: 1_000, budget: 45_000 };

/** Whether the books are what the chains say (specification/operations.md#reconciliation). */
@Controller('api/admin/reconciliation')
@OperatorOnly()
export class ReconciliationController {
  private running: Promise<ReturnType<typeof reconciliationView>> | null = null;

  constructor(private readonly reconciliation: Reconciliation) {}

  /** Compares now. Concurrent requests share one run and its report. */
  @Get()
  async get() {
    this.running ??= this.reconciliation
      .run(LIMITS)
      .then(reconciliationView)
      .finally(() => {
        this.running = null;
      });
    return this.running;
  }
}
