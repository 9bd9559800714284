import { Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { APPLICATION_ID } from '../applications/applications.contract.js';
import { data, Operation, PathParameters } from '../platform/web/contract/operation.js';
import { Draft, DraftBody } from '../platform/web/contract/read-contract.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { CurrentPrincipal, OAuthReading } from '../platform/web/security/auth.js';
import { CollectionContract, CollectionQuery, PrepareCollectionContract } from './collection.contract.js';
import { CollectionsService } from './collections.service.js';

/** Transactions that gather what an application has received (specification/wallets.md#collections). */
@Controller('api/payment-applications/:id/collections')
@PathParameters({ id: APPLICATION_ID })
export class CollectionsController {
  constructor(private readonly collections: CollectionsService) {}

  /** A POST, so that the destination is in no log of addresses; it takes no Idempotency-Key, as it changes nothing. */
  @Post()
  @HttpCode(200)
  @OAuthReading('wallets')
  @Operation({
    id: 'prepareCollection',
    tag: 'Wallets',
    summary: 'Prepare a collection',
    description:
      'Unsigned transactions of what the deposit addresses hold: to one address, for the wallet that the account key is of ' +
      '(PSBT), or to the treasury, for any wallet (EVM chains). The node is asked for each output and balance: what is ' +
      'spent, not worth it or cannot be asked is in `leftOut`. Nothing is stored, and nothing is signed.',
    returns: data(CollectionContract, 'The transactions, and what is in none of them.'),
    errors: ['payment_application_not_found'],
  })
  async prepare(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Query() { after }: CollectionQuery,
    @DraftBody(PrepareCollectionContract) draft: Draft<PrepareCollectionContract>,
  ): Promise<CollectionContract> {
    return this.collections.prepare(userId, id, draft, after);
  }
}
