import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LogosService } from '../../applications/branding/logos.service.js';
import { APPLICATION_ID } from '../../applications/applications.contract.js';
import { Operation, PathParameters, plain } from '../../platform/web/contract/operation.js';
import { NotFoundError } from '../../platform/kernel/errors/errors.pure.js';
import { webAsset } from '../../platform/web/html/web-asset.js';
import { Public } from '../../platform/web/security/auth.js';
import { sha256 } from '../../platform/kernel/hmac.pure.js';

/** A year, as long as caches keep anything. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
/**
 * Opened by itself, an SVG is a document, and nobody has looked at what is in it: it may do nothing but have its own style
 * (docs/decisions/0834-serve-svg-logos-as-they-are.md).
 */
const LOGO_CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** What pages of other sites may load of the checkout, and logos (specification/checkout.md#embedding). */
@Controller('checkout')
@Public()
export class ShopAssetsController {
  constructor(private readonly logos: LogosService) {}

  @Get('embed.js')
  @Operation({
    id: 'getEmbedScript',
    tag: 'Public checkout',
    summary: 'The script that opens a checkout on your own page',
    description: 'A shop loads it into its page. It may be cached for five minutes.',
    returns: plain({ 'text/javascript': { type: 'string' } }, 'The script.'),
    etag: true,
    isInternal: true,
  })
  embed(@Req() request: Request, @Res({ passthrough: true }) response: Response): string | undefined {
    const text = webAsset('embed.js');
    const etag = `"${sha256(text).toString('base64url').slice(0, 22)}"`;
    response.set({
      ETag: etag,
      'Cache-Control': 'public, max-age=300',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    if (request.get('if-none-match') === etag) {
      response.status(304);
      return undefined;
    }
    response.type('text/javascript');
    return text;
  }

  @Get('assets/logo/:id/:sha256')
  @PathParameters({
    id: APPLICATION_ID,
    sha256: {
      about: 'The SHA-256 of the picture.',
      example: 'ab530a13e45914982b79f9b7e3fba994cfd1f3fb22f71cea1afbf02b460c6d1d',
    },
  })
  @Operation({
    id: 'getLogoPicture',
    tag: 'Public checkout',
    summary: 'The logo of a shop',
    description: 'As the checkout page shows it. Another picture has another address.',
    returns: plain({ 'image/png': { type: 'string' }, 'image/svg+xml': { type: 'string' } }, 'The picture.'),
    errors: ['not_found'],
    isInternal: true,
  })
  async logo(
    @Param('id') applicationId: string,
    @Param('sha256') hash: string,
    @Res() response: Response,
  ): Promise<void> {
    const logo = await this.logos.findPublic(applicationId, hash);
    if (!logo) throw new NotFoundError();
    response
      .set({
        'Content-Type': logo.mediaType,
        'Content-Security-Policy': LOGO_CSP,
        'Cache-Control': FOR_GOOD,
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'X-Content-Type-Options': 'nosniff',
      })
      .send(logo.content);
  }
}
