import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import type { Response } from 'express';
import { data, Operation } from '../../platform/web/contract/operation.js';
import { Public } from '../../platform/web/security/auth.js';
import { LivenessContract, ReadinessContract } from './health.contract.js';
import { HealthService } from './health.service.js';

/** For load balancers and container supervisors (specification/operations.md#health). */
@Controller('api/health')
@Public()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** Liveness: the process responds; no dependency is checked. A supervisor restarts it if this fails. */
  @Get('live')
  @Operation({
    id: 'getLiveness',
    tag: 'Health',
    summary: 'Whether the process responds',
    description: 'Checks no dependency; restart the process when this fails.',
    returns: data(LivenessContract, 'It responds.'),
  })
  live(): LivenessContract {
    return { status: 'ok', checks: {} };
  }

  /** 503 keeps traffic away; restarting would not help. */
  @Get('ready')
  @Operation({
    id: 'getReadiness',
    tag: 'Health',
    summary: 'Whether the process can serve requests',
    description: 'Keep traffic away when it cannot. Blockchains and webhooks do not count.',
    returns: data(ReadinessContract, 'It can.'),
    alsoReturns: {
      503: data(ReadinessContract, 'It cannot.', {
        example: {
          status: 'unavailable',
          checks: { database: 'failed', writes: 'failed', migrations: 'failed', accepting: 'ok' },
        },
      }),
    },
  })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadinessContract> {
    const readiness = await this.health.readiness();
    response.status(readiness.status === 'ok' ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return readiness;
  }
}
