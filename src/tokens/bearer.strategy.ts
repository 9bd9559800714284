import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { AccessTokensService } from '../identity/oauth/access-tokens.service.js';
import { CLIENT_TOKEN_PREFIX } from './client-token.pure.js';
import { ClientTokenPrincipalsService } from './client-token-principals.service.js';

/** Length of an opaque access token: 256 bits in base64url, which can begin with any characters, `pct_` included. */
const ACCESS_TOKEN_LENGTH = 43;

/** Distinguishes client tokens from OAuth2 access tokens and resolves their principal. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') implements OnModuleDestroy {
  /** Unique, because passport's registry is global: two gateways in one process must not share a strategy. */
  readonly registeredName = `bearer-${randomUUID()}`;

  constructor(
    private readonly clientTokens: ClientTokenPrincipalsService,
    private readonly accessTokens: AccessTokensService,
  ) {
    super();
    passport.use(this.registeredName, this);
  }

  onModuleDestroy(): void {
    passport.unuse(this.registeredName);
  }

  /** The header only: the library also takes tokens from query and body, which end up in access logs. */
  override authenticate(request: Request, options?: object): void {
    super.authenticate({ headers: request.headers } as Request, options);
  }

  /** False if the token is invalid. */
  async validate(token: string): Promise<Principal | false> {
    const isClientToken = token.startsWith(CLIENT_TOKEN_PREFIX) && token.length !== ACCESS_TOKEN_LENGTH;
    const principals = isClientToken ? this.clientTokens : this.accessTokens;
    return (await principals.findPrincipal(token)) ?? false;
  }
}
