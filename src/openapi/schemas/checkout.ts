import { EXAMPLE_PAYMENT_ID } from '../parameters.js';
import {
  choice,
  count,
  flag,
  httpUrl,
  instant,
  list,
  nullable,
  object,
  ref,
  type Schemas,
  text,
  uuid,
} from '../../platform/contract/json-schema.js';
import { USD_0, USD_100, USDC_0, USDC_100 } from './common.js';

const BLOCKCHAIN = { slug: 'ethereum', name: 'Ethereum', chainId: 1, testnet: false };
const USDC_CONTRACT = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
export const EXAMPLE_TOKEN = { standard: 'ERC-20', contractAddress: USDC_CONTRACT, decimals: 6 };
const ADDRESS = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const URI = `ethereum:${USDC_CONTRACT}@1/transfer?address=${ADDRESS}&uint256=100000000`;

export const EXAMPLE_STATUS = {
  id: EXAMPLE_PAYMENT_ID,
  status: 'OPEN',
  reference: 'ORDER-123',
  referenceLabel: 'Order #123',
  currencyCode: 'USD',
  amount: USD_100,
  receivedAmount: USD_0,
  remainingAmount: USD_100,
  expiresAt: '2026-03-15T12:00:00Z',
  expired: false,
  redirectUrl: 'https://mystore.example/thanks',
  serverTime: '2026-01-15T10:02:00Z',
  selectedMethod: { provider: 'ethereum', method: 'usdc' },
  unmatchedTransactions: [],
  warnings: [],
  confirmations: { seen: 0, required: 12, estimatedSecondsRemaining: null, delayed: false },
  merchantSettings: {
    title: 'My Store',
    url: 'https://mystore.example',
    image: null,
    allowOverpay: true,
    allowUnderpay: false,
    currencyWhitelist: ['ETH', 'USDC'],
  },
};

export const EXAMPLE_METHOD = {
  provider: 'ethereum',
  method: 'usdc',
  type: 'crypto',
  label: 'USD Coin (ERC-20)',
  selected: false,
  currency: { code: 'USDC', name: 'USD Coin', decimals: 6, symbol: 'USDC', iconUrl: null },
  blockchain: BLOCKCHAIN,
  token: EXAMPLE_TOKEN,
  available: true,
  unavailableReason: null,
  estimatedAmount: USDC_100,
  estimatedRate: { base: 'USDC', quote: 'USD', value: '1.0000', fetchedAt: '2026-01-15T10:01:48Z' },
  minAmount: { ...USDC_0, value: 0.000001, amount: 1, formatted: '0.000001 USDC', atomic: '1' },
  confirmationsRequired: 12,
  estimatedConfirmationSeconds: 144,
};

export const EXAMPLE_INSTRUCTIONS = {
  paymentId: EXAMPLE_PAYMENT_ID,
  status: 'OPEN',
  type: 'crypto_address',
  provider: 'ethereum',
  method: 'usdc',
  blockchain: BLOCKCHAIN,
  token: EXAMPLE_TOKEN,
  address: ADDRESS,
  memo: null,
  memoType: null,
  amount: USDC_100,
  receivedAmount: USDC_0,
  remainingAmount: USDC_100,
  pendingAmount: USDC_0,
  minAmount: { ...USDC_0, value: 0.000001, amount: 1, formatted: '0.000001 USDC', atomic: '1' },
  paymentUri: URI,
  qrCode: {
    content: ADDRESS,
    format: 'image/svg+xml',
    dataUri: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0i',
  },
  rate: {
    base: 'USDC',
    quote: 'USD',
    value: '1.0000',
    source: 'kraken',
    lockedAt: '2026-01-15T10:02:00Z',
    expiresAt: '2026-01-15T10:17:00Z',
  },
  expiresAt: '2026-01-15T10:17:00Z',
  secondsRemaining: 900,
  checkoutExpiresAt: '2026-03-15T12:00:00Z',
  serverTime: '2026-01-15T10:02:00Z',
  confirmations: { seen: 0, required: 12, estimatedSecondsRemaining: null, delayed: false },
  transactions: [],
  warnings: ['Send only USDC on the Ethereum network.'],
};

const decimal = (description: string) => text(description, { pattern: '^\\d+(\\.\\d+)?$' });

