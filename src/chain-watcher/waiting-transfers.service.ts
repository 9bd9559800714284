import { Injectable } from '@nestjs/common';
import { AgreementService } from './agreement.service.js';
import { BlockApplierService } from './block-applier.service.js';
import { UnminedTransactionsService } from './unmined-transactions.service.js';
import type { WatchStep } from './watch-step.js';

/** What recorded transfers may be waiting for while there is no new block. */
@Injectable()
export class WaitingTransfersService {
  constructor(
    private readonly blocks: BlockApplierService,
    private readonly agreement: AgreementService,
    private readonly unmined: UnminedTransactionsService,
  ) {}

  /** @returns whether more of the mempool is waiting to be read */
  async watch(step: WatchStep): Promise<boolean> {
    await this.blocks.applyFinality(step);
    await this.agreement.recheck(step);
    // A node that lags does not show its mempool as of our tip.
    return step.tip.hash === step.cursor.hash && this.unmined.watch(step);
  }
}
