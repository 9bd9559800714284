import { EXAMPLE_APPLICATION_ID } from '../applications/applications.contract.js';
import { Contract, enumeration } from '../platform/web/contract/contract.js';
import { Instant, Text, TextList, Uuid } from '../platform/web/contract/fields.js';
import { toIsoSeconds, toIsoSecondsOrNull } from '../platform/kernel/clock.pure.js';
import { SCOPES } from '../platform/web/security/auth.js';
import type { ClientTokenEntity } from './client-token.entity.js';

const SCOPE = enumeration('Scope', 'What a client token may do; `*` is all.', SCOPES);
export const EXAMPLE_TOKEN_ID = 'b5f3c1a0-2d4e-4f6a-8b9c-0d1e2f3a4b5c';
const EXAMPLE_SCOPES = ['payments.create', 'payments.get'];

/** Body of POST /api/payment-applications/{id}/client-tokens (specification/authentication.md#client-tokens). */
@Contract('CreateClientToken', 'A new client token. It cannot be changed later.')
export class CreateClientTokenContract {
  @Text({ min: 1, max: 255, about: 'What you call it.', example: 'Shop server' })
  label: string;

  @Instant({
    optional: true,
    nullable: true,
    about: 'When it ends, in the future and with a time zone. Null or absent: never.',
    example: '2027-01-01T00:00:00Z',
  })
  expiresAt?: Date | null;

  @TextList({
    of: SCOPE,
    min: 1,
    max: SCOPES.length,
    unique: true,
    about: 'What it may do.',
    example: EXAMPLE_SCOPES,
  })
  scopes: string[];
}

@Contract('ClientToken', 'The record of a client token; never the token itself.')
export class ClientTokenContract {
  @Uuid({ about: 'The record of the token; `tokenId` in paths.', example: EXAMPLE_TOKEN_ID })
  id: string;

  @Uuid({ about: 'The application that the token acts for.', example: EXAMPLE_APPLICATION_ID })
  paymentApplicationId: string;

  @Text({ about: 'What you called it.', example: 'Shop server' })
  label: string;

  @TextList({ of: SCOPE, about: 'What it may do.', example: EXAMPLE_SCOPES })
  scopes: string[];

  @Text({ about: 'How the token begins, to recognize it.', example: 'pct_5m3q' })
  tokenPrefix: string;

  @Instant({ nullable: true, about: 'When it ends; null: never.', example: '2027-01-01T00:00:00Z' })
  expiresAt: string | null;

  @Instant({ nullable: true, about: 'When it was used last, to the minute.' })
  lastUsedAt: string | null;

  @Instant({ nullable: true, about: 'When it was revoked.' })
  revokedAt: string | null;

  @Instant({ about: 'When it was created.' })
  createdAt: string;
}

@Contract('NewClientToken', 'A new client token, shown this once.')
export class NewClientTokenContract extends ClientTokenContract {
  @Text({
    pattern: '^pct_[0-9A-Za-z]{40}$',
    about: 'The token. Only its hash is kept.',
    example: 'pct_5m3qR8tYw2Zx7Vb1Nc6Ma9Ld4Kf0Jh3Gs5Pq8Or2',
  })
  token: string;
}

export function presentClientToken(token: Omit<ClientTokenEntity, 'mac'>): ClientTokenContract {
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
