import { Controller, Get, Param, Query } from '@nestjs/common';
import { APPLICATION_ID } from '../applications/applications.contract.js';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { data, Operation, PathParameters } from '../platform/web/contract/operation.js';
import { HoldingContract, HoldingsQuery } from './holding.contract.js';
import { ValuedHoldings } from './valued-holdings.service.js';

/** What the deposit addresses of an application have received. */
@Controller('api/payment-applications/:id/holdings')
@OAuthOnly('wallets')
@PathParameters({ id: APPLICATION_ID })
export class HoldingsController {
  constructor(private readonly holdings: ValuedHoldings) {}

  @Get()
  @Operation({
    id: 'listHoldings',
    tag: 'Wallets',
    summary: 'List received funds',
    description:
      'The funds that the deposit addresses of the application have received, by blockchain and asset, including those ' +
      'that no payment requested, with what they are worth, were worth at receipt, and cost to collect. This is not a ' +
      'balance: funds that you have moved since are still included. Empty until something is received.',
    returns: data([HoldingContract], 'The received funds, one entry per blockchain and asset.'),
    errors: ['payment_application_not_found'],
  })
  list(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Query() { worthCurrencyCode }: HoldingsQuery,
  ): Promise<HoldingContract[]> {
    return this.holdings.list(userId, id, worthCurrencyCode);
  }
}
