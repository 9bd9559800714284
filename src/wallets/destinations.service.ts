import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import type { AddressFamily } from '../chains/chain.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { DefaultWallets } from './default-wallets.service.js';
import type { DestinationContract } from './destination.contract.js';
import { DepositAddressRepository } from './deposit-address.repository.js';
import { isAnyOfOperator, keyOwnerOf } from './key-owner.pure.js';
import { WalletAuthenticator } from './wallet-authenticator.service.js';
import { WalletChoices } from './wallet-choices.service.js';
import { NOWHERE, WalletKeys } from './wallet-keys.service.js';
import { findTreasury } from './wallet-source.pure.js';
import { type ApplicationOfUser, type ServingWallet, WalletRepository } from './wallet.repository.js';

/** The wallets that new addresses of an application come from, whoever owns them. */
@Injectable()
export class DestinationsService {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly chains: ChainsService,
    private readonly wallets: WalletRepository,
    private readonly choices: WalletChoices,
    private readonly defaults: DefaultWallets,
    private readonly rows: WalletAuthenticator,
    private readonly keys: WalletKeys,
    private readonly addresses: DepositAddressRepository,
  ) {}

  /** By family, in the order of the chains. @throws NotFoundError; WalletIntegrityError */
  async list(userId: string, applicationId: string): Promise<DestinationContract[]> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const families = [...new Set(this.chains.list().map(({ family }) => family))];
    return Promise.all(
      families.map(async (family) => {
        const wallet = await this.findServing({ applicationId: id, userId }, family);
        return {
          family,
          owner: wallet && keyOwnerOf(wallet),
          fingerprint: wallet && wallet.fingerprint,
          ...(wallet ? this.keys.place(wallet) : NOWHERE),
          treasury: wallet && findTreasury(wallet.maskedKey),
        };
      }),
    );
  }

  /**
   * Whether the customer of a payment was shown an address of a key of the operator, or would be for one of the families:
   * then the money does not go straight to the merchant.
   * @param wasShown such an address, where its addresses were read already; null: they are read
   */
  async mayPayOperator(
    { id, ...owner }: ApplicationOfUser & { id: string },
    families: Iterable<AddressFamily>,
    wasShown: boolean | null,
  ): Promise<boolean> {
    if (wasShown ?? isAnyOfOperator(await this.addresses.listStored([id]))) return true;
    for (const family of families) {
      const isServed = (await this.defaults.findIdFor(owner.userId, family)) !== null;
      if (isServed && !(await this.choices.hasWallet(owner, family))) return true;
    }
    return false;
  }

  private async findServing(owner: ApplicationOfUser, family: AddressFamily): Promise<ServingWallet | null> {
    const id =
      (await this.choices.serving(owner, family)) ?? (await this.defaults.findIdFor(owner.userId, family));
    const wallet = id === null ? null : await this.wallets.findById(id);
    if (wallet) this.rows.requireWallet(wallet);
    else if (id !== null) throw this.rows.refusal('wallet', `wallet ${id} is missing`);
    return wallet;
  }
}
