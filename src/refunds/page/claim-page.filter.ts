import { Catch } from '@nestjs/common';
import type { GatewayError } from '../../common/errors.js';
import type { RenderedPage } from '../../common/page/page-document.js';
import { PageFilter } from '../../common/page/page.filter.js';
import { claimErrorPage } from './claim-document.js';

@Catch()
export class ClaimPageFilter extends PageFilter {
  protected override render(answer: GatewayError): RenderedPage {
    return claimErrorPage(answer);
  }
}
