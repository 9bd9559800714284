import { Inject, Injectable, Logger } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import { CONFIG, type Config } from '../config.js';
import { AuditLog } from '../platform/audit/audit-log.service.js';
import { isTransient, Sql } from '../platform/database/sql.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { newId } from '../platform/runtime/ids.pure.js';
import type { ExtendedPublicKey } from './extended-public-key.pure.js';
import { SealedWalletChanges } from './sealed-wallet-changes.service.js';
import { KeyInUseError, WalletActivation } from './wallet-activation.service.js';
import type { ChangedBy, WalletChangeEntity } from './wallet-change.entity.js';
import { type ChangeOwner, WalletChangeRepository } from './wallet-change.repository.js';
import { WalletRepository } from './wallet.repository.js';

/** Changes that one run activates, each in a transaction of its own. */
const BATCH = 100;

/**
 * Changes of wallets: at once, or after WALLET_CHANGE_DELAY, during which they can be cancelled
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
    private readonly wallets: WalletRepository,
    private readonly activation: WalletActivation,
    private readonly sealed: SealedWalletChanges,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Sets or replaces the key. The active key again ends a pending change.
   * @throws KeyInUseError
   */
  async set(owner: ChangeOwner, family: AddressFamily, key: ExtendedPublicKey, by: ChangedBy): Promise<void> {
    await this.sql.transaction(async () => {
      await this.changes.lock(owner, family);
      const pending = await this.changes.findPending(owner, family);
      if (pending && isOf(pending, key)) return;
      const active = await this.wallets.findActive(owner, family);
      const isUnchanged = active !== null && isOf(active, key);
      if (pending) await this.end(pending);
      if (isUnchanged) return;
      const delay = (await this.wallets.hasHad(owner, family)) ? this.config.walletChangeDelaySeconds : 0;
      if (delay > 0) return this.postpone(owner, family, key, by, delay);
      const change = this.newChange(owner, family, key, by, 0);
      await this.changes.insert({ ...change, ...this.inEffect(active) });
      await this.activation.activate(owner, family, key);
    });
  }

  /** Takes effect at once: new addresses then come from a wallet that was set before. A pending change ends. */
  async remove(owner: ChangeOwner, family: AddressFamily, by: ChangedBy): Promise<void> {
    await this.sql.transaction(async () => {
      await this.changes.lock(owner, family);
      const pending = await this.changes.findPending(owner, family);
      if (pending) await this.end(pending);
      const active = await this.wallets.findActive(owner, family);
      if (!active) return;
      const change = this.newChange(owner, family, null, by, 0);
      await this.changes.insert({ ...change, ...this.inEffect(active) });
      await this.activation.retire(owner, family);
    });
  }

  /** Ends the pending change; without one nothing happens. */
  async cancel(owner: ChangeOwner, family: AddressFamily): Promise<void> {
    await this.sql.transaction(async () => {
      await this.changes.lock(owner, family);
      const pending = await this.changes.findPending(owner, family);
      if (pending) await this.end(pending);
    });
  }

  /** Activates pending changes whose time has come. True if more may be due. */
  async runOnce(): Promise<boolean> {
    const due = await this.changes.listDue(this.clock.now(), BATCH);
    for (const change of due) await this.activateDue(change);
    return due.length === BATCH;
  }

  /** One that fails is tried again by the next run and does not hold up the others. */
  private async activateDue({ id, userId, applicationId, family }: WalletChangeEntity): Promise<void> {
    try {
      await this.sql.transaction(async () => {
        await this.changes.lock({ userId, applicationId }, family);
        const change = await this.changes.findPendingById(id);
        if (change) await this.activate(change);
      });
    } catch (error) {
      if (!(error instanceof Error) || isTransient(error)) throw error;
      this.logger.error({ changeId: id, applicationId, family, error: error.message }, 'wallet not changed');
    }
  }

  private async activate(change: WalletChangeEntity): Promise<void> {
    const { id, applicationId, userId, family } = change;
    const owner = { applicationId, userId };
    const key = this.sealed.open(change);
    const active = await this.wallets.findActive(owner, family);
    try {
      if (!key) throw new KeyInUseError();
      await this.sql.transaction(async () => {
        await this.changes.activate(id, this.clock.now(), active?.fingerprint ?? null);
        await this.activation.activate(owner, family, key);
      });
    } catch (error) {
      if (!(error instanceof KeyInUseError)) throw error;
      this.logger.error({ changeId: id, userId, applicationId, family }, 'wallet change cancelled');
      await this.end(change);
    }
  }

  private async postpone(
    owner: ChangeOwner,
    family: AddressFamily,
    key: ExtendedPublicKey,
    by: ChangedBy,
    delaySeconds: number,
  ): Promise<void> {
    const known = await this.wallets.lockByKeyHash(key.keyHash);
    const isOfOwner = known?.applicationId === owner.applicationId && known.userId === owner.userId;
    if (known && (!isOfOwner || known.family !== family)) throw new KeyInUseError();
    const change = this.newChange(owner, family, key, by, delaySeconds);
    await this.changes.insert({ ...change, sealedChange: this.sealed.seal(change, key) });
    const { id, fingerprint, activatesAt, applicationId } = change;
    const details = { family, fingerprint, applicationId, activatesAt: activatesAt.toISOString() };
    const target = { kind: 'wallet_change', id };
    await this.audit.record({ act: 'wallet.change_requested', userId: owner.userId, target, details });
  }

  private async end({ id, userId, applicationId, family, fingerprint }: WalletChangeEntity): Promise<void> {
    await this.changes.cancel(id, this.clock.now());
    const target = { kind: 'wallet_change', id };
    const details = { family, fingerprint, applicationId };
    await this.audit.record({ act: 'wallet.change_cancelled', userId, target, details });
  }

  private inEffect(active: { fingerprint: string } | null) {
    return { activatedAt: this.clock.now(), previousFingerprint: active?.fingerprint ?? null };
  }

  private newChange(
    owner: ChangeOwner,
    family: AddressFamily,
    key: ExtendedPublicKey | null,
    changedBy: ChangedBy,
    delaySeconds: number,
  ): WalletChangeEntity {
    const requestedAt = this.clock.now();
    return {
      id: newId(requestedAt),
      applicationId: owner.applicationId,
      userId: owner.userId,
      family,
      sealedChange: null,
      maskedKey: key?.masked ?? null,
      fingerprint: key?.fingerprint ?? null,
      previousFingerprint: null,
      changedBy,
      requestedAt,
      activatesAt: new Date(requestedAt.getTime() + delaySeconds * 1_000),
      activatedAt: null,
      cancelledAt: null,
    };
  }
}

/** As far as both can be seen; two keys that look alike are both of the merchant, and then nothing changes. */
function isOf(shown: { maskedKey: string | null; fingerprint: string | null }, key: ExtendedPublicKey): boolean {
  return shown.fingerprint === key.fingerprint && shown.maskedKey === key.masked;
}
