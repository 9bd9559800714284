import { type IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { Provider } from 'oidc-provider';
import { CONFIG, type Config } from '../../config.js';
import { ServiceUnavailableError } from '../../platform/kernel/errors/errors.pure.js';
import { RateLimits } from '../../platform/web/rate-limiting/rate-limits.service.js';
import { DASHBOARD_CLIENT_ID, dashboardRedirectUri } from './dashboard-client.pure.js';
import { addressedTo } from './oauth-request.js';
import { issuerUrl } from './oidc-provider.js';
import { refusalAgain } from '../../platform/web/rate-limiting/rate-limit.pure.js';

/** What the dashboard's session consists of. */
export interface DashboardTokens {
  accessToken: string;
  /** Seconds. */
  expiresIn: number;
  refreshToken: string;
}

type Grant = { code: string; codeVerifier: string } | { refreshToken: string };

/**
 * The token endpoint as the dashboard uses it: through the gateway, which keeps the refresh token out of the reach of
 * scripts. Every rule of the authorization server applies.
 */
@Injectable()
export class DashboardTokensService {
  private readonly issuer: URL;
  private readonly redirectUri: string;
  private readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  constructor(
    @Inject(CONFIG) config: Config,
    provider: Provider,
    private readonly limits: RateLimits,
  ) {
    this.issuer = issuerUrl(config);
    this.redirectUri = dashboardRedirectUri(config.baseUrl);
    this.serve = provider.callback();
  }

  /** Null if the code or the refresh token is refused. @throws TooManyRequestsError, ServiceUnavailableError */
  async fetch(request: IncomingMessage, grant: Grant): Promise<DashboardTokens | null> {
    const fields: Record<string, string> =
      'code' in grant
        ? {
            grant_type: 'authorization_code',
            code: grant.code,
            code_verifier: grant.codeVerifier,
            redirect_uri: this.redirectUri,
          }
        : { grant_type: 'refresh_token', refresh_token: grant.refreshToken };
    const { status, headers, text } = await this.ask(request, '/token', fields);
    if (status === 429) throw refusalAgain(headers);
    if (status >= 500) throw new ServiceUnavailableError();
    if (status !== 200) return null;
    const body = JSON.parse(text) as { access_token: string; expires_in: number; refresh_token: string };
    return {
      accessToken: body.access_token,
      expiresIn: body.expires_in,
      refreshToken: body.refresh_token,
    };
  }

  /** Ends the sign-in; repeatable. */
  async revoke(request: IncomingMessage, refreshToken: string): Promise<void> {
    const { status } = await this.ask(request, '/revoke', { token: refreshToken });
    if (status !== 200) throw new ServiceUnavailableError();
  }

  private async ask(request: IncomingMessage, target: string, fields: Record<string, string>) {
    const form = new URLSearchParams({ ...fields, client_id: DASHBOARD_CLIENT_ID });
    const addressed = addressedTo(this.issuer, request, target, form);
    addressed.method = 'POST';
    // Cookies of the browser have no meaning there, and neither has a bearer token.
    delete addressed.headers.cookie;
    delete addressed.headers.authorization;
    // Of no socket: what is written to it stays here.
    const response = new ServerResponse(addressed);
    let text = '';
    response.end = (chunk?: unknown) => {
      text = typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk.toString() : '';
      return response;
    };
    if (target === '/token') this.limits.admitTokenRequest(request, response, DASHBOARD_CLIENT_ID);
    await this.serve(addressed, response);
    return { status: response.statusCode, headers: response.getHeaders(), text };
  }
}
