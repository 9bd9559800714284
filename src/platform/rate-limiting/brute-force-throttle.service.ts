import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { Clock } from '../runtime/clock.pure.js';
import { TooManyRequestsError } from '../errors/errors.pure.js';
import { sha256 } from '../security/hmac.pure.js';
import { PollingLoops } from '../runtime/polling-loop.js';
import { LoopName } from '../runtime/loop-name.pure.js';
import {
  capacityOf,
  costOf,
  headersOf,
  minutely,
  type Policy,
  type Standing,
  standingAt,
  standingOf,
  tightest,
} from './rate-limit.pure.js';
import { Sql } from '../database/sql.js';

/** A bearer token, the secret of an OAuth client, a password: by address; and a password by address and account. */
type Kind = 'token' | 'client' | 'password' | 'account';

/** The kinds of subject that failures are counted for. */
interface Budget {
  kind: Kind;
  /** The result of {@link clientAddress}; for kind `account` a hash, because it contains what a user typed. */
  subject: string;
  policy: Policy;
}

const PURGE_INTERVAL_MS = 60_000;
const PURGE_BATCH = 1_000;
/** Exhausted budgets that this process caches; the database is queried for evicted ones. */
const MAX_REMEMBERED = 10_000;

// The bucket of rate-limit.pure.ts in one atomic statement: a refused failure takes nothing and returns no row.
// A value more than two windows ($5) ahead was written by a wrong clock and is reset.
const TAKE = `
  insert into failed_attempts as f (kind, subject, restored_at)
  values ($1, $2, $3::timestamptz + $4::float8 * interval '1 microsecond')
  on conflict (kind, subject) do update
    set restored_at = $4::float8 * interval '1 microsecond' + case
      when f.restored_at > $3::timestamptz + 2 * $5::float8 * interval '1 microsecond' then $3::timestamptz
      else greatest(f.restored_at, $3::timestamptz) end
    where f.restored_at <= $3::timestamptz + ($5::float8 - $4::float8) * interval '1 microsecond'
       or f.restored_at > $3::timestamptz + 2 * $5::float8 * interval '1 microsecond'
  returning restored_at as "restoredAt"`;
const FIND = `select restored_at as "restoredAt" from failed_attempts where kind = $1 and subject = $2`;
const PURGE = `
  delete from failed_attempts where ctid = any (array(
    select ctid from failed_attempts where restored_at <= $1 limit $2 for update skip locked
  )) returning kind`;

/**
 * Failed tokens, secrets and passwords, counted by all instances together in Postgres
 * (specification/rate-limits.md#what-is-counted). Success is never counted and writes nothing. A refused attempt is not
 * counted either, so that whoever is shut out gets in again by waiting; and an account is shut for the address that
 * failed, not for its owner elsewhere.
 */
