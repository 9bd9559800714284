import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/auth.js';
import { Sql } from '../common/sql.js';

/** An event as the feed keeps it. */
export interface FeedEvent {
  position: bigint;
  type: string;
  /** The text whose UTF-8 bytes webhooks carry. */
  body: string;
}

// What a reorg took back before anybody was told is left out; its place stays empty.
const OF_USER = `
  select position, type, body from payment_events
  where user_id = $1 and position > $2 and superseded_at is null
  order by position limit $3`;
const OF_APPLICATION = `
  select position, type, body from payment_events
  where application_id = $1 and position > $2 and superseded_at is null
  order by position limit $3`;

const HEAD = 'select last_position from event_feed';
/** $1 users, $2 after, $3 up to, $4 limit. */
const SPAN = `
  select position, type, body, user_id as "userId", application_id as "applicationId" from payment_events
  where user_id = any($1) and position > $2 and position <= $3 and superseded_at is null
  order by position limit $4`;

/**
 * The events that webhooks push, for those who would rather ask (api.md M). In the order of dispatch, which is the
 * order of each payment's moves; a reader that goes on from its last place misses nothing and sees nothing twice.
 */
@Injectable()
export class EventFeed {
  constructor(private readonly sql: Sql) {}

  /** The next events of a user, or of a client token's own application. */
  async read(principal: Principal, after: bigint, limit: number): Promise<FeedEvent[]> {
    const [statement, owner] =
      principal.kind === 'client' ? [OF_APPLICATION, principal.applicationId] : [OF_USER, principal.userId];
    const rows = await this.sql.query<{ position: string; type: string; body: string }>(statement, [
      owner,
      after,
      limit,
    ]);
    return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
  }

  /** The place of the newest event of all; those before it can be read, too. */
  async head(): Promise<bigint> {
    const [row] = await this.sql.query<{ last_position: string }>(HEAD);
    return BigInt(row?.last_position ?? 0);
  }

  /** The events of several users between two places. */
  async readSpan(
    userIds: readonly string[],
    after: bigint,
    upTo: bigint,
    limit: number,
  ): Promise<(FeedEvent & { userId: string; applicationId: string })[]> {
    const rows = await this.sql.query<SpanRow>(SPAN, [userIds, after, upTo, limit]);
    return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
  }
}

interface SpanRow {
  position: string;
  type: string;
  body: string;
  userId: string;
  applicationId: string;
}
