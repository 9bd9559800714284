import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../../platform/database/entity-sql.js';
import { namedStatement } from '../../platform/database/named-statement.pure.js';
import { Sql } from '../../platform/database/sql.js';
import type { Place } from '../../platform/web/http/keyset-cursor.pure.js';
import { RequestLogEntity } from './request-log.entity.js';

export interface RequestFilter {
  userId: string;
  /** The first digit of the status; null: any. As the others. */
  statusClass: number | null;
  method: string | null;
  applicationId: string | null;
  tokenId: string | null;
  path: string | null;
  requestId: string | null;
  since: Date | null;
}

/** With the label of its client token. */
export type ListedRequest = RequestLogEntity & { tokenLabel: string | null };

/** Whose a client token is. */
export interface TokenOwner {
  tokenHash: Buffer;
  tokenId: string;
  userId: string;
  applicationId: string;
}

const ROW = columnsOf(RequestLogEntity, 'r');
const INSERT = bulkInsert(
  RequestLogEntity,
  [
    'userId',
    'at',
    'requestId',
    'applicationId',
    'tokenId',
    'oauthClientId',
    'method',
    'route',
    'path',
    'status',
    'durationMs',
    'idempotencyKey',
    'address',
    'errorCode',
    'errorBody',
  ],
  'on conflict do nothing',
);
const OWNERS = `
  select token_hash as "tokenHash", id as "tokenId", user_id as "userId", application_id as "applicationId"
  from client_tokens where token_hash = any($1::bytea[])`;
// At most the rows that one account may have, of the primary key, whatever else is asked.
const LIST = namedStatement<RequestFilter & { afterAt: Date; afterId: string; limit: number }>(`
  select ${ROW.list}, t.label as "tokenLabel"
  from request_log r left join client_tokens t on t.id = r.token_id
  where r.user_id = :userId and (r.at, r.request_id) < (:afterAt::timestamptz, :afterId::uuid)
    and (:statusClass::integer is null or r.status / 100 = :statusClass)
    and (:method::text is null or r.method = :method)
    and (:applicationId::uuid is null or r.application_id = :applicationId)
    and (:tokenId::uuid is null or r.token_id = :tokenId)
    and (:path::text is null or position(lower(:path) in lower(r.path)) > 0)
    and (:requestId::uuid is null or r.request_id = :requestId)
    and (:since::timestamptz is null or r.at >= :since)
  order by r.at desc, r.request_id desc limit :limit`);
// The newest row that is one too many, or whose bytes are: about those of its texts, and 200 for the rest.
const FIND_TOO_MANY = `
  with counted as (
    select r.at, r.request_id as id, row_number() over newest as number,
      sum(length(r.path) + coalesce(length(r.error_body), 0) + 200) over newest as bytes
    from request_log r where r.user_id = $1 window newest as (order by r.at desc, r.request_id desc)
  )
  select at, id from counted where number > $2 or bytes > $3 order by at desc, id desc limit 1`;
const DELETE_UP_TO = 'delete from request_log where user_id = $1 and (at, request_id) <= ($2, $3)';
const DELETE_ALL = 'delete from request_log where user_id = $1';
const PURGE = `
  delete from request_log where ctid = any (array(
    select ctid from request_log where at < $1 order by at limit $2
  )) returning request_id`;

/** Requests of merchants' servers (request_log). */
@Injectable()
export class RequestLogRepository {
  constructor(private readonly sql: Sql) {}

  async insert(rows: readonly RequestLogEntity[]): Promise<void> {
    await this.sql.query(INSERT.text, INSERT.values(rows));
  }

  /** Of those hashes that are of a client token, also of one that has ended. */
  listOwners(tokenHashes: readonly Buffer[]): Promise<TokenOwner[]> {
    return this.sql.query(OWNERS, [tokenHashes]);
  }

  /** Newest first, after a place. */
  async list(filter: RequestFilter, after: Place, limit: number): Promise<ListedRequest[]> {
    const values = LIST.values({ ...filter, afterAt: after.at, afterId: after.id, limit });
    const rows = await this.sql.query<{ tokenLabel: string | null }>(LIST.text, values);
    return rows.map((row) => ({ ...ROW.toEntity(row), tokenLabel: row.tokenLabel }));
  }

  /** Deletes the oldest of an account beyond a number of rows, and of bytes. */
  async trim(userId: string, most: { rows: number; bytes: number }): Promise<void> {
    const [first] = await this.sql.query<Place>(FIND_TOO_MANY, [userId, most.rows, most.bytes]);
    if (first) await this.sql.query(DELETE_UP_TO, [userId, first.at, first.id]);
  }

  async deleteAll(userId: string): Promise<void> {
    await this.sql.query(DELETE_ALL, [userId]);
  }

  /** Deletes up to `limit` from before a time. True if there may be more. */
  async purge(before: Date, limit: number): Promise<boolean> {
    return (await this.sql.query(PURGE, [before, limit])).length === limit;
  }
}
