import { Controller, Get, Param, Query } from '@nestjs/common';
import { APPLICATION_ID } from '../applications/applications.contract.js';
import { cursorPage, Operation, PathParameters } from '../platform/web/contract/operation.js';
import type { CursorPage } from '../platform/web/http/cursor-page.js';
import { CursorQuery } from '../platform/web/http/cursor-query.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import { HoldingAddressContract } from './holding-address.contract.js';
import { HoldingAddressesService } from './holding-addresses.service.js';

/** Which addresses have received what, for whoever fetches it. */
@Controller('api/payment-applications/:id/holdings/addresses')
@OAuthOnly('wallets')
@PathParameters({ id: APPLICATION_ID })
export class HoldingAddressesController {
  constructor(private readonly addresses: HoldingAddressesService) {}

  @Get()
  @Operation({
    id: 'listHoldingAddresses',
    tag: 'Wallets',
    summary: 'List received funds by address',
    description:
      'Every deposit address that has received something, once for each blockchain and asset, with the path of its key; ' +
      'newest first. The sums are those of the list of received funds.',
    returns: cursorPage(HoldingAddressContract, 'The next addresses.'),
    errors: ['payment_application_not_found'],
  })
  list(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Query() query: CursorQuery,
  ): Promise<CursorPage<HoldingAddressContract>> {
    return this.addresses.list(userId, id, query);
  }
}
