import { Injectable } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import { AuditLog } from '../platform/audit/audit-log.service.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { newId } from '../platform/runtime/ids.pure.js';
import { type Queryable, Sql, sqlState } from '../platform/database/sql.js';
import type { ExtendedPublicKey } from './extended-public-key.pure.js';
import { WalletKeys } from './wallet-keys.service.js';

/** Whose addresses a key makes: an application's, a user's without one (their default), or null, the operator's. */
export type WalletOwner = { applicationId: string | null; userId: string } | null;

/** The key already serves another wallet; two counters on one key would hand out the same address twice. */
export class KeyInUseError extends Error {}

interface KnownWallet {
  id: string;
  applicationId: string | null;
  userId: string | null;
  family: string;
  isActive: boolean;
}

const UNIQUE_VIOLATION = '23505';
const MAX_ATTEMPTS = 3;

/** Makes a key the one active wallet of its owner and family; the only writer of wallet rows but the counter. */
@Injectable()
export class WalletActivation {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly keys: WalletKeys,
    private readonly audit: AuditLog,
  ) {}

  /**
   * The same key again changes nothing; a key that was replaced before goes on where its counter stands.
   * @returns the wallet's id
   * @throws KeyInUseError
   */
  async activate(owner: WalletOwner, family: AddressFamily, key: ExtendedPublicKey): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.sql.transaction((tx) => this.activateOnce(tx, owner, family, key));
      } catch (error) {
        // Somebody else wrote the same key meanwhile: look again, and find it in use.
        if (attempt >= MAX_ATTEMPTS || sqlState(error) !== UNIQUE_VIOLATION) throw error;
      }
    }
  }

  private async activateOnce(
    tx: Queryable,
    owner: WalletOwner,
    family: AddressFamily,
    key: ExtendedPublicKey,
  ): Promise<string> {
    const { applicationId, userId } = owner ?? { applicationId: null, userId: null };
    // One change of an owner's wallet at a time; the unique indexes alone would make parallel ones fail in turns.
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('wallet|' || $1 || '|' || $2, 0))`, [
      family,
      applicationId ?? userId ?? 'operator',
    ]);
    const [known] = await tx.query<KnownWallet>(
      `select id, application_id as "applicationId", user_id as "userId", family, retired_at is null as "isActive"
       from wallets where key_hash = $1 for update`,
      [key.keyHash],
    );
    const isOfOwner = known?.applicationId === applicationId && known.userId === userId;
    if (known && (!isOfOwner || known.family !== family)) throw new KeyInUseError();
    if (known?.isActive) return known.id;
    const now = this.clock.now();
    await tx.query(
      `update wallets set retired_at = $4
       where application_id is not distinct from $1 and user_id is not distinct from $2
         and family = $3 and retired_at is null`,
      [applicationId, userId, family, now],
    );
    const id = known?.id ?? newId(now);
    if (known) await tx.query('update wallets set retired_at = null where id = $1', [id]);
    else await this.insert(tx, id, owner, family, key, now);
    // The fingerprint is that of the public key, which wallet programs show.
    const details = { family, fingerprint: key.fingerprint, applicationId };
    await this.audit.record(tx, { act: 'wallet.activated', userId, target: { kind: 'wallet', id }, details });
    return id;
  }

  private async insert(
    tx: Queryable,
    id: string,
    owner: WalletOwner,
    family: AddressFamily,
    key: ExtendedPublicKey,
    now: Date,
  ): Promise<void> {
    await tx.query(
      `insert into wallets (id, application_id, user_id, family, script_type, sealed_extended_public_key,
         masked_key, fingerprint, key_hash, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        id,
        owner?.applicationId ?? null,
        owner?.userId ?? null,
        family,
        key.scriptType,
        this.keys.seal(id, key.text),
        key.masked,
        key.fingerprint,
        key.keyHash,
        now,
      ],
    );
  }
}
