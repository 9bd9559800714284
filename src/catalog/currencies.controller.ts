import { Controller, Get, Param, Query } from '@nestjs/common';
import { data, Operation, PathParameters } from '../platform/web/contract/operation.js';
import { AnyToken } from '../platform/web/security/auth.js';
import { NotFoundError } from '../platform/kernel/errors/errors.pure.js';
import { eitherOf, similarNames } from '../platform/kernel/errors/similar-names.pure.js';
import { CURRENCIES, findCurrency } from '../money/currencies.js';
import { CurrencyContract, ListCurrenciesQuery } from './catalog.contract.js';
import { CatalogService } from './catalog.service.js';
import { presentCurrency } from './currency-view.js';

/** Currencies for amounts, and the networks they can be paid on (specification/catalog.md#currencies). */
@Controller('api/currencies')
@AnyToken()
export class CurrenciesController {
  constructor(private readonly catalog: CatalogService) {}

  @Get()
  @Operation({
    id: 'listCurrencies',
    tag: 'Catalog',
    summary: 'List currencies',
    description:
      'All currencies of prices, and the networks of coins: this gateway watches the `networks` with `enabled`.',
    returns: data([CurrencyContract], 'The currencies.'),
  })
  list(@Query() { type }: ListCurrenciesQuery): CurrencyContract[] {
    const chains = this.catalog.list();
    return CURRENCIES.filter((currency) => type === undefined || currency.type === type).map((currency) =>
      presentCurrency(currency, chains),
    );
  }

  @Get(':code')
  @PathParameters({ code: { about: 'The currency; case-sensitive.', example: 'USDC' } })
  @Operation({
    id: 'getCurrency',
    tag: 'Catalog',
    summary: 'Get a currency',
    description: 'Its decimals, the bounds of an amount, and the networks of a coin.',
    returns: data(CurrencyContract, 'The currency.'),
  })
  get(@Param('code') code: string): CurrencyContract {
    const currency = findCurrency(code);
    if (!currency) throw new NotFoundError('not_found', 'Currency not found', describeUnknown(code));
    return presentCurrency(currency, this.catalog.list());
  }
}

function describeUnknown(code: string): string {
  const meant = similarNames(
    code,
    CURRENCIES.map((currency) => currency.code),
  );
  const question = meant.length > 0 ? `Did you mean ${eitherOf(meant)}? ` : '';
  return `${question}Codes are in capitals and without a network, e.g. USDT; GET /api/currencies lists them.`;
}
