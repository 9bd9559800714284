import { randomFillSync } from 'node:crypto';
import { sha256 } from './hmac.pure.js';

/** Canonical, lower-case form of a UUID; anything else is "not found" (specification/conventions.md#identifiers). */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function format(bytes: Buffer, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Random bytes fetched at once: fetching a few at a time costs more than the rest of an id. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

function randomFew(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}

/** Milliseconds; if the clock is set back by more, ids go back with it. */
const MAX_LEAD = 60_000;

let lastMs = 0;
let counter = 0;

/**
 * UUIDv7 (RFC 9562): time-ordered, so that new rows land together in the index. Ids of one process are
 * strictly ascending, also within a millisecond and while a clock is set back a little: "newest first" holds for them.
 * Within a millisecond the counter begins anywhere in its lower half and grows by 1 to 16 (section 6.2, methods 1 and 2):
 * one that counted would tell in each id how many others the process made for other merchants.
 */
export function newId(now: Date): string {
  const ms = now.getTime();
  const random = randomFew(2).readUInt16BE();
  const begin = random & 0x7ff;
  if (ms > lastMs || ms < lastMs - MAX_LEAD) [lastMs, counter] = [ms, begin];
  else if ((counter += 1 + (random >> 12)) > 0xfff) [lastMs, counter] = [lastMs + 1, begin];
  const bytes = Buffer.concat([Buffer.alloc(8), randomFew(8)]);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(counter, 6);
  return format(bytes, 7);
}

/** The smallest UUIDv7 of a time: older ids of {@link newId} are below it. */
export function firstIdOf(time: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(time.getTime(), 0, 6);
  return format(bytes, 7);
}

/** UUIDv8 (RFC 9562) derived from a name: the same name always gives the same id. */
export function deterministicId(name: string): string {
  return format(sha256(name).subarray(0, 16), 8);
}
