import type { ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { ServiceUnavailableError } from '../../platform/kernel/errors/errors.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { LoopName } from '../../platform/kernel/loop-name.pure.js';
import { PollingLoops } from '../../platform/database/polling-loop.js';
import type { ChangeContract } from './change.contract.js';
import { type ChangePlace, isContinuable, ReadingPlace } from './change-place.pure.js';
import { ChangeRepository, type ReadChange } from './change.repository.js';
import { ChangeStream, type ChangeStreamRequest, EVERYTHING } from './change-stream.js';
import { NetworkChanges } from './network-changes.service.js';
import { refusalAtOnce } from '../../platform/web/rate-limiting/rate-limit.pure.js';

/** More changes than this are not sent one by one: `everything` replaces them. */
export const MOST_CHANGES = 500;
/** Milliseconds without reading after that, so that pages do not get `everything` in every turn. */
const REST_MS = 5_000;
/** Seconds after which a refused client should try again. */
const RETRY_AFTER = 5;

/**
 * Tells open dashboards what changed (specification/overview.md#changes). One statement a turn reads the changes
 * of all users with an open page. A change may be sent twice, and is never missed: what a reading does not see yet
 * belongs to a later transaction than its place.
 */
@Injectable()
export class ChangeStreams implements BeforeApplicationShutdown {
  private readonly streams = new Set<ChangeStream>();
  /** Live streams have everything before it; null: nothing has been read yet. */
  private place: ChangePlace | null = null;
  /** The numbers of changes of later transactions that live streams have as well. */
  private sent = new Set<string>();
  /** After too many changes; null: reads in every turn. */
  private restsUntil: Date | null = null;
  private readonly reading = new ReadingPlace();
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly changes: ChangeRepository,
    private readonly networks: NetworkChanges,
    private readonly loops: PollingLoops,
  ) {}

  /** Number of open streams. */
  get size(): number {
    return this.streams.size;
  }

  /** @throws TooManyRequestsError, ServiceUnavailableError before anything is written */
  open(response: ServerResponse, request: ChangeStreamRequest): void {
    const { total, perUser } = this.config.eventStreams;
    if (this.isStopping || this.streams.size >= total)
      throw new ServiceUnavailableError('No stream is free', RETRY_AFTER);
    const own = [...this.streams].filter((stream) => stream.request.userId === request.userId);
    if (own.length >= perUser) throw refusalAtOnce('change-streams', perUser, RETRY_AFTER);
    // The client disconnected during authentication, so 'close' would never be emitted again.
    if (response.destroyed) return;
    const wake = () => this.loops.wake(LoopName.ChangeStreams);
    const stream = new ChangeStream(response, request, this.clock.now(), wake);
    this.streams.add(stream);
    response.on('close', () => this.streams.delete(stream));
    wake();
  }

  /** Reads what changed once, and tells it. There is never more to read at once. */
  async runOnce(): Promise<boolean> {
    const now = this.clock.now();
    for (const stream of this.streams) stream.tick(now);
    for (const stream of this.streams) await stream.checkToken(now);
    if (this.streams.size === 0) {
      this.place = null;
      this.networks.forget();
      return false;
    }
    await this.follow(now);
    // After the place has moved: what these streams get now reaches at least up to it.
    for (const stream of this.streams) await this.join(stream, now);
    await this.tellOfNetworks(now);
    return false;
  }

  async purge(): Promise<boolean> {
    await this.changes.purge();
    return false;
  }

  /** Clients reconnect with their cursor, to another instance or to this one after its restart. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const stream of this.streams) stream.end(this.clock.now());
  }

  private async follow(now: Date): Promise<void> {
    if (this.restsUntil && now < this.restsUntil) return;
    const live = this.live();
    // The first reading only finds the place.
    const users = this.place ? userIdsOf(live) : [];
    const read = await this.changes.since(users, this.place?.transaction ?? 0n, MOST_CHANGES + 1);
    const { changes, place } = read;
    const transaction = this.reading.advance(place.transaction, place.next, place.second);
    this.place = { transaction, second: place.second };
    const isTooMuch = changes.length > MOST_CHANGES;
    this.restsUntil = isTooMuch ? new Date(now.getTime() + REST_MS) : null;
    const fresh = changes.filter(({ seq }) => !this.sent.has(seq));
    for (const stream of live) {
      const own = fresh.filter(({ userId }) => userId === stream.request.userId);
      if (isTooMuch) stream.tell([EVERYTHING], this.place, now);
      else if (own.length > 0) stream.tell(present(own), this.place, now);
    }
    const kept = changes.filter(({ transactionId }) => BigInt(transactionId) >= transaction);
    this.sent = new Set(isTooMuch ? [] : kept.map(({ seq }) => seq));
  }

  private async join(stream: ChangeStream, now: Date): Promise<void> {
    if (stream.state === 'live' || stream.isFull) return;
    const { userId, after } = stream.request;
    const isResumed = stream.state === 'new' && after !== null;
    const { changes, place } = isResumed
      ? await this.changes.since([userId], after.transaction, MOST_CHANGES + 1)
      : await this.changes.recent(userId, MOST_CHANGES + 1);
    const isComplete =
      changes.length <= MOST_CHANGES &&
      stream.state === 'new' &&
      (after === null || isContinuable(after, { ...place, transaction: place.next }));
    stream.state = 'live';
    stream.tell(isComplete ? present(changes) : [EVERYTHING], place, now);
  }

  /** What no row says: blocks confirm transfers, and networks fail. */
  private async tellOfNetworks(now: Date): Promise<void> {
    const live = this.live();
    const changes = await this.networks.read(userIdsOf(live), now, MOST_CHANGES);
    for (const stream of live) {
      const own = changes.filter(({ userId }) => userId === null || userId === stream.request.userId);
      stream.tell(
        own.map(({ change }) => change),
        null,
        now,
      );
    }
  }

  private live(): ChangeStream[] {
    return [...this.streams].filter(({ state }) => state === 'live');
  }
}

function userIdsOf(streams: readonly ChangeStream[]): string[] {
  return [...new Set(streams.map(({ request }) => request.userId))];
}

/** The latest change of each object. */
function present(changes: readonly ReadChange[]): ChangeContract[] {
  const latest = new Map<string, ChangeContract>();
  for (const { type, objectId, applicationId, paymentId, version: fresh } of changes) {
    const key = `${type} ${objectId}`;
    const version = latest.get(key)?.version ?? null;
    if (version !== null && BigInt(version) > BigInt(fresh)) continue;
    latest.set(key, { type, id: objectId, applicationId, paymentId, version: fresh });
  }
  return [...latest.values()];
}
