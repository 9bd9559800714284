import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { AttentionController } from './attention.controller.js';
import { AttentionRepository } from './attention.repository.js';
import { AttentionService } from './attention.service.js';
import { TimelineController } from './timeline.controller.js';
import { TimelineRepository } from './timeline.repository.js';
import { TimelineService } from './timeline.service.js';

/** What a dashboard shows over several modules. Reads their tables, and writes nothing. */
@Module({
  imports: [ChainsModule, PaymentsModule],
  controllers: [AttentionController, TimelineController],
  providers: [AttentionRepository, AttentionService, TimelineRepository, TimelineService],
})
export class OverviewModule {}
