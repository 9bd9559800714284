import { Controller, Get, Param, Query } from '@nestjs/common';
import { APPLICATION_ID } from '../applications/applications.contract.js';
import { data, Operation, PathParameters } from '../platform/web/contract/operation.js';
import { NoParameters } from '../platform/web/contract/read-contract.js';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { DestinationContract } from './destination.contract.js';
import { DestinationsService } from './destinations.service.js';

/** Where the money of an application goes (specification/wallets.md#destinations). */
@Controller('api/payment-applications/:id/destinations')
@OAuthOnly('wallets')
@PathParameters({ id: APPLICATION_ID })
export class DestinationsController {
  constructor(private readonly destinations: DestinationsService) {}

  @Get()
  @Operation({
    id: 'listDestinations',
    tag: 'Wallets',
    summary: 'List destinations',
    description:
      'For every family of blockchains that this gateway watches: whose key new payments of the application are paid to. ' +
      'Payments that have an address keep it; their `derivation` says whose key that is.',
    returns: data([DestinationContract], 'One entry per family.'),
    errors: ['payment_application_not_found', 'wallet_integrity'],
  })
  async list(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Query() _query: NoParameters,
  ): Promise<DestinationContract[]> {
    return this.destinations.list(userId, id);
  }
}
