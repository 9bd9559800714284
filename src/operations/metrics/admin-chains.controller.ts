import { Controller, Get, Query } from '@nestjs/common';
import { NoParameters } from '../../platform/contract/read-dto.js';
import { OperatorOnly } from '../../platform/security/auth.js';
import { Clock } from '../../platform/runtime/clock.pure.js';
import { ChainOverviews } from './chain-overview.service.js';
import { chainView } from './chain-view.js';

/** The chains as an operator sees them (specification/operations.md#operator-views). */
@Controller('api/admin/chains')
@OperatorOnly()
export class AdminChainsController {
  constructor(
    private readonly overviews: ChainOverviews,
    private readonly clock: Clock,
  ) {}

  @Get()
  async list(@Query() _query: NoParameters) {
    const overviews = await this.overviews.list();
    return overviews.map((overview) => chainView(overview, this.clock.now()));
  }
}
