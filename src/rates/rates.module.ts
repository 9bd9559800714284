import { Module } from '@nestjs/common';
import { CoinbaseClient } from './coinbase.client.js';
import { KrakenClient } from './kraken.client.js';
import { RatesService } from './rates.service.js';

/** Exchange rates from two sources. */
@Module({
  providers: [KrakenClient, CoinbaseClient, RatesService],
  exports: [RatesService],
})
export class RatesModule {}
