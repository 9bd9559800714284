import { type FailureReason, REFUND_STATUSES, REFUND_TYPES } from '../../refunds/refund-status.pure.js';
import { EXAMPLE_PAYMENT_ID, EXAMPLE_REFUND_ID } from '../parameters.js';
import {
  choice,
  flag,
  httpUrl,
  instant,
  nullable,
  object,
  ref,
  type Schema,
  type Schemas,
  text,
  uuid,
} from '../../platform/contract/json-schema.js';
import { EXAMPLE_USER_ID } from './applications.js';
import { EXAMPLE_TOKEN } from './checkout.js';
import { USD_100, USDC_100 } from './common.js';
import { EXAMPLE_TX_HASH } from './payments.js';

export const EXAMPLE_PAYOUT_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

/** As it is promised: nobody has named an address yet. */
export const EXAMPLE_REFUND = {
  id: EXAMPLE_REFUND_ID,
  paymentId: EXAMPLE_PAYMENT_ID,
  type: 'FULL',
  status: 'AWAITING_ADDRESS',
  amount: USD_100,
  payoutAmount: USDC_100,
  rate: { base: 'USDC', quote: 'USD', value: '1.0000', lockedAt: '2026-01-15T10:02:00Z' },
  blockchain: 'ethereum',
  token: EXAMPLE_TOKEN,
  address: null,
  addressSetBy: null,
  memo: null,
  claimUrl:
    `https://pay.example/refund/${EXAMPLE_REFUND_ID}?expires=1771149600` +
    '&signature=1f0c6a52d9be4b7c83e1a4f60d5b29c7e8a3f1d20b64c59e7d80f2a1b3c4d5e6',
  paymentUri: null,
  txHash: null,
  explorerUrl: null,
  confirmations: { seen: 0, required: 12 },
  reason: 'customer_request',
  note: null,
  requestedBy: EXAMPLE_USER_ID,
  createdAt: '2026-01-16T10:00:00Z',
  completedAt: null,
  expiresAt: '2026-02-15T10:00:00Z',
  failureReason: null,
};

export const EXAMPLE_ADDRESSED_REFUND = {
  ...EXAMPLE_REFUND,
  status: 'AWAITING_PAYMENT',
  address: EXAMPLE_PAYOUT_ADDRESS,
  addressSetBy: 'customer',
  paymentUri:
    `ethereum:${EXAMPLE_TOKEN.contractAddress}@1/transfer` +
    `?address=${EXAMPLE_PAYOUT_ADDRESS}&uint256=100000000`,
};

export const EXAMPLE_PROCESSING_REFUND = {
  ...EXAMPLE_ADDRESSED_REFUND,
  status: 'PROCESSING',
  paymentUri: null,
  txHash: EXAMPLE_TX_HASH,
  explorerUrl: `https://etherscan.io/tx/${EXAMPLE_TX_HASH}`,
};

export const EXAMPLE_COMPLETED_REFUND = {
  ...EXAMPLE_PROCESSING_REFUND,
  status: 'COMPLETED',
  confirmations: { seen: 12, required: 12 },
  completedAt: '2026-01-16T11:20:00Z',
};

export const EXAMPLE_CLAIM = {
  id: EXAMPLE_REFUND_ID,
  status: 'AWAITING_ADDRESS',
  reference: 'ORDER-123',
  referenceLabel: 'Order #123',
  amount: USD_100,
  payoutAmount: USDC_100,
  blockchain: { slug: 'ethereum', name: 'Ethereum', testnet: false },
  token: EXAMPLE_TOKEN,
  address: null,
  memo: null,
  txHash: null,
  explorerUrl: null,
  confirmations: { seen: 0, required: 12 },
  completedAt: null,
  expiresAt: '2026-02-15T10:00:00Z',
  serverTime: '2026-01-16T10:05:00Z',
  merchantSettings: { title: 'My Store', url: 'https://mystore.example' },
};

/** Every reason once; the compiler names the one that is missing. */
const FAILURE_REASONS: Record<FailureReason, string> = {
  transaction_not_found: 'nobody has seen it for 24 hours',
  transaction_failed: 'it was reverted',
  address_not_paid: 'it paid nothing to the address',
  wrong_asset: 'it paid the address something else',
  amount_too_low: 'it paid the address less than `payoutAmount`',
};

const failureReason: Schema = {
  type: ['string', 'null'],
  enum: [...Object.keys(FAILURE_REASONS), null],
  description:
    'Why the transaction does not count: ' +
    Object.entries(FAILURE_REASONS)
      .map(([reason, meaning]) => `${reason}: ${meaning}`)
      .join('; ') +
    '. Null unless FAILED.',
};

/** Fields of a refund that the customer sees as well. */
const PAYOUT = {
  amount: { ...ref('Amount'), description: 'What is given back, in the currency of the payment.' },
  payoutAmount: { ...ref('Amount'), description: 'What is to be sent, in the coin.' },
  token: nullable(ref('Token'), 'Null for the native coin.'),
  address: nullable(text('Where it goes; null: the customer is asked.')),
  memo: nullable(text('What to write beside the address, where the blockchain needs it.')),
  txHash: nullable(text('The transaction that is said to have paid.')),
  explorerUrl: nullable(text('Where to look at it; null: no explorer is known.', { format: 'uri' })),
  confirmations: { ...ref('Confirmations'), description: 'Of that transaction.' },
  completedAt: nullable(instant('When the payout had enough blocks.')),
  expiresAt: instant('Until then the customer can name an address: 30 days.'),
};

