/** A comparison of all payments, or of those that may have changed since a time, that can be interrupted. */
export interface Pass {
  startedAt: Date;
  /** Payments that were created, could be paid or changed since then are compared; null: all. */
  since: Date | null;
  /** The last payment that was compared, in the order of ids; null: none. */
  after: string | null;
}

/** How far the payments have been compared, as it is stored. */
export interface Progress {
  /** All payments as they were at that time have been compared; null: never. */
  comparedAt: Date | null;
  /** When the last pass over all payments began that reached the end. */
  fullAt: Date | null;
  /** The pass that was interrupted. */
  pass: Pass | null;
  /** Payments that differed when they were last compared: every run compares them again. */
  differing: string[];
  /** Slugs of the chains that were compared. With another chain, older addresses have another balance. */
  chains: string[];
}

export const NO_PROGRESS: Progress = {
  comparedAt: null,
  fullAt: null,
  pass: null,
  differing: [],
  chains: [],
};

/** Milliseconds. What was written until then by a transaction that had not ended counts as changed. */
const MARGIN = 3_600_000;
/** With more differing payments than that, the next run compares all. */
export const MOST_DIFFERING = 1_000;

/**
 * The pass that a run makes: the interrupted one, or a new one over what may have changed; over everything if nothing was
 * compared before, a chain has come, or `isFull`.
 */
export function passOf(progress: Progress, chains: readonly string[], isFull: boolean, now: Date): Pass {
  const isKnown = chains.every((chain) => progress.chains.includes(chain));
  if (isFull || !isKnown || progress.differing.length > MOST_DIFFERING)
    return { startedAt: now, since: null, after: null };
  if (progress.pass) return progress.pass;
  const { comparedAt } = progress;
  return { startedAt: now, since: comparedAt && new Date(comparedAt.getTime() - MARGIN), after: null };
}

/** After the payments up to `after` were compared. */
export function advanced(
  progress: Progress,
  pass: Pass,
  after: string,
  differing: Iterable<string>,
  chains: readonly string[],
): Progress {
  return { ...progress, pass: { ...pass, after }, differing: [...new Set(differing)], chains: [...chains] };
}

/** After the last payment was compared. */
export function completed(
  progress: Progress,
  { startedAt, since }: Pass,
  differing: Iterable<string>,
  chains: readonly string[],
): Progress {
  return {
    comparedAt: startedAt,
    fullAt: since === null ? startedAt : progress.fullAt,
    pass: null,
    differing: [...new Set(differing)],
    chains: [...chains],
  };
}

export function formatProgress(progress: Progress): string {
  return JSON.stringify(progress);
}

/** @param text of {@link formatProgress}, authenticated */
export function parseProgress(text: string): Progress {
  const { comparedAt, fullAt, pass, ...rest } = JSON.parse(text) as Stored;
  return {
    ...rest,
    comparedAt: toDate(comparedAt),
    fullAt: toDate(fullAt),
    pass: pass && { ...pass, startedAt: new Date(pass.startedAt), since: toDate(pass.since) },
  };
}

/** JSON has times as text. */
interface Stored extends Pick<Progress, 'differing' | 'chains'> {
  comparedAt: string | null;
  fullAt: string | null;
  pass: { startedAt: string; since: string | null; after: string | null } | null;
}

const toDate = (text: string | null) => (text === null ? null : new Date(text));
