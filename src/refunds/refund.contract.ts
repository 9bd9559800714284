import { TokenContract } from '../chains/token.contract.js';
import { AmountContract, EXAMPLE_USDC_100 } from '../money/amount.contract.js';
import { ConfirmationsContract } from '../payments/confirmations.contract.js';
import { Contract, enumeration, exampleOf } from '../platform/web/contract/contract.js';
import {
  AtomicAmount,
  Choice,
  FieldOf,
  Flag,
  HttpUrl,
  Instant,
  Nested,
  Text,
  Uuid,
} from '../platform/web/contract/fields.js';
import {
  type FailureReason,
  REFUND_CREATORS,
  REFUND_STATUSES,
  REFUND_TYPES,
  type RefundCreator,
  type RefundStatus,
  type RefundType,
} from './refund-status.pure.js';
import { BLOCKCHAIN_SLUG, CURRENCY_CODE } from '../platform/web/contract/json-schema.js';

export const EXAMPLE_REFUND_ID = '3f1c2a9e-6b7d-4c58-9e0a-1d2b3c4d5e6f';
export const EXAMPLE_PAYOUT_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const EXAMPLE_TX_HASH = '0x9f3c1e7a5b2d4c6e8f0a1b3c5d7e9f1a2b4c6d8e0f2a4b6c8d0e1f3a5b7c9d1e';

export const REFUND_STATUS = enumeration(
  'RefundStatus',
  'AWAITING_ADDRESS: the customer has to enter an address. AWAITING_PAYMENT: send `payoutAmount` to `address`. ' +
    'PROCESSING: a transaction is recorded and being verified. COMPLETED: it has paid. CANCELLED: by you. FAILED: it ' +
    'has not paid; record another one, or cancel. EXPIRED: no address was entered in time.',
  REFUND_STATUSES,
);

/** Every reason once; the compiler reports a missing one. */
const FAILURE_REASONS: Record<FailureReason, string> = {
  transaction_not_found: 'no node has seen it for 24 hours',
  transaction_failed: 'it was reverted',
  address_not_paid: 'it paid nothing to the address',
  wrong_asset: 'it paid the address something else',
  amount_too_low:
    'it paid the address less than `payoutAmount`, or nothing beside what other refunds of it have taken',
};

const reasons = Object.entries(FAILURE_REASONS).map(([reason, meaning]) => `${reason}: ${meaning}`);

/**
 * Body of POST /api/payment/{paymentId}/refunds (specification/refunds.md#routes). Null is the same as absent; without
 * any field, the whole remainder is refunded as it was paid.
 */
@Contract('CreateRefund', 'Everything is optional.', { mayBeAbsent: true })
export class CreateRefundContract {
  @AtomicAmount({
    optional: true,
    nullable: true,
    about:
      'In the smallest unit of the currency of the payment, as a JSON integer; the whole remainder, unless set.',
    example: 10000,
  })
  amount?: bigint | null;

  @Text({
    min: 1,
    max: 32,
    bounds: CURRENCY_CODE,
    optional: true,
    nullable: true,
    about: 'The currency of `amount`; must be that of the payment.',
    example: 'USD',
  })
  currencyCode?: string | null;

  @Text({
    min: 1,
    max: 255,
    optional: true,
    nullable: true,
    about: 'Why; kept with the refund.',
    example: 'customer_request',
  })
  reason?: string | null;

  @Text({
    max: 2_000,
    optional: true,
    nullable: true,
    about: 'For yourself; the customer never sees it.',
  })
  note?: string | null;

  @Text({
    min: 1,
    max: 32,
    bounds: CURRENCY_CODE,
    optional: true,
    nullable: true,
    about: 'The coin to pay out; the one that most of the funds came in, unless set.',
  })
  payoutCurrencyCode?: string | null;

  @Text({
    min: 1,
    max: 64,
    bounds: BLOCKCHAIN_SLUG,
    optional: true,
    nullable: true,
    about: 'Its network; the one that was paid on, or the only one there is, unless set.',
  })
  blockchainSlug?: string | null;

  @AtomicAmount({
    optional: true,
    nullable: true,
    about:
      'In the smallest unit of the coin on its network, as a JSON integer, instead of `amount` at the rate that was paid.',
  })
  payoutAmount?: bigint | null;

  @Text({
    min: 1,
    max: 255,
    optional: true,
    nullable: true,
    about: 'Where to send it, if known; otherwise the customer enters it.',
  })
  address?: string | null;

  @Uuid({
    optional: true,
    nullable: true,
    about:
      'Give back this transaction (`transactions[].id`), which is not `matched`, exactly as it came: without `amount`, ' +
      '`currencyCode`, `payoutCurrencyCode`, `blockchainSlug` and `payoutAmount`.',
  })
  transferId?: string | null;
}

