import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { htmlPage, Operation, PathParameters, plain } from '../platform/web/contract/operation.js';
import { NotFoundError } from '../platform/kernel/errors/errors.pure.js';
import { Public } from '../platform/web/security/auth.js';
import { type DashboardFile, DashboardFiles } from './dashboard-files.service.js';
import { pageLanguage } from './page-language.pure.js';

/** A year, as long as caches keep anything. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
/** Scripts are files of this gateway, the style is in the page, and data comes from the API; there is nothing else. */
const policyWith = (styleHash: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' '${styleHash}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The dashboard: one page, whose script shows the screen of the address, and its parts. */
@Controller('dashboard')
@Public()
@PathParameters({
  screen: { about: 'A screen of the dashboard.', example: 'payments' },
  item: { about: 'What the screen shows.', example: '0190f6a0-0000-7000-8000-000000000000' },
  part: { about: 'Which part of it.', example: 'wallets' },
  accountId: { about: 'Of somebody else.', example: '0190f6a0-0000-7000-8000-000000000001' },
  asset: { about: 'The name of a script.', example: 'index-B2x9Qk1c.js' },
})
export class DashboardController {
  constructor(private readonly files: DashboardFiles) {}

  @Get()
  @Operation({
    id: 'showDashboard',
    tag: 'Dashboard',
    summary: 'The dashboard',
    description: 'For people: signs in, and shows payments, applications, tokens and webhooks.',
    returns: htmlPage('The page.'),
    errors: ['not_found'],
    isInternal: true,
  })
  home(@Req() request: Request, @Res() response: Response): void {
    this.sendPage(request, response);
  }

  /** Before `:screen/:item`, which would take it for one. */
  @Get('assets/:asset')
  @Operation({
    id: 'getDashboardAsset',
    tag: 'Dashboard',
    summary: 'Get a part of the dashboard',
    description: 'A script. Another content has another name.',
    returns: plain({ 'text/javascript': { type: 'string' } }, 'The part.'),
    errors: ['not_found'],
    isInternal: true,
  })
  asset(@Param('asset') name: string, @Req() request: Request, @Res() response: Response): void {
    const file = this.files.findAsset(name);
    if (!file) throw new NotFoundError();
    response.set('Cache-Control', FOR_GOOD);
    send(request, response, file);
  }

  @Get([
    ':screen',
    ':screen/:item',
    ':screen/:item/:part',
    'accounts/:accountId/:screen/:item',
    'accounts/:accountId/:screen/:item/:part',
  ])
  @Operation({
    id: 'showDashboardScreen',
    tag: 'Dashboard',
    summary: 'The dashboard, at one of its screens',
    description:
      'The same page. With `accounts/{accountId}` before it, the screen of an account that the user is a member of.',
    returns: htmlPage('The page.'),
    errors: ['not_found'],
    isInternal: true,
  })
  screen(@Req() request: Request, @Res() response: Response): void {
    this.sendPage(request, response);
  }

  /** Not cached: it names the scripts of this release. */
  private sendPage(request: Request, response: Response): void {
    response.vary('Accept, Accept-Language, Cookie');
    if (!request.accepts('text/html')) throw new NotFoundError();
    const { cookie, 'accept-language': acceptLanguage } = request.headers;
    const page = this.files.page(pageLanguage({ cookie, acceptLanguage }));
    response.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': policyWith(page.styleHash) });
    send(request, response, page);
  }
}

function send(request: Request, response: Response, { type, content, gzipped }: DashboardFile): void {
  response.vary('Accept-Encoding').set('Content-Type', type);
  const isCompressed = request.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isCompressed) response.set('Content-Encoding', 'gzip');
  response.end(request.method === 'HEAD' ? undefined : isCompressed ? gzipped : content);
}
