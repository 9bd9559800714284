/**
 * How far the search for a reported transaction is (specification/checkout.md#already-paid). The first three are asked
 * again, the others are its end.
 */
export const REPORTED_STATES = [
  'SEARCHING',
  'UNKNOWN',
  'WAITING',
  'FOUND',
  'FAILED',
  'OTHER_ADDRESS',
  'UNLISTED_TOKEN',
  'NOT_FOUND',
] as const;
export type ReportedState = (typeof REPORTED_STATES)[number];

/** What one look at the chain can find. */
export type Finding = Exclude<ReportedState, 'SEARCHING' | 'NOT_FOUND'>;

/** A token that the gateway does not list, sent to the address of the payment. */
export interface UnlistedToken {
  token: string;
  tokenAmount: bigint;
}

/** Of one payment: enough for a customer who pays in parts, and little for somebody who wants to keep nodes busy. */
export const MAX_REPORTED = 10;

const OPEN: readonly ReportedState[] = ['SEARCHING', 'UNKNOWN', 'WAITING'];
const FIRST_PAUSE = 5;
/** Seconds between two questions; what is on its way is asked for more often than what no node knows. */
export const LONGEST_PAUSE = { WAITING: 60, other: 600 };
const DAY = 86_400;
/** Seconds after which the search for a transaction that no node knows ends. */
const UNKNOWN_FOR = DAY;
/** The same while it waits for a block, or while the node does not respond. Nodes keep unmined transactions this long. */
const WAITING_FOR = 14 * DAY;
/** Seconds in which reporting the same transaction again asks for nothing. */
const REOPEN_AFTER = 60;

export function isOver(state: ReportedState): boolean {
  return !OPEN.includes(state);
}

interface Search {
  state: ReportedState;
  checks: number;
  reportedAt: Date;
}

/** The search after a look at the chain. @param finding null: the node did not respond */
export function afterCheck(
  { state, checks, reportedAt }: Search,
  finding: Finding | null,
  now: Date,
): { state: ReportedState; nextCheckAt: Date | null } {
  const next = finding ?? state;
  if (isOver(next)) return { state: next, nextCheckAt: null };
  const seconds = (now.getTime() - reportedAt.getTime()) / 1000;
  if (seconds >= (next === 'UNKNOWN' ? UNKNOWN_FOR : WAITING_FOR))
    return { state: 'NOT_FOUND', nextCheckAt: null };
  const longest = next === 'WAITING' ? LONGEST_PAUSE.WAITING : LONGEST_PAUSE.other;
  const pause = Math.min(FIRST_PAUSE * 2 ** Math.min(Math.max(checks - 1, 0), 10), longest);
  return { state: next, nextCheckAt: new Date(now.getTime() + pause * 1000) };
}

/**
 * Whether to look again for a transaction that is reported once more: its block may have been replaced since, or the
 * node was behind. Not for one that was found, and not at once.
 */
export function mayReopen(
  { state, checkedAt }: { state: ReportedState; checkedAt: Date | null },
  now: Date,
): boolean {
  if (!isOver(state) || state === 'FOUND') return false;
  return checkedAt === null || now.getTime() - checkedAt.getTime() >= REOPEN_AFTER * 1000;
}
