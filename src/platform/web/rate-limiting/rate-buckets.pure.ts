import { createHash, randomBytes } from 'node:crypto';
import { costOf, type Policy, spend, type Standing, standingOf } from './rate-limit.pure.js';

/** Entries that one request removes at most: more than it can add, so that removal keeps up. */
const SWEEP = 2;
const SHARED_BUCKETS = 1_024;

/**
 * The buckets of one policy, by key, in this process's memory: at most `maxKeys`. Only a bucket that is full again is
 * removed, which changes nothing for its key; while there are `maxKeys`, new keys share {@link SHARED_BUCKETS} buckets.
 * So a client cannot get a new quota by inventing keys, and an existing bucket is never lost.
 */
export class RateBuckets {
  /** Microseconds at which a bucket is full again; the least recently used first. */
  private readonly restoredAt = new Map<string, number>();
  private readonly shared = new Float64Array(SHARED_BUCKETS);
  /** Keyed with a random secret, so that a client cannot choose keys that collide with another client's bucket. */
  private readonly salt = randomBytes(16);

  constructor(
    readonly policy: Policy,
    private readonly maxKeys: number,
  ) {}

  /** Buckets in memory, for tests. */
  get size(): number {
    return this.restoredAt.size;
  }

  /** Takes one request out of a key's bucket. @param nowMs milliseconds of Unix time */
  take(key: string, nowMs: number): Standing {
    const now = nowMs * 1_000;
    this.sweep(now);
    const known = this.restoredAt.get(key);
    if (known === undefined && this.restoredAt.size >= this.maxKeys) return this.takeShared(key, now);
    const { restoredAt, standing } = spend(this.policy, known ?? 0, now);
    // Moves it to the end: the head of the map stays the least recently used one.
    this.restoredAt.delete(key);
    this.restoredAt.set(key, restoredAt);
    return standing;
  }

  /** The state of a key's bucket, without taking anything: refused if it is empty. */
  peek(key: string, nowMs: number): Standing {
    const now = nowMs * 1_000;
    const known = this.restoredAt.get(key);
    const isShared = known === undefined && this.restoredAt.size >= this.maxKeys;
    return standingOf(this.policy, isShared ? (this.shared[this.sharedIndex(key)] ?? 0) : (known ?? 0), now);
  }

  /** Refunds one {@link take}, for a request that turned out to belong to another policy. */
  giveBack(key: string): void {
    const known = this.restoredAt.get(key);
    if (known !== undefined) this.restoredAt.set(key, known - costOf(this.policy));
  }

  private takeShared(key: string, now: number): Standing {
    const index = this.sharedIndex(key);
    const { restoredAt, standing } = spend(this.policy, this.shared[index] ?? 0, now);
    this.shared[index] = restoredAt;
    return standing;
  }

  private sharedIndex(key: string): number {
    return createHash('sha256').update(this.salt).update(key).digest().readUInt16BE(0) % SHARED_BUCKETS;
  }

  private sweep(now: number): void {
    let left = SWEEP;
    for (const [key, restoredAt] of this.restoredAt) {
      if (left-- === 0 || restoredAt > now) return;
      this.restoredAt.delete(key);
    }
  }
}
