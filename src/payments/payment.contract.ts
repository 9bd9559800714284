import { AmountContract, EXAMPLE_USD_0, EXAMPLE_USDC_100 } from '../money/amount.contract.js';
import { Contract, enumeration, exampleOf } from '../platform/web/contract/contract.js';
import {
  Choice,
  Count,
  FieldOf,
  Flag,
  HttpUrl,
  Instant,
  Nested,
  NestedList,
  Text,
  TextMap,
  Uuid,
} from '../platform/web/contract/fields.js';
import { PAYMENT_STATUSES, type PaymentStatus } from './payment-status.pure.js';
import type { ReviewReason } from './payment.pure.js';
import { MAX_LISTED } from './transfers/transfer-listing.pure.js';

export const EXAMPLE_PAYMENT_ID = '550e8400-e29b-41d4-a716-446655440000';
export const EXAMPLE_TRANSFER_ID = '019bc0f8-2c3e-7d4a-9b1f-5e6d7c8b9a01';
const EXAMPLE_TX_HASH = '0x9f3c1e7a5b2d4c6e8f0a1b3c5d7e9f1a2b4c6d8e0f2a4b6c8d0e1f3a5b7c9d1e';
const EXAMPLE_CHECKOUT_URL =
  `https://pay.example/checkout/${EXAMPLE_PAYMENT_ID}?expires=1773576000` +
  '&signature=8bcb8232f77ead3d3e6d8220a4dd4512c5b2bd95683e8add8e9fb12229804e53';
const USD_100 = exampleOf(AmountContract, 'response');

/** specification/payments.md#create; the limits that card payment providers have. */
export const METADATA_BOUNDS = { count: 50, maxKeyLength: 40, maxLength: 500, maxBytes: 4_096 };

export const PAYMENT_STATUS = enumeration(
  'PaymentStatus',
  'OPEN: awaits payment. FOUND: funds seen, awaiting confirmations. UNDERPAID: less than the amount is confirmed. ' +
    'RECEIVED: the full amount is confirmed. CONFIRMED: and your webhook has responded with 2xx. CANCELLED: by you. ' +
    'ERROR: processing failed. REFUND: paid back in full. Stop polling at CONFIRMED, CANCELLED, ERROR and REFUND.',
  PAYMENT_STATUSES,
);

/** Response of POST /api/payment/checkout. */
@Contract('Checkout', 'The new payment.')
export class CheckoutContract {
  @Uuid({ about: 'The payment.', example: EXAMPLE_PAYMENT_ID })
  id: string;

  @Text({ format: 'uri', about: 'Where to send the customer.', example: EXAMPLE_CHECKOUT_URL })
  checkoutUrl: string;
}

const TRANSACTION_STATUS_NAMES = ['PENDING', 'CONFIRMED', 'REPLACED', 'ORPHANED'] as const;

/** One entry of `transactions[]` (specification/payments.md#transactions). */
@Contract('Transaction', 'A movement of funds on a blockchain.')
export class TransactionContract {
  @Uuid({ about: 'The transfer; `transferId` when you accept it.', example: EXAMPLE_TRANSFER_ID })
  id: string;

  @Text({ about: 'Of the transaction.', example: EXAMPLE_TX_HASH })
  txHash: string;

  @Text({ about: 'The slug of the blockchain.', example: 'ethereum' })
  blockchain: string;

  @Text({ about: 'The received coin.', example: 'USDC' })
  currencyCode: string;

  @Nested(() => AmountContract, { about: 'The received amount.', example: EXAMPLE_USDC_100 })
  amount: AmountContract;

  @Nested(() => AmountContract, { about: 'The credited amount, in the currency of the payment.' })
  creditedAmount: AmountContract;

  @Count({ about: 'Blocks so far.', example: 12 })
  confirmations: number;

  @Count({ about: 'Blocks after which it counts, or usually counts where `finality` is set.', example: 12 })
  confirmationsRequired: number;

  @Choice(['safe', 'finalized'], {
    nullable: true,
    about:
      'The tag of the chain that its block must have before it counts; null: the number of blocks is enough.',
    example: null,
  })
  finality: 'safe' | 'finalized' | null;

