import { Controller, Get, Param, Query } from '@nestjs/common';
import { ChainHealthService } from '../chains/chain-health.service.js';
import { data, Operation, PathParameters } from '../platform/web/contract/operation.js';
import { NoParameters } from '../platform/web/contract/read-contract.js';
import { AnyToken } from '../platform/web/security/auth.js';
import { NotFoundError } from '../platform/kernel/errors/errors.pure.js';
import { eitherOf, fold, similarNames } from '../platform/kernel/errors/similar-names.pure.js';
import { BlockchainContract } from './catalog.contract.js';
import { type CatalogChain, presentBlockchain } from './blockchain-view.js';
import { CatalogService } from './catalog.service.js';

/**
 * Every chain that the gateway knows, and whether this installation watches it (specification/catalog.md#blockchains).
 */
@Controller('api/blockchains')
@AnyToken()
export class BlockchainsController {
  constructor(
    private readonly catalog: CatalogService,
    private readonly health: ChainHealthService,
  ) {}

  @Get()
  @Operation({
    id: 'listBlockchains',
    tag: 'Catalog',
    summary: 'List blockchains',
    description:
      'All that the gateway knows; it watches those with `enabled`, and says by `state` whether it sees payments on them now. ' +
      'Includes confirmations and their bounds.',
    returns: data([BlockchainContract], 'The blockchains.'),
  })
  async list(@Query() _query: NoParameters): Promise<BlockchainContract[]> {
    return this.present(this.catalog.list());
  }

  @Get(':slug')
  @PathParameters({ slug: { about: 'The blockchain.', example: 'ethereum' } })
  @Operation({
    id: 'getBlockchain',
    tag: 'Catalog',
    summary: 'Get a blockchain',
    description: 'Its chain id, explorer, confirmations, and whether this gateway watches it.',
    returns: data(BlockchainContract, 'The blockchain.'),
  })
  async get(@Param('slug') slug: string): Promise<BlockchainContract> {
    const known = this.catalog.find(slug);
    if (!known) throw new NotFoundError('not_found', 'Blockchain not found', this.describeUnknown(slug));
    const [shown] = await this.present([known]);
    if (!shown) throw new Error(`nothing about the chain "${slug}"`);
    return shown;
  }

  private async present(chains: readonly CatalogChain[]): Promise<BlockchainContract[]> {
    const slugs = chains.flatMap(({ chain, enabled }) => (enabled ? [chain.slug] : []));
    const statuses = await this.health.statusesOf(slugs);
    return chains.map((known) => presentBlockchain(known, statuses[slugs.indexOf(known.chain.slug)] ?? null));
  }

  /** Recognizes the common mistakes: a coin, or the name of a chain, instead of its slug. */
  private describeUnknown(sent: string): string {
    const chains = this.catalog.list().map(({ chain }) => chain);
    const carrying = chains.filter(({ assets }) =>
      assets.some(
        ({ currencyCode, tokenStandard }) => tokenStandard === null && currencyCode === sent.toUpperCase(),
      ),
    );
    const named = carrying.length > 0 ? carrying : chains.filter(({ name }) => fold(name) === fold(sent));
    const meant =
      named.length > 0
        ? named.map(({ slug }) => slug)
        : similarNames(
            sent,
            chains.map(({ slug }) => slug),
          );
    const question = meant.length > 0 ? `Did you mean ${eitherOf(meant)}? ` : '';
    return `${question}GET /api/blockchains lists the slugs.`;
  }
}
