import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { rowsOf } from '../../database/entity-sql.js';
import { namedStatement } from '../../database/named-statement.pure.js';
import { Sql } from '../../database/sql.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';

/** What identifies a repeated request (specification/idempotency.md#idempotency-key). */
export type RequestIdentity = Pick<
  IdempotencyKeyEntity,
  'userId' | 'application' | 'method' | 'path' | 'key'
>;
type Reservation = RequestIdentity & Pick<IdempotencyKeyEntity, 'bodyHash' | 'createdAt' | 'expiresAt'>;
type Completion = RequestIdentity & Pick<IdempotencyKeyEntity, 'status' | 'sealedBody'>;
/** A key together with the response of its request. */
export type FinishedKey = Reservation & Completion;

/** The lock of a key, held until its request is committed. */
const lockOf = (row: string) =>
  `hashtextextended(concat_ws('|', 'idempotency key', ${row}.user_id, ${row}.application, ${row}.method, ${row}.path, ${row}.key), 0)`;
/** A key that has expired is taken over. */
const TAKE_OVER = `
  on conflict (user_id, application, method, path, key) do update
    set body_hash = excluded.body_hash, status = excluded.status, sealed_body = excluded.sealed_body,
        created_at = excluded.created_at, expires_at = excluded.expires_at
    where k.expires_at <= excluded.created_at`;

// Waits while another transaction holds the same key. Returns a row to the request that may act: the first one, or the
// first one after an earlier key has expired.
const RESERVE = namedStatement<Reservation>(`
  with sent as (
    select :userId::text as user_id, :application::text as application, :method::text as method, :path::text as path,
      :key::text as key, :bodyHash::bytea as body_hash, :createdAt::timestamptz as created_at,
      :expiresAt::timestamptz as expires_at
  ), held as materialized (
    select sent.*, pg_advisory_xact_lock(${lockOf('sent')}) as lock from sent
  )
  insert into idempotency_keys as k (user_id, application, method, path, key, body_hash, created_at, expires_at)
  select user_id, application, method, path, key, body_hash, created_at, expires_at from held
  ${TAKE_OVER}
  returning k.key`);
const COMPLETE = namedStatement<Completion>(`
  update idempotency_keys set status = :status, sealed_body = :sealedBody
  where user_id = :userId and application = :application and method = :method and path = :path and key = :key`);
const PURGE = `
  delete from idempotency_keys where ctid = any (array(
    select ctid from idempotency_keys where expires_at <= $1 limit $2 for update skip locked
  )) returning key`;

const FINISHED = [
  'userId',
  'application',
  'method',
  'path',
  'key',
  'bodyHash',
  'status',
  'sealedBody',
  'createdAt',
  'expiresAt',
] as const;

/**
 * For the statement of a repository that writes the effects of several requests together with their keys: two common
 * table expressions. `written_keys (at)` has the number (1, 2 …) of each key that is written now. The others are in use;
 * the statement never waits for one, because it belongs to many requests.
 * @param after number of parameters of the statement that come before those of the keys
 * @param wanted an earlier expression, whose column `key_at` has the numbers of the keys to write
 */
export function writtenKeys({ after, wanted }: { after: number; wanted: string }): {
  text: string;
  parameters: number;
  values: (keys: readonly FinishedKey[]) => unknown[][];
} {
  const { from, select, columns, values } = rowsOf(IdempotencyKeyEntity, FINISHED, {
    after,
    as: 'sent',
    isNumbered: true,
    isPlannedOnce: true,
  });
  const text = `
    free_keys as materialized (
      select ${select}, at from ${from}
      where at in (select key_at from ${wanted}) and pg_try_advisory_xact_lock(${lockOf('sent')})
    ), inserted_keys as (
      insert into idempotency_keys as k (${columns}) select ${columns} from free_keys
      ${TAKE_OVER}
      returning user_id, application, method, path, key
    ), written_keys as (
      select at from free_keys natural join inserted_keys
    )`;
  return { text, parameters: FINISHED.length, values };
}

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