  @Choice(TRANSACTION_STATUS_NAMES, {
    about:
      'PENDING: not enough blocks yet. CONFIRMED: counts. REPLACED: another transaction took its place, or it vanished. ' +
      'ORPHANED: its block is no longer part of the chain.',
    example: 'CONFIRMED',
  })
  status: (typeof TRANSACTION_STATUS_NAMES)[number];

  @Flag({ about: 'Seen after the rate lock and its grace: credited at the rate of first sight.' })
  late: boolean;

  @Flag({
    about:
      'It counts, now or once it is confirmed. False: it arrived on another network or in another coin than ' +
      'requested, and you have not accepted it.',
    example: true,
  })
  matched: boolean;

  @Flag({ about: 'You can make it count: accept the payment with the `transferId` of this transfer.' })
  acceptable: boolean;

  @Instant({
    nullable: true,
    about: 'When you accepted it, which is the time of its rate; null: not accepted, or no need to.',
  })
  acceptedAt: string | null;

  @Instant({ about: 'When it was first seen.', example: '2026-01-15T10:04:12Z' })
  seenAt: string;

  @Instant({ nullable: true, about: 'When it had enough blocks.', example: '2026-01-15T10:06:40Z' })
  confirmedAt: string | null;

  @Text({
    format: 'uri',
    nullable: true,
    about: 'The transaction in a block explorer; null: no explorer is known.',
    example: `https://etherscan.io/tx/${EXAMPLE_TX_HASH}`,
  })
  explorerUrl: string | null;
}

/** Transfers that are not listed one by one (specification/payments.md#transactions). */
@Contract('OtherTransactions', 'Transactions of one kind that are not listed one by one, added up.')
export class OtherTransactionsContract {
  @Text({ about: 'The slug of the blockchain.', example: 'ethereum' })
  blockchain: string;

  @Text({ about: 'The received coin.', example: 'USDC' })
  currencyCode: string;

  @Choice(TRANSACTION_STATUS_NAMES, { about: 'As of a transaction.', example: 'CONFIRMED' })
  status: TransactionContract['status'];

  @Flag({ about: 'As of a transaction.', example: true })
  matched: boolean;

  @Count({ about: 'How many they are.', example: 17_975 })
  count: number;

  @Nested(() => AmountContract, { about: 'The sum of their amounts.', example: EXAMPLE_USDC_100 })
  amount: AmountContract;

  @Nested(() => AmountContract, { about: 'The sum that is credited, in the currency of the payment.' })
  creditedAmount: AmountContract;
}

/** The seven fields of a list item, and no others (specification/payments.md#list). */
@Contract('PaymentListItem', 'A payment as lists show it: these fields and no others.')
export class PaymentListItemContract {
  @Uuid({ about: 'The payment; `paymentId` in paths.', example: EXAMPLE_PAYMENT_ID })
  id: string;

  @Choice(PAYMENT_STATUS, { example: 'CONFIRMED' })
  status: PaymentStatus;

  @Text({ about: 'Your reference, e.g. the order number. Not unique.', example: 'ORDER-123' })
  reference: string;

  @Text({ about: 'The reference as customers see it.', example: 'Order #123' })
  referenceLabel: string;

  @Text({ about: 'The currency of the amount.', example: 'USD' })
  currencyCode: string;

  @Nested(() => AmountContract)
  amount: AmountContract;

  @Instant({ about: 'When it was created.', example: '2026-01-15T10:00:00Z' })
  date: string;
}

/** The payment resource, in responses and webhooks (specification/payments.md#resource). */
@Contract('Payment', 'A payment.')
export class PaymentContract extends PaymentListItemContract {
  @Text({ about: 'The owner.', example: 'c0a8012e-7a1b-4c3d-9e5f-1a2b3c4d5e6f' })
  userId: string;

  @Text({
    about: 'The currency of `settledAmount`; for reports, nothing is exchanged.',
    example: 'USD',
  })
  settlementCurrencyCode: string;

  @Nested(() => AmountContract, { about: 'Confirmed funds, in `currencyCode`.' })
  receivedAmount: AmountContract;

  @Instant({ nullable: true, about: 'When it became CONFIRMED.', example: '2026-01-15T10:06:43Z' })
  confirmedAt: string | null;

  @Instant({ nullable: true, about: 'When funds were first seen.', example: '2026-01-15T10:04:12Z' })
  foundAt: string | null;

