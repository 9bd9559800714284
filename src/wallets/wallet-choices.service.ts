import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import type { AddressFamily } from '../chains/chain.pure.js';
import { newId } from '../platform/kernel/ids.pure.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { type AuthenticChoice, WALLET_CHOICE } from './wallet-authentication.pure.js';
import { WalletAuthenticator } from './wallet-authenticator.service.js';
import type { WalletChoiceEntity } from './wallet-choice.entity.js';
import { WalletChoiceRepository } from './wallet-choice.repository.js';
import type { ApplicationOfUser, WalletOwner } from './wallet.repository.js';

/** The owner of a choice: the operator's wallets are chosen by the configuration. */
export type ChoiceOwner = WalletOwner & { userId: string };

/**
 * The authenticated statements which wallets are active. Each application has one from its creation on, and so has each
 * user with an application: one that is missing or was changed is an error, so that removing a wallet from the database
 * does not make another one take its place.
 */
@Injectable()
export class WalletChoices implements OnModuleInit {
  constructor(
    private readonly choices: WalletChoiceRepository,
    private readonly rows: WalletAuthenticator,
    private readonly applications: ApplicationsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.applications.created.listen((application) => this.start(application));
  }

  /** @throws WalletIntegrityError */
  async get(owner: ChoiceOwner): Promise<AuthenticChoice> {
    return this.require(owner, await this.choices.find(owner));
  }

  /** Locks the owner's statement until the transaction ends. @throws WalletIntegrityError */
  async lock(owner: ChoiceOwner): Promise<AuthenticChoice> {
    const found = await this.choices.lock(owner);
    if (found || !(await this.isNew(owner))) return this.require(owner, found);
    await this.insert(owner);
    return this.require(owner, await this.choices.lock(owner));
  }

  /** Replaces the active wallet of a family; null: there is none. The statement is locked. */
  async set(choice: AuthenticChoice, family: AddressFamily, walletId: string | null): Promise<void> {
    const { [family]: _replaced, ...others } = choice.wallets;
    const changed = { ...choice, wallets: walletId === null ? others : { ...others, [family]: walletId } };
    await this.choices.update({ ...changed, mac: this.rows.mac(WALLET_CHOICE, changed) });
  }

  /** The statement must name the wallet that is active in the table. @throws WalletIntegrityError */
  requireEqual(choice: AuthenticChoice, family: AddressFamily, walletId: string | null): void {
    const { [family]: chosenId = null } = choice.wallets;
    if (chosenId !== walletId)
      throw this.rows.refusal('wallet', `${family} wallet ${walletId} is active instead of ${chosenId}`);
  }

  hasWallet(owner: ApplicationOfUser, family: AddressFamily): Promise<boolean> {
    return this.choices.hasWallet(owner, family);
  }

  /** Applications of the user that have no wallet of the family, so that the default one serves them. */
  listApplicationsWithout(userId: string, family: AddressFamily): Promise<string[]> {
    return this.choices.listApplicationsWithout(userId, family);
  }

  /**
   * The wallet that new addresses come from: of the application, else of its user; null: neither has one.
   * @param stored both statements, if they were read with another statement
   * @throws WalletIntegrityError
   */
  async serving(
    { applicationId, userId }: ApplicationOfUser,
    family: AddressFamily,
    stored?: readonly WalletChoiceEntity[],
  ): Promise<string | null> {
    const choices = stored ?? (await this.choices.listServing({ applicationId, userId }));
    const own = choices.find((choice) => choice.applicationId === applicationId) ?? null;
    const account = choices.find((choice) => choice.applicationId === null) ?? null;
    const { [family]: ownId } = this.check({ applicationId, userId }, own).wallets;
    const { [family]: accountId } = this.check({ applicationId: null, userId }, account).wallets;
    return ownId ?? accountId ?? null;
  }

  /** Part of the transaction that creates the application. */
  private async start({ id, userId }: { id: string; userId: string }): Promise<void> {
    await this.insert({ userId, applicationId: id });
    const account = { userId, applicationId: null };
    // Only with the first application: a statement that disappears later must not come back as an empty one.
    if ((await this.countApplications(userId)) === 1) await this.insert(account);
  }

  private async insert({ userId, applicationId }: ChoiceOwner): Promise<void> {
    const choice = { id: newId(this.clock.now()), userId, applicationId, wallets: {} };
    await this.choices.insert({ ...choice, mac: this.rows.mac(WALLET_CHOICE, choice) });
  }

  private async require(owner: ChoiceOwner, found: WalletChoiceEntity | null): Promise<AuthenticChoice> {
    if (!found && (await this.isNew(owner))) return { id: '', ...owner, wallets: {} };
    return this.check(owner, found);
  }

  private check(owner: ChoiceOwner, found: WalletChoiceEntity | null): AuthenticChoice {
    const who = owner.applicationId === null ? `user ${owner.userId}` : `application ${owner.applicationId}`;
    if (!found) throw this.rows.refusal('wallet-choice', `the wallet choice of ${who} is missing`);
    if (!this.rows.isAuthentic(WALLET_CHOICE, found))
      throw this.rows.refusal('wallet-choice', `the wallet choice of ${who} was changed`);
    return found;
  }

  /** A user without an application has no statement until the first default wallet is set. */
  private async isNew({ applicationId, userId }: ChoiceOwner): Promise<boolean> {
    return applicationId === null && (await this.countApplications(userId)) === 0;
  }

  /** Deleted ones included. */
  private async countApplications(userId: string): Promise<number> {
    return (await this.applications.list(userId, 'with', null)).total;
  }
}