export const checkoutSchemas: Schemas = {
  CheckoutStatus: object('CheckoutStatus', 'What a customer may know of a payment.', {
    id: uuid('The payment.'),
    status: ref('PaymentStatus'),
    reference: text('The reference of the shop.'),
    referenceLabel: text('The reference as customers see it.'),
    currencyCode: text('The currency of the amounts.'),
    amount: ref('Amount'),
    receivedAmount: { ...ref('Amount'), description: 'Confirmed funds.' },
    remainingAmount: {
      ...ref('Amount'),
      description: 'What is still to pay; unconfirmed funds count as paid.',
    },
    expiresAt: instant('When the link ends.'),
    expired: flag('The link has ended.'),
    redirectUrl: nullable(httpUrl('Where to go afterwards.')),
    serverTime: instant('Now, by the clock of the gateway; not part of the `ETag`.'),
    selectedMethod: nullable(ref('SelectedMethod'), 'What the customer chose last; null: nothing yet.'),
    unmatchedTransactions: list(
      'Funds on another network or in another coin than was asked for, which do not count unless the shop accepts them.',
      ref('Transaction'),
    ),
    warnings: list('What the customer should know, e.g. of unmatched funds; in English.', {
      type: 'string',
    }),
    confirmations: nullable(
      ref('PaymentConfirmations'),
      'On the blockchain where the funds are, or else on the selected one; null: none is selected.',
    ),
    merchantSettings: ref('MerchantSettings'),
  }),
  SelectedMethod: object('SelectedMethod', 'One way to pay.', {
    provider: text('The slug of the blockchain.'),
    method: text('The code of the cryptocurrency in lower case.'),
  }),
  MerchantSettings: object('MerchantSettings', 'The shop, as customers see it.', {
    title: text('Its name.'),
    url: nullable(httpUrl('Its website.')),
    image: nullable(text('Its logo.', { format: 'uri' })),
    allowOverpay: flag('More than the amount is fine.'),
    allowUnderpay: flag('Less than the amount may be accepted.'),
    currencyWhitelist: list('What can be paid with; empty: all that the gateway has.', { type: 'string' }),
  }),
  PaymentMethod: object('PaymentMethod', 'One cryptocurrency on one blockchain. Estimates lock nothing.', {
    provider: text('The slug of the blockchain; `provider` in paths.'),
    method: text('The code of the cryptocurrency in lower case; `method` in paths.'),
    type: { type: 'string', const: 'crypto', description: 'What kind of method it is.' },
    label: text('Its name for people.'),
    selected: flag('The customer chose it last.'),
    currency: ref('MethodCurrency'),
    blockchain: ref('Blockchain'),
    token: nullable(ref('Token'), 'Null for the native coin.'),
    available: flag('It can be used now.'),
    unavailableReason: {
      type: ['string', 'null'],
      enum: ['rate_unavailable', 'below_minimum', 'node_unavailable', 'wallet_not_configured', null],
      description:
        'Why it cannot be used now; null: it can. `below_minimum`: what is to pay is less than `minAmount`.',
    },
    estimatedAmount: nullable(ref('Amount'), 'What it would cost now; null without a rate.'),
    estimatedRate: nullable(ref('EstimatedRate'), 'The rate of the estimate.'),
    minAmount: {
      ...ref('Amount'),
      description:
        'The least that can be asked for: below it, on some blockchains, no wallet sends anything.',
    },
    confirmationsRequired: count('Blocks after which funds count; more for large amounts.'),
    estimatedConfirmationSeconds: count('About how long that takes.'),
  }),
  MethodCurrency: object('MethodCurrency', 'A cryptocurrency.', {
    code: text('E.g. `USDC`.'),
    name: text('Its name in English.'),
    decimals: count('Digits after the decimal point on this blockchain.'),
    symbol: text('Its symbol; its code where it has none.'),
    iconUrl: nullable(text('A picture.')),
  }),
  EstimatedRate: object('EstimatedRate', 'What one whole coin costs.', {
    base: text('The cryptocurrency.'),
    quote: text('The currency of the payment.'),
    value: decimal('Decimal text.'),
    fetchedAt: instant('When it was true.'),
  }),
  PaymentInstructions: object('PaymentInstructions', 'Where, how much and until when to pay.', {
    paymentId: uuid('The payment.'),
    status: ref('PaymentStatus'),
    type: { type: 'string', const: 'crypto_address', description: 'What kind of instructions these are.' },
    provider: text('The slug of the blockchain.'),
    method: text('The code of the cryptocurrency in lower case.'),
    blockchain: ref('Blockchain'),
    token: nullable(ref('Token'), 'Null for the native coin.'),
    address: text('Send there. One address for each payment and kind of blockchain, never used again.'),
    memo: nullable(text('What to write beside the address, where the blockchain needs it.')),
    memoType: nullable(text('What `memo` is called there.')),
    amount: { ...ref('Amount'), description: 'What pays the payment in full at the locked rate.' },
    receivedAmount: { ...ref('Amount'), description: 'Confirmed funds in this cryptocurrency.' },
    remainingAmount: { ...ref('Amount'), description: 'What is still to send.' },
    pendingAmount: { ...ref('Amount'), description: 'Seen and not yet confirmed.' },
    minAmount: {
      ...ref('Amount'),
      description:
        'The least that the blockchain carries. A smaller rest cannot be sent, and is not asked for.',
    },
    paymentUri: nullable(
      text(
        'What wallets open (EIP-681, BIP 21); asks for what is still to send. Null on Tron, and where that is less than ' +
          '`minAmount`: then show `warnings` instead. Never put the one of a token into a QR code or behind a button: ' +
          'several wallets send the money to the contract of the token, where it is lost. Show `qrCode`.',
      ),
    ),
    qrCode: ref('QrCode'),
    rate: ref('LockedRate'),
    expiresAt: instant('When the rate lock ends. Ask again for a new rate at the same address.'),
    secondsRemaining: count('Until then.'),
    checkoutExpiresAt: instant('When the checkout link ends.'),
    serverTime: instant('Now, by the clock of the gateway.'),
    confirmations: ref('PaymentConfirmations'),
    transactions: list('Every movement of funds to the payment.', ref('Transaction')),
    warnings: list('What the customer must be told.', { type: 'string' }),
  }),
  QrCode: object('QrCode', 'A QR code, ready to show.', {
    content: text(
      'What it says. Of a payment on an EVM chain or Tron the bare address, so that amount and network must stand beside ' +
        'it; on other chains the payment URI, or the address where there is none.',
    ),
    format: choice('Of the picture.', ['image/svg+xml']),
    dataUri: text('The picture.', { pattern: '^data:image/svg\\+xml;base64,' }),
  }),
  LockedRate: object('LockedRate', 'What one whole coin costs, until the lock ends.', {
    base: text('The cryptocurrency.'),
    quote: text('The currency of the payment.'),
    value: decimal('Decimal text.'),
    source: text('Where the rate is from.'),
    lockedAt: instant('Since when it is locked.'),
    expiresAt: instant('Until when.'),
  }),
};
