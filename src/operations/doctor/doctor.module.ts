import { Module } from '@nestjs/common';
import { DoctorService } from './doctor.service.js';

/** The checks of the command `doctor`, for the dashboard. */
@Module({ providers: [DoctorService], exports: [DoctorService] })
export class DoctorModule {}
