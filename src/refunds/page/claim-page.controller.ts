import { Controller, Get, HttpCode, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../platform/security/auth.js';
import type { RenderedPage } from '../../platform/html/page-document.js';
import { ClaimLinkGuard } from '../claim-link.guard.js';
import { ClaimPageFilter } from './claim-page.filter.js';
import { type ClaimForm, ClaimPageService } from './claim-page.service.js';

/** The hosted page at the signed claim link (specification/refunds.md#claim-links); HTML only, errors included. */
@Controller('refund')
@UseFilters(ClaimPageFilter)
@UseGuards(ClaimLinkGuard)
export class ClaimPageController {
  constructor(private readonly pages: ClaimPageService) {}

  @Get(':refundId')
  @Public()
  async show(
    @Param('refundId') refundId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    return send(response, await this.pages.show(refundId, request.query));
  }

  /** A form of this very page; the signature in its address is what allows it. */
  @Post(':refundId')
  @Public()
  @HttpCode(200)
  async submit(
    @Param('refundId') refundId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const page = await this.pages.submit(refundId, request.query, readClaim(request.body));
    if (page) return send(response, page);
    // A reload of what follows must not send the form again; relative, so that it holds behind any proxy.
    const { search } = new URL(request.originalUrl, 'http://localhost');
    response.status(303).set({ Location: search, 'Cache-Control': 'no-store' });
    return '';
  }
}

function send(response: Response, { status, headers, body }: RenderedPage): string {
  response.status(status).set(headers);
  return body;
}

function readClaim(body: unknown): ClaimForm {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const { address, confirm } = fields;
  return { address: typeof address === 'string' ? address : '', isConfirmed: confirm === 'yes' };
}
