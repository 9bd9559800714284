import { ArrayMaxSize, ArrayUnique, IsArray, IsIn } from 'class-validator';
import { CatchUpContract } from '../chains/catch-up.contract.js';
import { AmountContract, EXAMPLE_USDC_100 } from '../money/amount.contract.js';
import { CURRENCY_CODES } from '../money/currencies.js';
import { currencyMessage } from '../money/currency-selection.js';
import { Contract } from '../platform/web/contract/contract.js';
import { SEVERAL } from '../platform/web/contract/choice-list.js';
import { fromText } from '../platform/web/contract/conversions.js';
import {
  Choice,
  Count,
  Decimal,
  FieldOf,
  Flag,
  Instant,
  Nested,
  NestedList,
  Text,
} from '../platform/web/contract/fields.js';
import { CURRENCY_CODE } from '../platform/web/contract/json-schema.js';
import { duplicateMessage, must, says } from '../platform/web/contract/messages.js';

/** Each pair may need one request to each rate source, whose rate limits all payments share. */
const MAX_QUOTES = 10;

const quotesMessage = (field: string, codes: unknown) => {
  const wrong = Array.isArray(codes) && codes.find((code: string) => !CURRENCY_CODES.includes(code));
  return `${currencyMessage(field, wrong)} ${SEVERAL}`;
};

const CURRENCY_TYPES = ['crypto', 'fiat'] as const;

const usdc = (value: number, amount: number, formatted: string) => ({
  ...EXAMPLE_USDC_100,
  value,
  amount,
  formatted,
  atomic: String(amount),
});

/** Query of GET /api/currencies (specification/catalog.md#currencies). */
export class ListCurrenciesQuery {
  @Choice(CURRENCY_TYPES, { optional: true, about: 'Only currencies of this type.' })
  type?: 'crypto' | 'fiat';
}

/**
 * Query of GET /api/rates (specification/catalog.md#rates); codes are case-sensitive everywhere
 * (specification/catalog.md#currencies).
 */
export class RatesQuery {
  @FieldOf(
    {
      schema: () => ({ type: 'string', ...CURRENCY_CODE }),
      rules: [IsIn(CURRENCY_CODES, says(currencyMessage))],
    },
    { about: 'The currency to price.', example: 'BTC' },
  )
  base: string;

  @FieldOf(
    {
      schema: () => ({
        type: 'array',
        items: { type: 'string', ...CURRENCY_CODE },
        minItems: 1,
        maxItems: MAX_QUOTES,
        uniqueItems: true,
      }),
      convert: fromText((text) => text.split(',')),
      rules: [
        IsArray(must('be a string')),
        ArrayMaxSize(MAX_QUOTES, must(`not have more than ${MAX_QUOTES} items`)),
        IsIn(CURRENCY_CODES, { ...says(quotesMessage), each: true }),
        ArrayUnique(says(duplicateMessage)),
      ],
    },
    { about: 'The currencies of the prices, separated by commas.', example: ['USD', 'EUR'] },
  )
  quote: string[];
}

/** One coin or token on one chain (specification/catalog.md#currencies). */
@Contract('CurrencyNetwork', 'A coin or token on one blockchain.')
export class CurrencyNetworkContract {
  @Text({ about: 'The slug of the blockchain.', example: 'ethereum' })
  blockchain: string;

  @Text({ about: '`provider` in the path of payment instructions.', example: 'ethereum' })
  provider: string;

  @Text({ about: '`method` in that path.', example: 'usdc' })
  method: string;

  @Text({ nullable: true, about: 'E.g. `ERC-20`; null for the native coin.', example: 'ERC-20' })
  tokenStandard: string | null;

  /** In EIP-55 spelling, or in base58check on Tron. */
  @Text({
    nullable: true,
    about: 'The contract; null for the native coin.',
    example: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  })
  contractAddress: string | null;

  @Count({ about: 'On this blockchain, which may differ from those of the currency.', example: 6 })
  decimals: number;

  /** See specification/payment-states.md#dust. */
  @Nested(() => AmountContract, {
    about:
      'Less than this, alone or in sum, is recorded and decides nothing: about what it costs to move it.',
    example: usdc(0.1, 100_000, '0.100000 USDC'),
  })
  floor: AmountContract;

  @Flag({ about: 'This gateway accepts payments in it.', example: true })
  enabled: boolean;
}

/** One currency (specification/catalog.md#currencies). */
@Contract('Currency', 'A currency of amounts.')
export class CurrencyContract {
  @Text({ about: 'E.g. `USD`, `USDC`; case-sensitive.', example: 'USDC' })
  code: string;

  @Text({ about: 'Its name in English.', example: 'USD Coin' })
  name: string;

  @Choice(CURRENCY_TYPES, { about: 'The type of the currency.' })
  type: 'crypto' | 'fiat';

  @Count({ about: 'Digits after the decimal point of amounts.', example: 6 })
  decimals: number;

  @Text({ about: 'Its symbol; its code where it has none.', example: 'USDC' })
  symbol: string;

  @Flag({
    about: 'Crypto: this gateway accepts payments in it. Fiat: always true, since prices may be in any.',
    example: true,
  })
  enabled: boolean;

  /** See specification/money.md#bounds. */
  @Nested(() => AmountContract, {
    about: 'The smallest amount of a payment that is priced in it.',
    example: usdc(0.000001, 1, '0.000001 USDC'),
  })
  minAmount: AmountContract;

  @Nested(() => AmountContract, {
    about: 'The largest amount of such a payment.',
    example: usdc(1_000_000_000, 1_000_000_000_000_000, '1000000000.000000 USDC'),
  })
  maxAmount: AmountContract;

