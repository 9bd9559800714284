import { Controller, Get, Query } from '@nestjs/common';
import { cursorPage, Operation } from '../platform/web/contract/operation.js';
import type { CursorPage } from '../platform/web/http/cursor-page.js';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { RefundContract } from './refund.contract.js';
import { ListRefundsQuery } from './refund-list.contract.js';
import { RefundListService } from './refund-list.service.js';

/** `/api/refunds`: the refunds of all payments (specification/overview.md#refunds). */
@Controller('api/refunds')
@OAuthOnly('refunds')
export class RefundListController {
  constructor(private readonly refunds: RefundListService) {}

  @Get()
  @Operation({
    id: 'listAllRefunds',
    tag: 'Refunds',
    summary: 'List refunds of all payments',
    description: 'Of all of your applications, deleted ones included; newest first.',
    returns: cursorPage(RefundContract, 'The next refunds.'),
  })
  list(
    @CurrentPrincipal() { userId }: Principal,
    @Query() query: ListRefundsQuery,
  ): Promise<CursorPage<RefundContract>> {
    return this.refunds.list(userId, query);
  }
}
