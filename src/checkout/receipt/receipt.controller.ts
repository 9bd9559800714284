import { Controller, Get, Param, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EXAMPLE_PAYMENT_ID } from '../../payments/payment.contract.js';
import { htmlPage, Operation, PathParameters, uuidParameter } from '../../platform/web/contract/operation.js';
import { Public } from '../../platform/web/security/auth.js';
import { receiptPage } from './receipt-document.js';
import { languageLinkOf, textsOfRequest } from '../../platform/kernel/i18n/request-texts.js';
import { ReceiptLinkGuard } from './receipt-link.guard.js';
import { ReceiptFilter } from './receipt.filter.js';
import { ReceiptsService } from './receipts.service.js';

/** The receipt at its own signed link (specification/receipts.md); HTML only, errors included. */
@Controller('receipt')
@UseFilters(ReceiptFilter)
@UseGuards(ReceiptLinkGuard)
@PathParameters({ paymentId: uuidParameter('The payment.', EXAMPLE_PAYMENT_ID, 'PaymentId') })
export class ReceiptController {
  constructor(private readonly receipts: ReceiptsService) {}

  @Get(':paymentId')
  @Public()
  @Operation({
    id: 'showReceipt',
    tag: 'Public checkout',
    summary: 'The receipt of a payment',
    description: 'Where `receiptUrl` leads; for browsers and printers. Errors are pages, too.',
    returns: htmlPage('The page.'),
    hasErrorPages: true,
    isInternal: true,
  })
  async show(
    @Param('paymentId') paymentId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const { status, headers, body } = receiptPage(
      textsOfRequest(request),
      await this.receipts.describe(paymentId),
      languageLinkOf(request),
    );
    response.status(status).set(headers);
    return body;
  }
}
