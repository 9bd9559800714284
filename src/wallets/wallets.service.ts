import { Injectable } from '@nestjs/common';
import { applicationDeleted } from '../applications/application-deleted.pure.js';
import { ApplicationsService } from '../applications/applications.service.js';
import type { AddressFamily } from '../chains/chain.pure.js';
import { ADDRESS_FAMILIES } from '../chains/chain-families.pure.js';
import { actorIdOf, type Principal } from '../platform/kernel/principal.pure.js';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { NotFoundError, ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { UseOfAddresses } from './earlier-use/earlier-use.service.js';
import { KeyInUseError, WalletActivation } from './wallet-activation.service.js';
import { WalletAuthenticator } from './wallet-authenticator.service.js';
import type { WalletChangeEntity } from './wallet-change.entity.js';
import type { ChangedBy } from './wallet-change.pure.js';
import { WalletChanges } from './wallet-changes.service.js';
import { type ChoiceOwner, WalletChoices } from './wallet-choices.service.js';
import { WalletKeys } from './wallet-keys.service.js';
import type { PendingWalletContract, WalletContract } from './wallet.contract.js';
import type { WalletEntity } from './wallet.entity.js';
import { WalletRepository } from './wallet.repository.js';
import { findTreasury, type WalletSource } from './wallet-source.pure.js';

/**
 * The extended public keys or treasuries of an application, one per family, and the defaults of its user
 * (specification/wallets.md#default-wallets). An `applicationId` of null stands for the defaults in all methods.
 */
@Injectable()
export class WalletsService {
  constructor(
    private readonly wallets: WalletRepository,
    private readonly choices: WalletChoices,
    private readonly rows: WalletAuthenticator,
    private readonly applications: ApplicationsService,
    private readonly changes: WalletChanges,
    private readonly keys: WalletKeys,
    private readonly activation: WalletActivation,
    private readonly sql: Sql,
  ) {}

  /** @throws WalletIntegrityError */
  async list(userId: string, applicationId: string | null): Promise<WalletContract[]> {
    const id = await this.readableApplication(userId, applicationId);
    const { wallets, pending, applied, uses } = await this.read({ applicationId: id, userId });
    const ofFamily = <T extends { family: string }>(rows: readonly T[], family: string) =>
      rows.find((row) => row.family === family) ?? null;
    return [...new Set([...wallets, ...pending].map(({ family }) => family))].toSorted().flatMap((family) => {
      const [wallet, change] = [ofFamily(wallets, family), ofFamily(pending, family)];
      if (wallet)
        return {
          ...this.present(wallet, change, ofFamily(applied, family)),
          ...(uses.get(wallet.id) ?? { earlierUse: null, addressGap: null }),
        };
      return change ? presentFirst(change) : [];
    });
  }

  /** @throws WalletIntegrityError */
  async get(userId: string, applicationId: string | null, family: AddressFamily): Promise<WalletContract> {
    const found = (await this.list(userId, applicationId)).find((wallet) => wallet.family === family);
    if (found) return found;
    throw noWallet(applicationId, family);
  }

  /**
   * Sets or replaces the key or treasury, at once or after a delay; addresses that were handed out stay watched.
   * @throws ValidationError where the key is in use
   */
  async put(
    principal: Principal,
    applicationId: string | null,
    family: AddressFamily,
    source: WalletSource,
  ): Promise<WalletContract> {
    const { userId } = principal;
    const id = await this.writableApplication(userId, applicationId);
    try {
      await this.changes.set({ applicationId: id, userId }, family, source, changedBy(principal));
    } catch (error) {
      if (!(error instanceof KeyInUseError)) throw error;
      throw ValidationError.of(
        'extendedPublicKey',
        'The extendedPublicKey is already in use by another wallet.',
      );
    }
    return this.get(userId, id, family);
  }

  /** New payments then use the user's key, or else the operator's. At once or after a delay; idempotent. */
  async remove(principal: Principal, applicationId: string | null, family: AddressFamily): Promise<void> {
    const { userId } = principal;
    const id = await this.writableApplication(userId, applicationId);
    await this.changes.remove({ applicationId: id, userId }, family, changedBy(principal));
  }

  /** The wallet stays as it is. Idempotent. */
  async cancelChange(userId: string, applicationId: string | null, family: AddressFamily): Promise<void> {
    const id = await this.readableApplication(userId, applicationId);
    await this.changes.cancel({ applicationId: id, userId }, family);
  }

  /**
   * Somebody has seen the first addresses in their own wallet. The gateway derives them once more.
   * @throws ValidationError with every address that is not one of the key
   */
  async compare(
    principal: Principal,
    applicationId: string | null,
    family: AddressFamily,
    addresses: readonly string[],
  ): Promise<WalletContract> {
    const { userId } = principal;
    const id = await this.writableApplication(userId, applicationId);
    const compared = { addresses, by: actorIdOf(principal) };
    const wrong = await this.activation.compare({ applicationId: id, userId }, family, compared);
    if (wrong === null) throw noWallet(applicationId, family);
    if (wrong.length > 0) throw new ValidationError(Object.fromEntries(wrong.map(refusalOf)));
    return this.get(userId, id, family);
  }

  /** Its owner has set the gap limit of their wallet program: attention is silent until a run is as long as that. */
  async stateGapLimit(
    { userId }: Principal,
    applicationId: string | null,
    family: AddressFamily,
    gapLimit: number,
  ): Promise<WalletContract> {
    const id = await this.writableApplication(userId, applicationId);
    const { addressGap } = await this.get(userId, id, family);
    const active = await this.wallets.listActive({ applicationId: id, userId });
    const wallet = active.find((one) => one.family === family);
    // Nobody looks for the addresses of a treasury.
    if (!wallet || !addressGap) throw noWallet(applicationId, family);
    await this.activation.earlierUse.gaps.state(wallet.id, gapLimit);
    return this.get(userId, id, family);
  }

  private async read(owner: ChoiceOwner) {
    // In one snapshot: between two statements a wallet may be replaced.
    const { choice, wallets, ...others } = await this.sql.snapshot(async () => {
      const choice = await this.choices.get(owner);
      const wallets = await this.wallets.listActive(owner);
      const uses = await this.activation.earlierUse.describe(wallets);
      return { choice, wallets, uses, ...(await this.changes.list(owner)) };
    });
    for (const wallet of wallets) this.rows.requireWallet(wallet);
    for (const family of ADDRESS_FAMILIES) {
      const active = wallets.find((wallet) => wallet.family === family);
      this.choices.requireEqual(choice, family, active?.id ?? null);
    }
    return { wallets, ...others };
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

  private present(
    wallet: WalletEntity,
    pending: WalletChangeEntity | null,
    applied: WalletChangeEntity | null,
  ): Omit<WalletContract, keyof UseOfAddresses> {
    return {
      family: wallet.family,
      status: 'active',
      ...presentSource(wallet.maskedKey),
      scriptType: wallet.scriptType,
      fingerprint: wallet.fingerprint,
      ...this.keys.place(wallet),
      nextIndex: wallet.nextIndex,
      previewAddresses: this.keys.firstAddresses(wallet),
      comparedAt: wallet.comparedAt && toIsoSeconds(wallet.comparedAt),
      createdAt: toIsoSeconds(wallet.createdAt),
      changedAt: applied?.appliedAt ? toIsoSeconds(applied.appliedAt) : null,
      changedBy: applied?.changedBy ?? null,
      previousFingerprint: applied?.previousFingerprint ?? null,
      pending: pending && presentPending(pending),
    };
  }
}

function noWallet(applicationId: string | null, family: AddressFamily): NotFoundError {
  const owner = applicationId === null ? 'The account' : 'The application';
  return new NotFoundError('not_found', `${owner} has no ${family} wallet`);
}

function refusalOf(index: number): [field: string, messages: string[]] {
  const field = `addresses.${index}`;
  return [
    field,
    [`The ${field} is not the address that the gateway derives. Accept no payments before you know why.`],
  ];
}

/** A server's token comes from no sign-in. */
function changedBy(principal: Principal): ChangedBy {
  return principal.kind === 'oauth' && principal.signIn !== null ? 'user' : 'server';
}

function presentPending(change: WalletChangeEntity): PendingWalletContract {
  const { fingerprint, maskedKey: masked, effectiveAt, changedBy: requestedBy } = change;
  const treasury = findTreasury(masked);
  const maskedKey = treasury?.address ?? masked;
  return { fingerprint, maskedKey, treasury, effectiveAt: toIsoSeconds(effectiveAt), requestedBy };
}

function presentSource(masked: string): Pick<WalletContract, 'kind' | 'treasury' | 'extendedPublicKey'> {
  const treasury = findTreasury(masked);
  return treasury
    ? { kind: 'treasury', treasury, extendedPublicKey: null }
    : { kind: 'key', treasury, extendedPublicKey: masked };
}

/** The first key of an application whose addresses come from the account's default wallet, which it replaces. */
function presentFirst(change: WalletChangeEntity): WalletContract {
  return {
    family: change.family,
    status: 'pending',
    ...presentSource(change.maskedKey ?? ''),
    scriptType: null,
    fingerprint: change.fingerprint ?? '',
    masterFingerprint: null,
    accountPath: null,
    nextIndex: 0,
    earlierUse: null,
    addressGap: null,
    previewAddresses: [],
    comparedAt: null,
    createdAt: toIsoSeconds(change.requestedAt),
    changedAt: null,
    changedBy: null,
    previousFingerprint: null,
    pending: presentPending(change),
  };
}
