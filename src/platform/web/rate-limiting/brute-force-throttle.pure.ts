import { sha256 } from '../../kernel/hmac.pure.js';
import {
  capacityOf,
  minutely,
  type Policy,
  type Standing,
  standingAt,
  standingOf,
} from './rate-limit.pure.js';

/**
 * What failures are counted for: a bearer token, the secret of an OAuth client and a password, each by address; and a
 * password by address and account.
 */
export type FailureKind = 'token' | 'client' | 'password' | 'account';
/**
 * Passwords for one account: of all addresses together, and of one browser that has signed in to it before
 * (specification/authentication.md#guessed-passwords).
 */
export type AccountKind = 'account-total' | 'known-browser';
/** Secrets of a signed-in or half signed-in user, counted by user; codes at the sign-in also by known browser. */
export type GuessKind =
  | 'current-password'
  | 'second-factor'
  | 'second-factor-confirmation'
  /** Requests for a password link, by the client's address: each may send somebody a mail. */
  | 'password-request';
export type BudgetKind = FailureKind | AccountKind | GuessKind;

/** The number of attempts that one subject has. */
export interface Budget {
  kind: BudgetKind;
  /**
   * A client's address; for kinds `account` and `account-total` a hash, because it contains what a user typed; for a
   * guess the user's id, and for one of a known browser the id of that.
   */
  subject: string;
  policy: Policy;
}

/**
 * A code has 10^6 values of which three are valid at a time: 149 guesses on the first day succeed with a chance of
 * 1 in 2,200 a day for someone who knows the password.
 */
const GUESSES: Record<Exclude<GuessKind, 'current-password'>, Policy> = {
  'second-factor': { name: 'second-factor', quota: 5, windowSeconds: 3_000 },
  // A budget of its own: it takes no password to use it up, and signing in must not depend on it.
  'second-factor-confirmation': { name: 'second-factor-confirmation', quota: 10, windowSeconds: 600 },
  'password-request': { name: 'password-request', quota: 5, windowSeconds: 600 },
};

const HOUR_SECONDS = 3_600;

/** The limits of the configuration. */
export interface FailureLimits {
  /** A minute. */
  failedAuth: number;
  /** A minute. */
  signIn: number;
  /** An hour. */
  account: number;
  /** An hour. */
  password: number;
}

/** @returns null where the limit is switched off */
export function failureBudget(kind: FailureKind, subject: string, limits: FailureLimits): Budget | null {
  const policy =
    kind === 'account' ? minutely('sign-in', limits.signIn) : minutely('failed-auth', limits.failedAuth);
  return policy && { kind, subject, policy };
}

/** The budgets that a wrong password is taken from. @param account the email address as it was typed */
export function passwordBudgets(account: string, address: string, limits: FailureLimits): Budget[] {
  const subject = sha256(JSON.stringify([accountName(account), address])).toString('base64url');
  return [failureBudget('password', address, limits), failureBudget('account', subject, limits)].filter(
    (budget) => budget !== null,
  );
}

/** One name for all spellings of an email address that lead to one account. */
export function accountName(account: string): string {
  return account.trim().toLowerCase();
}

/** @returns null where the limit is switched off */
export function accountBudget(kind: AccountKind, subject: string, { account }: FailureLimits): Budget | null {
  const name = kind === 'account-total' ? 'account' : kind;
  const policy = { name, quota: account, windowSeconds: HOUR_SECONDS };
  return account > 0 ? { kind, subject, policy } : null;
}

/**
 * @param subject the user's id, or that of a known browser
 * @returns null where the limit is switched off
 */
export function guessBudget(kind: GuessKind, subject: string, { password }: FailureLimits): Budget | null {
  if (kind !== 'current-password') return { kind, subject, policy: GUESSES[kind] };
  // A sixth of it in ten minutes: an hour's guesses cannot be made at once.
  const policy = { name: kind, quota: Math.max(1, Math.floor(password / 6)), windowSeconds: 600 };
  return password > 0 ? { kind, subject, policy } : null;
}

/** Identifies a budget in a map. */
export function keyOf({ kind, subject }: Budget): string {
  return `${kind} ${subject}`;
}

/**
 * The state of a stored budget. A value more than two windows ahead was written by a wrong clock, and counts as whole.
 * @param restoredAt null: nothing is stored
 * @param now microseconds of Unix time
 */
export function storedStanding({ policy }: Budget, restoredAt: Date | null, now: number): Standing {
  const micros = (restoredAt?.getTime() ?? 0) * 1_000;
  return micros > now + 2 * capacityOf(policy)
    ? standingAt(policy, 0, now, false)
    : standingOf(policy, micros, now);
}
