import { Body, Controller, Delete, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../config.js';
import { type DashboardTokens, DashboardTokensService } from '../identity/oauth/dashboard-tokens.service.js';
import { only } from '../platform/web/contract/json-schema.js';
import { data, nothing, Operation } from '../platform/web/contract/operation.js';
import { BadRequestError, UnauthenticatedError } from '../platform/kernel/errors/errors.pure.js';
import { Public } from '../platform/web/security/auth.js';
import { DashboardSessionContract, DashboardSignInContract } from './dashboard-session.contract.js';
import { foreignSender, readSessionCookie, REQUESTED_WITH, sessionCookie } from './session-cookie.pure.js';

const HEADERS = {
  'X-Requested-With': {
    about: 'Forms of other sites cannot send it.',
    required: true,
    schema: only(REQUESTED_WITH),
  },
};

/**
 * Keeps the dashboard signed in. The access token is in the page's memory; the refresh token is in a cookie that no
 * script can read and that only these routes look at (specification/authentication.md#dashboard).
 */
@Controller('dashboard/session')
@Public()
export class DashboardSessionController {
  private readonly isSecure: boolean;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly tokens: DashboardTokensService,
  ) {
    this.isSecure = new URL(config.baseUrl).protocol === 'https:';
  }

  @Post()
  @HttpCode(200)
  @Operation({
    id: 'beginDashboardSession',
    tag: 'Dashboard',
    summary: 'Begin a session with the code of a sign-in',
    description: 'For the dashboard only. The refresh token goes into a cookie.',
    returns: data(DashboardSessionContract, 'The access token.'),
    errors: ['unauthenticated', 'bad_request', 'service_unavailable'],
    headers: HEADERS,
    isInternal: true,
  })
  async begin(
    @Body() { code, codeVerifier }: DashboardSignInContract,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DashboardSessionContract> {
    this.requireDashboard(request);
    return this.keep(response, await this.tokens.fetch(request, { code, codeVerifier }));
  }

  @Post('refresh')
  @HttpCode(200)
  @Operation({
    id: 'refreshDashboardSession',
    tag: 'Dashboard',
    summary: 'Get a new access token',
    description: 'For the dashboard only. Its cookie is replaced as well; 401 when the session has ended.',
    returns: data(DashboardSessionContract, 'The access token.'),
    errors: ['unauthenticated', 'bad_request', 'service_unavailable'],
    headers: HEADERS,
    isInternal: true,
  })
  async refresh(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DashboardSessionContract> {
    this.requireDashboard(request);
    const refreshToken = readSessionCookie(request.headers.cookie, this.isSecure);
    return this.keep(response, refreshToken && (await this.tokens.fetch(request, { refreshToken })));
  }

  @Delete()
  @HttpCode(204)
  @Operation({
    id: 'endDashboardSession',
    tag: 'Dashboard',
    summary: 'End the session',
    description:
      'Revokes its tokens and removes the cookie. The sign-in of the browser ends by its own page.',
    returns: nothing('The session has ended.'),
    errors: ['bad_request', 'service_unavailable'],
    headers: HEADERS,
    isInternal: true,
  })
  async end(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    this.requireDashboard(request);
    const refreshToken = readSessionCookie(request.headers.cookie, this.isSecure);
    if (refreshToken !== null) await this.tokens.revoke(request, refreshToken);
    response.append('Set-Cookie', sessionCookie(null, this.isSecure));
  }

  private keep(response: Response, tokens: DashboardTokens | null | ''): DashboardSessionContract {
    response.append('Set-Cookie', sessionCookie(tokens ? tokens.refreshToken : null, this.isSecure));
    if (!tokens) throw new UnauthenticatedError();
    const { accessToken, expiresIn } = tokens;
    return { accessToken, expiresIn };
  }

  private requireDashboard({ headers }: Request): void {
    const requestedWith = headers['x-requested-with'];
    const sender = {
      origin: headers.origin,
      requestedWith: typeof requestedWith === 'string' ? requestedWith : undefined,
    };
    const hint = foreignSender(sender, this.config.baseUrl);
    if (hint !== null) throw new BadRequestError('bad_request', 'Only the dashboard may do this.', hint);
  }
}
