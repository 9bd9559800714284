import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { htmlPage, Operation } from '../platform/web/contract/operation.js';
import { webAsset } from '../platform/web/html/web-asset.js';
import { Public } from '../platform/web/security/auth.js';

/** Is this address of my key? A page that works without a network (specification/instructions.md#derivation). */
@Controller('verify-address')
@Public()
export class VerifyAddressController {
  @Get()
  @Operation({
    id: 'showVerifyAddress',
    tag: 'Documentation',
    summary: 'Is this address of my key?',
    description: 'For merchants: one file, to be saved and opened from a disk. It sends nothing anywhere.',
    returns: htmlPage('The page.'),
    isInternal: true,
  })
  page(@Res({ passthrough: true }) response: Response): string {
    const page = webAsset('verify-address.html');
    // The page states its own policy, which also holds when it is opened from a disk; only a header refuses frames.
    const [, policy] = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(page) ?? [];
    if (policy === undefined) throw new Error('the page for checking addresses has no policy');
    response.set({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
      'Cache-Control': 'public, no-cache',
    });
    return page;
  }
}
