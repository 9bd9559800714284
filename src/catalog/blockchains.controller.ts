import { Controller, Get, Param } from '@nestjs/common';
import { AnyToken } from '../common/auth.js';
import { NotFoundError } from '../common/errors.js';
import { type BlockchainDto, toBlockchainDto } from './blockchain-view.js';
import { CatalogService } from './catalog.service.js';

/** Every chain that the gateway knows, and whether this installation watches it (api.md F3). */
@Controller('api/blockchains')
@AnyToken()
export class BlockchainsController {
  constructor(private readonly catalog: CatalogService) {}

  @Get()
  list(): BlockchainDto[] {
    return this.catalog.list().map(toBlockchainDto);
  }

  @Get(':slug')
  get(@Param('slug') slug: string): BlockchainDto {
    const known = this.catalog.find(slug);
    if (!known) throw new NotFoundError('not_found', 'Blockchain not found');
    return toBlockchainDto(known);
  }
}
