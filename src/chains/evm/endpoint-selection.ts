import { bestTip, type EndpointHealth, isResting, lagOf, TOLERATED_LAG } from './endpoint-health.js';

/** Something with a health: an endpoint. */
export interface Choosable {
  readonly health: EndpointHealth;
}

/** Who is asked, in this order. */
export interface Choice<T> {
  /** First the ones to trust, in the operator's order, then the ones that lag behind. */
  fit: T[];
  /** They failed lately: asked only when nobody else answers; the one whose rest ends first is first. */
  resting: T[];
}

/** @param height the block that is asked for; null when the question is not about one */
export function chooseEndpoints<T extends Choosable>(
  endpoints: readonly T[],
  height: number | null,
  now: number,
): Choice<T> {
  const best = bestTip(
    endpoints.map(({ health }) => health),
    now,
  );
  const isBehind = ({ health }: T): boolean => {
    const lacksIt = height !== null && health.tipHeight !== null && health.tipHeight < height;
    return lacksIt || (lagOf(health, best) ?? 0) > TOLERATED_LAG;
  };
  const fit = endpoints.filter(({ health }) => !isResting(health, now));
  return {
    fit: [...fit.filter((one) => !isBehind(one)), ...fit.filter(isBehind)],
    resting: endpoints
      .filter(({ health }) => isResting(health, now))
      .toSorted((a, b) => a.health.restsUntil - b.health.restsUntil),
  };
}

/** How a question stands that was put to some of the endpoints in turn. */
export interface Asking {
  /** Endpoints that may be asked, the resting ones included and last. */
  total: number;
  fit: number;
  asked: number;
  /** Of those asked: answered that they have no such thing. */
  nothing: number;
  /** Of those asked: failed, or answered nonsense. */
  failed: number;
  /** Milliseconds since the last one was asked. */
  waitedMs: number;
}

/** `nothing`: whoever could answer says that there is no such thing. */
export type NextStep = 'ask' | 'wait' | 'nothing' | 'fail';

/**
 * What to do while no good answer has come. The next one is asked at once when nobody is left to wait for, and
 * after a delay when somebody is slow; the slow one may still win. A resting endpoint is asked when all others
 * failed: not to be fast, nor to contradict one that answered.
 */
export function nextStep(asking: Asking, hedgeDelayMs: number): NextStep {
  const { total, fit, asked, nothing, failed, waitedMs } = asking;
  const isWaiting = asked > nothing + failed;
  if (isWaiting) return asked < fit && waitedMs >= hedgeDelayMs ? 'ask' : 'wait';
  if (asked < fit) return 'ask';
  if (nothing > 0) return 'nothing';
  return asked < total ? 'ask' : 'fail';
}

/** What one endpoint says stands at a height. */
export interface Vote<T> {
  by: T;
  /** Null: it has no block there. */
  hash: string | null;
}

/** @see resolveByVote */
export interface Verdict<T> {
  /** The hash to go by; null: no endpoint has a block there, or they cannot agree on one. */
  hash: string | null;
  isDisputed: boolean;
  outvoted: T[];
}

/**
 * Which hash stands at a height where we applied `kept`. One endpoint that shows another block is no fork while
 * another still shows ours: it is believed when more say so than stand by ours. "None" is no vote against a block:
 * an endpoint may lag behind.
 */
export function resolveByVote<T>(votes: readonly Vote<T>[], kept: string): Verdict<T> {
  const counts = new Map<string, number>();
  for (const { hash } of votes) if (hash !== null) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  const ranked = [...counts].toSorted(
    ([a, of], [b, than]) => than - of || Number(b === kept) - Number(a === kept),
  );
  const [first, second] = ranked;
  if (!first) return { hash: null, isDisputed: false, outvoted: [] };
  const [hash, voices] = first;
  if (hash !== kept && second?.[1] === voices) return { hash: null, isDisputed: true, outvoted: [] };
  const outvoted = votes.filter((vote) => vote.hash !== null && vote.hash !== hash).map(({ by }) => by);
  return { hash, isDisputed: false, outvoted };
}
