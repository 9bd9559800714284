import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/runtime/clock.pure.js';
import { TooManyRequestsError } from '../../platform/errors/errors.pure.js';
import { Sql } from '../../platform/database/sql.js';

/** The secrets that can be guessed; one bucket per kind and user. */
export type AttemptKind = 'current-password' | 'second-factor' | 'second-factor-confirmation';

interface Bucket {
  /** Guesses in a row. */
  size: number;
  /** Time after which one more is allowed, ms. */
  refillMs: number;
}

const MINUTE_MS = 60_000;

/**
 * A code has 10^6 values of which three are good at a time: 149 guesses on the first day leave a guesser who
 * knows the password 1 in 2,200 a day.
 */
const BUCKETS: Record<AttemptKind, Bucket> = {
  'current-password': { size: 10, refillMs: MINUTE_MS },
  'second-factor': { size: 5, refillMs: 10 * MINUTE_MS },
  // A bucket of its own: it takes no password to empty it, and signing in must not depend on it.
  'second-factor-confirmation': { size: 10, refillMs: MINUTE_MS },
};

/**
 * Takes a guess out of the bucket, which is full again at `restored_at` (generic cell rate algorithm); answers
 * no row when it is empty. One statement, so that guesses at the same time on any instance are all counted.
 * What lies farther ahead than a bucket can was written by a clock that was wrong, and is started over.
 */
const TAKE = `
  insert into failed_attempts as f (kind, subject, restored_at) values ($1, $2, $3::timestamptz + $4::interval)
  on conflict (kind, subject) do update set restored_at = $4::interval + case
      when f.restored_at > $3 + $4::interval * ($5::int + 1) then $3
      else greatest(f.restored_at, $3) end
    where greatest(f.restored_at, $3) + $4::interval <= $3 + $4::interval * $5::int
       or f.restored_at > $3 + $4::interval * ($5::int + 1)
  returning subject`;

/** Bounds how often a password or code of a known user may be guessed, over all instances. */
@Injectable()
export class AttemptLimit {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts an attempt before it is checked, so that a hundred concurrent ones are not all compared with the same count.
   * Outside of transactions: an attempt that failed must stay counted.
   * @throws TooManyRequestsError
   */
  async take(kind: AttemptKind, userId: string): Promise<void> {
    const { size, refillMs } = BUCKETS[kind];
    const now = this.clock.now();
    const taken = await this.sql.query(TAKE, [kind, userId, now, `${refillMs} milliseconds`, size]);
    if (taken.length > 0) return;
    const [row] = await this.sql.query<{ restoredAt: Date }>(
      'select restored_at as "restoredAt" from failed_attempts where kind = $1 and subject = $2',
      [kind, userId],
    );
    const waitMs = row ? row.restoredAt.getTime() - (size - 1) * refillMs - now.getTime() : 0;
    throw new TooManyRequestsError(Math.max(1, Math.ceil(waitMs / 1_000)));
  }

  /** After a success the bucket is full again. */
  async clear(kind: AttemptKind, userId: string): Promise<void> {
    await this.sql.query('delete from failed_attempts where kind = $1 and subject = $2', [kind, userId]);
  }
}
