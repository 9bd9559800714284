import { IsIn } from 'class-validator';
import { TokenContract } from '../chains/token.contract.js';
import { AmountContract, EXAMPLE_USDC_100 } from '../money/amount.contract.js';
import { CURRENCY_CODES } from '../money/currencies.js';
import { currencyMessage } from '../money/currency-selection.js';
import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import { Count, FieldOf, Instant, Nested, NestedList, Text } from '../platform/web/contract/fields.js';
import { CURRENCY_CODE } from '../platform/web/contract/json-schema.js';
import { says } from '../platform/web/contract/messages.js';

const DEFAULT_CURRENCY = 'USD';

/** Query of GET /api/payment-applications/{id}/holdings. */
export class HoldingsQuery {
  @FieldOf(
    {
      schema: () => ({ type: 'string', ...CURRENCY_CODE }),
      rules: [IsIn(CURRENCY_CODES, says(currencyMessage))],
    },
    {
      optional: true,
      about: 'The currency of what is worth something now: `worth`, and what ends in `Worth`.',
      default: DEFAULT_CURRENCY,
    },
  )
  worthCurrencyCode: string = DEFAULT_CURRENCY;
}

const EXAMPLE_USDC_1250 = {
  value: 1250.5,
  amount: 1_250_500_000,
  formatted: '1250.500000 USDC',
  atomic: '1250500000',
  currency: { code: 'USDC', name: 'USD Coin', decimals: 6 },
  decimals: 6,
  symbol: 'USDC',
};

const EXAMPLE_USD_1250 = {
  value: 1250.5,
  amount: 125_050,
  formatted: '$1,250.50',
  atomic: '125050',
  currency: { code: 'USD', name: 'US Dollar', decimals: 2 },
  decimals: 2,
  symbol: '$',
};
const EXAMPLE_GAS = {
  value: 0.000061,
  amount: 61_000_000_000_000,
  formatted: '0.000061 ETH',
  atomic: '61000000000000',
  currency: { code: 'ETH', name: 'Ether', decimals: 18 },
  decimals: 18,
  symbol: 'Ξ',
};
const inDollars = (cents: number) => ({
  ...EXAMPLE_USD_1250,
  value: cents / 100,
  amount: cents,
  formatted: `$${(cents / 100).toFixed(2)}`,
  atomic: String(cents),
});

@Contract('HoldingAtReceipt', 'What received funds were worth when they were received.')
export class HoldingAtReceiptContract {
  @NestedList(() => AmountContract, {
    about:
      'The exact sum of the `creditedAmount` of their transfers, one for each currency of the payments: nothing is converted.',
  })
  credited: AmountContract[];

  @Nested(() => AmountContract, {
    about:
      'The part of `receivedAmount` that has no rate of that time, because no payment asked for it or it waits for one.',
    example: { ...EXAMPLE_USDC_1250, value: 0, amount: 0, formatted: '0.000000 USDC', atomic: '0' },
  })
  unvaluedAmount: AmountContract;
}

@Contract(
  'HoldingCollecting',
  'What it costs now to collect one coin or token by itself. What lies on the same address together costs less.',
)
export class HoldingCollectingContract {
  @Nested(() => AmountContract, {
    about:
      'Of one address: on EVM chains the gas of a deposit in a batch, on UTXO chains one input, at the price of now. In the ' +
      'coin of the network. Rollups add the price of the data. Where addresses differ, the highest.',
    example: EXAMPLE_GAS,
  })
  costPerAddress: AmountContract;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'The same in `worthCurrencyCode`, rounded up. Null: not known.',
    example: inDollars(16),
  })
  costPerAddressWorth: AmountContract | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about:
      'From this amount on one address brings more than it costs. Null: not known, because the coin or the network’s coin ' +
      'has no rate; a collection takes all then.',
    example: {
      ...EXAMPLE_USDC_100,
      value: 0.1525,
      amount: 152_500,
      formatted: '0.152500 USDC',
      atomic: '152500',
    },
  })
  collectableFrom: AmountContract | null;

  @Count({
    nullable: true,
    about:
      'How many addresses have received as much, and can be collected from: on EVM chains those of a treasury. Null: as there.',
    example: 11,
  })
  collectableAddressCount: number | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'What they have received. Null: as there.',
    example: EXAMPLE_USDC_1250,
  })
  collectableAmount: AmountContract | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'What collecting from all of them costs, in the coin of the network. Null: as there.',
    example: {
      ...EXAMPLE_GAS,
      value: 0.000671,
      amount: 671_000_000_000_000,
      formatted: '0.000671 ETH',
      atomic: '671000000000000',
    },
  })
  totalCost: AmountContract | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'The same in `worthCurrencyCode`, rounded up. Null: not known.',
    example: inDollars(175),
  })
  totalCostWorth: AmountContract | null;
}

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

  @Nested(() => AmountContract, {
    nullable: true,
    about:
      'What the account for fees of your own key has sent to these addresses, in the coin of the blockchain: nothing of it ' +
      'is received. Each entry of a blockchain says the same. Null: nothing.',
    example: null,
  })
  ownFundsAmount: AmountContract | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'What `receivedAmount` is worth now, in `worthCurrencyCode`. Null: there is no rate.',
    example: EXAMPLE_USD_1250,
  })
  worth: AmountContract | null;

  @Nested(() => HoldingAtReceiptContract, {
    nullable: true,
    about:
      'What `receivedAmount` was worth at receipt, at most a minute ago. Null: it takes too long to add up.',
    example: exampleOf(HoldingAtReceiptContract, 'response'),
  })
  atReceipt: HoldingAtReceiptContract | null;

  @Nested(() => HoldingCollectingContract, {
    nullable: true,
    about:
      'What collecting costs and from which amount it pays, at most a minute ago. Null: no node says the price, there is no ' +
      'way to collect it by `POST …/collections`, nothing is confirmed, or it takes too long to add up.',
    example: exampleOf(HoldingCollectingContract, 'response'),
  })
  collecting: HoldingCollectingContract | null;

  @Instant({ about: 'When the most recent transfer was first seen.', example: '2026-01-15T10:04:12Z' })
  lastSeenAt: string;
}
