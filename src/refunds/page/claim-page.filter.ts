import { Catch } from '@nestjs/common';
import type { Request } from 'express';
import type { GatewayError } from '../../platform/kernel/errors/errors.pure.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import { languageLinkOfRefused } from '../../platform/kernel/i18n/request-texts.js';
import type { RenderedPage } from '../../platform/web/html/page-document.js';
import { PageFilter } from '../../platform/web/html/page.filter.js';
import { claimErrorPage } from './claim-document.js';

@Catch()
export class ClaimPageFilter extends PageFilter {
  protected override render(error: GatewayError, texts: Texts, request: Request): RenderedPage {
    return claimErrorPage(texts, error, languageLinkOfRefused(request));
  }
}
