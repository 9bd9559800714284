import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config.js';
import { Clock } from '../../kernel/clock.pure.js';
import { TooManyRequestsError } from '../../kernel/errors/errors.pure.js';
import { PollingLoops } from '../../database/polling-loop.js';
import { Keyring } from '../../kernel/keyring.js';
import { LoopName } from '../../kernel/loop-name.pure.js';
import {
  accountBudget,
  accountName,
  type Budget,
  failureBudget,
  guessBudget,
  type GuessKind,
  keyOf,
  passwordBudgets,
  storedStanding,
} from './brute-force-throttle.pure.js';
import { FailedAttemptRepository } from './failed-attempt.repository.js';
import { headersOf, refusalOf, type Standing, standingAt, standingOf } from './rate-limit.pure.js';

const PURGE_INTERVAL_MS = 60_000;
const PURGE_BATCH = 1_000;
/** Used-up budgets that this process caches; the database is queried for evicted ones. */
const MAX_REMEMBERED = 10_000;

/** Purpose of the subkey under which email addresses are hashed: they are what strangers typed. */
const ACCOUNT_PURPOSE = 'sign-in-account';

/** A budget after an attempt. */
interface Taken {
  /** Microseconds of Unix time at which it is whole again. */
  restoredAt: number;
  standing: Standing;
}

/** A sign-in with a password. */
export interface PasswordAttempt {
  /** The email address as it was typed. */
  account: string;
  /** Of {@link clientAddress}. */
  address: string;
  /** Id of a browser that has signed in to this very account before; null: an unknown one. */
  browser: string | null;
}

/** How a guarded check ended. */
export interface GuardedCheck<T> {
  /** Null: it failed. */
  result: T | null;
  /** The failure was the last one that all unknown browsers together had for this account. */
  isBoundReached: boolean;
}

/** The bound of an account is used up: only its known browsers can sign in for now. */
export class AccountBoundError extends TooManyRequestsError {}

/**
 * Limits how often tokens, secrets, passwords and codes may be guessed, counted by all processes together in Postgres.
 *
 * Failures of clients are counted by address (specification/rate-limits.md#what-is-counted): success is never counted.
 * A refused attempt is not counted either, so waiting always helps; and an account is closed for the address that
 * failed, not for its owner elsewhere. Passwords are also counted by account over all addresses, apart from those of
 * browsers that have signed in to it before (specification/authentication.md#guessed-passwords). Guesses at the secret
 * of a known user are counted by user.
 */
@Injectable()
export class BruteForceThrottle implements OnApplicationBootstrap {
  private readonly logger = new Logger('BruteForceThrottle');
  /** Microseconds at which a used-up budget is whole again: the next attempt is refused without a query. */
  private readonly remembered = new Map<string, number>();
  /** Password checks in progress, all of which may still fail. */
  private readonly running = new Map<string, number>();

