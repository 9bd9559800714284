import { bestTip, type EndpointHealth, isAskedLast, lagOf, TOLERATED_LAG } from './endpoint-health.js';

/** The part of an endpoint that decides. */
export interface SelectableEndpoint {
  readonly health: EndpointHealth;
}

/** The endpoints to ask, in order. */
export interface EndpointSelection<T> {
  /** Healthy ones in the operator's order, then those that lag behind. */
  fit: T[];
  /** Failed recently or rate-limiting: asked only when no other responds; the one whose rest ends first comes first. */
  resting: T[];
}

/** @param height of the requested block; null when the request is not about a block */
export function selectEndpoints<T extends SelectableEndpoint>(
  endpoints: readonly T[],
  height: number | null,
  now: number,
): EndpointSelection<T> {
  const best = bestTip(
    endpoints.map(({ health }) => health),
    now,
  );
  const isBehind = ({ health }: T): boolean => {
    const lacksIt = height !== null && health.tipHeight !== null && health.tipHeight < height;
    return lacksIt || (lagOf(health, best) ?? 0) > TOLERATED_LAG;
  };
  const fit = endpoints.filter(({ health }) => !isAskedLast(health, now));
  return {
    fit: [...fit.filter((one) => !isBehind(one)), ...fit.filter(isBehind)],
    resting: endpoints
      .filter(({ health }) => isAskedLast(health, now))
      .toSorted((a, b) => endOfRest(a.health) - endOfRest(b.health)),
  };
}

function endOfRest({ restsUntil, pausedUntil }: EndpointHealth): number {
  return Math.max(restsUntil, pausedUntil);
}

/** Progress of a request that is sent to endpoints one after the other. */
export interface HedgeProgress {
  /** Endpoints that may be asked, with the resting ones last. */
  total: number;
  fit: number;
  /** Endpoints asked so far. */
  sent: number;
  /** Of those: responded that the requested object does not exist. */
  missing: number;
  /** Of those: failed, or responded inconsistently. */
  failed: number;
  /** Milliseconds since the last request was sent. */
  waitedMs: number;
}

/** `missing`: the object does not exist, by every endpoint that responded. */
export type NextStep = 'send' | 'wait' | 'missing' | 'fail';

/**
 * What to do while there is no good response. The next endpoint is asked at once when no request is pending, and after a
 * delay when one is slow; the slow one may still win. A resting endpoint is asked only when all others failed: neither
 * to save time nor to contradict one that responded.
 */
export function nextStep(progress: HedgeProgress, hedgeDelayMs: number): NextStep {
  const { total, fit, sent, missing, failed, waitedMs } = progress;
  const isWaiting = sent > missing + failed;
  if (isWaiting) return sent < fit && waitedMs >= hedgeDelayMs ? 'send' : 'wait';
  if (sent < fit) return 'send';
  if (missing > 0) return 'missing';
  return sent < total ? 'send' : 'fail';
}

/** The block that one endpoint shows at a height. */
export interface Vote<T> {
  by: T;
  /** Null when it has no block there. */
  hash: string | null;
}

/** Result of {@link resolveByVote}. */
export interface VoteResult<T> {
  /** The accepted hash; null when no endpoint has a block there, or there is a tie. */
  hash: string | null;
  isDisputed: boolean;
  outvoted: T[];
}

/**
 * Decides which hash is canonical at a height where `kept` was applied. Another block wins only with more votes than the
 * kept one, so a single endpoint cannot cause a fork while another still shows the kept block. "None" is not a vote
 * against a block, because an endpoint may lag behind.
 */
export function resolveByVote<T>(votes: readonly Vote<T>[], kept: string): VoteResult<T> {
  const counts = new Map<string, number>();
  for (const { hash } of votes) if (hash !== null) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  const ranked = [...counts].toSorted(
    ([a, of], [b, than]) => than - of || Number(b === kept) - Number(a === kept),
  );
  const [first, second] = ranked;
  if (!first) return { hash: null, isDisputed: false, outvoted: [] };
  const [hash, votesFor] = first;
  if (hash !== kept && second?.[1] === votesFor) return { hash: null, isDisputed: true, outvoted: [] };
  const outvoted = votes.filter((vote) => vote.hash !== null && vote.hash !== hash).map(({ by }) => by);
  return { hash, isDisputed: false, outvoted };
}
