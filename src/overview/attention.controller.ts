import { Controller, Get, Query } from '@nestjs/common';
import { cursorPage, data, Operation } from '../platform/web/contract/operation.js';
import type { CursorPage } from '../platform/web/http/cursor-page.js';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import {
  AttentionCountContract,
  AttentionCountsQuery,
  AttentionItemContract,
  AttentionQuery,
} from './attention.contract.js';
import { AttentionService } from './attention.service.js';

/** `/api/attention…`: what needs the merchant (specification/overview.md#attention). */
@Controller('api/attention')
@OAuthOnly('payments')
export class AttentionController {
  constructor(private readonly attention: AttentionService) {}

  @Get()
  @Operation({
    id: 'listAttention',
    tag: 'Payments',
    summary: 'List what needs you',
    description:
      'Over all of your applications, the worst first, and of each kind the oldest first. Each item names the requests ' +
      'that settle it; once it is settled, it is gone. A payment with several reasons has an item for each.',
    returns: cursorPage(AttentionItemContract, 'The next items.'),
  })
  list(
    @CurrentPrincipal() { userId }: Principal,
    @Query() query: AttentionQuery,
  ): Promise<CursorPage<AttentionItemContract>> {
    return this.attention.list(userId, query);
  }

  @Get('counts')
  @Operation({
    id: 'countAttention',
    tag: 'Payments',
    summary: 'Count what needs you',
    description: 'Every kind, the worst first. A count stops at 1,000.',
    returns: data([AttentionCountContract], 'The counts.'),
  })
  counts(
    @CurrentPrincipal() { userId }: Principal,
    @Query() query: AttentionCountsQuery,
  ): Promise<AttentionCountContract[]> {
    return this.attention.counts(userId, query);
  }
}
