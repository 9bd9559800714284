import type { ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/runtime/clock.pure.js';
import { ServiceUnavailableError, TooManyRequestsError } from '../platform/errors/errors.pure.js';
import { PollingLoops } from '../platform/runtime/polling-loop.js';
import { LoopName } from '../platform/runtime/loop-name.pure.js';
import { CONFIG, type Config } from '../config.js';
import { EventFeed } from './event-feed.service.js';
import { EventStream, type StreamWish } from './event-stream.js';

/** Events read at once: of the whole feed for all live streams together, and of one stream that catches up. */
const LIVE_BATCH = 500;
const PAGE = 32;
/** Seconds until a refused client should ask again. */
const RETRY_AFTER = 5;

/**
 * Follows the feed once a process, for all open streams together. A stream that is behind (it has just begun, or its
 * reader was slow) reads pages of its own until nothing is left; from then on it is live and gets its share of what is
 * new. Nothing is kept for anybody: what a full reader misses is in the database.
 */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly streams = new Set<EventStream>();
  /** Live streams have everything up to here; null: nobody has looked yet. */
  private tail: bigint | null = null;
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly feed: EventFeed,
    private readonly loops: PollingLoops,
  ) {}

  /** How many are open. */
  get size(): number {
    return this.streams.size;
  }

  /** @throws TooManyRequestsError, ServiceUnavailableError before anything is written */
  open(response: ServerResponse, wish: StreamWish): void {
    const { total, perUser } = this.config.eventStreams;
    if (this.isStopping || this.streams.size >= total)
      throw new ServiceUnavailableError('No event stream is free', RETRY_AFTER);
    const { userId } = wish.principal;
    const own = [...this.streams].filter((stream) => stream.wish.principal.userId === userId);
    if (own.length >= perUser) throw new TooManyRequestsError(RETRY_AFTER);
    // Gone while it was looked at: nobody would ever hear of its end again.
    if (response.destroyed) return;
    const wake = () => this.loops.wake(LoopName.EventStreams);
    const stream = new EventStream(response, wish, this.clock.now(), wake);
    this.streams.add(stream);
    response.on('close', () => this.streams.delete(stream));
    wake();
  }

  /** One look at the feed. True when more is waiting to be written. */
  async runOnce(): Promise<boolean> {
    const now = this.clock.now();
    for (const stream of this.streams) stream.tick(now);
    for (const stream of this.streams) await stream.checkToken(now);
    if (this.streams.size === 0) return false;
    const isMoreNew = await this.follow(now);
    // After the tail has moved: what is read now holds everything up to it, so that no event falls in between.
    const isMoreOld = await this.catchUp(now);
    return isMoreNew || isMoreOld;
  }

  /** Everybody comes back, to another instance or to this one's successor, with a cursor. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const stream of this.streams) stream.end(this.clock.now());
  }

  private async follow(now: Date): Promise<boolean> {
    const live = [...this.streams].filter(({ isLive }) => isLive);
    const head = await this.feed.head();
    // The database has gone back beneath them: their readers come back, and are told whether their cursor still holds.
    for (const stream of live) if (stream.position > head) stream.end(now);
    const { tail } = this;
    if (tail === null || tail >= head || live.length === 0) {
      this.tail = head;
      return false;
    }
    const userIds = [...new Set(live.map(({ wish }) => wish.principal.userId))];
    const events = await this.feed.readSpan(userIds, tail, head, LIVE_BATCH);
    for (const event of events)
      for (const stream of live)
        if (stream.isLive && event.position > stream.position && stream.hears(event)) stream.send(event, now);
    const isMore = events.length === LIVE_BATCH;
    this.tail = (isMore ? events.at(-1)?.position : null) ?? head;
    return isMore;
  }

  private async catchUp(now: Date): Promise<boolean> {
    let isMore = false;
    for (const stream of this.streams) {
      if (stream.isLive || stream.isFull) continue;
      const events = await this.feed.read(stream.wish.principal, stream.position, PAGE);
      if (!events) {
        stream.end(now);
        continue;
      }
      const isAllTaken = events.every((event) => stream.send(event, now));
      stream.isLive = isAllTaken && events.length < PAGE;
      if (isAllTaken && !stream.isLive) isMore = true;
    }
    return isMore;
  }
}
