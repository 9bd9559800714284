import { Module } from '@nestjs/common';
import { ChainsModule } from '../../chains/chains.module.js';
import { AdminChainsController } from './admin-chains.controller.js';
import { ChainOverviews } from './chain-overview.service.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsService } from './metrics.service.js';

/** What an operator watches: chains, and the metrics of all. */
@Module({
  imports: [ChainsModule],
  controllers: [AdminChainsController, MetricsController],
  providers: [ChainOverviews, MetricsService],
})
export class OperatorModule {}