  constructor(
    private readonly attempts: FailedAttemptRepository,
    private readonly clock: Clock,
    private readonly loops: PollingLoops,
    private readonly keyring: Keyring,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      { name: LoopName.FailedAttemptsPurge, role: 'worker', intervalMs: PURGE_INTERVAL_MS },
      () => this.purgeExpired(),
    );
  }

  /**
   * Checks the password of a sign-in, unless there were too many failures. Whether the account exists makes no
   * difference.
   * @param check null is a failure; an error is none
   * @throws TooManyRequestsError before the check, or if concurrent checks used up the budget of the address
   * @throws AccountBoundError before the check
   */
  async guardPassword<T>(
    { account, address, browser }: PasswordAttempt,
    check: () => Promise<T | null>,
  ): Promise<GuardedCheck<T>> {
    const limits = this.config.rateLimits;
    const own = browser === null ? null : accountBudget('known-browser', browser, limits);
    // A known browser that has used up its own budget counts as an unknown one.
    if (own && (await this.take(own)).standing.retryAfterSeconds === null) {
      const result = await this.unlessRight(own, check);
      return { result, isBoundReached: false };
    }
    const budgets = passwordBudgets(account, address, limits);
    const standings = await Promise.all(budgets.map((budget) => this.find(budget)));
    // Nothing is awaited from here to `occupy`: of many guesses at once only as many run as may fail.
    requireRemaining(standings.filter(({ remaining }, i) => remaining <= this.runningOn(budgets[i])));
    this.occupy(budgets, 1);
    try {
      const checked = await this.withinAccountBound(account, check);
      if (checked.result !== null) return checked;
      const counted = await Promise.all(budgets.map((budget) => this.takeFailure(budget, address)));
      requireRemaining(counted.filter(({ retryAfterSeconds }) => retryAfterSeconds !== null));
      return checked;
    } finally {
      this.occupy(budgets, -1);
    }
  }

  /** Counts an invalid token or client secret. Returns null if the limit is switched off or the database is unavailable. */
  async count(kind: 'token' | 'client', address: string): Promise<Standing | null> {
    const budget = failureBudget(kind, address, this.config.rateLimits);
    try {
      return budget && (await this.takeFailure(budget, address));
    } catch (error) {
      // Without the database no token is accepted anyway: the request is refused as it would have been.
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn({ kind, error: reason }, 'a failed attempt was not counted');
      return null;
    }
  }

  /** A refusal that this process can decide without a query, or null. */
  recall(kind: 'token' | 'client', address: string): Standing | null {
    const budget = failureBudget(kind, address, this.config.rateLimits);
    return budget && this.recallBudget(budget);
  }

  /**
   * Counts a guess at the secret of a known user. Call it before the secret is checked, so that of a hundred concurrent
   * guesses no more are checked than the budget has left.
   * @param subject the user's id, or that of a known browser
   * @returns whether it was the last one
   * @throws TooManyRequestsError
   */
  async takeGuess(kind: GuessKind, subject: string): Promise<boolean> {
    const budget = guessBudget(kind, subject, this.config.rateLimits);
    if (!budget) return false;
    const { standing } = await this.take(budget);
    if (standing.retryAfterSeconds !== null) throw refusalOf([standing]);
    return standing.remaining === 0;
  }

  /** Makes the budget of guesses whole again, after a right one. */
  async restoreGuesses(kind: GuessKind, subject: string): Promise<void> {
    const budget = guessBudget(kind, subject, this.config.rateLimits);
    if (budget) await this.attempts.restore(budget);
  }

  /** Deletes rows that no longer count; returns true while more remain. */
  async purgeExpired(): Promise<boolean> {
    return (await this.attempts.purge(this.clock.now(), PURGE_BATCH)) === PURGE_BATCH;
  }

  /**
   * The bound of all addresses together is taken from before the check: processes that check at the same moment could
   * otherwise each use the last attempt.
   */
  private async withinAccountBound<T>(
    account: string,
    check: () => Promise<T | null>,
  ): Promise<GuardedCheck<T>> {
    const [digest] = this.keyring.digests(ACCOUNT_PURPOSE, accountName(account));
    if (!digest) throw new Error('the keyring is empty');
    const budget = accountBudget('account-total', digest.toString('base64url'), this.config.rateLimits);
    if (!budget) return { result: await check(), isBoundReached: false };
    const { standing } = await this.take(budget);
    if (standing.retryAfterSeconds !== null)
      throw new AccountBoundError(standing.retryAfterSeconds, headersOf([standing]));
    const result = await this.unlessRight(budget, check);
    return { result, isBoundReached: result === null && standing.remaining === 0 };
  }

  /** Gives the attempt back that was taken for this check, unless the check fails. */
  private async unlessRight<T>(budget: Budget, check: () => Promise<T | null>): Promise<T | null> {
    let isWrong = false;
    try {
      const result = await check();
      isWrong = result === null;
      return result;
    } finally {
      if (!isWrong) await this.attempts.giveBack(budget, this.clock.now());
    }
  }

  private async find(budget: Budget): Promise<Standing> {
    const recalled = this.recallBudget(budget);
    if (recalled) return recalled;
    const restoredAt = await this.attempts.findRestoredAt(budget);
    return storedStanding(budget, restoredAt, this.now());
  }

  /** Caches a used-up budget: only waiting fills it, unlike one of guesses, which a right guess restores. */
  private async takeFailure(budget: Budget, address: string): Promise<Standing> {
    const { restoredAt, standing } = await this.take(budget);
    if (standing.remaining === 0) this.remember(budget, restoredAt);
    if (standing.remaining === 0 && standing.retryAfterSeconds === null)
      this.logger.warn({ kind: budget.kind, address }, 'too many failed attempts');
    return standing;
  }

  private async take(budget: Budget): Promise<Taken> {
    const taken = await this.attempts.take(budget, this.clock.now());
    // No row means that it was restored or purged since the attempt was refused.
    const stored = taken ?? (await this.attempts.findRestoredAt(budget));
    const now = this.now();
    const restoredAt = stored ? stored.getTime() * 1_000 : now;
    return { restoredAt, standing: standingAt(budget.policy, restoredAt, now, taken === null) };
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

function requireRemaining(refused: readonly Standing[]): void {
  if (refused.length > 0) throw refusalOf(refused);
}
