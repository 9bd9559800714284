import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
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

/**
 * A user's default wallets, for applications without a wallet of their own
 * (specification/wallets.md#default-wallets).
 */
@Controller('api/account/wallets')
@OAuthOnly('wallets')
@PathParameters({ family: WALLET_FAMILY })
export class AccountWalletsController {
  constructor(
    private readonly wallets: WalletsService,
    private readonly input: WalletInput,
  ) {}

  @Get()
  @Operation({
    id: 'listAccountWallets',
    tag: 'Account',
    summary: 'List your default wallets',
    description: 'They are used for applications without a wallet of their own.',
    returns: data([WalletContract], 'Your default wallets, at most one per family.'),
    errors: ['wallet_integrity'],
  })
  async list(
    @CurrentPrincipal() { userId }: Principal,
    @Query() _query: NoParameters,
  ): Promise<WalletContract[]> {
    return this.wallets.list(userId, null);
  }

  @Get(':family')
  @Operation({
    id: 'getAccountWallet',
    tag: 'Account',
    summary: 'Get a default wallet',
    description: 'The key is masked; compare `previewAddresses` with your wallet software.',
    returns: data(WalletContract, 'The wallet.'),
    errors: ['wallet_integrity'],
  })
  async get(
    @CurrentPrincipal() { userId }: Principal,
    @Param('family') family: string,
  ): Promise<WalletContract> {
    return this.wallets.get(userId, null, parseFamily(family));
  }

  @Put(':family')
  @RecentSignIn('wallets')
  @Operation({
    id: 'putAccountWallet',
    tag: 'Account',
    summary: 'Set a default wallet',
    description:
      'Sets or replaces the key, or for `evm` the treasury: an address of yours that everything goes to. Where the ' +
      'gateway has a WALLET_CHANGE_DELAY, what replaces another waits as `pending`. A treasury is 503 while a node ' +
      'that has to say whether it is a contract does not answer. Addresses issued earlier stay watched.',
    returns: data(WalletContract, 'The wallet after the change.'),
    errors: ['wallet_integrity'],
  })
  async put(
    @CurrentPrincipal() principal: Principal,
    @Param('family') family: string,
    @DraftBody(PutWalletContract) draft: Draft<PutWalletContract>,
  ): Promise<WalletContract> {
    const named = parseFamily(family);
    return this.wallets.put(principal, null, named, await this.input.read(named, draft));
  }

  @Put(':family/comparison')
  @Operation({
    id: 'compareAccountWallet',
    tag: 'Account',
    summary: 'Confirm the addresses of your default wallet',
    description:
      'Says that the wallet of a person shows these addresses. The gateway derives them once more; one that differs is ' +
      '422, and is in the audit log. Sets `comparedAt`.',
    returns: data(WalletContract, 'The wallet.'),
    errors: ['wallet_integrity'],
  })
  async compare(
    @CurrentPrincipal() principal: Principal,
    @Param('family') family: string,
    @Body() { addresses }: CompareWalletContract,
  ): Promise<WalletContract> {
    return this.wallets.compare(principal, null, parseFamily(family), addresses);
  }

  /** Not `wallets:write`, which is for what decides where money goes. */
  @Put(':family/gap-limit')
  @OAuthOnly('applications')
  @Operation({
    id: 'stateAccountGapLimit',
    tag: 'Account',
    summary: 'Say how far the wallet of your default key looks ahead',
    description:
      'The gap limit that is set in your wallet program. `gap_limit` of `GET /api/attention` has the wallet again once ' +
      'its longest run of addresses without a payment is as long. 404 for a treasury.',
    returns: data(WalletContract, 'The wallet.'),
    errors: ['wallet_integrity'],
  })
  async stateGapLimit(
    @CurrentPrincipal() principal: Principal,
    @Param('family') family: string,
    @Body() { gapLimit }: StateGapLimitContract,
  ): Promise<WalletContract> {
    return this.wallets.stateGapLimit(principal, null, parseFamily(family), gapLimit);
  }

  @Delete(':family')
  @RecentSignIn('wallets')
  @HttpCode(204)
  @Operation({
    id: 'deleteAccountWallet',
    tag: 'Account',
    summary: 'Remove a default wallet',
    description:
      "New addresses are then derived from the operator's default wallet, if there is one. Addresses issued earlier " +
      'stay watched.',
    returns: nothing('The wallet is removed, or will be after WALLET_CHANGE_DELAY.'),
    errors: ['wallet_integrity'],
  })
  async remove(@CurrentPrincipal() principal: Principal, @Param('family') family: string): Promise<void> {
    await this.wallets.remove(principal, null, parseFamily(family));
  }

  @Delete(':family/pending')
  @RecentSignIn('wallets')
  @HttpCode(204)
  @Operation({
    id: 'cancelAccountWalletChange',
    tag: 'Account',
    summary: 'Cancel a change of a default wallet',
    description:
      'The change that waits as `pending` does not take effect. Without one, the response is the same.',
    returns: nothing('No change is pending.'),
  })
  async cancelChange(
    @CurrentPrincipal() { userId }: Principal,
    @Param('family') family: string,
  ): Promise<void> {
    await this.wallets.cancelChange(userId, null, parseFamily(family));
  }
}
