import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../platform/security/auth.js';
import { HealthService, type Readiness } from './health.service.js';

/** For load balancers and container supervisors (specification/operations.md#health). */
@Controller('api/health')
@Public()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** Liveness: the process responds; no dependency is checked. A supervisor restarts it if this fails. */
  @Get('live')
  live() {
    return { status: 'ok', checks: {} };
  }

  /** 503 keeps traffic away; restarting would not help. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const readiness = await this.health.readiness();
    response.status(readiness.status === 'ok' ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return readiness;
  }
}
