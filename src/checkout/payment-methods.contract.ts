import { TokenContract } from '../chains/token.contract.js';
import { AmountContract, EXAMPLE_USDC_0, EXAMPLE_USDC_100 } from '../money/amount.contract.js';
import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import { Constant, Count, FieldOf, Flag, Instant, Nested, Text } from '../platform/web/contract/fields.js';

/** 0.000001 USDC. */
export const EXAMPLE_LEAST_USDC = {
  ...EXAMPLE_USDC_0,
  value: 0.000001,
  amount: 1,
  formatted: '0.000001 USDC',
  atomic: '1',
};

const UNAVAILABLE_REASONS = [
  'rate_unavailable',
  'below_minimum',
  'node_unavailable',
  'not_traceable',
  'wallet_not_configured',
] as const;

/** Why a method cannot be used now (specification/checkout.md#payment-methods). */
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

@Contract('Blockchain', 'A blockchain, in short.')
export class BlockchainSummaryContract {
  @Text({ about: 'Its name in paths and fields, e.g. `ethereum`.', example: 'ethereum' })
  slug: string;

  @Text({ about: 'Its display name.', example: 'Ethereum' })
  name: string;

  @Count({ nullable: true, about: 'EIP-155 chain id; null where there is none.', example: 1 })
  chainId: number | null;

  @Flag({ about: 'A test network: its coins are worthless.' })
  testnet: boolean;
}

@Contract('MethodCurrency', 'A cryptocurrency.')
export class MethodCurrencyContract {
  @Text({ about: 'E.g. `USDC`.', example: 'USDC' })
  code: string;

  @Text({ about: 'Its name in English.', example: 'USD Coin' })
  name: string;

  @Count({ about: 'Digits after the decimal point on this blockchain.', example: 6 })
  decimals: number;

  @Text({ about: 'Its symbol; its code where it has none.', example: 'USDC' })
  symbol: string;

  @Text({ nullable: true, about: 'The URL of its icon.' })
  iconUrl: string | null;
}

@Contract('EstimatedRate', 'The price of one whole coin.')
export class EstimatedRateContract {
  @Text({ about: 'The cryptocurrency.', example: 'USDC' })
  base: string;

  @Text({ about: 'The currency of the payment.', example: 'USD' })
  quote: string;

  @Text({ pattern: '^\\d+(\\.\\d+)?$', about: 'Decimal text.', example: '1.0000' })
  value: string;

  @Instant({ about: 'The time of the price.', example: '2026-01-15T10:01:48Z' })
  fetchedAt: string;
}

/** One cryptocurrency on one blockchain (specification/checkout.md#payment-methods). */
@Contract('PaymentMethod', 'One cryptocurrency on one blockchain. Estimates lock nothing.')
export class PaymentMethodContract {
  @Text({ about: 'The slug of the blockchain; `provider` in paths.', example: 'ethereum' })
  provider: string;

  @Text({ about: 'The code of the cryptocurrency in lower case; `method` in paths.', example: 'usdc' })
  method: string;

  @Constant('crypto', { about: 'The kind of method.' })
  type: 'crypto';

  @Text({ about: 'Its display name.', example: 'USD Coin (ERC-20)' })
  label: string;

  @Flag({ about: 'The customer chose it last.' })
  selected: boolean;

  @Nested(() => MethodCurrencyContract)
  currency: MethodCurrencyContract;

  @Nested(() => BlockchainSummaryContract)
  blockchain: BlockchainSummaryContract;

  @Nested(() => TokenContract, {
    nullable: true,
    about: 'Null for the native coin.',
    example: exampleOf(TokenContract, 'response'),
  })
  token: TokenContract | null;

  @Flag({ about: 'It can be used now.', example: true })
  available: boolean;

  @FieldOf(
    { schema: () => ({ type: ['string', 'null'], enum: [...UNAVAILABLE_REASONS, null] }) },
    {
      about:
        'Why it cannot be used now; null: it can. `below_minimum`: the amount still to pay is less than `minAmount`.',
      example: null,
    },
  )
  unavailableReason: UnavailableReason | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'The current price of the payment; null without a rate.',
    example: EXAMPLE_USDC_100,
  })
  estimatedAmount: AmountContract | null;

  @Nested(() => EstimatedRateContract, {
    nullable: true,
    about: 'The rate of the estimate.',
    example: exampleOf(EstimatedRateContract, 'response'),
  })
  estimatedRate: EstimatedRateContract | null;

  @Nested(() => AmountContract, {
    about: 'The smallest amount that can be requested: on some blockchains, wallets refuse to send less.',
    example: EXAMPLE_LEAST_USDC,
  })
  minAmount: AmountContract;

  @Count({ about: 'Blocks after which funds count; more for large amounts.', example: 12 })
  confirmationsRequired: number;

  @Count({ about: 'Estimated seconds until that many blocks.', example: 144 })
  estimatedConfirmationSeconds: number;
}