  @Text({
    format: 'uri',
    about:
      'The signed link of the hosted checkout page; the same at every call. A viewer of the account gets it without its ' +
      'signature.',
    example: EXAMPLE_CHECKOUT_URL,
  })
  checkoutUrl: string;

  @Text({
    format: 'uri',
    nullable: true,
    about:
      'The signed link of the receipt, for the customer; null before the payment is RECEIVED. It ends ten years after `date`.',
  })
  receiptUrl: string | null;

  @Instant({
    about: 'When the link expires. Funds that arrive later are recorded and credited all the same.',
    example: '2026-03-15T12:00:00Z',
  })
  expiresAt: string;

  @Flag({ about: 'The link has expired. Not a status.' })
  expired: boolean;

  @HttpUrl({
    nullable: true,
    about: 'Where the customer returns to.',
    example: 'https://mystore.example/thanks',
  })
  redirectUrl: string | null;

  @Text({ nullable: true, about: 'The only blockchain to pay on; null: any.' })
  blockchainSlug: string | null;

  @Uuid({ nullable: true, about: 'Your product; stored only.' })
  productId: string | null;

  @HttpUrl({ nullable: true, about: 'Where its webhooks go; null: to the application’s `callbackUrl`.' })
  callbackUrl: string | null;

  @TextMap({
    ...METADATA_BOUNDS,
    about: 'The metadata that you set at creation; `{}` without. The order of the names is not kept.',
    example: { cartId: 'c-17' },
  })
  metadata: Record<string, string>;

  @Flag({
    about:
      'False: it can be paid on test networks only, as in the development profile, so no real money is involved. ' +
      'Decided at creation, and kept.',
    example: true,
  })
  livemode: boolean;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'In `settlementCurrencyCode`; null before RECEIVED.',
    example: USD_100,
  })
  settledAmount: AmountContract | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'The sum of completed refunds, in `currencyCode`; null: none.',
  })
  refundedAmount: AmountContract | null;

  @Nested(() => AmountContract, { nullable: true, about: 'The excess over the amount; null: none.' })
  overpaidAmount: AmountContract | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'The missing amount of a payment that is UNDERPAID or was accepted so.',
  })
  underpaidAmount: AmountContract | null;

  @Instant({ nullable: true, about: 'When it was cancelled.' })
  cancelledAt: string | null;

  @Text({ nullable: true, about: 'The `reason` that you gave when you cancelled it.' })
  cancelReason: string | null;

  @Text({ nullable: true, about: 'Why the status is ERROR.' })
  errorReason: string | null;

  @FieldOf(
    {
      schema: () => ({
        type: ['string', 'null'],
        enum: ['overpaid', 'reorg', 'funds_after_cancel', 'integrity', null],
      }),
    },
    {
      about:
        'Why it needs a person’s attention: more than the amount was received and awaits a decision, a reorganization ' +
        'removed funds, or a closed payment holds funds, requested or not. Null: nothing to do. `overpaid` ends when ' +
        'you accept the payment or refund the excess, `reorg` when the payment has its funds again.',
      example: null,
    },
  )
  reviewReason: ReviewReason | null;

  @NestedList(() => TransactionContract, {
    about:
      `Movements of funds to the payment, oldest first: all of them up to ${MAX_LISTED}, otherwise the largest of each coin. ` +
      'The sums of the payment count all.',
  })
  transactions: TransactionContract[];

  @NestedList(() => OtherTransactionsContract, {
    about:
      `Those that \`transactions\` leaves out, added up by coin and status, of at most ${MAX_LISTED} kinds those that count ` +
      'for most; empty: none.',
    example: [],
  })
  otherTransactions: OtherTransactionsContract[];

  @Count({ about: 'How many there are, listed or not.', example: 1 })
  transactionCount: number;

  @Text({
    format: 'uri',
    about: 'All of them, page by page: `listPaymentTransactions`.',
    example: `https://pay.example/api/payment/${EXAMPLE_PAYMENT_ID}/transactions`,
  })
  transactionsUrl: string;
}

export const EXAMPLE_PAYMENT = exampleOf(PaymentContract, 'response');

/** Fields of the example that differ while the payment is open. */
export const OPEN = {
  status: 'OPEN',
  receivedAmount: EXAMPLE_USD_0,
  confirmedAt: null,
  foundAt: null,
  settledAmount: null,
  transactions: [],
  transactionCount: 0,
};
