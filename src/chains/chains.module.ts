import { Module } from '@nestjs/common';
import { BlockIntervalService } from './block-interval.service.js';
import { ChainHealthService } from './chain-health.service.js';
import { ChainsService } from './chains.service.js';

/** What a chain is, and how to read one. */
@Module({
  providers: [ChainsService, ChainHealthService, BlockIntervalService],
  exports: [ChainsService, ChainHealthService, BlockIntervalService],
})
export class ChainsModule {}
