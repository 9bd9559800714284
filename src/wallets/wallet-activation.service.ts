import { Injectable } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { newId } from '../platform/kernel/ids.pure.js';
import { sqlState } from '../platform/database/database-errors.pure.js';
import { Sql } from '../platform/database/sql.js';
import { EarlierUse, type Looked } from './earlier-use/earlier-use.service.js';
import { type AuthenticChoice, WALLET, type WalletIdentity } from './wallet-authentication.pure.js';
import { WalletAuthenticator } from './wallet-authenticator.service.js';
import { type ChoiceOwner, WalletChoices } from './wallet-choices.service.js';
import { WalletKeys } from './wallet-keys.service.js';
import type { WalletSource } from './wallet-source.pure.js';
import { type ServingWallet, type WalletOwner, WalletRepository } from './wallet.repository.js';

/** The key already serves another wallet; two counters on one key would hand out the same address twice. */
export class KeyInUseError extends Error {}

const UNIQUE_VIOLATION = '23505';
const MAX_ATTEMPTS = 3;

/** Makes a key the active wallet of its owner and family, or retires it; wallets are written here only. */
@Injectable()
export class WalletActivation {
  constructor(
    private readonly sql: Sql,
    private readonly wallets: WalletRepository,
    private readonly choices: WalletChoices,
    private readonly rows: WalletAuthenticator,
    private readonly clock: Clock,
    private readonly keys: WalletKeys,
    private readonly audit: AuditLog,
    /** What a key is looked at with, before the transaction that makes it active. */
    readonly earlierUse: EarlierUse,
  ) {}

