import { Module } from '@nestjs/common';
import { ChainConditions } from './chain-conditions.service.js';
import { ChainsService } from './chains.service.js';

/** What a chain is, and how to read one. */
@Module({
  providers: [ChainsService, ChainConditions],
  exports: [ChainsService, ChainConditions],
})
export class ChainsModule {}
