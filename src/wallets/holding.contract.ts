import { TokenContract } from '../chains/token.contract.js';
import { AmountContract } from '../money/amount.contract.js';
import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import { Count, Instant, Nested, Text } from '../platform/web/contract/fields.js';

const EXAMPLE_USDC_1250 = {
  value: 1250.5,
  amount: 1_250_500_000,
  formatted: '1250.500000 USDC',
  atomic: '1250500000',
  currency: { code: 'USDC', name: 'USD Coin', decimals: 6 },
  decimals: 6,
  symbol: 'USDC',
};

@Contract('Holding', 'The funds that deposit addresses have received in one asset on one blockchain.')
export class HoldingContract {
  @Text({ about: 'The slug of the blockchain.', example: 'ethereum' })
  blockchain: string;

  @Text({ about: 'The currency.', example: 'USDC' })
  currencyCode: string;

  @Nested(() => TokenContract, {
    nullable: true,
    about:
      'The token contract; null for the native coin, and for a blockchain that the gateway is no longer configured for.',
    example: exampleOf(TokenContract, 'response'),
  })
  token: TokenContract | null;

  @Count({ about: 'The number of deposit addresses with confirmed funds in this asset.', example: 12 })
  addressCount: number;

  @Nested(() => AmountContract, {
    about:
      'The confirmed total, in the units of the asset on this blockchain, including what was spent since.',
    example: EXAMPLE_USDC_1250,
  })
  receivedAmount: AmountContract;

  @Nested(() => AmountContract, {
    about: 'Seen but not yet confirmed; not part of `receivedAmount`.',
    example: { ...EXAMPLE_USDC_1250, value: 0, amount: 0, formatted: '0.000000 USDC', atomic: '0' },
  })
  pendingAmount: AmountContract;

  @Instant({ about: 'When the most recent transfer was first seen.', example: '2026-01-15T10:04:12Z' })
  lastSeenAt: string;
}
