import { Controller, Get, Param, Query } from '@nestjs/common';
import { NoParameters } from '../platform/contract/read-dto.js';
import { AnyToken } from '../platform/security/auth.js';
import { NotFoundError } from '../platform/errors/errors.pure.js';
import { eitherOf, fold, similarNames } from '../platform/errors/similar-names.pure.js';
import { type BlockchainDto, toBlockchainDto } from './blockchain-view.js';
import { CatalogService } from './catalog.service.js';

/**
 * Every chain that the gateway knows, and whether this installation watches it (specification/catalog.md#blockchains).
 */
@Controller('api/blockchains')
@AnyToken()
export class BlockchainsController {
  constructor(private readonly catalog: CatalogService) {}

  @Get()
  list(@Query() _query: NoParameters): BlockchainDto[] {
    return this.catalog.list().map(toBlockchainDto);
  }

  @Get(':slug')
  get(@Param('slug') slug: string): BlockchainDto {
    const known = this.catalog.find(slug);
    if (!known) throw new NotFoundError('not_found', 'Blockchain not found', this.describeUnknown(slug));
    return toBlockchainDto(known);
  }

  /** A coin or the name of a chain in place of its slug is the usual mistake. */
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
