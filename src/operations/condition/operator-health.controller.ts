import { Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { data, Operation } from '../../platform/web/contract/operation.js';
import { NoParameters } from '../../platform/web/contract/read-contract.js';
import { OperatorOnly } from '../../platform/web/security/auth.js';
import { DoctorService } from '../doctor/doctor.service.js';
import { FindingContract } from '../doctor/finding.contract.js';
import { OperatorHealthContract } from './operator-health.contract.js';
import { OperatorHealth } from './operator-health.service.js';

/** What an operator has to see of the gateway (specification/operations.md#operator-views). */
@Controller('api/admin/health')
@OperatorOnly()
export class OperatorHealthController {
  constructor(
    private readonly health: OperatorHealth,
    private readonly doctor: DoctorService,
  ) {}

  @Get()
  @Operation({
    id: 'getOperatorHealth',
    tag: 'Operator',
    summary: 'Get the condition of the gateway',
    description:
      'Version, disks, database, backups, queues, newest blocks and rates, and checks that ask nobody. What is not known ' +
      'says why. Nothing outside is asked.',
    returns: data(OperatorHealthContract, 'The condition.'),
  })
  get(@Query() _query: NoParameters, @Req() request: Request): Promise<OperatorHealthContract> {
    const { remoteAddress = 'unknown' } = request.socket;
    return this.health.read({ peer: remoteAddress, forwardedFor: request.get('x-forwarded-for') });
  }

  @Post('checks')
  @HttpCode(200)
  @Operation({
    id: 'checkHealth',
    tag: 'Operator',
    summary: 'Check everything around the gateway',
    description:
      'Runs all checks of the command `doctor` now, which asks nodes, sources of rates, webhook endpoints and `BASE_URL`. ' +
      'Concurrent requests share one run.',
    returns: data([FindingContract], 'What was found.'),
  })
  check(): Promise<FindingContract[]> {
    return this.doctor.examine();
  }
}