/** What requests may set, and may leave out. */
const sentAmount = (description: string): Schema => nullable({ type: 'integer', minimum: 1, description });
const sentText = (maxLength: number, description: string): Schema =>
  nullable(text(description, { minLength: 1, maxLength }));

const wish = {
  amount: sentAmount(
    'In the smallest unit of the currency of the payment, as a JSON integer; all that is left, unless set.',
  ),
  currencyCode: sentText(32, 'The currency of `amount`; must be that of the payment.'),
  reason: sentText(255, 'Why; kept with the refund.'),
  note: nullable(text('For yourself; the customer never sees it.', { maxLength: 2_000 })),
  payoutCurrencyCode: sentText(
    32,
    'The coin to pay out; the one that most of the funds came in, unless set.',
  ),
  blockchainSlug: sentText(
    64,
    'Its network; the one that was paid on, or the only one there is, unless set.',
  ),
  payoutAmount: sentAmount(
    'In the smallest unit of the coin on its network, as a JSON integer, instead of `amount` at the rate that was paid.',
  ),
  address: sentText(255, 'Where to send it, if you know; the customer is asked, unless set.'),
};

export const refundSchemas: Schemas = {
  RefundStatus: choice(
    'AWAITING_ADDRESS: the customer is asked where to. AWAITING_PAYMENT: you are to send `payoutAmount` to `address`. ' +
      'PROCESSING: a transaction is named and being verified. COMPLETED: it has paid. CANCELLED: by you. FAILED: it ' +
      'has not paid; name another one, or cancel. EXPIRED: nobody named an address in time.',
    REFUND_STATUSES,
    { title: 'RefundStatus' },
  ),
  Refund: object('Refund', 'What is owed back, to whom, and the transaction that paid it.', {
    id: uuid('The refund; `refundId` in paths.'),
    paymentId: uuid('The payment.'),
    type: choice(
      'FULL: all that was received. PARTIAL: some of it. OVERPAYMENT: what came beyond the amount. UNDERPAYMENT: of a ' +
        'payment that is UNDERPAID. UNEXPECTED: what came to a closed payment.',
      REFUND_TYPES,
    ),
    status: ref('RefundStatus'),
    ...PAYOUT,
    rate: nullable(ref('RefundRate'), 'The rate that was paid; null when you named `payoutAmount`.'),
    blockchain: text('The slug of the blockchain to pay out on.'),
    addressSetBy: {
      type: ['string', 'null'],
      enum: ['merchant', 'customer', null],
      description: 'Who named the address; null: nobody yet.',
    },
    claimUrl: text('Send the customer there to name an address; the same at every call.', { format: 'uri' }),
    paymentUri: nullable(
      text(
        'What your wallet opens (EIP-681, BIP 21); null while there is nothing to send, and always on Tron. Of a token, ' +
          'compare the recipient in your wallet with `address`: several wallets send to the contract of the token instead.',
      ),
    ),
    reason: nullable(text('Yours.')),
    note: nullable(text('Yours.')),
    requestedBy: text('The user.'),
    createdAt: instant('When it was promised.'),
    failureReason,
  }),
  RefundRate: object('RefundRate', 'What one whole coin was worth.', {
    base: text('The cryptocurrency.'),
    quote: text('The currency of the payment.'),
    value: text('Decimal text.', { pattern: '^\\d+(\\.\\d+)?$' }),
    lockedAt: instant('Since when it was locked.'),
  }),
  CreateRefund: object('CreateRefund', 'Everything is optional.', wish, Object.keys(wish)),
  RefundAddress: object('RefundAddress', 'Where to.', {
    address: text(
      'An address on the network of the refund: of a wallet, with a valid checksum, and none on which this gateway ' +
        'receives.',
      { minLength: 1, maxLength: 255 },
    ),
  }),
  CompleteRefund: object('CompleteRefund', 'The transaction that has paid.', {
    txHash: text('Its hash.', { minLength: 1, maxLength: 255 }),
  }),
  RefundClaim: object('RefundClaim', 'What a customer may know of a refund.', {
    id: uuid('The refund.'),
    status: ref('RefundStatus'),
    reference: text('The reference of the shop.'),
    referenceLabel: text('The reference as customers see it.'),
    ...PAYOUT,
    blockchain: ref('RefundBlockchain'),
    serverTime: instant('Now, by the clock of the gateway.'),
    merchantSettings: ref('RefundMerchant'),
  }),
  RefundBlockchain: object('RefundBlockchain', 'The network to pay out on.', {
    slug: text('Its name in fields, e.g. `ethereum`.'),
    name: text('Its name for people.'),
    testnet: flag('Its coins are worth nothing.'),
  }),
  RefundMerchant: object('RefundMerchant', 'The shop, as customers see it.', {
    title: text('Its name.'),
    url: nullable(httpUrl('Its website.')),
  }),
};
