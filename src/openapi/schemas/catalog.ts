import { choice, count, flag, instant, list, nullable, object, ref, type Schemas, text } from '../schema.js';
import { USDC_0 } from './common.js';

export const EXAMPLE_CURRENCY = {
  code: 'USDC',
  name: 'USD Coin',
  type: 'crypto',
  decimals: 6,
  symbol: 'USDC',
  enabled: true,
  minAmount: { ...USDC_0, value: 0.000001, amount: 1, formatted: '0.000001 USDC', atomic: '1' },
  maxAmount: {
    ...USDC_0,
    value: 1_000_000_000,
    amount: 1_000_000_000_000_000,
    formatted: '1000000000.000000 USDC',
    atomic: '1000000000000000',
  },
  networks: [
    {
      blockchain: 'ethereum',
      provider: 'ethereum',
      method: 'usdc',
      tokenStandard: 'ERC-20',
      contractAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      decimals: 6,
      enabled: true,
    },
  ],
};

const USDC_25000 = {
  ...USDC_0,
  value: 25_000,
  amount: 25_000_000_000,
  formatted: '25000.000000 USDC',
  atomic: '25000000000',
};

export const EXAMPLE_BLOCKCHAIN = {
  slug: 'ethereum',
  name: 'Ethereum',
  nativeCurrencyCode: 'ETH',
  chainId: 1,
  family: 'evm',
  testnet: false,
  enabled: true,
  confirmationsRequired: 12,
  confirmationTiers: [{ currencyCode: 'USDC', amount: USDC_25000, confirmations: 32 }],
  confirmationBounds: { min: 12, max: 128 },
  averageBlockSeconds: 12,
  addressRegex: '^0x[0-9a-fA-F]{40}$',
  explorerTxUrl: 'https://etherscan.io/tx/{txHash}',
};

export const EXAMPLE_RATE = {
  base: 'BTC',
  quote: 'USD',
  value: '64321.12',
  source: 'median(kraken,coinbase)',
  fetchedAt: '2026-01-15T10:00:00Z',
  stale: false,
};

export const catalogSchemas: Schemas = {
  Currency: object('Currency', 'What amounts can be counted in.', {
    code: text('E.g. `USD`, `USDC`; case-sensitive.'),
    name: text('Its name in English.'),
    type: choice('What kind of money it is.', ['crypto', 'fiat']),
    decimals: count('Digits after the decimal point of amounts.'),
    symbol: text('Its symbol; its code where it has none.'),
    enabled: flag('Crypto: it can be paid here. Fiat: always, as prices may be in any.'),
    minAmount: { ...ref('Amount'), description: 'The smallest amount of a payment that is priced in it.' },
    maxAmount: { ...ref('Amount'), description: 'The largest one.' },
    networks: list('Where it can be paid; empty for fiat.', ref('CurrencyNetwork')),
  }),
  CurrencyNetwork: object('CurrencyNetwork', 'A coin or token on one blockchain.', {
    blockchain: text('The slug of the blockchain.'),
    provider: text('`provider` of the path of instructions.'),
    method: text('`method` of that path.'),
    tokenStandard: nullable(text('E.g. `ERC-20`; null for the native coin.')),
    contractAddress: nullable(text('The contract; null for the native coin.')),
    decimals: count('On this blockchain, which may differ from those of the currency.'),
    enabled: flag('It can be paid here.'),
  }),
  BlockchainDetails: object('BlockchainDetails', 'A blockchain that the gateway knows.', {
    slug: text('Its name in paths and fields, e.g. `ethereum`.'),
    name: text('Its name for people.'),
    nativeCurrencyCode: text('Its own coin.'),
    chainId: nullable(count('EIP-155 chain id; null where there is none.')),
    family: text('Its kind, e.g. `evm`: `family` of wallets.'),
    testnet: flag('Its coins are worth nothing.'),
    enabled: flag('Payments can be made on it here.'),
    confirmationsRequired: count('Blocks after which funds count.'),
    confirmationTiers: list('Blocks after which large amounts count.', ref('ConfirmationTier')),
    confirmationBounds: nullable(
      ref('ConfirmationBounds'),
      'What `confirmations` of an application may ask for; null: nothing, the chain decides what is final.',
    ),
    averageBlockSeconds: { type: 'number', minimum: 0, description: 'Between two blocks.' },
    addressRegex: text('How addresses look; whether one is right, its checksum tells.'),
    explorerTxUrl: nullable(text('Put a hash in the place of `{txHash}`; null: no explorer is known.')),
  }),
  ConfirmationTier: object('ConfirmationTier', 'What payments from an amount on wait for.', {
    currencyCode: text('The coin or token.'),
    amount: { ...ref('Amount'), description: 'The smallest amount that it holds for.' },
    confirmations: count('Blocks after which they count.'),
  }),
  ConfirmationBounds: object('ConfirmationBounds', 'Blocks, both included.', {
    min: count('No less.'),
    max: count('No more.'),
  }),
  Rate: object('Rate', 'An exchange rate.', {
    base: text('The currency of which one whole unit is priced.'),
    quote: text('The currency of the price.'),
    value: text('Decimal text.', { pattern: '^\\d+(\\.\\d+)?$' }),
    source: text('Where it is from.'),
    fetchedAt: instant('The time of the oldest price in it.'),
    stale: flag('Too old for a new payment.'),
  }),
};
