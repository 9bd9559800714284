import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../platform/security/auth.js';
import { CheckoutPageFilter } from './checkout-page.filter.js';
import { CheckoutPageService } from './checkout-page.service.js';

/** The hosted checkout page at the signed link (specification/checkout.md#hosted-page); HTML only, errors included. */
@Controller('checkout')
@UseFilters(CheckoutPageFilter)
export class CheckoutPageController {
  constructor(private readonly pages: CheckoutPageService) {}

  @Get(':paymentId')
  @Public()
  async show(
    @Param('paymentId') paymentId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const { status, headers, body } = await this.pages.render(paymentId, request.query);
    if (!('X-Frame-Options' in headers)) response.removeHeader('X-Frame-Options');
    response.status(status).set(headers);
    return body;
  }
}
