import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import { AtomicAmount, AtomicText, Count, Decimal, Nested, Text } from '../platform/web/contract/fields.js';

@Contract('AmountCurrency', 'The currency of an amount.')
export class AmountCurrencyContract {
  @Text({ about: 'E.g. `USD`, `ETH`.', example: 'USD' })
  code: string;

  @Text({ about: 'Its name in English.', example: 'US Dollar' })
  name: string;

  @Count({ about: 'Digits after the decimal point.', example: 2 })
  decimals: number;
}

/** The amount object (specification/money.md#amount-object). */
@Contract('Amount', 'An amount of money. Calculate with `atomic`; `value` and `formatted` are for display.')
export class AmountContract {
  @Decimal({ about: 'In whole units, as a float: for display only.', example: 100 })
  value: number;

  /** Serialized as a JSON integer with all digits. */
  @AtomicAmount({
    min: 0n,
    about:
      'In the smallest unit, with all digits: up to 2^256 - 1. A parser that reads numbers as floating point ' +
      '(JavaScript among them) changes values beyond 2^53; use `atomic` there.',
    example: 10000,
  })
  amount: bigint;

  @Text({ about: 'For display, with symbol or code.', example: '$100.00' })
  formatted: string;

  @AtomicText({ min: 0n, about: '`amount` as a string: exact in every language.', example: '10000' })
  atomic: string;

  @Nested(() => AmountCurrencyContract)
  currency: AmountCurrencyContract;

  @Count({
    about: 'Digits after the decimal point: one whole unit is 10^decimals smallest ones.',
    example: 2,
  })
  decimals: number;

  @Text({ about: 'The symbol of the currency; its code where it has none.', example: '$' })
  symbol: string;
}

/** 100 USDC, with six decimals: for the examples of the document. */
export const EXAMPLE_USDC_100 = {
  value: 100,
  amount: 100_000_000,
  formatted: '100.000000 USDC',
  atomic: '100000000',
  currency: { code: 'USDC', name: 'USD Coin', decimals: 6 },
  decimals: 6,
  symbol: 'USDC',
};

/** Zero USD and zero USDC: for the examples of the document. */
export const EXAMPLE_USD_0 = {
  ...exampleOf(AmountContract, 'response'),
  value: 0,
  amount: 0,
  formatted: '$0.00',
  atomic: '0',
};
export const EXAMPLE_USDC_0 = {
  ...EXAMPLE_USDC_100,
  value: 0,
  amount: 0,
  formatted: '0.000000 USDC',
  atomic: '0',
};
