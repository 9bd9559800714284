import { Controller, Get, Header, Query } from '@nestjs/common';
import { getCurrency } from '../money/currencies.js';
import { presentAmount } from '../money/present-amount.js';
import { cursorPage, Operation } from '../platform/web/contract/operation.js';
import type { CursorPage } from '../platform/web/http/cursor-page.js';
import { pageBackwards } from '../platform/web/http/cursor-query.js';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { OperatorOnly } from '../platform/web/security/auth.js';
import { UnattributedFundsContract, UnattributedFundsQuery } from './unattributed-funds.contract.js';
import { UnattributedFundsRepository, type UnattributedTransfer } from './unattributed-funds.repository.js';

/** `/api/admin/unattributed-funds` (specification/operations.md#unattributed-funds). */
@Controller('api/admin/unattributed-funds')
@OperatorOnly()
export class UnattributedFundsController {
  constructor(private readonly funds: UnattributedFundsRepository) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'listUnattributedFunds',
    tag: 'Operator',
    summary: 'List funds that no payment was credited with',
    description:
      'Of all users, the newest first, also those that were refunded already. Their owners accept or refund them; the ' +
      'operator sees whose they are.',
    returns: cursorPage(UnattributedFundsContract, 'The funds.'),
  })
  async list(@Query() query: UnattributedFundsQuery): Promise<CursorPage<UnattributedFundsContract>> {
    const { after, blockchain = null, limit } = query;
    // One more than the limit shows whether there are more.
    const found = await this.funds.listBefore(after, blockchain, limit + 1);
    return pageBackwards(
      found.map((transfer) => ({ ...transfer, at: transfer.seenAt })),
      query,
      present,
    );
  }
}

function present(transfer: UnattributedTransfer): UnattributedFundsContract {
  const { id, paymentId, applicationId, applicationName, userId, chain, txHash } = transfer;
  const { amount, currencyCode, decimals, isConfirmed, seenAt } = transfer;
  return {
    id,
    paymentId,
    paymentApplicationId: applicationId,
    applicationName,
    userId,
    blockchain: chain,
    txHash,
    amount: presentAmount(amount, { ...getCurrency(currencyCode), decimals }),
    confirmed: isConfirmed,
    seenAt: toIsoSeconds(seenAt),
  };
}
