/** The fastest of a few runs of each: other work on the machine can only add to it. */
const RUNS = 5;

/**
 * How many times as long one piece of work takes as another, in the same moments on the same machine. What grows with the
 * square of its input takes thousands of times as long as what grows with it.
 */
export function timesAsSlow(work: () => unknown, other: () => unknown): number {
  let [least, leastOther] = [Infinity, Infinity];
  for (let run = 0; run < RUNS; run++) {
    leastOther = Math.min(leastOther, duration(other));
    least = Math.min(least, duration(work));
  }
  return least / leastOther;
}

function duration(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}
