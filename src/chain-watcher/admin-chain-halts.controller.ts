import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import { data, Operation, PathParameters } from '../platform/web/contract/operation.js';
import { NotFoundError } from '../platform/kernel/errors/errors.pure.js';
import { RecentOperator } from '../platform/web/security/auth.js';
import { ResumedChainContract } from './chain-halt.contract.js';
import { ChainHaltService } from './chain-halt.service.js';

/** The end of a halt, by the operator (specification/operations.md#operator-views). */
@Controller('api/admin/chains/:slug')
@PathParameters({ slug: { about: 'The chain.', example: 'ethereum' } })
export class AdminChainHaltsController {
  constructor(
    private readonly halts: ChainHaltService,
    private readonly chains: ChainsService,
  ) {}

  @Post('resume')
  @HttpCode(200)
  @RecentOperator()
  @Operation({
    id: 'resumeChain',
    tag: 'Operator',
    summary: 'End the halt of a chain',
    description:
      'For a chain whose node follows the right fork again. The watcher goes on from the applied block, and halts again ' +
      'if it still finds no common block. Again: no change. Takes a person who signed in during the last five minutes.',
    returns: data(ResumedChainContract, 'The chain.'),
    errors: ['not_found'],
  })
  async resume(@Param('slug') slug: string): Promise<ResumedChainContract> {
    if (!this.chains.list().some((chain) => chain.slug === slug))
      throw new NotFoundError('not_found', 'Chain not found', 'GET /api/admin/chains lists them.');
    return { blockchain: slug, haltReason: await this.halts.resume(slug) };
  }
}
