import { PAYMENT_STATUSES } from '../../payments/payment-status.pure.js';
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
  type Schema,
  type Schemas,
  sentInstant,
  text,
  uuid,
} from '../../platform/contract/json-schema.js';
import { EXAMPLE_USER_ID } from './applications.js';
import { USD_0, USD_100, USDC_100 } from './common.js';

export const EXAMPLE_CHECKOUT_URL =
  `https://pay.example/checkout/${EXAMPLE_PAYMENT_ID}?expires=1773576000` +
  '&signature=8bcb8232f77ead3d3e6d8220a4dd4512c5b2bd95683e8add8e9fb12229804e53';

/** A transfer; `transferId` in bodies. */
export const EXAMPLE_TRANSFER_ID = '019bc0f8-2c3e-7d4a-9b1f-5e6d7c8b9a01';
export const EXAMPLE_TX_HASH = '0x9f3c1e7a5b2d4c6e8f0a1b3c5d7e9f1a2b4c6d8e0f2a4b6c8d0e1f3a5b7c9d1e';

export const EXAMPLE_TRANSACTION = {
  id: EXAMPLE_TRANSFER_ID,
  txHash: EXAMPLE_TX_HASH,
  blockchain: 'ethereum',
  currencyCode: 'USDC',
  amount: USDC_100,
  creditedAmount: USD_100,
  confirmations: 12,
  confirmationsRequired: 12,
  status: 'CONFIRMED',
  late: false,
  matched: true,
  acceptable: false,
  acceptedAt: null,
  seenAt: '2026-01-15T10:04:12Z',
  confirmedAt: '2026-01-15T10:06:40Z',
  explorerUrl: `https://etherscan.io/tx/${EXAMPLE_TX_HASH}`,
};

export const EXAMPLE_LIST_ITEM = {
  id: EXAMPLE_PAYMENT_ID,
  status: 'CONFIRMED',
  reference: 'ORDER-123',
  referenceLabel: 'Order #123',
  currencyCode: 'USD',
  amount: USD_100,
  date: '2026-01-15T10:00:00Z',
};

export const EXAMPLE_PAYMENT = {
  ...EXAMPLE_LIST_ITEM,
  userId: EXAMPLE_USER_ID,
  settlementCurrencyCode: 'USD',
  receivedAmount: USD_100,
  confirmedAt: '2026-01-15T10:06:43Z',
  foundAt: '2026-01-15T10:04:12Z',
  checkoutUrl: EXAMPLE_CHECKOUT_URL,
  expiresAt: '2026-03-15T12:00:00Z',
  expired: false,
  redirectUrl: 'https://mystore.example/thanks',
  blockchainSlug: null,
  productId: null,
  callbackUrl: null,
  metadata: { cartId: 'c-17' },
  livemode: true,
  settledAmount: USD_100,
  refundedAmount: null,
  overpaidAmount: null,
  underpaidAmount: null,
  cancelledAt: null,
  cancelReason: null,
  errorReason: null,
  reviewReason: null,
  transactions: [EXAMPLE_TRANSACTION],
};

export const EXAMPLE_OPEN_PAYMENT = {
  ...EXAMPLE_PAYMENT,
  status: 'OPEN',
  receivedAmount: USD_0,
  confirmedAt: null,
  foundAt: null,
  settledAmount: null,
  transactions: [],
};

const metadata = (description: string): Schema => ({
  type: 'object',
  description,
  maxProperties: 50,
  additionalProperties: { type: 'string' },
});

const item = {
  id: uuid('The payment; `paymentId` in paths.'),
  status: ref('PaymentStatus'),
  reference: text('Your reference, e.g. the number of the order. Not unique.'),
  referenceLabel: text('The reference as customers see it.'),
  currencyCode: text('The currency of the amount.'),
  amount: ref('Amount'),
  date: instant('When it was created.'),
};

