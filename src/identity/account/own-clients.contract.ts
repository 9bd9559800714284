import { Contract } from '../../platform/web/contract/contract.js';
import { Instant, Text, TextList } from '../../platform/web/contract/fields.js';
import { toIsoSeconds } from '../../platform/kernel/clock.pure.js';
import { OAUTH_SCOPES, type OAuthScope } from '../../platform/kernel/oauth-scopes.pure.js';
import type { OwnClient } from '../oauth/own-clients.service.js';

export const EXAMPLE_CLIENT_ID = '6f1ed002ab5595859014ebf0951522d9';

/** Body of POST /api/account/oauth-clients. */
@Contract('CreateOAuthClient', 'A client for a server of yours.')
export class CreateOwnClientContract {
  @Text({ min: 1, max: 255, blank: false, about: 'For you to recognize it.', example: 'Warehouse' })
  name: string;

  @TextList({
    of: OAUTH_SCOPES,
    min: 1,
    max: OAUTH_SCOPES.length,
    unique: true,
    about: 'What it may do: nothing that your own token may not.',
    example: ['payments:read'],
  })
  scopes: OAuthScope[];
}

@Contract('OAuthClient', 'A client of yours: it gets tokens by `client_credentials` that act for you.')
export class OwnClientContract {
  @Text({ about: '`client_id` at the token endpoint.', example: EXAMPLE_CLIENT_ID })
  clientId: string;

  @Text({ about: 'Its name.', example: 'Warehouse' })
  name: string;

  @TextList({ about: 'What it may do.', example: ['payments:read'] })
  scopes: string[];

  @Instant({ about: 'When it was created.' })
  createdAt: string;
}

@Contract('OAuthClientSecret', 'A client with its secret, which is shown this once.')
export class OwnClientSecretContract extends OwnClientContract {
  @Text({
    about: '`client_secret` at the token endpoint. Store it now; it is never shown again.',
    example: 'Zk3mVQ0yq9Jx7c2uWbT5nRs8pLd1fGh4',
  })
  clientSecret: string;
}

export function presentOwnClient({ clientId, name, scopes, createdAt }: OwnClient): OwnClientContract {
  return { clientId, name, scopes: [...scopes], createdAt: toIsoSeconds(createdAt) };
}
