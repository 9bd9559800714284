import { IsAtomicAmount, IsNullableField, IsOptionalField, IsText } from '../platform/contract/validation.js';

/**
 * Body of POST /api/payment/{paymentId}/refunds (specification/refunds.md#routes). Null is the same as absent; without
 * any field, all that is left is refunded as it was paid.
 */
export class CreateRefundDto {
  /** Smallest unit of the payment's currency; a JSON integer token. */
  @IsOptionalField()
  @IsNullableField()
  @IsAtomicAmount()
  amount?: bigint | null;

  /** Must be the payment's. */
  @IsOptionalField()
  @IsNullableField()
  @IsText(1, 32)
  currencyCode?: string | null;

  @IsOptionalField()
  @IsNullableField()
  @IsText(1, 255)
  reason?: string | null;

  /** For the merchant; the customer never sees it. */
  @IsOptionalField()
  @IsNullableField()
  @IsText(0, 2_000)
  note?: string | null;

  @IsOptionalField()
  @IsNullableField()
  @IsText(1, 32)
  payoutCurrencyCode?: string | null;

  @IsOptionalField()
  @IsNullableField()
  @IsText(1, 64)
  blockchainSlug?: string | null;

  /** Smallest unit of the payout coin on its network, instead of the amount at the paid rate. */
  @IsOptionalField()
  @IsNullableField()
  @IsAtomicAmount()
  payoutAmount?: bigint | null;

  @IsOptionalField()
  @IsNullableField()
  @IsText(1, 255)
  address?: string | null;
}

/** Body of POST …/refunds/{refundId}/address and of the customer's claim. */
export class RefundAddressDto {
  @IsText(1, 255)
  address: string;
}

/** Body of POST …/refunds/{refundId}/complete. */
export class CompleteRefundDto {
  @IsText(1, 255)
  txHash: string;
}