/** Body of POST …/refunds/{refundId}/address and of the customer's claim. */
@Contract('RefundAddress', 'The payout address.')
export class RefundAddressContract {
  @Text({
    min: 1,
    max: 255,
    about:
      'An address on the network of the refund: of a wallet, with a valid checksum, and none on which this gateway ' +
      'receives.',
    example: EXAMPLE_PAYOUT_ADDRESS,
  })
  address: string;
}

/** Body of POST …/refunds/{refundId}/complete. */
@Contract('CompleteRefund', 'The transaction that has paid.')
export class CompleteRefundContract {
  @Text({ min: 1, max: 255, about: 'Its hash.', example: EXAMPLE_TX_HASH })
  txHash: string;
}

@Contract('RefundRate', 'The price of one whole coin.')
export class RefundRateContract {
  @Text({ about: 'The cryptocurrency.', example: 'USDC' })
  base: string;

  @Text({ about: 'The currency of the payment.', example: 'USD' })
  quote: string;

  @Text({ pattern: '^\\d+(\\.\\d+)?$', about: 'Decimal text.', example: '1.0000' })
  value: string;

  @Instant({ about: 'When it was locked.', example: '2026-01-15T10:02:00Z' })
  lockedAt: string;
}

/** Fields of a refund that the customer sees as well. */
class PayoutFields {
  @Nested(() => AmountContract, {
    about:
      'The refunded amount, in the currency of the payment; zero if an unmatched transaction is given back.',
  })
  amount: AmountContract;

  @Nested(() => AmountContract, { about: 'The amount to send, in the coin.', example: EXAMPLE_USDC_100 })
  payoutAmount: AmountContract;

  @Nested(() => TokenContract, {
    nullable: true,
    about: 'Null for the native coin.',
    example: exampleOf(TokenContract, 'response'),
  })
  token: TokenContract | null;

  @Text({ nullable: true, about: 'The payout address; null: the customer has to enter it.' })
  address: string | null;

  @Text({ nullable: true, about: 'The memo or tag to send with the address, on blockchains that need one.' })
  memo: string | null;

  @Text({ nullable: true, about: 'The transaction recorded as the payout.' })
  txHash: string | null;

  @Text({
    format: 'uri',
    nullable: true,
    about: 'The transaction in a block explorer; null: no explorer is known.',
  })
  explorerUrl: string | null;

  @Nested(() => ConfirmationsContract, { about: 'Of that transaction.' })
  confirmations: ConfirmationsContract;

  @Instant({ nullable: true, about: 'When the payout had enough blocks.' })
  completedAt: string | null;

  @Instant({
    about: 'Until then the customer can enter an address: 30 days.',
    example: '2026-02-15T10:00:00Z',
  })
  expiresAt: string;
}

/** A refund as the merchant sees it, and as `payment.refund` carries it (specification/refunds.md#routes). */
@Contract('Refund', 'A refund: the amount owed, the payout address, and the transaction that paid it.')
export class RefundContract extends PayoutFields {
  @Uuid({ about: 'The refund; `refundId` in paths.', example: EXAMPLE_REFUND_ID })
  id: string;

  @Uuid({ about: 'The payment.', example: '550e8400-e29b-41d4-a716-446655440000' })
  paymentId: string;

  @Text({ about: 'Your reference of the order.', example: 'ORDER-123' })
  reference: string;

  @Uuid({ about: 'The application of the payment.', example: '9b2f8a51-7d3e-4f60-8c1a-2e5d7b9f0a34' })
  paymentApplicationId: string;

  @Choice(REFUND_TYPES, {
    about:
      'FULL: everything received. PARTIAL: a part of it. OVERPAYMENT: the excess over the amount. UNDERPAYMENT: of a ' +
      'payment that is UNDERPAID. UNEXPECTED: funds of a closed payment, or an unmatched transaction.',
  })
  type: RefundType;

  @Choice(REFUND_STATUS)
  status: RefundStatus;

  @Uuid({
    nullable: true,
    about: 'The unmatched transaction that is given back; null: the refund is of what the payment received.',
  })
  transferId: string | null;

  @Nested(() => RefundRateContract, {
    nullable: true,
    about: 'The rate that was paid; null when you set `payoutAmount` or `transferId`.',
    example: exampleOf(RefundRateContract, 'response'),
  })
  rate: RefundRateContract | null;

  @Text({ about: 'The slug of the blockchain to pay out on.', example: 'ethereum' })
  blockchain: string;