  /**
   * The active key again changes nothing; a key that was replaced before continues with its own counter.
   * @param looked what the chains say about the use of the key by others
   * @returns the wallet's id
   * @throws KeyInUseError; WalletIntegrityError
   */
  async activate(
    owner: WalletOwner,
    family: AddressFamily,
    key: WalletSource,
    looked: readonly Looked[],
  ): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.sql.transaction(() => this.activateOnce(owner, family, key, looked));
      } catch (error) {
        // The same key was inserted at the same time: the next attempt finds it in use.
        if (attempt >= MAX_ATTEMPTS || sqlState(error) !== UNIQUE_VIOLATION) throw error;
      }
    }
  }

  /** Locks the owner's wallets of the family until the transaction ends. @throws WalletIntegrityError */
  async lockActive(owner: ChoiceOwner, family: AddressFamily): Promise<ServingWallet | null> {
    return (await this.lock(owner, family)).active;
  }

  /** Whether addresses come from a wallet of the user now. @throws WalletIntegrityError */
  async isServed({ applicationId, userId }: ChoiceOwner, family: AddressFamily): Promise<boolean> {
    if (applicationId !== null)
      return (await this.choices.serving({ applicationId, userId }, family)) !== null;
    return (await this.choices.get({ applicationId, userId })).wallets[family] !== undefined;
  }

  /** The key may become the owner's. @throws KeyInUseError */
  async requireUnused(owner: WalletOwner, family: AddressFamily, key: WalletSource): Promise<void> {
    requireFree(await this.wallets.lockByKeyHash(key.keyHash), owner, family);
  }

  /** The key of a wallet was pasted once more, and now with where it comes from. No address changes by that. */
  async learnOrigin(wallet: ServingWallet, { text, origin }: WalletSource): Promise<void> {
    if (!origin || this.keys.place(wallet).masterFingerprint === origin.fingerprint) return;
    await this.wallets.setSealedKey({ id: wallet.id, sealedKey: this.keys.seal(wallet, text) });
  }

  /** Without an active wallet of the family nothing changes. @throws WalletIntegrityError */
  async retire(owner: ChoiceOwner, family: AddressFamily): Promise<void> {
    const { applicationId, userId } = owner;
    await this.sql.transaction(async () => {
      const { choice, active } = await this.lock(owner, family);
      if (!active) return;
      await this.setRetired(active, this.clock.now());
      if (choice) await this.choices.set(choice, family, null);
      const target = { kind: 'wallet', id: active.id };
      await this.audit.record({ act: 'wallet.removed', userId, target, details: { family, applicationId } });
    });
  }

  /**
   * Records that somebody has seen the first addresses of the active wallet in their own, or that they differ: then the
   * gateway, or what was compared, is not what its owner takes it for.
   * @returns the positions of addresses that differ; null: there is no active wallet
   * @throws WalletIntegrityError
   */
  async compare(
    owner: ChoiceOwner,
    family: AddressFamily,
    { addresses, by }: { addresses: readonly string[]; by: string },
  ): Promise<number[] | null> {
    const { applicationId, userId } = owner;
    return this.sql.transaction(async () => {
      const { active } = await this.lock(owner, family);
      if (!active) return null;
      const own = this.keys.firstAddresses(active);
      const wrong = addresses.flatMap((address, index) => (address === own[index] ? [] : index));
      const isEqual = wrong.length === 0;
      if (isEqual)
        await this.wallets.setCompared({ id: active.id, comparedAt: this.clock.now(), comparedBy: by });
      const act = isEqual ? 'wallet.compared' : 'wallet.comparison_failed';
      const details = { family, fingerprint: active.fingerprint, applicationId };
      await this.audit.record({ act, userId, target: { kind: 'wallet', id: active.id }, details });
      return wrong;
    });
  }

  private async activateOnce(
    owner: WalletOwner,
    family: AddressFamily,
    key: WalletSource,
    looked: readonly Looked[],
  ): Promise<string> {
    const { applicationId, userId } = owner;
    const { choice, active } = await this.lock(owner, family);
    const known = await this.wallets.lockByKeyHash(key.keyHash);
    requireFree(known, owner, family);
    if (known) {
      this.rows.requireWallet(known);
      await this.learnOrigin(known, key);
      if (known.retiredAt === null) return known.id;
    }
    const now = this.clock.now();
    if (active) await this.setRetired(active, now);
    const id = known?.id ?? newId(now);
    if (known) await this.setRetired(known, null);
    else await this.insert({ id, applicationId, userId, family, scriptType: key.scriptType }, key, now);
    if (choice) await this.choices.set(choice, family, id);
    await this.earlierUse.begin(id, looked);
    // The fingerprint is that of the public key, which wallet programs show.
    const details = { family, fingerprint: key.fingerprint, applicationId };
    await this.audit.record({ act: 'wallet.activated', userId, target: { kind: 'wallet', id }, details });
    return id;
  }

  /**
   * Locks the owner's wallets of the family until the transaction ends.
   * @returns the active wallet, if there is one, and the statement that names it; the operator has none
   * @throws WalletIntegrityError
   */
  private async lock(
    owner: WalletOwner,
    family: AddressFamily,
  ): Promise<{ choice: AuthenticChoice | null; active: ServingWallet | null }> {
    // With the unique indexes alone, parallel changes of one owner's wallet would fail.
    await this.wallets.lockOwner(owner, family);
    const { applicationId, userId } = owner;
    const choice = userId === null ? null : await this.choices.lock({ applicationId, userId });
    const active = await this.wallets.lockActive(owner, family);
    if (active) this.rows.requireWallet(active);
    if (choice) this.choices.requireEqual(choice, family, active?.id ?? null);
    return { choice, active };
  }

  private async setRetired(wallet: ServingWallet, retiredAt: Date | null): Promise<void> {
    const changed = { ...wallet, retiredAt };
    await this.wallets.setRetired({ ...changed, mac: this.rows.mac(WALLET, changed) });
  }

  private insert(
    identity: WalletIdentity,
    { text, masked: maskedKey, fingerprint, keyHash }: WalletSource,
    createdAt: Date,
  ): Promise<void> {
    const wallet = { ...identity, maskedKey, fingerprint, keyHash, retiredAt: null };
    const { retiredAt: _none, ...row } = wallet;
    const sealedKey = this.keys.seal(identity, text);
    return this.wallets.insert({ ...row, sealedKey, createdAt, mac: this.rows.mac(WALLET, wallet) });
  }
}

/** @throws KeyInUseError */
function requireFree(
  known: ServingWallet | null,
  { applicationId, userId }: WalletOwner,
  family: AddressFamily,
): void {
  const isOfOwner = known?.applicationId === applicationId && known.userId === userId;
  if (known && (!isOfOwner || known.family !== family)) throw new KeyInUseError();
}