@Injectable()
export class BruteForceThrottle implements OnApplicationBootstrap {
  private readonly logger = new Logger('BruteForceThrottle');
  /** Microseconds at which an empty budget is whole again: the next attempt is refused without a query. */
  private readonly remembered = new Map<string, number>();
  /** Password checks under way, which may all fail yet. */
  private readonly running = new Map<string, number>();

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly loops: PollingLoops,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      { name: LoopName.FailedAttemptsPurge, role: 'worker', intervalMs: PURGE_INTERVAL_MS },
      () => this.purgeExpired(),
    );
  }

  /**
   * Checks a password, unless there were too many failures. Every password check goes through here.
   * Call it outside of a unit of work: a failure has to stay counted when everything else is undone.
   * @param account its email address
   * @param address of {@link clientAddress}
   * @param check null is a failure; an error is none
   * @throws TooManyRequestsError before the check, or if concurrent checks exhausted the budget
   */
  async guardPassword<T>(
    account: string,
    address: string,
    check: () => Promise<T | null>,
  ): Promise<T | null> {
    const budgets = this.passwordBudgets(account, address);
    const standings = await Promise.all(budgets.map((budget) => this.find(budget)));
    // Nothing is awaited from here to `occupy`: of many guesses at once only so many run as may fail.
    requireRoom(standings.filter(({ remaining }, i) => remaining <= this.runningOn(budgets[i])));
    this.occupy(budgets, 1);
    try {
      const result = await check();
      if (result !== null) return result;
      const counted = await Promise.all(budgets.map((budget) => this.take(budget, address)));
      requireRoom(counted.filter(({ retryAfterSeconds }) => retryAfterSeconds !== null));
      return null;
    } finally {
      this.occupy(budgets, -1);
    }
  }

  /** Counts an invalid token or client secret. Returns null if the limit is switched off or the database is unavailable. */
  async count(kind: 'token' | 'client', address: string): Promise<Standing | null> {
    const budget = this.budget(kind, address, this.config.rateLimits.failedAuth);
    try {
      return budget && (await this.take(budget, address));
    } catch (error) {
      // Without the database no token is accepted anyway: the request is refused as it would have been.
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn({ kind, error: reason }, 'a failed attempt was not counted');
      return null;
    }
  }

  /** A refusal that this process can decide without a query, or null. */
  recall(kind: 'token' | 'client', address: string): Standing | null {
    const budget = this.budget(kind, address, this.config.rateLimits.failedAuth);
    return budget && this.recallBudget(budget);
  }

  /** Deletes rows that no longer count; returns true while more remain. */
  async purgeExpired(): Promise<boolean> {
    const deleted = await this.sql.query(PURGE, [this.clock.now(), PURGE_BATCH]);
    return deleted.length === PURGE_BATCH;
  }

  private passwordBudgets(account: string, address: string): Budget[] {
    const { failedAuth, signIn } = this.config.rateLimits;
    const email = account.trim().toLowerCase();
    const subject = sha256(JSON.stringify([email, address])).toString('base64url');
    return [this.budget('password', address, failedAuth), this.budget('account', subject, signIn)].filter(
      (budget) => budget !== null,
    );
  }

  private budget(kind: Kind, subject: string, quota: number): Budget | null {
    const policy = minutely(kind === 'account' ? 'sign-in' : 'failed-auth', quota);
    return policy && { kind, subject, policy };
  }

  private async find(budget: Budget): Promise<Standing> {
    const recalled = this.recallBudget(budget);
    if (recalled) return recalled;
    const { kind, subject, policy } = budget;
    const [row] = await this.sql.queryApart<{ restoredAt: Date }>(FIND, [kind, subject]);
    const now = this.now();
    const restoredAt = (row?.restoredAt.getTime() ?? 0) * 1_000;
    return restoredAt > now + 2 * capacityOf(policy)
      ? standingAt(policy, 0, now, false)
      : standingOf(policy, restoredAt, now);
  }

  private async take(budget: Budget, address: string): Promise<Standing> {
    const { kind, subject, policy } = budget;
    const values = [kind, subject, this.clock.now(), costOf(policy), capacityOf(policy)];
    const [row] = await this.sql.queryApart<{ restoredAt: Date }>(TAKE, values);
    const now = this.now();
    if (!row) {
      const [full] = await this.sql.queryApart<{ restoredAt: Date }>(FIND, [kind, subject]);
      const restoredAt = full ? full.restoredAt.getTime() * 1_000 : now + capacityOf(policy);
      this.remember(budget, restoredAt);
      return standingAt(policy, restoredAt, now, true);
    }
    const restoredAt = row.restoredAt.getTime() * 1_000;
    const standing = standingAt(policy, restoredAt, now, false);
    if (standing.remaining === 0) {
      this.remember(budget, restoredAt);
      this.logger.warn({ kind, address }, 'too many failed attempts');
    }
    return standing;
  }

  private recallBudget(budget: Budget): Standing | null {
    const key = keyOf(budget);
    const restoredAt = this.remembered.get(key);
    if (restoredAt === undefined) return null;
    const standing = standingOf(budget.policy, restoredAt, this.now());
    if (standing.retryAfterSeconds !== null) return standing;
    this.remembered.delete(key);
    return null;
  }

  private remember(budget: Budget, restoredAt: number): void {
    const [oldest] = this.remembered.keys();
    if (this.remembered.size >= MAX_REMEMBERED && oldest !== undefined) this.remembered.delete(oldest);
    this.remembered.set(keyOf(budget), restoredAt);
  }

  private runningOn(budget: Budget | undefined): number {
    return budget ? (this.running.get(keyOf(budget)) ?? 0) : 0;
  }

  private occupy(budgets: readonly Budget[], change: 1 | -1): void {
    for (const budget of budgets) {
      const count = this.runningOn(budget) + change;
      if (count > 0) this.running.set(keyOf(budget), count);
      else this.running.delete(keyOf(budget));
    }
  }

  private now(): number {
    return this.clock.now().getTime() * 1_000;
  }
}

function keyOf({ kind, subject }: Budget): string {
  return `${kind} ${subject}`;
}

function requireRoom(refused: readonly Standing[]): void {
  const standing = tightest(refused);
  if (standing) throw new TooManyRequestsError(standing.retryAfterSeconds ?? 1, headersOf(refused));
}
