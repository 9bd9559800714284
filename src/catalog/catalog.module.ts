import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module.js';
import { RatesModule } from '../rates/rates.module.js';
import { BlockchainsController } from './blockchains.controller.js';
import { CatalogService } from './catalog.service.js';
import { CurrenciesController } from './currencies.controller.js';
import { RatesController } from './rates.controller.js';

/** Currencies, blockchains and exchange rates, readable with any token. */
@Module({
  imports: [ChainsModule, RatesModule],
  controllers: [CurrenciesController, BlockchainsController, RatesController],
  providers: [CatalogService],
})
export class CatalogModule {}