  @FieldOf(
    { schema: () => ({ type: ['string', 'null'], enum: ['merchant', 'customer', null] }) },
    { about: 'Who entered the address; null: not entered yet.', example: null },
  )
  addressSetBy: 'merchant' | 'customer' | null;

  @Text({
    format: 'uri',
    about:
      'The page where the customer enters an address; the same at every call. A viewer of the account gets it without ' +
      'its signature.',
    example:
      `https://pay.example/refund/${EXAMPLE_REFUND_ID}?expires=1771149600` +
      '&signature=1f0c6a52d9be4b7c83e1a4f60d5b29c7e8a3f1d20b64c59e7d80f2a1b3c4d5e6',
  })
  claimUrl: string;

  @Text({
    nullable: true,
    about:
      'The link for your wallet (EIP-681, BIP 21); null while there is nothing to send, and always on Tron. For a token, ' +
      'compare the recipient in your wallet with `address`: several wallets send to the contract of the token instead.',
  })
  paymentUri: string | null;

  @Text({ nullable: true, about: 'Yours.', example: 'customer_request' })
  reason: string | null;

  @Text({ nullable: true, about: 'Yours.' })
  note: string | null;

  @Choice(REFUND_CREATORS, {
    about:
      'Who created it: you, or the customer, who has asked for the money on the page of the payment. Pay it, or cancel it.',
  })
  createdBy: RefundCreator;

  @Text({
    about: 'The user who created it; `customer` if the customer did.',
    example: 'c0a8012e-7a1b-4c3d-9e5f-1a2b3c4d5e6f',
  })
  requestedBy: string;

  @Instant({ about: 'When it was created.', example: '2026-01-16T10:00:00Z' })
  createdAt: string;

  @FieldOf(
    { schema: () => ({ type: ['string', 'null'], enum: [...Object.keys(FAILURE_REASONS), null] }) },
    {
      about: `Why the transaction does not count: ${reasons.join('; ')}. Null unless FAILED.`,
      example: null,
    },
  )
  failureReason: string | null;
}

@Contract('RefundBlockchain', 'The network to pay out on.')
export class RefundBlockchainContract {
  @Text({ about: 'Its name in fields, e.g. `ethereum`.', example: 'ethereum' })
  slug: string;

  @Text({ about: 'Its display name.', example: 'Ethereum' })
  name: string;

  @Flag({ about: 'A test network: its coins are worthless.' })
  testnet: boolean;
}

@Contract('RefundMerchant', 'The shop, as customers see it.')
export class RefundMerchantContract {
  @Text({ about: 'Its name.', example: 'My Store' })
  title: string;

  @HttpUrl({ nullable: true, about: 'Its website.', example: 'https://mystore.example' })
  url: string | null;
}

/** A refund as its claim link shows it: never the owner, the merchant's note, or why a payout failed. */
@Contract('RefundClaim', 'The public part of a refund.')
export class RefundClaimContract extends PayoutFields {
  @Uuid({ about: 'The refund.', example: EXAMPLE_REFUND_ID })
  id: string;

  @Choice(REFUND_STATUS)
  status: RefundStatus;

  @Uuid({
    nullable: true,
    about: 'The unmatched transaction that is given back; null: the refund is of what the payment received.',
  })
  transferId: string | null;

  @Text({ about: 'The reference of the shop.', example: 'ORDER-123' })
  reference: string;

  @Text({ about: 'The reference as customers see it.', example: 'Order #123' })
  referenceLabel: string;

  @Nested(() => RefundBlockchainContract)
  blockchain: RefundBlockchainContract;

  @Instant({ about: 'The current time of the gateway.', example: '2026-01-16T10:05:00Z' })
  serverTime: string;

  @Nested(() => RefundMerchantContract)
  merchantSettings: RefundMerchantContract;
}

/** Examples of a refund on its way, as changes of the contract's own example. */
export const ADDRESSED = {
  status: 'AWAITING_PAYMENT',
  address: EXAMPLE_PAYOUT_ADDRESS,
  addressSetBy: 'merchant',
  paymentUri:
    'ethereum:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48@1/transfer' +
    `?address=${EXAMPLE_PAYOUT_ADDRESS}&uint256=100000000`,
};
export const PROCESSING = {
  ...ADDRESSED,
  status: 'PROCESSING',
  addressSetBy: 'customer',
  paymentUri: null,
  txHash: EXAMPLE_TX_HASH,
  explorerUrl: `https://etherscan.io/tx/${EXAMPLE_TX_HASH}`,
};
export const COMPLETED = {
  ...PROCESSING,
  status: 'COMPLETED',
  confirmations: { seen: 12, required: 12 },
  completedAt: '2026-01-16T11:20:00Z',
};
