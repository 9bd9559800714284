import { Module } from '@nestjs/common';
import { BlockPaces } from './block-pace.service.js';
import { ChainConditions } from './chain-conditions.service.js';
import { ChainsService } from './chains.service.js';

/** What a chain is, and how to read one. */
@Module({
  providers: [ChainsService, ChainConditions, BlockPaces],
  exports: [ChainsService, ChainConditions, BlockPaces],
})
export class ChainsModule {}
