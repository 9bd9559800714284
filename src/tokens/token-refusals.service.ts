import { Injectable } from '@nestjs/common';
import type { AccessRule } from '../platform/web/security/auth.js';
import { UnauthenticatedError } from '../platform/kernel/errors/errors.pure.js';
import { bearerToken } from '../platform/web/rate-limiting/rate-limit-category.pure.js';
import { AccessTokensService } from '../identity/oauth/access-tokens.service.js';
import { CLIENT_TOKEN_LENGTH, CLIENT_TOKEN_PREFIX, isClientToken } from './client-token.pure.js';
import { ClientTokenPrincipalsService } from './client-token-principals.service.js';
import { type PresentedRequest, refusalOfForm, refusalOfRequest } from './token-refusal.pure.js';

/**
 * Explains a 401. An incomplete token is explained by its form alone; a client that presents a complete one is given
 * the reason for that token, and nothing about any other.
 */
@Injectable()
export class TokenRefusals {
  constructor(
    private readonly clientTokens: ClientTokenPrincipalsService,
    private readonly accessTokens: AccessTokensService,
  ) {}

  async explain(request: PresentedRequest, rule: AccessRule): Promise<UnauthenticatedError> {
    const { authorization } = request.headers;
    const token = typeof authorization === 'string' ? bearerToken(authorization) : null;
    const refusal =
      token === null
        ? refusalOfRequest(request, rule)
        : (refusalOfForm(token) ?? { error: 'invalid_token', description: await this.explainToken(token) });
    return new UnauthenticatedError('unauthenticated', refusal ?? {});
  }

  private async explainToken(token: string): Promise<string> {
    if (isClientToken(token)) return this.clientTokens.explainRefusal(token);
    // As long as an access token, which can begin with any characters.
    const isCutOff =
      token.startsWith(CLIENT_TOKEN_PREFIX) &&
      token.length === CLIENT_TOKEN_LENGTH - 1 &&
      !token.includes('-');
    return isCutOff
      ? `The client token was cut off: it has ${token.length} of ${CLIENT_TOKEN_LENGTH} characters.`
      : this.accessTokens.explainRefusal(token);
  }
}
