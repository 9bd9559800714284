import { Module } from '@nestjs/common';
import { ChainsModule } from '../../chains/chains.module.js';
import { AdminChainsController } from './admin-chains.controller.js';
import { ChainPositionRepository } from './chain-position.repository.js';
import { ChainOverviews } from './chain-overview.service.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsRepository } from './metrics.repository.js';
import { MetricsService } from './metrics.service.js';
import { RecordState } from './record-state.service.js';

/** Operators' views: chains and metrics. */
@Module({
  imports: [ChainsModule],
  controllers: [AdminChainsController, MetricsController],
  providers: [ChainOverviews, ChainPositionRepository, MetricsRepository, MetricsService, RecordState],
  exports: [ChainOverviews, RecordState],
})
export class OperatorModule {}
