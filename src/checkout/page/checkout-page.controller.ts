import { Controller, Get, HttpCode, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EXAMPLE_PAYMENT_ID } from '../../payments/payment.contract.js';
import {
  htmlPage,
  Operation,
  PathParameters,
  redirect,
  TakesLink,
  uuidParameter,
} from '../../platform/web/contract/operation.js';
import { Public } from '../../platform/web/security/auth.js';
import { CheckoutPageQuery, ChooseFormContract, ReportFormContract } from './checkout-page.contract.js';
import { CheckoutPageFilter } from './checkout-page.filter.js';
import { CheckoutPageService } from './checkout-page.service.js';
import { ReportForm } from './report-form.service.js';

/** The hosted checkout page at the signed link (specification/checkout.md#hosted-page); HTML only, errors included. */
@Controller('checkout')
@UseFilters(CheckoutPageFilter)
@TakesLink('signed-link')
@PathParameters({ paymentId: uuidParameter('The payment.', EXAMPLE_PAYMENT_ID, 'PaymentId') })
export class CheckoutPageController {
  constructor(
    private readonly pages: CheckoutPageService,
    private readonly reports: ReportForm,
  ) {}

  @Get(':paymentId')
  @Public()
  @Operation({
    id: 'showCheckoutPage',
    tag: 'Public checkout',
    summary: 'The hosted checkout page',
    description: 'Where `checkoutUrl` leads; for browsers. Errors are pages, too.',
    query: CheckoutPageQuery,
    returns: htmlPage('The page.'),
    hasErrorPages: true,
    isInternal: true,
  })
  async show(
    @Param('paymentId') paymentId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const { status, headers, body } = await this.pages.render(paymentId, request);
    if (!('X-Frame-Options' in headers)) response.removeHeader('X-Frame-Options');
    response.status(status).set(headers);
    return body;
  }

  /** For the page's script, with the query of the page (specification/checkout.md#live-page). */
  @Get(':paymentId/part')
  @Public()
  @Operation({
    id: 'showCheckoutPart',
    tag: 'Public checkout',
    summary: 'The part of the hosted page that changes',
    description: 'The `<main>` of the page alone.',
    query: CheckoutPageQuery,
    returns: htmlPage('The `<main>` element.'),
    etag: true,
    hasErrorPages: true,
    isInternal: true,
  })
  async showPart(
    @Param('paymentId') paymentId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | undefined> {
    const knownTag = request.get('if-none-match') ?? null;
    const part = await this.pages.renderPart(paymentId, request, knownTag);
    if (part) {
      response.status(part.status).set(part.headers);
      return part.body;
    }
    response.status(304).set({ 'Cache-Control': 'private, no-cache', ETag: knownTag ?? '' });
    return undefined;
  }

  /** Nothing to see here; the page of an error may be loaded again. */
  @Get(':paymentId/choose')
  @Public()
  @HttpCode(303)
  @Operation({
    id: 'leaveCheckoutChoice',
    tag: 'Public checkout',
    summary: 'Back to the hosted page',
    description: 'For browsers that load the address of the form again.',
    query: CheckoutPageQuery,
    returns: redirect('To the page.'),
    hasErrorPages: true,
    isInternal: true,
  })
  leave(
    @Param('paymentId') paymentId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): string {
    return seeOther(response, paymentId, this.pages.addressOf(paymentId, request));
  }

  /**
   * The forms of the page. The signature in the URL authorizes them, and no cookie does, so another site can send none that
   * it could not send by itself.
   */
  @Post(':paymentId/choose')
  @Public()
  @HttpCode(303)
  @Operation({
    id: 'chooseCheckoutMethod',
    tag: 'Public checkout',
    summary: 'Choose how to pay on the hosted page',
    description:
      'The forms of that page: allots the address and locks the rate, also when the price has ended. Repeating it changes nothing while the price holds.',
    query: CheckoutPageQuery,
    form: ChooseFormContract,
    returns: redirect('To the page, which shows the instructions, or why there are none.'),
    hasErrorPages: true,
    isInternal: true,
  })
  async choose(
    @Param('paymentId') paymentId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    return seeOther(response, paymentId, await this.pages.choose(paymentId, request, formOf(request)));
  }

  /** As {@link leave}. */
  @Get(':paymentId/transaction')
  @Public()
  @HttpCode(303)
  @Operation({
    id: 'leaveCheckoutReport',
    tag: 'Public checkout',
    summary: 'Back to the hosted page',
    description: 'For browsers that load the address of the form again.',
    query: CheckoutPageQuery,
    returns: redirect('To the page.'),
    hasErrorPages: true,
    isInternal: true,
  })
  leaveReport(
    @Param('paymentId') paymentId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): string {
    return this.leave(paymentId, request, response);
  }

  /** As {@link choose}: the signature in the URL authorizes it. */
  @Post(':paymentId/transaction')
  @Public()
  @HttpCode(303)
  @Operation({
    id: 'reportCheckoutTransaction',
    tag: 'Public checkout',
    summary: 'Report a transaction on the hosted page',
    description: 'The form of that page for a payment that it does not show. Repeating it changes nothing.',
    query: CheckoutPageQuery,
    form: ReportFormContract,
    returns: redirect('To the page, which shows how far the search is, or what was wrong.'),
    hasErrorPages: true,
    isInternal: true,
  })
  async report(
    @Param('paymentId') paymentId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    return seeOther(response, paymentId, await this.reports.report(paymentId, request, formOf(request)));
  }
}

/** Null: the body is none. */
function formOf(request: Request): unknown {
  return request.is('application/x-www-form-urlencoded') ? request.body : null;
}

/** @param address of the page, as seen from it; relative, so that it works behind any proxy */
function seeOther(response: Response, paymentId: string, address: string): string {
  response
    .status(303)
    .set({ Location: `../${encodeURIComponent(paymentId)}${address}`, 'Cache-Control': 'no-store' });
  return '';
}
