import { Injectable } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import { AuditLog } from '../platform/audit/audit-log.service.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { newId } from '../platform/runtime/ids.pure.js';
import { Sql, sqlState } from '../platform/database/sql.js';
import type { ExtendedPublicKey } from './extended-public-key.pure.js';
import { WalletKeys } from './wallet-keys.service.js';
import { type WalletOwner, WalletRepository } from './wallet.repository.js';

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
    private readonly clock: Clock,
    private readonly keys: WalletKeys,
    private readonly audit: AuditLog,
  ) {}

  /**
   * The active key again changes nothing; a key that was replaced before continues with its own counter.
   * @returns the wallet's id
   * @throws KeyInUseError
   */
  async activate(owner: WalletOwner, family: AddressFamily, key: ExtendedPublicKey): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.sql.transaction(() => this.activateOnce(owner, family, key));
      } catch (error) {
        // The same key was inserted at the same time: the next attempt finds it in use.
        if (attempt >= MAX_ATTEMPTS || sqlState(error) !== UNIQUE_VIOLATION) throw error;
      }
    }
  }

  /** Takes the active wallet out of use; without one nothing changes. */
  async retire(owner: WalletOwner, family: AddressFamily): Promise<void> {
    const { applicationId, userId } = owner;
    await this.sql.transaction(async () => {
      const id = await this.wallets.retire(owner, family, this.clock.now());
      if (id === null) return;
      const target = { kind: 'wallet', id };
      await this.audit.record({ act: 'wallet.removed', userId, target, details: { family, applicationId } });
    });
  }

  private async activateOnce(
    owner: WalletOwner,
    family: AddressFamily,
    key: ExtendedPublicKey,
  ): Promise<string> {
    const { applicationId, userId } = owner;
    // With the unique indexes alone, parallel changes of one owner's wallet would fail.
    await this.wallets.lockOwner(owner, family);
    const known = await this.wallets.lockByKeyHash(key.keyHash);
    const isOfOwner = known?.applicationId === applicationId && known.userId === userId;
    if (known && (!isOfOwner || known.family !== family)) throw new KeyInUseError();
    if (known?.retiredAt === null) return known.id;
    const now = this.clock.now();
    await this.wallets.retire(owner, family, now);
    const id = known?.id ?? newId(now);
    if (known) await this.wallets.reactivate(id);
    else await this.insert(id, owner, family, key, now);
    // The fingerprint is that of the public key, which wallet programs show.
    const details = { family, fingerprint: key.fingerprint, applicationId };
    await this.audit.record({ act: 'wallet.activated', userId, target: { kind: 'wallet', id }, details });
    return id;
  }

  private insert(
    id: string,
    { applicationId, userId }: WalletOwner,
    family: AddressFamily,
    { text, scriptType, masked: maskedKey, fingerprint, keyHash }: ExtendedPublicKey,
    createdAt: Date,
  ): Promise<void> {
    const sealedKey = this.keys.seal(id, text);
    const owner = { applicationId, userId };
    return this.wallets.insert({
      id,
      ...owner,
      family,
      scriptType,
      sealedKey,
      maskedKey,
      fingerprint,
      keyHash,
      createdAt,
    });
  }
}
