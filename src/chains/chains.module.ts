import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChainConditionEntity } from './chain-condition.entity.js';
import { ChainConditionRepository } from './chain-condition.repository.js';
import { BlockIntervalRepository } from './block-interval.repository.js';
import { BlockIntervalService } from './block-interval.service.js';
import { ChainHealthService } from './chain-health.service.js';
import { ChainsService } from './chains.service.js';

/** The configured chains, their nodes and their health. */
@Module({
  imports: [TypeOrmModule.forFeature([ChainConditionEntity])],
  providers: [
    ChainsService,
    ChainConditionRepository,
    ChainHealthService,
    BlockIntervalRepository,
    BlockIntervalService,
  ],
  exports: [ChainsService, ChainHealthService, BlockIntervalService],
})
export class ChainsModule {}
