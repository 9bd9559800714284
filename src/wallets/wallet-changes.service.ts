import { Inject, Injectable, Logger } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import { CONFIG, type Config } from '../config.js';
import { isTransient } from '../platform/database/database-errors.pure.js';
import { Sql } from '../platform/database/sql.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { newId } from '../platform/kernel/ids.pure.js';
import type { Looked } from './earlier-use/earlier-use.service.js';
import { ExtendedKeyError } from './extended-public-key.pure.js';
import { WalletIntegrityError } from './integrity-errors.pure.js';
import { ScriptTypeError } from './utxo-account-key.pure.js';
import { KeyInUseError, WalletActivation } from './wallet-activation.service.js';
import { WALLET_CHANGE } from './wallet-authentication.pure.js';
import { WalletAuthenticator } from './wallet-authenticator.service.js';
import type { WalletChangeEntity } from './wallet-change.entity.js';
import { WalletChangeNotices } from './wallet-change-notices.service.js';
import type { ChangedBy } from './wallet-change.pure.js';
import { type ChangeOwner, WalletChangeRepository } from './wallet-change.repository.js';
import { WalletKeys } from './wallet-keys.service.js';
import { isSameTreasury, type WalletSource } from './wallet-source.pure.js';
import type { ServingWallet } from './wallet.repository.js';

/** Changes that one run applies, each in a transaction of its own. */
const BATCH = 100;

type Unsigned = Omit<WalletChangeEntity, 'mac'>;
type Change = Unsigned & Pick<WalletChangeEntity, 'mac'>;

/**
 * Changes of merchants' wallets: at once, or after WALLET_CHANGE_DELAY, during which they can be cancelled
 * (specification/wallets.md#changes).
 */
