import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { htmlPage, Operation, PathParameters, plain } from '../platform/web/contract/operation.js';
import { Public } from '../platform/web/security/auth.js';
import { NotFoundError } from '../platform/kernel/errors/errors.pure.js';
import { sha256 } from '../platform/kernel/hmac.pure.js';
import { DOCS_CSP, docsPage } from './docs-page.js';
import { DocsAssetsService } from './docs-assets.service.js';

/** The interactive documentation of `/api/openapi.json`, without a byte from anywhere else. */
@Controller('api/docs')
@Public()
export class DocsPageController {
  constructor(private readonly assets: DocsAssetsService) {}

  @Get()
  @Operation({
    id: 'showDocumentation',
    tag: 'Documentation',
    summary: 'This document as an interactive page',
    description: 'For people: every operation, with a form to try it with your token.',
    returns: htmlPage('The page.'),
    etag: true,
    isInternal: true,
  })
  page(@Req() request: Request, @Res({ passthrough: true }) response: Response): string | undefined {
    response.set('Content-Security-Policy', DOCS_CSP);
    return send(request, response, { type: 'text/html', text: docsPage() });
  }

  @Get(':asset')
  @PathParameters({ asset: { about: 'The name of a script or a style sheet.', example: 'start.js' } })
  @Operation({
    id: 'getDocumentationAsset',
    tag: 'Documentation',
    summary: 'Get a part of that page',
    description: 'Scripts and style sheets of the page, from this gateway.',
    returns: plain({ 'text/javascript': { type: 'string' }, 'text/css': { type: 'string' } }, 'The part.'),
    etag: true,
    isInternal: true,
  })
  async asset(
    @Param('asset') name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | undefined> {
    const asset = await this.assets.find(name);
    if (!asset) throw new NotFoundError();
    return send(request, response, asset);
  }
}

/** Revalidated at every visit, and sent again only after an update. */
function send(
  request: Request,
  response: Response,
  { type, text }: { type: string; text: string },
): string | undefined {
  const etag = `"${sha256(text).toString('base64url').slice(0, 22)}"`;
  response.set({ ETag: etag, 'Cache-Control': 'public, no-cache' });
  if (request.get('if-none-match') === etag) {
    response.status(304);
    return undefined;
  }
  response.set('Content-Type', `${type}; charset=utf-8`);
  return text;
}
