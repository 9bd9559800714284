import { SCOPES } from '../../platform/security/auth.js';
import { toIsoSeconds, toIsoSecondsOrNull } from '../../platform/runtime/clock.pure.js';
import {
  IsIsoInstant,
  IsNullableField,
  IsOptionalField,
  IsText,
  IsTextArray,
} from '../../platform/contract/validation.js';
import type { ClientToken } from './client-token.entity.js';

/** Body of POST /api/payment-applications/{id}/client-tokens (specification/authentication.md#client-tokens). */
export class CreateClientTokenDto {
  @IsText(1, 255)
  label: string;

  /** Null or absent: never. */
  @IsOptionalField()
  @IsNullableField()
  @IsIsoInstant()
  expiresAt?: Date | null;

  @IsTextArray({ min: 1, max: SCOPES.length, unique: true, oneOf: SCOPES })
  scopes: string[];
}

/** A client token on the wire; never the token itself. */
export function toClientTokenDto(token: ClientToken) {
  return {
    id: token.id,
    paymentApplicationId: token.applicationId,
    label: token.label,
    scopes: token.scopes,
    tokenPrefix: token.tokenPrefix,
    expiresAt: toIsoSecondsOrNull(token.expiresAt),
    lastUsedAt: toIsoSecondsOrNull(token.lastUsedAt),
    revokedAt: toIsoSecondsOrNull(token.revokedAt),
    createdAt: toIsoSeconds(token.createdAt),
  };
}
