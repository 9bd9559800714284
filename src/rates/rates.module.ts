import { Module } from '@nestjs/common';
import { RatesService } from './rates.service.js';

/** Exchange rates from two sources. */
@Module({
  providers: [RatesService],
  exports: [RatesService],
})
export class RatesModule {}
