import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PollingLoops } from '../../platform/database/polling-loop.js';
import { LoopName } from '../../platform/kernel/loop-name.pure.js';
import { DoctorService } from './doctor.service.js';
import { NewestVersionEntity } from './newest-version.entity.js';
import { NewestVersions } from './newest-versions.service.js';
import { NodeTrialController } from './node-trial.controller.js';
import { NodeTrial } from './node-trial.service.js';

/** Milliseconds between looks at whether a day has passed. */
const LOOK_INTERVAL = 60 * 60_000;

/** The checks of the command `doctor`, for the dashboard, and the question for a newer version. */
@Module({
  imports: [TypeOrmModule.forFeature([NewestVersionEntity])],
  controllers: [NodeTrialController],
  providers: [DoctorService, NewestVersions, NodeTrial],
  exports: [DoctorService, NewestVersions],
})
export class DoctorModule implements OnApplicationBootstrap {
  constructor(
    @Inject(NewestVersions) private readonly versions: NewestVersions,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start({ name: LoopName.NewestVersion, role: 'worker', intervalMs: LOOK_INTERVAL }, () =>
      this.versions.runOnce(),
    );
  }
}
