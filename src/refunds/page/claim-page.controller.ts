import { Controller, Get, HttpCode, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  htmlPage,
  Operation,
  PathParameters,
  redirect,
  uuidParameter,
} from '../../platform/web/contract/operation.js';
import { Public } from '../../platform/web/security/auth.js';
import type { RenderedPage } from '../../platform/web/html/page-document.js';
import { ClaimLinkGuard } from '../claim-link.guard.js';
import { EXAMPLE_REFUND_ID } from '../refund.contract.js';
import { ClaimFormContract } from './claim-page.contract.js';
import { ClaimPageFilter } from './claim-page.filter.js';
import { type ClaimForm, ClaimPageService } from './claim-page.service.js';

/** The hosted page at the signed claim link (specification/refunds.md#claim-links); HTML only, errors included. */
@Controller('refund')
@UseFilters(ClaimPageFilter)
@UseGuards(ClaimLinkGuard)
@PathParameters({ refundId: uuidParameter('The refund.', EXAMPLE_REFUND_ID, 'RefundId') })
export class ClaimPageController {
  constructor(private readonly pages: ClaimPageService) {}

  @Get(':refundId')
  @Public()
  @Operation({
    id: 'showRefundPage',
    tag: 'Public checkout',
    summary: 'The hosted page of a refund',
    description: 'Where `claimUrl` leads; for browsers. Errors are pages, too.',
    returns: htmlPage('The page.'),
    hasErrorPages: true,
    isInternal: true,
  })
  async show(
    @Param('refundId') refundId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    return send(response, await this.pages.show(refundId, request));
  }

  /** The form of this page, authorized by the signature in its URL. */
  @Post(':refundId')
  @Public()
  @HttpCode(200)
  @Operation({
    id: 'submitRefundPage',
    tag: 'Public checkout',
    summary: 'Enter the address on the hosted page',
    description: 'The form of that page: first the address is shown for confirmation, then it is recorded.',
    form: ClaimFormContract,
    returns: htmlPage('The address, to be confirmed.'),
    alsoReturns: { 303: redirect('Recorded, or there is nothing left to enter: back to the page.') },
    hasErrorPages: true,
    isInternal: true,
  })
  async submit(
    @Param('refundId') refundId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const page = await this.pages.submit(refundId, request, readClaim(request.body));
    if (page) return send(response, page);
    // A redirect, so that a reload does not send the form again; relative, so that it works behind any proxy.
    const { search } = new URL(request.originalUrl, 'http://localhost');
    response.status(303).set({ Location: search, 'Cache-Control': 'no-store' });
    return '';
  }
}

function send(response: Response, { status, headers, body }: RenderedPage): string {
  response.status(status).set(headers);
  return body;
}

/** A field of several lines keeps what a paste or Enter put there. */
function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/gu, ' ').trim();
}

function readClaim(body: unknown): ClaimForm {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const { address, confirm } = fields;
  return { address: typeof address === 'string' ? oneLine(address) : '', isConfirmed: confirm === 'yes' };
}
