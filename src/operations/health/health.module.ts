import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { WriteProbe } from './write-probe.service.js';

/** Liveness and readiness. */
@Module({ controllers: [HealthController], providers: [HealthService, WriteProbe] })
export class HealthModule {}
