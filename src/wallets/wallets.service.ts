import { Injectable } from '@nestjs/common';
import { applicationDeleted } from '../applications/application-deleted.pure.js';
import { ApplicationsService } from '../applications/applications.service.js';
import type { AddressFamily } from '../chains/chain.pure.js';
import { ADDRESS_FAMILIES, familyOf } from '../chains/chain-families.pure.js';
import { toIsoSeconds } from '../platform/runtime/clock.pure.js';
import { NotFoundError, ValidationError } from '../platform/errors/errors.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { Draft } from '../platform/contract/read-contract.js';
import type { AddressChain } from './address-chain.pure.js';
import { ExtendedKeyError, type ExtendedPublicKey } from './extended-public-key.pure.js';
import { ScriptTypeError } from './utxo-account-key.pure.js';
import { KeyInUseError, WalletActivation } from './wallet-activation.service.js';
import { WalletAuthenticator } from './wallet-authenticator.service.js';
import { type ChoiceOwner, WalletChoices } from './wallet-choices.service.js';
import { WalletKeys, WalletNetworkError } from './wallet-keys.service.js';
import type { PutWalletContract, WalletContract } from './wallet.contract.js';
import type { WalletEntity } from './wallet.entity.js';
import { WalletRepository } from './wallet.repository.js';

const PREVIEWS = 3;
const FIELD = 'extendedPublicKey';

/**
 * The extended public keys of an application, one per family, and the defaults of its user
 * (specification/wallets.md#default-wallets). An `applicationId` of null stands for the defaults in all methods.
 */
@Injectable()
export class WalletsService {
  constructor(
    private readonly wallets: WalletRepository,
    private readonly choices: WalletChoices,
    private readonly rows: WalletAuthenticator,
    private readonly applications: ApplicationsService,
    private readonly activation: WalletActivation,
    private readonly keys: WalletKeys,
    private readonly sql: Sql,
  ) {}

  /** @throws WalletIntegrityError */
  async list(userId: string, applicationId: string | null): Promise<WalletContract[]> {
    const id = await this.readableApplication(userId, applicationId);
    return (await this.listActive({ applicationId: id, userId })).map((wallet) => this.present(wallet));
  }

  /** @throws WalletIntegrityError */
  async get(userId: string, applicationId: string | null, family: AddressFamily): Promise<WalletContract> {
    const id = await this.readableApplication(userId, applicationId);
    const wallets = await this.listActive({ applicationId: id, userId });
    const wallet = wallets.find((each) => each.family === family);
    if (!wallet) {
      const owner = id === null ? 'The account' : 'The application';
      throw new NotFoundError('not_found', `${owner} has no ${family} wallet`);
    }
    return this.present(wallet);
  }

  /**
   * Sets or replaces the key; addresses that were handed out stay watched.
   * @throws ValidationError with every invalid field
   */
  async put(
    userId: string,
    applicationId: string | null,
    family: AddressFamily,
    draft: Draft<PutWalletContract>,
  ): Promise<WalletContract> {
    const key = this.readKey(family, draft);
    draft.finish();
    if (!key) throw new Error('a wallet without a key passed its checks');
    const id = await this.writableApplication(userId, applicationId);
    try {
      await this.activation.activate({ applicationId: id, userId }, family, key);
    } catch (error) {
      if (!(error instanceof KeyInUseError)) throw error;
      throw ValidationError.of(FIELD, `The ${FIELD} is already in use by another wallet.`);
    }
    return this.get(userId, id, family);
  }

  /** New payments use the user's key, or else the operator's. Idempotent. */
  async remove(userId: string, applicationId: string | null, family: AddressFamily): Promise<void> {
    const id = await this.writableApplication(userId, applicationId);
    await this.activation.retire({ applicationId: id, userId }, family);
  }

  private async listActive(owner: ChoiceOwner): Promise<WalletEntity[]> {
    // In one snapshot: between two statements a wallet may be replaced.
    const { choice, wallets } = await this.sql.snapshot(async () => ({
      choice: await this.choices.get(owner),
      wallets: await this.wallets.listActive(owner),
    }));
    for (const wallet of wallets) this.rows.requireWallet(wallet);
    for (const family of ADDRESS_FAMILIES) {
      const active = wallets.find((wallet) => wallet.family === family);
      this.choices.requireEqual(choice, family, active?.id ?? null);
    }
    return wallets;
  }

  /** Null: the key is not valid, and `problems` has the reason, without the key. */
  private readKey(
    family: AddressFamily,
    { given, problems }: Draft<PutWalletContract>,
  ): ExtendedPublicKey | null {
    const { extendedPublicKey, scriptType = null } = given;
    const hasScriptTypes = familyOf(family).accounts.scriptTypes !== null;
    if (!hasScriptTypes && scriptType !== null)
      problems.add('scriptType', `The scriptType field does not apply to ${family} wallets. Leave it out.`);
    if (extendedPublicKey === undefined) return null;
    try {
      return this.keys.read(family, extendedPublicKey, hasScriptTypes ? scriptType : null);
    } catch (error) {
      if (error instanceof ExtendedKeyError) problems.add(FIELD, `The ${FIELD} field ${error.message}.`);
      else if (error instanceof ScriptTypeError)
        problems.add('scriptType', `The scriptType field ${error.message}.`);
      else throw error;
      return null;
    }
  }

  private async readableApplication(userId: string, applicationId: string | null): Promise<string | null> {
    return applicationId === null ? null : (await this.applications.getOwned(userId, applicationId)).id;
  }

  private async writableApplication(userId: string, applicationId: string | null): Promise<string | null> {
    if (applicationId === null) return null;
    const { id, deletedAt } = await this.applications.getOwned(userId, applicationId);
    if (deletedAt === null) return id;
    throw applicationDeleted(id);
  }

  private present(wallet: WalletEntity): WalletContract {
    return {
      family: wallet.family,
      scriptType: wallet.scriptType,
      extendedPublicKey: wallet.maskedKey,
      fingerprint: wallet.fingerprint,
      nextIndex: wallet.nextIndex,
      previewAddresses: this.previewAddresses(wallet),
      createdAt: toIsoSeconds(wallet.createdAt),
    };
  }

  private previewAddresses(wallet: WalletEntity): string[] {
    const chain = this.findChain(wallet);
    return Array.from({ length: PREVIEWS }, (_, index) => chain?.derive(index)?.address).filter(
      (address) => address !== undefined,
    );
  }

  /** Null: the key is of another network than the gateway's. */
  private findChain(wallet: WalletEntity): AddressChain | null {
    try {
      return this.keys.chain(wallet);
    } catch (error) {
      if (error instanceof WalletNetworkError) return null;
      throw error;
    }
  }
}
