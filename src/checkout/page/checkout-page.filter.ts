import { Catch } from '@nestjs/common';
import type { GatewayError } from '../../platform/errors/errors.pure.js';
import type { Texts } from '../../platform/i18n/texts.js';
import type { RenderedPage } from '../../platform/html/page-document.js';
import { PageFilter } from '../../platform/html/page.filter.js';
import { errorPage } from './error-page.js';

@Catch()
export class CheckoutPageFilter extends PageFilter {
  protected override render(error: GatewayError, texts: Texts): RenderedPage {
    return errorPage(texts, error);
  }
}
