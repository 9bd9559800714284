import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { htmlPage, Operation } from '../platform/web/contract/operation.js';
import { webAsset } from '../platform/web/html/web-asset.js';
import { Public } from '../platform/web/security/auth.js';

/** Pages alone in one file that need no gateway: merchants save them, and open them from a disk. */
@Controller()
@Public()
export class StaticPagesController {
  @Get('verify-address')
  @Operation({
    id: 'showVerifyAddress',
    tag: 'Documentation',
    summary: 'Is this address mine?',
    description: 'For merchants: one file, to be saved and opened from a disk. It sends nothing anywhere.',
    returns: htmlPage('The page.'),
    isInternal: true,
  })
  verifyAddress(@Res({ passthrough: true }) response: Response): string {
    return page('verify-address.html', response);
  }

  @Get('collector')
  @Operation({
    id: 'showCollector',
    tag: 'Documentation',
    summary: 'Collect deposits without the gateway',
    description: 'For merchants: one file, to be saved and opened from a disk. Only a wallet sends anything.',
    returns: htmlPage('The page.'),
    isInternal: true,
  })
  collector(@Res({ passthrough: true }) response: Response): string {
    return page('collector.html', response);
  }
}

function page(name: 'verify-address.html' | 'collector.html', response: Response): string {
  const text = webAsset(name);
  // The page states its own policy, which also holds when it is opened from a disk; only a header refuses frames.
  const [, policy] = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(text) ?? [];
  if (policy === undefined) throw new Error(`the page ${name} has no policy`);
  response.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    'Cache-Control': 'public, no-cache',
  });
  return text;
}