  /** Also empty for coins of chains that the gateway does not know. */
  @NestedList(() => CurrencyNetworkContract, {
    about: 'The networks that it can be paid on; empty for fiat.',
  })
  networks: CurrencyNetworkContract[];
}

@Contract('ConfirmationTier', 'The confirmations of amounts above a limit.')
export class ConfirmationTierContract {
  @Text({ about: 'The coin or token.', example: 'USDC' })
  currencyCode: string;

  @Nested(() => AmountContract, {
    about: 'The smallest amount that it applies to.',
    example: usdc(25_000, 25_000_000_000, '25000.000000 USDC'),
  })
  amount: AmountContract;

  @Count({
    about: 'Blocks after which such amounts count, or usually count where `finality` is set.',
    example: 32,
  })
  confirmations: number;

  @Choice(['safe', 'finalized'], {
    nullable: true,
    about: 'The tag of the chain that their block must have as well; null: the number of blocks is enough.',
    example: null,
  })
  finality: 'safe' | 'finalized' | null;
}

@Contract('ConfirmationBounds', 'A range of blocks, both ends included.')
export class ConfirmationBoundsContract {
  @Count({ about: 'The minimum.', example: 12 })
  min: number;

  @Count({ about: 'The maximum.', example: 128 })
  max: number;
}

@Contract('NetworkState', 'Whether payments on a blockchain are seen now.')
export class NetworkStateContract {
  @Choice(['OPERATIONAL', 'CATCHING_UP', 'DELAYED', 'UNAVAILABLE'], {
    about:
      '`CATCHING_UP`: the node of the gateway does not have the newest blocks yet. `DELAYED`: the network makes no blocks. ' +
      '`UNAVAILABLE`: the gateway does not see payments on it.',
    example: 'OPERATIONAL',
  })
  status: 'OPERATIONAL' | 'CATCHING_UP' | 'DELAYED' | 'UNAVAILABLE';

  @Instant({ nullable: true, about: 'When that began; null while it is `OPERATIONAL`.', example: null })
  since: string | null;

  @Text({ nullable: true, about: 'Why, in English; null while it is `OPERATIONAL`.', example: null })
  reason: string | null;

  @Nested(() => CatchUpContract, {
    nullable: true,
    about: 'What is left; null unless it is `CATCHING_UP`.',
    example: null,
  })
  catchUp: CatchUpContract | null;

  @Flag({ about: 'The checkout offers it now.', example: true })
  acceptsPayments: boolean;
}

/** One blockchain (specification/catalog.md#blockchains). */
@Contract('BlockchainDetails', 'A blockchain that the gateway knows.')
export class BlockchainContract {
  @Text({ about: 'Its name in paths and fields, e.g. `ethereum`.', example: 'ethereum' })
  slug: string;

  @Text({ about: 'Its display name.', example: 'Ethereum' })
  name: string;

  @Text({ about: 'Its native coin.', example: 'ETH' })
  nativeCurrencyCode: string;

  @Count({ nullable: true, about: 'EIP-155 chain id; null where there is none.', example: 1 })
  chainId: number | null;

  @Text({ about: 'Its kind, e.g. `evm`: `family` of wallets.', example: 'evm' })
  family: string;

  @Flag({ about: 'A test network: its coins are worthless.' })
  testnet: boolean;

  @Flag({ about: 'This gateway accepts payments on it.', example: true })
  enabled: boolean;

  @Nested(() => NetworkStateContract, {
    nullable: true,
    about: 'Whether payments on it are seen now; null where it is not `enabled`.',
    example: { status: 'OPERATIONAL', since: null, reason: null, catchUp: null, acceptsPayments: true },
  })
  state: NetworkStateContract | null;

  /** Including the block with the transfer. */
  @Count({ about: 'Blocks after which funds count.', example: 12 })
  confirmationsRequired: number;

  @NestedList(() => ConfirmationTierContract, { about: 'Blocks after which large amounts count.' })
  confirmationTiers: ConfirmationTierContract[];

  @Nested(() => ConfirmationBoundsContract, {
    nullable: true,
    about:
      'The bounds of `confirmations` of an application; null: not configurable, because the chain itself declares blocks final.',
    example: { min: 12, max: 128 },
  })
  confirmationBounds: ConfirmationBoundsContract | null;

  @Decimal({ about: 'Average seconds between two blocks.', example: 12 })
  averageBlockSeconds: number;

  @Text({
    about: 'A pattern of addresses. It does not verify checksums.',
    example: '^0x[0-9a-fA-F]{40}$',
  })
  addressRegex: string;

  @Text({
    nullable: true,
    about: 'The URL of a transaction: replace `{txHash}` by its hash. Null: no explorer is known.',
    example: 'https://etherscan.io/tx/{txHash}',
  })
  explorerTxUrl: string | null;
}

/** One exchange rate (specification/catalog.md#rates). */
@Contract('Rate', 'An exchange rate.')
export class RateContract {
  @Text({ about: 'The currency of which one whole unit is priced.', example: 'BTC' })
  base: string;

  @Text({ about: 'The currency of the price.', example: 'USD' })
  quote: string;

  @Text({ pattern: '^\\d+(\\.\\d+)?$', about: 'Decimal text.', example: '64321.12' })
  value: string;

  /** 'kraken', 'median(kraken,coinbase)'; 'identity' where both are the same currency. */
  @Text({ about: 'The source of the rate.', example: 'median(kraken,coinbase)' })
  source: string;

  @Instant({ about: 'The time of the oldest price that it was computed from.' })
  fetchedAt: string;

  /** Possible only for a cached rate. */
  @Flag({ about: 'Too old for a new payment.' })
  stale: boolean;
}
