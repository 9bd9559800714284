import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NoticesModule } from '../../notices/notices.module.js';
import { PollingLoops } from '../../platform/database/polling-loop.js';
import { LoopName } from '../../platform/kernel/loop-name.pure.js';
import { RatesModule } from '../../rates/rates.module.js';
import { DoctorModule } from '../doctor/doctor.module.js';
import { OperatorModule } from '../metrics/operator.module.js';
import { ConditionRepository } from './condition.repository.js';
import { DatabaseSizeEntity } from './database-size.entity.js';
import { DatabaseSizes } from './database-sizes.service.js';
import { OperatorHealthController } from './operator-health.controller.js';
import { OperatorHealth } from './operator-health.service.js';
import { RestoreDrillEntity } from './restore-drill.entity.js';

const SIZE_INTERVAL_MS = 60 * 60_000;

/** What an operator has to see of the whole gateway (docs/how-to/health.md). */
@Module({
  imports: [
    TypeOrmModule.forFeature([DatabaseSizeEntity, RestoreDrillEntity]),
    DoctorModule,
    NoticesModule,
    OperatorModule,
    RatesModule,
  ],
  controllers: [OperatorHealthController],
  providers: [ConditionRepository, DatabaseSizes, OperatorHealth],
})
export class ConditionModule implements OnApplicationBootstrap {
  constructor(
    @Inject(DatabaseSizes) private readonly sizes: DatabaseSizes,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start({ name: LoopName.DatabaseSizes, role: 'worker', intervalMs: SIZE_INTERVAL_MS }, () =>
      this.sizes.runOnce(),
    );
  }
}
