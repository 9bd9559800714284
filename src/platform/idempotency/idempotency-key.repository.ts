import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { namedStatement } from '../database/named-statement.pure.js';
import { Sql } from '../database/sql.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';

/** What identifies a repeated request (specification/idempotency.md#idempotency-key). */
export type RequestIdentity = Pick<
  IdempotencyKeyEntity,
  'userId' | 'application' | 'method' | 'path' | 'key'
>;
type Reservation = RequestIdentity & Pick<IdempotencyKeyEntity, 'bodyHash' | 'createdAt' | 'expiresAt'>;
type Completion = RequestIdentity & Pick<IdempotencyKeyEntity, 'status' | 'sealedBody'>;

// Waits while another transaction holds the same key. Returns a row to the request that may act: the first one, or the
// first one after an earlier key has expired.
const RESERVE = namedStatement<Reservation>(`
  insert into idempotency_keys as k (user_id, application, method, path, key, body_hash, created_at, expires_at)
  values (:userId, :application, :method, :path, :key, :bodyHash, :createdAt, :expiresAt)
  on conflict (user_id, application, method, path, key) do update
    set body_hash = excluded.body_hash, status = null, sealed_body = null,
        created_at = excluded.created_at, expires_at = excluded.expires_at
    where k.expires_at <= excluded.created_at
  returning k.key`);
const COMPLETE = namedStatement<Completion>(`
  update idempotency_keys set status = :status, sealed_body = :sealedBody
  where user_id = :userId and application = :application and method = :method and path = :path and key = :key`);
const PURGE = `
  delete from idempotency_keys where ctid = any (array(
    select ctid from idempotency_keys where expires_at <= $1 limit $2 for update skip locked
  )) returning key`;

/** Idempotency keys (idempotency_keys). All but the purge run in the caller's unit of work. */
@Injectable()
export class IdempotencyKeyRepository {
  constructor(
    @InjectRepository(IdempotencyKeyEntity) private readonly rows: Repository<IdempotencyKeyEntity>,
    private readonly sql: Sql,
  ) {}

  /** False: an earlier request has used the key. */
  async reserve(reservation: Reservation): Promise<boolean> {
    const reserved = await this.sql.query(RESERVE.text, RESERVE.values(reservation));
    return reserved.length === 1;
  }

  /** Stores the response of a reserved key. */
  async complete(completion: Completion): Promise<void> {
    await this.sql.query(COMPLETE.text, COMPLETE.values(completion));
  }

  find({ userId, application, method, path, key }: RequestIdentity): Promise<IdempotencyKeyEntity | null> {
    return this.rows.findOneBy({ userId, application, method, path, key });
  }

  /** Deletes up to `limit` expired keys and returns how many. */
  async purge(now: Date, limit: number): Promise<number> {
    return (await this.sql.query(PURGE, [now, limit])).length;
  }
}
