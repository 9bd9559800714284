import { PageQuery } from '../platform/http/pagination.js';
import {
  IsAtomicAmount,
  IsAtomicText,
  IsHttpUrl,
  IsIsoInstant,
  IsNullableField,
  IsOneOf,
  IsOptionalField,
  IsQueryBoolean,
  IsText,
  IsTextMap,
  IsUuidField,
} from '../platform/contract/validation.js';
import { CURRENCY_CODES } from '../money/currencies.js';
import { currencyMessage } from '../money/currency-selection.js';
import { IsStatusList } from './is-status-list.validator.js';
import type { PaymentStatus } from './payment-status.pure.js';

/** The lengths of keys and values are those that shops know from card payments (specification/conventions.md#sizes). */
export const METADATA_BOUNDS = { count: 50, maxKeyLength: 40, maxLength: 500, maxBytes: 4_096 };

/** Body of POST /api/payment/checkout (specification/payments.md#create). Null means the same as absent. */
export class CreatePaymentDto {
  /** Smallest unit of `currencyCode`; a JSON integer token. The upper bound depends on the currency. */
  @IsOptionalField()
  @IsNullableField()
  @IsAtomicAmount()
  amount?: bigint | null;

  /** The same as digits in a string, for clients that cannot write big integers; exactly one of the two. */
  @IsOptionalField()
  @IsNullableField()
  @IsAtomicText()
  amountAtomic?: bigint | null;

  @IsText(1, 32)
  currencyCode: string;

  @IsText(1, 255)
  reference: string;

  @IsText(1, 255)
  referenceLabel: string;

  @IsOptionalField()
  @IsNullableField()
  @IsText(1, 255)
  clientId?: string | null;

  @IsOptionalField()
  @IsNullableField()
  @IsUuidField()
  siteId?: string | null;

  @IsOptionalField()
  @IsNullableField()
  @IsHttpUrl()
  redirectUrl?: string | null;

  @IsOptionalField()
  @IsNullableField()
  @IsText(1, 64)
  blockchainSlug?: string | null;

  @IsOptionalField()
  @IsNullableField()
  @IsUuidField()
  productId?: string | null;

  @IsOptionalField()
  @IsNullableField()
  @IsText(1, 32)
  settlementCurrencyCode?: string | null;

  @IsOptionalField()
  @IsNullableField()
  @IsIsoInstant()
  expiresAt?: Date | null;

  /** The shop's own; echoed, never read. */
  @IsOptionalField()
  @IsNullableField()
  @IsTextMap(METADATA_BOUNDS)
  metadata?: Record<string, string> | null;

  /** Takes the place of the application's for this payment; where it may point to: see payment-callback.pure.ts. */
  @IsOptionalField()
  @IsNullableField()
  @IsHttpUrl()
  callbackUrl?: string | null;
}

/** Body of POST /api/payment/{paymentId}/cancel (specification/payments.md#cancel). */
export class CancelPaymentDto {
  @IsOptionalField()
  @IsNullableField()
  @IsText(0, 255)
  reason?: string | null;
}

/** Body of POST /api/payment/{paymentId}/accept (specification/payments.md#accept). */
export class AcceptPaymentDto {
  /**
   * The unmatched transfer to accept (specification/payment-states.md#unmatched-funds); absent: accept the payment as
   * it is.
   */
  @IsOptionalField()
  @IsNullableField()
  @IsUuidField()
  transferId?: string | null;
}

/** Query of GET /api/payment/by-reference (specification/payments.md#find-by-reference). */
export class PaymentsByReferenceQuery extends PageQuery {
  @IsText(1, 255)
  reference: string;
}

/** Orders of the list; a leading minus is descending (specification/payments.md#list). */
export const PAYMENT_SORTS = ['date', '-date', 'amount', '-amount', 'status', '-status'] as const;
export type PaymentSort = (typeof PAYMENT_SORTS)[number];

/** Query of GET /api/payment (specification/payments.md#list). */
export class ListPaymentsQuery extends PageQuery {
  @IsOptionalField()
  @IsUuidField()
  paymentApplicationId?: string;

  /** Comma-separated on the wire. */
  @IsOptionalField()
  @IsStatusList()
  status?: PaymentStatus[];

  @IsOptionalField()
  @IsText(1, 255)
  reference?: string;

  @IsOptionalField()
  @IsOneOf(CURRENCY_CODES, currencyMessage)
  currencyCode?: string;

  @IsOptionalField()
  @IsIsoInstant()
  dateFrom?: Date;

  /** Inclusive. */
  @IsOptionalField()
  @IsIsoInstant()
  dateTo?: Date;

  /** Part of reference or label; or a whole payment id, transaction hash or address. */
  @IsOptionalField()
  @IsText(1, 255)
  search?: string;

  /** Only payments with unmatched funds, or only those without (specification/payment-states.md#unmatched-funds). */
  @IsOptionalField()
  @IsQueryBoolean()
  unmatchedFunds?: boolean;

  @IsOptionalField()
  @IsOneOf(PAYMENT_SORTS)
  sort: PaymentSort = '-date';
}