export const paymentSchemas: Schemas = {
  PaymentStatus: {
    type: 'string',
    title: 'PaymentStatus',
    description:
      'OPEN: awaits payment. FOUND: funds seen, awaiting confirmations. UNDERPAID: less than the amount is confirmed. ' +
      'RECEIVED: the full amount is confirmed. CONFIRMED: and your webhook has answered 2xx. CANCELLED: by you. ' +
      'ERROR: cannot go on. REFUND: paid back in full. Stop polling at CONFIRMED, CANCELLED, ERROR and REFUND.',
    enum: PAYMENT_STATUSES,
  },
  PaymentListItem: object('PaymentListItem', 'A payment as lists show it: these fields and no others.', item),
  Payment: object('Payment', 'A payment.', {
    ...item,
    userId: text('The owner.'),
    settlementCurrencyCode: text('The currency of `settledAmount`; for reports, nothing is exchanged.'),
    receivedAmount: { ...ref('Amount'), description: 'Confirmed funds, in `currencyCode`.' },
    confirmedAt: nullable(instant('When it became CONFIRMED.')),
    foundAt: nullable(instant('When funds were first seen.')),
    checkoutUrl: text('The signed link of the hosted checkout page; the same at every call.', {
      format: 'uri',
    }),
    expiresAt: instant('When the link ends. Funds that come later are recorded and credited all the same.'),
    expired: flag('The link has ended. Not a status.'),
    redirectUrl: nullable(httpUrl('Where the customer goes afterwards.')),
    blockchainSlug: nullable(text('The only blockchain to pay on; null: any.')),
    productId: nullable(uuid('Your product; stored only.')),
    callbackUrl: nullable(httpUrl('Where its webhooks go; null: to the application’s `callbackUrl`.')),
    metadata: metadata('What you gave at creation; `{}` without. The order of the names is not kept.'),
    livemode: flag(
      'False: it can be paid on test networks only, as in the development profile, so nothing of it is real money. ' +
        'Decided at creation, and kept.',
    ),
    settledAmount: nullable(ref('Amount'), 'In `settlementCurrencyCode`; null before RECEIVED.'),
    refundedAmount: nullable(
      ref('Amount'),
      'What completed refunds gave back, in `currencyCode`; null: nothing.',
    ),
    overpaidAmount: nullable(ref('Amount'), 'What came beyond the amount; null: nothing.'),
    underpaidAmount: nullable(
      ref('Amount'),
      'What is missing from a payment that is UNDERPAID or was accepted so.',
    ),
    cancelledAt: nullable(instant('When it was cancelled.')),
    cancelReason: nullable(text('The `reason` that you gave when you cancelled it.')),
    errorReason: nullable(text('Why the status is ERROR.')),
    reviewReason: {
      type: ['string', 'null'],
      enum: ['overpaid', 'reorg', 'funds_after_cancel', null],
      description:
        'Why a person should look: more than the amount came and waits for a decision, a reorganisation took funds ' +
        'away, or a closed payment holds funds, asked for or not. Null: nothing to do. `overpaid` ends when ' +
        'you accept the payment or refund the excess, `reorg` when the payment has its funds again.',
    },
    transactions: list('Every movement of funds to the payment, oldest first.', ref('Transaction')),
  }),
  Transaction: object('Transaction', 'A movement of funds on a blockchain.', {
    id: uuid('The transfer; `transferId` when you accept it.'),
    txHash: text('Of the transaction.'),
    blockchain: text('The slug of the blockchain.'),
    currencyCode: text('What came.'),
    amount: { ...ref('Amount'), description: 'How much came.' },
    creditedAmount: { ...ref('Amount'), description: 'What it counts for, in the currency of the payment.' },
    confirmations: count('Blocks so far.'),
    confirmationsRequired: count('Blocks after which it counts.'),
    status: choice(
      'PENDING: not enough blocks yet. CONFIRMED: counts. REPLACED: another transaction took its place, or it vanished. ' +
        'ORPHANED: its block is no longer part of the chain.',
      ['PENDING', 'CONFIRMED', 'REPLACED', 'ORPHANED'],
    ),
    late: flag('Seen after the rate lock and its grace: credited at the rate of first sight.'),
    matched: flag(
      'It counts, now or once it is confirmed. False: it came on a network or in a coin that the payment did not ask ' +
        'for, and you have not accepted it.',
    ),
    acceptable: flag('You can make it count: accept the payment with the `transferId` of this transfer.'),
    acceptedAt: nullable(
      instant('When you accepted it, which is the time of its rate; null: you never had to.'),
    ),
    seenAt: instant('When it was first seen.'),
    confirmedAt: nullable(instant('When it had enough blocks.')),
    explorerUrl: nullable(text('Where to look at it; null: no explorer is known.', { format: 'uri' })),
  }),
  CreateCheckout: object(
    'CreateCheckout',
    'A new payment. Name the application by `clientId`, by `siteId`, or by both.',
    {
      amount: {
        type: ['integer', 'null'],
        minimum: 1,
        description:
          'In the smallest unit of `currencyCode`, as a JSON integer: neither a string nor `10.0` nor `1e3`. At most ' +
          'one thousand million whole units. Either this or `amountAtomic` is required, never both.',
      },
      amountAtomic: nullable(
        text('The same as `amount` in digits, for clients that cannot write large integers.', {
          pattern: '^[1-9][0-9]{0,77}$',
        }),
      ),
      currencyCode: text('The currency of the amount, e.g. `USD`; case-sensitive.', {
        minLength: 1,
        maxLength: 32,
      }),
      reference: text('Your reference, e.g. the number of the order.', { minLength: 1, maxLength: 255 }),
      referenceLabel: text('The reference as customers see it.', { minLength: 1, maxLength: 255 }),
      clientId: nullable(text('The application, by its `clientId`.', { minLength: 1, maxLength: 255 })),
      siteId: nullable(uuid('The application, by the id of its site.')),
      redirectUrl: nullable(
        httpUrl(
          'Where the customer goes afterwards; `paymentId` and `reference` are appended, never a status.',
        ),
      ),
      blockchainSlug: nullable(text('The only blockchain to pay on.', { minLength: 1, maxLength: 64 })),
      productId: nullable(uuid('Your product; stored only.')),
      settlementCurrencyCode: nullable(
        text('The currency of `settledAmount`; `currencyCode`, unless set.', { minLength: 1, maxLength: 32 }),
      ),
      callbackUrl: nullable(
        httpUrl(
          'Where the webhooks of this payment go instead of to the application’s `callbackUrl`; on the host of the ' +
            'application’s `url` or `callbackUrl`; https in production. Signed with the application’s secret.',
        ),
      ),
      metadata: nullable(
        metadata(
          'Your own notes for your own programs, e.g. `{"cartId": "c-17"}`: strings by name, at most 50, names of 1 to 40 ' +
            'and values of up to 500 characters, 4,096 bytes as JSON in all. Shown to you with the payment and in its ' +
            'events, never to the customer.',
        ),
      ),
      expiresAt: nullable(
        sentInstant(
          'When the link ends, with a time zone: a minute to a year from now. 24 hours, unless set.',
        ),
      ),
    },
    [
      'amount',
      'amountAtomic',
      'clientId',
      'siteId',
      'redirectUrl',
      'blockchainSlug',
      'productId',
      'settlementCurrencyCode',
      'callbackUrl',
      'metadata',
      'expiresAt',
    ],
  ),
  Checkout: object('Checkout', 'The new payment.', {
    id: uuid('The payment.'),
    checkoutUrl: text('Send the customer there.', { format: 'uri' }),
  }),
  CancelPayment: object(
    'CancelPayment',
    'Why, if you like.',
    { reason: nullable(text('Kept with the payment.', { maxLength: 255 })) },
    ['reason'],
  ),
  AcceptPayment: object(
    'AcceptPayment',
    'Nothing, for the payment as it is; or a transfer that it did not ask for.',
    {
      transferId: nullable(
        uuid(
          'A transfer of the payment that is `acceptable`: on another network or in another coin than was asked for. ' +
            'It counts from now on, at the rate of now.',
        ),
      ),
    },
    ['transferId'],
  ),
};
