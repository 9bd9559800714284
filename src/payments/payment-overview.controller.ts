import { Controller, Get, Query } from '@nestjs/common';
import { cursorPage, Operation } from '../platform/web/contract/operation.js';
import type { CursorPage } from '../platform/web/http/cursor-page.js';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { PaymentOverviewContract, PaymentOverviewQuery } from './payment-overview.contract.js';
import { PaymentOverviewService } from './payment-overview.service.js';

/** `/api/payment-overview`: payments as a dashboard lists them (specification/overview.md#payments). */
@Controller('api/payment-overview')
@OAuthOnly('payments')
export class PaymentOverviewController {
  constructor(private readonly overview: PaymentOverviewService) {}

  @Get()
  @Operation({
    id: 'listPaymentOverview',
    tag: 'Payments',
    summary: 'List payments for a dashboard',
    description:
      'All of your applications, deleted ones included; newest first. Each row says what the payment waits for, why it ' +
      'needs you, and whether your server knows. There is no total: send `meta.cursor.next` as `after` while ' +
      '`hasMore` is true.',
    returns: cursorPage(PaymentOverviewContract, 'The next payments.'),
  })
  list(
    @CurrentPrincipal() { userId }: Principal,
    @Query() query: PaymentOverviewQuery,
  ): Promise<CursorPage<PaymentOverviewContract>> {
    return this.overview.list(userId, query);
  }
}
