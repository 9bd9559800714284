import { count, flag, nullable, object, type Schemas, text } from '../../platform/contract/json-schema.js';
import { ERROR_SCHEMA } from '../errors.js';

/** 100.00 USD. */
export const USD_100 = {
  value: 100,
  amount: 10000,
  formatted: '$100.00',
  atomic: '10000',
  currency: { code: 'USD', name: 'US Dollar', decimals: 2 },
  decimals: 2,
  symbol: '$',
};

export const USD_0 = { ...USD_100, value: 0, amount: 0, formatted: '$0.00', atomic: '0' };

/** 100 USDC on a chain that counts it in six decimals. */
export const USDC_100 = {
  value: 100,
  amount: 100_000_000,
  formatted: '100.000000 USDC',
  atomic: '100000000',
  currency: { code: 'USDC', name: 'USD Coin', decimals: 6 },
  decimals: 6,
  symbol: 'USDC',
};

export const USDC_0 = { ...USDC_100, value: 0, amount: 0, formatted: '0.000000 USDC', atomic: '0' };

export const commonSchemas: Schemas = {
  Cursor: object('Cursor', 'Where to go on reading a list that only grows at its end.', {
    next: text('Keep it, and send it as `after`. It never ends.'),
    hasMore: flag('There is more already.'),
  }),
  Pagination: object('Pagination', 'Where a page stands in its list.', {
    total: count('Items on all pages together.'),
    count: count('Items on this page.'),
    per_page: count('Items that fit on a page.', { minimum: 1 }),
    current_page: count('This page, counted from 1.', { minimum: 1 }),
    total_pages: count('At least 1, also when nothing was found.', { minimum: 1 }),
  }),
  Blockchain: object('Blockchain', 'A blockchain, in short.', {
    slug: text('Its name in paths and fields, e.g. `ethereum`.'),
    name: text('Its name for people.'),
    chainId: nullable(count('EIP-155 chain id; null where there is none.')),
    testnet: { type: 'boolean', description: 'Its coins are worth nothing.' },
  }),
  PaymentConfirmations: object(
    'PaymentConfirmations',
    'How far the funds are: the transfer that waits for most blocks.',
    {
      seen: count('Blocks so far, at most `required`; the last one is shown when the funds count.'),
      required: count('Blocks after which funds count. Large amounts may need more than small ones.'),
      estimatedSecondsRemaining: nullable(
        count(
          'Seconds until they probably count, by how fast blocks came lately; 0 when they do. Null where nothing was ' +
            'seen yet, the network is delayed, or blocks are final later than usual.',
        ),
      ),
      delayed: flag('Funds wait for blocks, and none have come for too long; a number would be made up.'),
    },
  ),
  Error: ERROR_SCHEMA,
};
