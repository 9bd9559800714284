import { Contract } from '../platform/web/contract/contract.js';
import {
  AtomicAmount,
  AtomicText,
  Choice,
  HttpUrl,
  Instant,
  Text,
  TextMap,
  Uuid,
} from '../platform/web/contract/fields.js';
import { NOT_BLANK } from '../platform/web/contract/rules.js';
import { PageQuery } from '../platform/web/http/pagination.js';
import { EXAMPLE_TRANSFER_ID, METADATA_BOUNDS } from './payment.contract.js';
import { FILTERS, type ListFilters } from './payment-filters.js';
import type { PaymentStatus } from './payment-status.pure.js';
import { BLOCKCHAIN_SLUG, CURRENCY_CODE } from '../platform/web/contract/json-schema.js';

/** Body of POST /api/payment/checkout (specification/payments.md#create). Null means the same as absent. */
@Contract('CreateCheckout', 'A new payment. Identify the application by `clientId`, by `siteId`, or by both.')
export class CreatePaymentContract {
  /** The upper bound depends on the currency. */
  @AtomicAmount({
    optional: true,
    nullable: true,
    about:
      'In the smallest unit of `currencyCode`, as a JSON integer: neither a string nor `10.0` nor `1e3`. At most ' +
      '15 digits, or one thousand million whole coins. Either this or `amountAtomic` is required, never both.',
    example: 10000,
  })
  amount?: bigint | null;

  @AtomicText({
    optional: true,
    nullable: true,
    about: 'The same as `amount` in digits, for clients that cannot write large integers.',
  })
  amountAtomic?: bigint | null;

  @Text({
    min: 1,
    max: 32,
    bounds: CURRENCY_CODE,
    about: 'The currency of the amount, e.g. `USD`; case-sensitive.',
    example: 'USD',
  })
  currencyCode: string;

  @Text({
    min: 1,
    max: 255,
    also: [NOT_BLANK],
    about: 'Your reference, e.g. the order number.',
    example: 'ORDER-123',
  })
  reference: string;

  @Text({
    min: 1,
    max: 255,
    also: [NOT_BLANK],
    about: 'The reference as customers see it.',
    example: 'Order #123',
  })
  referenceLabel: string;

  @Text({
    min: 1,
    max: 255,
    bounds: { pattern: '^[a-z0-9]{32}$', maxLength: 32 },
    optional: true,
    nullable: true,
    about: 'The application, by its `clientId`.',
    example: 'k3v9x2m7q1w8e5r4t6y0u2i8o1p3a7s5',
  })
  clientId?: string | null;

  @Uuid({ optional: true, nullable: true, about: 'The application, by the id of its site.' })
  siteId?: string | null;

  @HttpUrl({
    optional: true,
    nullable: true,
    about: 'Where the customer returns to; `paymentId` and `reference` are appended, never a status.',
    example: 'https://mystore.example/thanks',
  })
  redirectUrl?: string | null;

  @Text({
    min: 1,
    max: 64,
    bounds: BLOCKCHAIN_SLUG,
    optional: true,
    nullable: true,
    about: 'The only blockchain to pay on.',
  })
  blockchainSlug?: string | null;

  @Uuid({ optional: true, nullable: true, about: 'Your product; stored only.' })
  productId?: string | null;

  @Text({
    min: 1,
    max: 32,
    bounds: CURRENCY_CODE,
    optional: true,
    nullable: true,
    about: 'The currency of `settledAmount`; `currencyCode`, unless set.',
  })
  settlementCurrencyCode?: string | null;

  @Instant({
    optional: true,
    nullable: true,
    about: 'When the link expires, with a time zone: a minute to a year from now. 24 hours, unless set.',
  })
  expiresAt?: Date | null;

  @TextMap({
    ...METADATA_BOUNDS,
    optional: true,
    nullable: true,
    about:
      'Your own notes for your own programs, e.g. `{"cartId": "c-17"}`: strings by name, at most 50, names of 1 to 40 ' +
      'and values of up to 500 characters, 4,096 bytes as JSON in all. Shown to you with the payment and in its ' +
      'events, never to the customer.',
  })
  metadata?: Record<string, string> | null;

  /** The allowed hosts: src/applications/payment-callback.pure.ts. */
  @HttpUrl({
    optional: true,
    nullable: true,
    about:
      'Where the webhooks of this payment go instead of to the application’s `callbackUrl`; on the host of the ' +
      'application’s `url` or `callbackUrl`; https in production. Signed with the application’s secret.',
  })
  callbackUrl?: string | null;
}

/** Body of POST /api/payment/{paymentId}/cancel (specification/payments.md#cancel). */
@Contract('CancelPayment', 'An optional reason.', { mayBeAbsent: true })
export class CancelPaymentContract {
  @Text({
    max: 255,
    optional: true,
    nullable: true,
    about: 'Kept with the payment.',
    example: 'The customer changed her mind',
  })
  reason?: string | null;
}

/** Body of POST /api/payment/{paymentId}/accept (specification/payments.md#accept). */
@Contract('AcceptPayment', 'Empty, for the payment as it is; or an unmatched transfer.', {
  mayBeAbsent: true,
})
export class AcceptPaymentContract {
  @Uuid({
    optional: true,
    nullable: true,
    about:
      'A transfer of the payment that is `acceptable`: on another network or in another coin than requested. ' +
      'It counts from now on, at the current rate.',
    example: EXAMPLE_TRANSFER_ID,
  })
  transferId?: string | null;
}

/** Body of POST /api/payment/{paymentId}/keep (specification/payments.md#keep). */
@Contract('KeepPayment', 'Empty, for all that is too much; or the excess alone.', { mayBeAbsent: true })
export class KeepPaymentContract {
  @AtomicAmount({
    optional: true,
    nullable: true,
    about:
      'The excess that you were shown, in the smallest unit of the currency of the payment. It alone is kept; 409 when it ' +
      'is another by now. Without it, a second payment of one reference and what came after the end are kept as well.',
    example: 2605,
  })
  amount?: bigint | null;
}

/** Query of GET /api/payment/by-reference (specification/payments.md#list). */
export class PaymentsByReferenceQuery extends PageQuery {
  @Text({
    min: 1,
    max: 255,
    about: 'Exactly as it was given, percent-encoded.',
    example: 'ORDER-123',
  })
  reference: string;
}

/** Sort orders of the list; a leading minus means descending (specification/payments.md#list). */
export const PAYMENT_SORTS = ['date', '-date', 'amount', '-amount', 'status', '-status'] as const;
export type PaymentSort = (typeof PAYMENT_SORTS)[number];

/** Query of GET /api/payment (specification/payments.md#list). */
export class ListPaymentsQuery extends PageQuery implements ListFilters {
  @FILTERS.paymentApplicationId
  paymentApplicationId?: string;

  @FILTERS.status
  status?: PaymentStatus[];

  @FILTERS.reference
  reference?: string;

  @FILTERS.currencyCode
  currencyCode?: string;

  @FILTERS.dateFrom
  dateFrom?: Date;

  @FILTERS.dateTo
  dateTo?: Date;

  @FILTERS.search
  search?: string;

  @FILTERS.unmatchedFunds
  unmatchedFunds?: boolean;

  @Choice(PAYMENT_SORTS, { optional: true, about: 'A leading minus means descending.', default: '-date' })
  sort: PaymentSort = '-date';
}
