import { Controller, Get, Query } from '@nestjs/common';
import { data, Operation } from '../../platform/web/contract/operation.js';
import { NoParameters } from '../../platform/web/contract/read-contract.js';
import { OperatorOnly } from '../../platform/web/security/auth.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { ChainOverviews } from './chain-overview.service.js';
import { ChainReportContract } from './chain-report.contract.js';
import { presentChain } from './chain-presenter.js';

/** The chains as an operator sees them (specification/operations.md#operator-views). */
@Controller('api/admin/chains')
@OperatorOnly()
export class AdminChainsController {
  constructor(
    private readonly overviews: ChainOverviews,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Operation({
    id: 'listChainReports',
    tag: 'Operator',
    summary: 'Get the condition of the chains',
    description: 'Head, cursor, lag, lease, node, reorganizations and halts of every configured chain.',
    returns: data([ChainReportContract], 'The chains.'),
  })
  async list(@Query() _query: NoParameters): Promise<ChainReportContract[]> {
    const overviews = await this.overviews.list();
    return overviews.map((overview) => presentChain(overview, this.clock.now()));
  }
}
