import { Controller, Get, Header, Query } from '@nestjs/common';
import { AuditHistory } from '../../platform/integrity/audit-history.service.js';
import { cursorPage, Operation } from '../../platform/web/contract/operation.js';
import { CursorPage } from '../../platform/web/http/cursor-page.js';
import { CurrentPrincipal, OAuthOnly } from '../../platform/web/security/auth.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { AuditEntryContract, formatAuditPlace, ListAuditQuery, presentAuditEntry } from './audit.contract.js';

/** `/api/audit` (specification/authentication.md#audit-log-of-a-user). */
@Controller('api/audit')
@OAuthOnly('account')
export class AuditController {
  constructor(private readonly history: AuditHistory) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'listAuditEntries',
    tag: 'Account',
    summary: 'List what was done in your account',
    description:
      'The entries of the audit log that concern your account, newest first: sign-ins, settings, wallets, tokens, and ' +
      'decisions about payments. Send `meta.cursor.next` as `after` to continue with older ones.',
    returns: cursorPage(AuditEntryContract, 'The entries.'),
  })
  async list(
    @CurrentPrincipal() { userId }: Principal,
    @Query() query: ListAuditQuery,
  ): Promise<CursorPage<AuditEntryContract>> {
    const { after = null, limit } = query;
    const filter = {
      userId,
      act: query.act ?? null,
      targetKind: query.targetKind ?? null,
      targetId: query.targetId ?? null,
      from: query.from ?? null,
      to: query.to ?? null,
      issuedTokens: query.issuedTokens,
    };
    // One more than the limit shows whether there are more.
    const found = await this.history.listOfUser(filter, after, limit + 1);
    const rows = found.slice(0, limit);
    return new CursorPage(rows.map(presentAuditEntry), {
      next: formatAuditPlace(rows.at(-1)?.seq ?? after ?? 1n),
      hasMore: found.length > limit,
    });
  }
}
