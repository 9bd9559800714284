import { Catch } from '@nestjs/common';
import type { Request } from 'express';
import type { GatewayError } from '../../platform/kernel/errors/errors.pure.js';
import { languageLinkOf, languageLinkOfRefused } from '../../platform/kernel/i18n/request-texts.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import type { RenderedPage } from '../../platform/web/html/page-document.js';
import { PageFilter } from '../../platform/web/html/page.filter.js';
import { errorPage } from './error-page.js';
import { PaymentErrors } from './payment-errors.service.js';

@Catch()
export class CheckoutPageFilter extends PageFilter {
  constructor(private readonly errors: PaymentErrors) {
    super();
  }

  protected override async render(
    error: GatewayError,
    texts: Texts,
    request: Request,
  ): Promise<RenderedPage> {
    const { paymentId } = request.params;
    const payment = typeof paymentId === 'string' ? await this.errors.find(paymentId, request, error) : null;
    const languageLink = payment ? languageLinkOf(request) : languageLinkOfRefused(request);
    return errorPage(texts, error, { languageLink, payment });
  }
}