@Injectable()
export class WalletChanges {
  private readonly logger = new Logger('WalletChanges');

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly changes: WalletChangeRepository,
    private readonly activation: WalletActivation,
    private readonly rows: WalletAuthenticator,
    private readonly keys: WalletKeys,
    private readonly notices: WalletChangeNotices,
  ) {}

  /**
   * Sets or replaces the key. The active key again cancels a pending change.
   * @throws KeyInUseError; WalletIntegrityError
   */
  async set(owner: ChangeOwner, family: AddressFamily, key: WalletSource, by: ChangedBy): Promise<void> {
    // Before the transaction: nodes take their time. Once more for a change that waits, when it takes effect.
    const looked = await this.activation.earlierUse.look(family, key);
    await this.sql.transaction(async () => {
      await this.changes.lock(owner, family);
      const pending = await this.changes.findPending(owner, family);
      if (pending && this.isAuthentic(pending) && isOf(pending, key)) return;
      const active = await this.activation.lockActive(owner, family);
      if (pending) await this.cancelChange(pending);
      if (active && isSameTreasury(active.maskedKey, key.masked)) return;
      if (active?.keyHash.equals(key.keyHash)) return this.activation.learnOrigin(active, key);
      const replaces = active !== null || (await this.activation.isServed(owner, family));
      const change = this.newChange(owner, family, key, active, by);
      if (replaces && this.delays) return this.postpone(change, key);
      const applied = { ...change, effectiveAt: change.requestedAt, appliedAt: change.requestedAt };
      await this.insert(applied);
      await this.notices.report(applied, 'applied');
      await this.activation.activate(owner, family, key, looked);
    });
  }

  /** Takes the active wallet out of use; without one nothing happens. @throws WalletIntegrityError */
  async remove(owner: ChangeOwner, family: AddressFamily, by: ChangedBy): Promise<void> {
    await this.sql.transaction(async () => {
      await this.changes.lock(owner, family);
      const pending = await this.changes.findPending(owner, family);
      if (pending && this.isAuthentic(pending) && pending.fingerprint === null) return;
      const active = await this.activation.lockActive(owner, family);
      if (pending) await this.cancelChange(pending);
      if (!active) return;
      const change = this.newChange(owner, family, null, active, by);
      if (this.delays) return this.postpone(change, null);
      const applied = { ...change, effectiveAt: change.requestedAt, appliedAt: change.requestedAt };
      await this.insert(applied);
      await this.notices.report(applied, 'applied');
      await this.activation.retire(owner, family);
    });
  }

  /** Cancels the pending change; without one nothing happens. */
  async cancel(owner: ChangeOwner, family: AddressFamily): Promise<void> {
    await this.sql.transaction(async () => {
      await this.changes.lock(owner, family);
      const pending = await this.changes.findPending(owner, family);
      if (pending) await this.cancelChange(pending);
    });
  }

  /** The pending change and the last applied one of each family. @throws WalletIntegrityError */
  async list(owner: ChangeOwner): Promise<{ pending: WalletChangeEntity[]; applied: WalletChangeEntity[] }> {
    const pending = await this.changes.listPending(owner);
    const all = await this.changes.listApplied(owner);
    const applied = all.filter(({ family }, at) => all.findIndex((other) => other.family === family) === at);
    for (const change of [...pending, ...applied])
      if (!this.isAuthentic(change))
        throw this.rows.refusal('wallet-change', `wallet change ${change.id} is not as the gateway wrote it`);
    return { pending, applied };
  }

  /** Applies pending changes whose time has come. True if more may be due. */
  async runOnce(): Promise<boolean> {
    const due = await this.changes.listDue(this.clock.now(), BATCH);
    let ended = 0;
    for (const change of due) if (await this.applyDue(change)) ended++;
    return due.length === BATCH && ended > 0;
  }

  /** One that fails is tried again by the next run and does not hold up the others. False: it has failed. */
  private async applyDue(due: WalletChangeEntity): Promise<boolean> {
    const { id, userId, applicationId, family } = due;
    try {
      const looked = await this.look(due);
      await this.sql.transaction(async () => {
        await this.changes.lock({ userId, applicationId }, family);
        const change = await this.changes.findPendingById(id);
        // Again, because the time that it was listed with may have been another one than its MAC covers.
        if (change && change.effectiveAt <= this.clock.now()) await this.apply(change, looked);
      });
      return true;
    } catch (error) {
      if (!(error instanceof Error) || isTransient(error)) throw error;
      this.logger.error({ changeId: id, applicationId, family, error: error.message }, 'wallet not changed');
      return false;
    }
  }

  /** Before the transaction: nodes take their time. A key that cannot be read is refused in it. */
  private async look(change: Change): Promise<Looked[]> {
    if (!this.isAuthentic(change)) return [];
    try {
      const key = this.openKey(change);
      return key ? await this.activation.earlierUse.look(change.family, key) : [];
    } catch (error) {
      if (REASONS.some(([kind]) => error instanceof kind)) return [];
      throw error;
    }
  }

  private async apply(change: Change, looked: readonly Looked[]): Promise<void> {
    const { id, applicationId, userId, family } = change;
    if (!this.isAuthentic(change)) {
      this.rows.report('wallet-change', { changeId: id }, 'a wallet change is not as the gateway wrote it');
      return this.cancelChange(change);
    }
    const owner = { applicationId, userId };
    try {
      const key = this.openKey(change);
      await this.sql.transaction(async () => {
        const active = await this.activation.lockActive(owner, family);
        const previousFingerprint = active?.fingerprint ?? null;
        const applied = { ...change, previousFingerprint, appliedAt: this.clock.now() };
        await this.end(applied);
        await this.notices.report(applied, 'applied');
        if (key) await this.activation.activate(owner, family, key, looked);
        else await this.activation.retire(owner, family);
        await this.notices.record('wallet.change_applied', change);
      });
    } catch (error) {
      const reason = REASONS.find(([kind]) => error instanceof kind)?.[1];
      if (reason === undefined) throw error;
      this.logger.error(
        { changeId: id, userId, applicationId, family, reason },
        'wallet change not possible',
      );
      await this.cancelChange(change);
    }
  }

  private get delays(): boolean {
    return this.config.walletChangeDelaySeconds > 0;
  }

  private async postpone(change: Unsigned, key: WalletSource | null): Promise<void> {
    if (key) await this.activation.requireUnused(change, change.family, key);
    await this.insert({ ...change, sealedKey: key && this.keys.sealPending(change, key.text) });
    await this.notices.report(change, 'pending');
    await this.notices.record('wallet.change_requested', change, {
      effectiveAt: change.effectiveAt.toISOString(),
    });
  }

  /** The MAC of a row that was changed is not renewed, so that `verify` still names it. */
  private async cancelChange(change: Change): Promise<void> {
    const cancelled = { ...change, cancelledAt: this.clock.now() };
    if (this.isAuthentic(change)) await this.end(cancelled);
    else await this.changes.end(cancelled);
    await this.notices.report(cancelled, 'cancelled');
    await this.notices.record('wallet.change_cancelled', change);
  }

  private end(change: Unsigned): Promise<void> {
    return this.changes.end({ ...change, mac: this.rows.mac(WALLET_CHANGE, change) });
  }

  private insert(change: Unsigned): Promise<void> {
    return this.changes.insert({ ...change, mac: this.rows.mac(WALLET_CHANGE, change) });
  }

  private isAuthentic(change: Change): boolean {
    return this.rows.isAuthentic(WALLET_CHANGE, change);
  }

  /** Null: the wallet is removed. @throws WalletIntegrityError, ExtendedKeyError, ScriptTypeError */
  private openKey(change: Unsigned): WalletSource | null {
    if (change.fingerprint === null) return null;
    return this.keys.readStored(change.family, this.keys.unsealPending(change));
  }

  private newChange(
    { applicationId, userId }: ChangeOwner,
    family: AddressFamily,
    key: WalletSource | null,
    active: ServingWallet | null,
    changedBy: ChangedBy,
  ): Unsigned {
    const requestedAt = this.clock.now();
    return {
      id: newId(requestedAt),
      applicationId,
      userId,
      family,
      sealedKey: null,
      maskedKey: key?.masked ?? null,
      fingerprint: key?.fingerprint ?? null,
      previousFingerprint: active?.fingerprint ?? null,
      changedBy,
      requestedAt,
      effectiveAt: new Date(requestedAt.getTime() + this.config.walletChangeDelaySeconds * 1_000),
      appliedAt: null,
      cancelledAt: null,
    };
  }
}

/** Why a change whose time has come is cancelled; everything else is tried again. */
const REASONS = [
  [KeyInUseError, 'the key is in use by another wallet'],
  [WalletIntegrityError, 'the wallets of the owner, or the key, are not as the gateway wrote them'],
  [ExtendedKeyError, 'the key is of another network'],
  [ScriptTypeError, 'the key is of another network'],
] as const;

/** As far as both can be seen; two keys that look alike are both of the merchant, and then nothing changes. */
function isOf({ maskedKey, fingerprint }: Unsigned, key: WalletSource): boolean {
  return (
    isSameTreasury(maskedKey, key.masked) || (fingerprint === key.fingerprint && maskedKey === key.masked)
  );
}
