import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Operation, PathParameters, plain } from '../../platform/web/contract/operation.js';
import { NotFoundError } from '../../platform/kernel/errors/errors.pure.js';
import { findPageScript } from '../../platform/web/html/web-asset.js';
import { Public } from '../../platform/web/security/auth.js';

/** A year, in seconds: the name changes with the contents. */
const FOREVER = 'public, max-age=31536000, immutable';

/** The scripts of the hosted pages (specification/checkout.md#hosted-page). */
@Controller('checkout/assets')
@Public()
export class CheckoutAssetsController {
  @Get(':script')
  @PathParameters({
    script: {
      about: 'The name of a script, with a hash of its contents.',
      example: 'checkout.0123456789abcdef.js',
    },
  })
  @Operation({
    id: 'getCheckoutAsset',
    tag: 'Public checkout',
    summary: 'Get a script of the hosted pages',
    description: 'Pages name it; a name that no page of this release has is unknown.',
    returns: plain({ 'text/javascript': { type: 'string' } }, 'The script.'),
    isInternal: true,
  })
  asset(@Param('script') name: string, @Res({ passthrough: true }) response: Response): string {
    const script = findPageScript(name);
    if (script === null) throw new NotFoundError();
    response.set({ 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': FOREVER });
    return script;
  }
}
