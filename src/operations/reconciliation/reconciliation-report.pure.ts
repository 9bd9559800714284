/** A difference between the records and the chain or the facts. */
export interface Difference {
  /** The check that found it, e.g. `balance`; docs/how-to/verify.md lists them. */
  check: string;
  chain: string | null;
  paymentId: string | null;
  /** The subject, within the payment or chain. */
  subject: string;
  /** The value derived from the chain or the facts. */
  expected: string;
  /** The recorded value. */
  found: string;
}

/**
 * Funds at a deposit address that are credited to no payment, because their asset was never quoted
 * (specification/payment-states.md#unmatched-funds).
 */
export interface UnattributedDeposit {
  paymentId: string;
  chain: string;
  address: string;
  txHash: string;
  ordinal: string;
  asset: string;
  currencyCode: string;
  /** Smallest unit. */
  amount: bigint;
  decimals: number;
  state: string;
}

/** How much was compared. */
export interface Counts {
  payments: number;
  statusEntries: number;
  events: number;
  quotes: number;
  /** Recorded, in whatever state. */
  transfers: number;
  /** Found again on the chain, by transaction. */
  transfersOnChain: number;
  depositAddresses: number;
  /** An address and an asset each. */
  balances: number;
  /** Balances of addresses that have spent. They prove nothing, so only the transfers were compared. */
  balancesSpent: number;
}

/** How far a chain was compared. */
export interface CheckedChain {
  chain: string;
  /** The cursor's height; null before the first block. */
  height: number | null;
  hash: string | null;
  isHalted: boolean;
  /** Null: compared. */
  problem: string | null;
}

/** Which payments a run compares. */
export interface Scope {
  /** Those that were created, could be paid or changed since then, and those that differed before; null: all. */
  since: Date | null;
  /** When the interrupted run began that this one continues; null: it continues none. */
  resumedAt: Date | null;
  /** When the last run over all payments began that reached the end. */
  fullAt: Date | null;
}

export interface Report {
  startedAt: Date;
  finishedAt: Date;
  scope: Scope;
  chains: CheckedChain[];
  checked: Counts;
  /** The first ones; `differenceCount` counts all. */
  differences: Difference[];
  differenceCount: number;
  unattributed: UnattributedDeposit[];
  unattributedCount: number;
  /** Why something was left out; empty when everything was compared. */
  notChecked: string[];
  /** Its time was over before the last payment. */
  isStopped: boolean;
}

/** The contribution of one batch of payments to a report. */
export interface BatchResult {
  counts: Counts;
  differences: Difference[];
  unattributed: UnattributedDeposit[];
}

/** Reasons kept; they repeat. */
const MAX_REASONS = 50;

export const NOTHING: Counts = {
  payments: 0,
  statusEntries: 0,
  events: 0,
  quotes: 0,
  transfers: 0,
  transfersOnChain: 0,
  depositAddresses: 0,
  balances: 0,
  balancesSpent: 0,
};

/** Collects a report in bounded memory. */
export class ReportBuilder {
  readonly chains: CheckedChain[] = [];
  scope: Scope = { since: null, resumedAt: null, fullAt: null };
  isStopped = false;
  private readonly checked: Counts = { ...NOTHING };
  private readonly differences: Difference[] = [];
  private differenceCount = 0;
  private readonly unattributed: UnattributedDeposit[] = [];
  private unattributedCount = 0;
  private readonly notChecked = new Set<string>();

  /** @param limit differences, and unattributed deposits, that are listed one by one */
  constructor(
    private readonly startedAt: Date,
    private readonly limit: number,
  ) {}

  add({ counts, differences, unattributed }: BatchResult): void {
    for (const name of Object.keys(this.checked) as (keyof Counts)[]) this.checked[name] += counts[name];
    for (const difference of differences) this.addDifference(difference);
    this.unattributedCount += unattributed.length;
    this.unattributed.push(...unattributed.slice(0, Math.max(0, this.limit - this.unattributed.length)));
  }

  addDifference(difference: Difference): void {
    this.differenceCount += 1;
    if (this.differences.length < this.limit) this.differences.push(difference);
  }

  leaveOut(reason: string): void {
    if (this.notChecked.size < MAX_REASONS) this.notChecked.add(reason);
  }

  /** A chain that was added to {@link chains}, and why it was not compared. */
  leaveOutChain(slug: string, problem: string): void {
    const entry = this.chains.find(({ chain }) => chain === slug);
    if (entry) entry.problem = problem;
    this.leaveOut(`${slug}: ${problem}`);
  }

  build(finishedAt: Date): Report {
    const {
      startedAt,
      scope,
      chains,
      checked,
      differences,
      differenceCount,
      unattributed,
      unattributedCount,
      isStopped,
    } = this;
    const lists = { differences, differenceCount, unattributed, unattributedCount };
    const notChecked = [...this.notChecked];
    return { startedAt, finishedAt, scope, chains, checked, ...lists, notChecked, isStopped };
  }
}

/** Why something was left out, from the error that prevented it. */
export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Everything was compared, and nothing differs. */
export function isConsistent({ differenceCount, notChecked }: Report): boolean {
  return differenceCount === 0 && notChecked.length === 0;
}

/** Differences found by two consecutive readings: the first may have been taken between two blocks. */
export function inBoth(first: readonly Difference[], second: readonly Difference[]): Difference[] {
  const seen = new Set(first.map(keyOf));
  return second.filter((difference) => seen.has(keyOf(difference)));
}

/** Tells differences apart. */
export function keyOf({ check, chain, paymentId, subject }: Difference): string {
  return JSON.stringify([check, chain, paymentId, subject]);
}
