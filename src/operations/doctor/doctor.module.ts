import { Module } from '@nestjs/common';
import { DoctorService } from './doctor.service.js';
import { NodeTrialController } from './node-trial.controller.js';
import { NodeTrial } from './node-trial.service.js';

/** The checks of the command `doctor`, for the dashboard. */
@Module({
  controllers: [NodeTrialController],
  providers: [DoctorService, NodeTrial],
  exports: [DoctorService],
})
export class DoctorModule {}
