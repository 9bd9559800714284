import { Catch } from '@nestjs/common';
import type { GatewayError } from '../../platform/errors/errors.pure.js';
import type { Texts } from '../../platform/i18n/texts.js';
import type { RenderedPage } from '../../platform/html/page-document.js';
import { PageFilter } from '../../platform/html/page.filter.js';
import { claimErrorPage } from './claim-document.js';

@Catch()
export class ClaimPageFilter extends PageFilter {
  protected override render(error: GatewayError, texts: Texts): RenderedPage {
    return claimErrorPage(texts, error);
  }
}
