import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { type AnnouncedEvent, Outbox } from '../../payments/outbox.service.js';
import { columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { EventFeedEntity } from './event-feed.entity.js';

/** An event as the feed stores it. */
export interface FeedEvent {
  position: bigint;
  type: string;
  /** The text whose UTF-8 bytes webhooks carry. */
  body: string;
  /** False: the gateway did not write it so, and it is not shown; it keeps its place. */
  isAuthentic: boolean;
}

// What could be read here stays (specification/events.md#feed): events that a reorg superseded before they were dispatched
// never could, and are left out. They get no position; those of older releases have one, hence the times. The head comes
// from the same snapshot as the page, so a cursor that was returned earlier is never beyond it. Without events there is
// one row with the head alone.
const WAS_PUBLISHED = '(superseded_at is null or superseded_at >= dispatched_at)';
const STORED = `position, type, body, id, payment_id as "paymentId", user_id as "userId", application_id as "applicationId", seq,
    created_at as "createdAt", test_payment_id as "testPaymentId", mac`;
const OF_USER = `
  select feed.last_position as head, e.*
  from event_feed feed left join lateral (
    select ${STORED} from payment_events
    where user_id = $1 and position > $2 and ${WAS_PUBLISHED}
    order by position limit $3) e on true
  order by e.position`;
const OF_APPLICATION = `
  select feed.last_position as head, e.*
  from event_feed feed left join lateral (
    select ${STORED} from payment_events
    where application_id = $1 and position > $2 and ${WAS_PUBLISHED}
    order by position limit $3) e on true
  order by e.position`;

const LAST = columnsOf(EventFeedEntity, 'f', ['lastPosition']);
const HEAD = `select ${LAST.list} from event_feed f`;
/**
 * In a restored database, makes the feed skip the lost positions (trigger event_feed_skip_lost_places), as the next
 * dispatch would. Otherwise it matches no row, so it takes no lock.
 */
const SKIP_LOST = `
  update event_feed set last_position = last_position
  where lineage is distinct from database_lineage('event_feed'::regclass)`;
const FORGET_LINEAGE = 'update event_feed set lineage = null';
/** $1 users, $2 after, $3 up to, $4 limit. */
const SPAN = `
  select ${STORED} from payment_events
  where user_id = any($1) and position > $2 and position <= $3 and ${WAS_PUBLISHED}
  order by position limit $4`;

/**
 * The events of webhooks for clients that poll (specification/events.md#feed), in the order of dispatch, which for each
 * payment is the order of its transitions. A reader that continues from its last position misses nothing and reads
 * nothing twice.
 */
@Injectable()
export class EventFeedRepository {
  constructor(
    private readonly sql: Sql,
    private readonly outbox: Outbox,
  ) {}

  /**
   * The next events of a user, or of a client token's application. Null: `after` is beyond every position that this
   * database has assigned, so the cursor belongs to a history that a restore has lost.
   */
  async read(principal: Principal, after: bigint, limit: number): Promise<FeedEvent[] | null> {
    const page = await this.page(principal, after, limit);
    if (page) return page;
    await this.sql.query(SKIP_LOST);
    return this.page(principal, after, limit);
  }

  /** Whether {@link read} can continue from there. */
  async reaches(after: bigint): Promise<boolean> {
    if (after <= (await this.head())) return true;
    await this.sql.query(SKIP_LOST);
    return after <= (await this.head());
  }

  /** After a restore that the database cannot detect: makes the next dispatch skip the lost positions. */
  async skipLost(): Promise<void> {
    await this.sql.query(FORGET_LINEAGE);
  }

  /** The position of the newest event; all events up to it are visible. */
  async head(): Promise<bigint> {
    const [row] = await this.sql.query<object>(HEAD);
    return row ? LAST.toEntity(row).lastPosition : 0n;
  }

  /** The events of several users with `after` < position <= `upTo`. */
  async readSpan(
    userIds: readonly string[],
    after: bigint,
    upTo: bigint,
    limit: number,
  ): Promise<(FeedEvent & { userId: string; applicationId: string })[]> {
    const rows = await this.sql.query<StoredEvent>(SPAN, [userIds, after, upTo, limit]);
    return rows.map((row) => ({
      ...this.eventOf(row),
      userId: row.userId,
      applicationId: row.applicationId,
    }));
  }

  private async page(principal: Principal, after: bigint, limit: number): Promise<FeedEvent[] | null> {
    const [statement, owner] =
      principal.kind === 'client' ? [OF_APPLICATION, principal.applicationId] : [OF_USER, principal.userId];
    const rows = await this.sql.query<PageRow>(statement, [owner, after, limit]);
    if (rows.some(({ head }) => after > BigInt(head))) return null;
    return rows.flatMap((row) => (row.position === null ? [] : [this.eventOf(row)]));
  }

  private eventOf(row: StoredEvent): FeedEvent {
    const { position, type, body } = row;
    const isAuthentic = this.outbox.authenticate(row) !== null;
    return { position: BigInt(position), type, body, isAuthentic };
  }
}

/** An event with all that its MAC covers. */
type StoredEvent = AnnouncedEvent & { position: string };

/** Without an event only the head is set. */
type PageRow = { head: string } & (StoredEvent | { position: null });
