import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { data, Operation } from '../../platform/web/contract/operation.js';
import { NoParameters } from '../../platform/web/contract/read-contract.js';
import { CurrentPrincipal, OperatorOnly, RecentOperator } from '../../platform/web/security/auth.js';
import { NodeTrialContract, NodeTrialRequestContract, TriableChainContract } from './node-trial.contract.js';
import { NodeTrial } from './node-trial.service.js';

/** What a node can do, before it is configured (docs/how-to/health.md#try-a-node). */
@Controller('api/admin/node-trials')
@OperatorOnly()
export class NodeTrialController {
  constructor(private readonly trial: NodeTrial) {}

  @Get('blockchains')
  @Operation({
    id: 'listTriableChains',
    tag: 'Operator',
    summary: 'List the blockchains whose nodes can be tried',
    description: 'All that this version knows, whether they are configured or not.',
    returns: data([TriableChainContract], 'The blockchains.'),
  })
  list(@Query() _query: NoParameters): TriableChainContract[] {
    return this.trial.list();
  }

  /** Of a person only: a server that holds a token must not make the gateway send requests anywhere. */
  @Post()
  @HttpCode(200)
  @RecentOperator()
  @Operation({
    id: 'tryNode',
    tag: 'Operator',
    summary: 'Try a node',
    description:
      'Asks a node for its network, newest block and abilities. Nothing is stored, and its address is not logged. One at a ' +
      'time. Takes a person who signed in during the last five minutes.',
    returns: data(NodeTrialContract, 'What it can do.'),
    errors: ['service_unavailable'],
  })
  try(
    @CurrentPrincipal() { userId }: Principal,
    @Body() request: NodeTrialRequestContract,
  ): Promise<NodeTrialContract> {
    return this.trial.try(userId, request);
  }
}
