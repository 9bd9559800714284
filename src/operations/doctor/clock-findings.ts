import { type Finding, Subject } from './finding.js';

/** Milliseconds. Webhook signatures are valid for 5 minutes, rate locks for QUOTE_TTL. */
const WARN_FROM = 2_000;
const FAIL_FROM = 30_000;

/** One reading of another clock: its time, and ours before and after. */
export interface ClockReading {
  /** Whose clock, e.g. `the database`. */
  of: string;
  theirs: Date;
  before: Date;
  after: Date;
  /** Milliseconds that the other rounds its time down to: 1,000 for a Date header. */
  resolution: number;
}

/** Minimum difference of our clock, in milliseconds; positive if ours is ahead. */
export function skewOf({ theirs, before, after, resolution }: ClockReading): number {
  const earliest = before.getTime() - (theirs.getTime() + resolution);
  const latest = after.getTime() - theirs.getTime();
  if (earliest > 0) return earliest;
  return latest < 0 ? latest : 0;
}

export function assessClock(reading: ClockReading): Finding {
  const about = new Subject('clock');
  const skew = skewOf(reading);
  const size = Math.abs(skew);
  if (size < WARN_FROM) return about.ok(`it agrees with ${reading.of}`);
  const found = `it is ${(size / 1_000).toFixed(1)} s ${skew > 0 ? 'ahead of' : 'behind'} ${reading.of}`;
  const fix = 'synchronize the clocks of both machines (systemd-timesyncd or chrony)';
  return size < FAIL_FROM ? about.warning(found, fix) : about.failure(found, fix);
}
