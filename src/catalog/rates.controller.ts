import { Controller, Get, Query } from '@nestjs/common';
import { data, Operation } from '../platform/web/contract/operation.js';
import { AnyToken } from '../platform/web/security/auth.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { ServiceUnavailableError } from '../platform/kernel/errors/errors.pure.js';
import { RatesService } from '../rates/rates.service.js';
import { RateContract, RatesQuery } from './catalog.contract.js';
import { presentRate } from './rate-view.js';

/** The exchange rates that quotes use (specification/catalog.md#rates). */
@Controller('api/rates')
@AnyToken()
export class RatesController {
  constructor(
    private readonly rates: RatesService,
    private readonly clock: Clock,
  ) {}

  /** All requested pairs or an error, so that a client cannot overlook a missing one. */
  @Get()
  @Operation({
    id: 'listRates',
    tag: 'Catalog',
    summary: 'Get exchange rates',
    description: 'All of the requested pairs, or a 503.',
    returns: data([RateContract], 'The rates, in the requested order.'),
  })
  async list(@Query() { base, quote }: RatesQuery): Promise<RateContract[]> {
    const found = await Promise.all(
      quote.map(async (code) => ({ code, rate: await this.rates.findRate(base, code) })),
    );
    const missing = found.filter(({ rate }) => rate === null).map(({ code }) => `${base}/${code}`);
    if (missing.length > 0)
      throw new ServiceUnavailableError(`No exchange rate at the moment for ${missing.join(', ')}`);
    const now = this.clock.now();
    return found.flatMap(({ rate }) => rate ?? []).map((rate) => presentRate(rate, now));
  }
}
