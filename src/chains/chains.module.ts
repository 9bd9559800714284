import { Module } from '@nestjs/common';
import { ChainsService } from './chains.service.js';

/** What a chain is, and how to read one. */
@Module({
  providers: [ChainsService],
  exports: [ChainsService],
})
export class ChainsModule {}
