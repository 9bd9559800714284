import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { APPLICATION_ID } from '../applications/applications.contract.js';
import { CurrentPrincipal, OAuthOnly, RecentSignIn } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { data, nothing, Operation, PathParameters } from '../platform/web/contract/operation.js';
import { Draft, DraftBody, NoParameters } from '../platform/web/contract/read-contract.js';
import { StateGapLimitContract } from './earlier-use/earlier-use.contract.js';
import {
  CompareWalletContract,
  PutWalletContract,
  WALLET_FAMILY,
  WalletContract,
} from './wallet.contract.js';
import { parseFamily } from './wallet-family.pure.js';
import { WalletInput } from './wallet-input.service.js';
import { WalletsService } from './wallets.service.js';

/** The wallets of an application, which its deposit addresses are derived from (specification/wallets.md#wallets). */
@Controller('api/payment-applications/:id/wallets')
@OAuthOnly('wallets')
@PathParameters({ id: APPLICATION_ID, family: WALLET_FAMILY })
export class WalletsController {
  constructor(
    private readonly wallets: WalletsService,
    private readonly input: WalletInput,
  ) {}

  @Get()
  @Operation({
    id: 'listWallets',
    tag: 'Wallets',
    summary: 'List wallets',
    description:
      "Only the application's own wallets. For a family without one, your default wallet is used; `GET …/destinations` " +
      'says whose key is.',
    returns: data([WalletContract], 'The wallets of the application, at most one per family.'),
    errors: ['payment_application_not_found', 'wallet_integrity'],
  })
  async list(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Query() _query: NoParameters,
  ): Promise<WalletContract[]> {
    return this.wallets.list(userId, id);
  }

  @Get(':family')
  @Operation({
    id: 'getWallet',
    tag: 'Wallets',
    summary: 'Get a wallet',
    description:
      'The key is masked; compare `previewAddresses` with your wallet software. Returns 404 if the application has no ' +
      'wallet of its own in this family.',
    returns: data(WalletContract, 'The wallet.'),
    errors: ['payment_application_not_found', 'wallet_integrity'],
  })
  async get(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Param('family') family: string,
  ): Promise<WalletContract> {
    return this.wallets.get(userId, id, parseFamily(family));
  }

  /** 200 also for the first key, not 201: the client chose the path, so there is no new location to return. */
  @Put(':family')
  @RecentSignIn('wallets')
  @Operation({
    id: 'putWallet',
    tag: 'Wallets',
    summary: 'Set a wallet',
    description:
      'Sets or replaces the key, or for `evm` the treasury: an address of yours that everything goes to. Where the ' +
      'gateway has a WALLET_CHANGE_DELAY, what replaces another waits as `pending`. A treasury is 503 while a node ' +
      'that has to say whether it is a contract does not answer. Addresses issued earlier stay watched.',
    returns: data(WalletContract, 'The wallet after the change.'),
    errors: ['payment_application_not_found', 'application_deleted', 'wallet_integrity'],
  })
  async put(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('family') family: string,
    @DraftBody(PutWalletContract) draft: Draft<PutWalletContract>,
  ): Promise<WalletContract> {
    const named = parseFamily(family);
    return this.wallets.put(principal, id, named, await this.input.read(named, draft));
  }

  /** Not one for a recent sign-in: it changes no key. */
  @Put(':family/comparison')
  @Operation({
    id: 'compareWallet',
    tag: 'Wallets',
    summary: 'Confirm the addresses of a wallet',
    description:
      'Says that the wallet of a person shows these addresses. The gateway derives them once more; one that differs is ' +
      '422, and is in the audit log. Sets `comparedAt`.',
    returns: data(WalletContract, 'The wallet.'),
    errors: ['payment_application_not_found', 'application_deleted', 'wallet_integrity'],
  })
  async compare(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('family') family: string,
    @Body() { addresses }: CompareWalletContract,
  ): Promise<WalletContract> {
    return this.wallets.compare(principal, id, parseFamily(family), addresses);
  }

  /** Not `wallets:write`, which is for what decides where money goes. */
  @Put(':family/gap-limit')
  @OAuthOnly('applications')
  @Operation({
    id: 'stateGapLimit',
    tag: 'Wallets',
    summary: 'Say how far your wallet looks ahead',
    description:
      'The gap limit that is set in your wallet program. `gap_limit` of `GET /api/attention` has the wallet again once ' +
      'its longest run of addresses without a payment is as long. 404 for a treasury.',
    returns: data(WalletContract, 'The wallet.'),
    errors: ['payment_application_not_found', 'application_deleted', 'wallet_integrity'],
  })
  async stateGapLimit(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('family') family: string,
    @Body() { gapLimit }: StateGapLimitContract,
  ): Promise<WalletContract> {
    return this.wallets.stateGapLimit(principal, id, parseFamily(family), gapLimit);
  }

  @Delete(':family')
  @RecentSignIn('wallets')
  @HttpCode(204)
  @Operation({
    id: 'deleteWallet',
    tag: 'Wallets',
    summary: 'Remove a wallet',
    description:
      "New addresses are then derived from your default wallet of the family, or else from the operator's. Without " +
      'either, payments no longer offer the payment methods of that family. Addresses issued earlier stay watched.',
    returns: nothing('The wallet is removed, or will be after WALLET_CHANGE_DELAY.'),
    errors: ['payment_application_not_found', 'application_deleted', 'wallet_integrity'],
  })
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('family') family: string,
  ): Promise<void> {
    await this.wallets.remove(principal, id, parseFamily(family));
  }

  @Delete(':family/pending')
  @RecentSignIn('wallets')
  @HttpCode(204)
  @Operation({
    id: 'cancelWalletChange',
    tag: 'Wallets',
    summary: 'Cancel a change of a wallet',
    description:
      'The change that waits as `pending` does not take effect. Without one, the response is the same.',
    returns: nothing('No change is pending.'),
    errors: ['payment_application_not_found'],
  })
  async cancelChange(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Param('family') family: string,
  ): Promise<void> {
    await this.wallets.cancelChange(userId, id, parseFamily(family));
  }
}
