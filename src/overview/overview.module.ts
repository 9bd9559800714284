import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChainsModule } from '../chains/chains.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { AttentionController } from './attention.controller.js';
import { AttentionRepository } from './attention.repository.js';
import { AttentionService } from './attention.service.js';
import { ChangeEntity } from './changes/change.entity.js';
import { ChangeRepository } from './changes/change.repository.js';
import { ChangeStreams } from './changes/change-streams.service.js';
import { ChangesController } from './changes/changes.controller.js';
import { NetworkChanges } from './changes/network-changes.service.js';
import { MonthController } from './month/month.controller.js';
import { MonthService } from './month/month.service.js';
import { TimelineController } from './timeline.controller.js';
import { TimelineRepository } from './timeline.repository.js';
import { TimelineService } from './timeline.service.js';
import { UnattributedFundsController } from './unattributed-funds.controller.js';
import { UnattributedFundsRepository } from './unattributed-funds.repository.js';

/** Milliseconds: dashboards show a change within a second. */
const STREAM_INTERVAL_MS = 500;
const PURGE_INTERVAL_MS = 60_000;

/** What a dashboard shows over several modules, and that it changed. Reads their tables, and changes nothing. */
@Module({
  imports: [ChainsModule, PaymentsModule, RefundsModule, TypeOrmModule.forFeature([ChangeEntity])],
  controllers: [
    AttentionController,
    ChangesController,
    MonthController,
    TimelineController,
    UnattributedFundsController,
  ],
  providers: [
    AttentionRepository,
    AttentionService,
    ChangeRepository,
    ChangeStreams,
    MonthService,
    NetworkChanges,
    TimelineRepository,
    TimelineService,
    UnattributedFundsRepository,
  ],
  exports: [AttentionService],
})
export class OverviewModule implements OnApplicationBootstrap {
  constructor(
    @Inject(ChangeStreams) private readonly streams: ChangeStreams,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start({ name: LoopName.ChangeStreams, role: 'api', intervalMs: STREAM_INTERVAL_MS }, () =>
      this.streams.runOnce(),
    );
    this.loops.start({ name: LoopName.ChangesPurge, role: 'worker', intervalMs: PURGE_INTERVAL_MS }, () =>
      this.streams.purge(),
    );
  }
}
