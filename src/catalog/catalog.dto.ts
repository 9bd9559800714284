import { FieldRule, IsOneOf, IsOptionalField, refuse } from '../platform/contract/validation.js';
import { CURRENCY_CODES } from '../money/currencies.js';
import { currencyMessage } from '../money/currency-selection.js';

/** Every pair costs up to one call of each rate source, whose patience is shared by all who pay. */
const MAX_QUOTES = 10;

/** Currency codes, comma-separated, each known and listed once; arrives as an array. */
function IsCurrencyList(max: number): PropertyDecorator {
  return FieldRule('isCurrencyList', (value) => {
    if (typeof value !== 'string') return refuse((name) => `The ${name} field must be a string.`);
    const codes = value.split(',');
    if (codes.length > max)
      return refuse((name) => `The ${name} field must not have more than ${max} items.`);
    const wrong = codes.find((code) => !CURRENCY_CODES.includes(code));
    if (wrong !== undefined)
      return refuse(
        (name) => `${currencyMessage(name, wrong)} Several are separated by commas, without spaces.`,
      );
    if (new Set(codes).size < codes.length)
      return refuse((name) => `The ${name} field has a duplicate value.`);
    return { value: codes };
  });
}

/** Query of GET /api/currencies (specification/catalog.md#currencies). */
export class ListCurrenciesQuery {
  /** Both kinds when absent. */
  @IsOptionalField()
  @IsOneOf(['crypto', 'fiat'])
  type?: 'crypto' | 'fiat';
}

/**
 * Query of GET /api/rates (specification/catalog.md#rates); codes are case-sensitive everywhere
 * (specification/catalog.md#currencies).
 */
export class RatesQuery {
  @IsOneOf(CURRENCY_CODES, currencyMessage)
  base: string;

  /** `USD,EUR`. */
  @IsCurrencyList(MAX_QUOTES)
  quote: string[];
}
