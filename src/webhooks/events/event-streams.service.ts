import type { ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { ServiceUnavailableError } from '../../platform/kernel/errors/errors.pure.js';
import { PollingLoops } from '../../platform/database/polling-loop.js';
import { LoopName } from '../../platform/kernel/loop-name.pure.js';
import { CONFIG, type Config } from '../../config.js';
import { EventFeedRepository } from './event-feed.repository.js';
import { EventStream, type StreamRequest } from './event-stream.js';
import { refusalAtOnce } from '../../platform/web/rate-limiting/rate-limit.pure.js';

/** Events per read: from the whole feed for all live streams together, and for one stream that catches up. */
const LIVE_BATCH = 500;
const PAGE = 32;
/** Seconds after which a refused client should try again. */
const RETRY_AFTER = 5;

/**
 * Tails the feed once per process for all open streams. A stream that is behind (just opened, or its client was slow)
 * reads pages of its own until it has caught up; from then on it is live and gets its part of the new events. Events
 * are not buffered: a client that falls behind is served from the database later.
 */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly streams = new Set<EventStream>();
  /** Live streams have everything up to this position; null: the feed has not been read yet. */
  private tail: bigint | null = null;
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly feed: EventFeedRepository,
    private readonly loops: PollingLoops,
  ) {}

  /** Number of open streams. */
  get size(): number {
    return this.streams.size;
  }

  /** @throws TooManyRequestsError, ServiceUnavailableError before anything is written */
  open(response: ServerResponse, request: StreamRequest): void {
    const { total, perUser } = this.config.eventStreams;
    if (this.isStopping || this.streams.size >= total)
      throw new ServiceUnavailableError('No event stream is free', RETRY_AFTER);
    const { userId } = request.principal;
    const own = [...this.streams].filter((stream) => stream.request.principal.userId === userId);
    if (own.length >= perUser) throw refusalAtOnce('event-streams', perUser, RETRY_AFTER);
    // The client disconnected during authentication, so 'close' would never be emitted again.
    if (response.destroyed) return;
    const wake = () => this.loops.wake(LoopName.EventStreams);
    const stream = new EventStream(response, request, this.clock.now(), wake);
    this.streams.add(stream);
    response.on('close', () => this.streams.delete(stream));
    wake();
  }

  /** Reads the feed once. True if there are more events to write. */
  async runOnce(): Promise<boolean> {
    const now = this.clock.now();
    for (const stream of this.streams) stream.tick(now);
    for (const stream of this.streams) await stream.checkToken(now);
    if (this.streams.size === 0) return false;
    const isMoreNew = await this.follow(now);
    // After the tail has moved: pages read now reach at least up to it, so that no event is missed in between.
    const isMoreOld = await this.catchUp(now);
    return isMoreNew || isMoreOld;
  }

  /** Clients reconnect with their cursor, to another instance or to this one after its restart. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const stream of this.streams) stream.end(this.clock.now());
  }

  private async follow(now: Date): Promise<boolean> {
    const live = [...this.streams].filter(({ isLive }) => isLive);
    const head = await this.feed.head();
    // The database was restored to an older state: clients reconnect and learn whether their cursor is still valid.
    for (const stream of live) if (stream.position > head) stream.end(now);
    const { tail } = this;
    if (tail === null || tail >= head || live.length === 0) {
      this.tail = head;
      return false;
    }
    const userIds = [...new Set(live.map(({ request }) => request.principal.userId))];
    const events = await this.feed.readSpan(userIds, tail, head, LIVE_BATCH);
    for (const event of events)
      for (const stream of live)
        if (stream.isLive && event.position > stream.position && stream.receives(event))
          stream.send(event, now);
    const isMore = events.length === LIVE_BATCH;
    this.tail = (isMore ? events.at(-1)?.position : null) ?? head;
    return isMore;
  }

  private async catchUp(now: Date): Promise<boolean> {
    let isMore = false;
    for (const stream of this.streams) {
      if (stream.isLive || stream.isFull) continue;
      const events = await this.feed.read(stream.request.principal, stream.position, PAGE);
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
