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
import { RequestRefundContract } from '../../refunds/refund-request.contract.js';
import { CheckoutPageFilter } from './checkout-page.filter.js';
import { RefundRequestPages } from './refund-request-pages.service.js';

/** The forms "Ask for it back" of the hosted page (specification/refunds.md#requests). */
@Controller('checkout/:paymentId/refund-request')
@UseFilters(CheckoutPageFilter)
@TakesLink('signed-link')
@PathParameters({ paymentId: uuidParameter('The payment.', EXAMPLE_PAYMENT_ID, 'PaymentId') })
export class RefundRequestController {
  constructor(private readonly pages: RefundRequestPages) {}

  /** Nothing to see here; the page of an error may be loaded again. */
  @Get()
  @Public()
  @HttpCode(303)
  @Operation({
    id: 'leaveRefundRequest',
    tag: 'Public checkout',
    summary: 'Back to the hosted page',
    description: 'For browsers that load the address of the form again.',
    returns: redirect('To the page.'),
    hasErrorPages: true,
    isInternal: true,
  })
  leave(
    @Param('paymentId') paymentId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): string {
    return seeOther(response, this.pages.addressOf(paymentId, request));
  }

  /** The signature in the URL authorizes the form, as for the choice of a method. */
  @Post()
  @Public()
  @HttpCode(303)
  @Operation({
    id: 'requestRefundOnPage',
    tag: 'Public checkout',
    summary: 'Ask for money back on the hosted page',
    description: 'A form of that page: creates the refund, or finds the one that was asked for.',
    form: RequestRefundContract,
    returns: redirect('To the page of the refund, where the address is entered.'),
    alsoReturns: { 409: htmlPage('There is nothing of the kind to ask back.') },
    hasErrorPages: true,
    isInternal: true,
  })
  async request(
    @Param('paymentId') paymentId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const form: unknown = request.is('application/x-www-form-urlencoded') ? request.body : null;
    return seeOther(response, await this.pages.request(paymentId, request, form));
  }
}

/** @param address relative, so that it works behind any proxy */
function seeOther(response: Response, address: string): string {
  response.status(303).set({ Location: address, 'Cache-Control': 'no-store' });
  return '';
}
