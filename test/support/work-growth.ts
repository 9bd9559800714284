type Read = (value: unknown) => unknown;
export type Input = (length: number) => unknown;

/** Characters, eight times as many each; the most are about what a body may have. */
const STEPS = [
  [125, 1_000],
  [1_000, 8_000],
  [8_000, 64_000],
] as const;
/** Microseconds of the processor: with fewer the clock says too little; with more a square would have shown. */
const [MEASURABLE, ENOUGH] = [2_000, 10_000];
/**
 * For eight times the text: a line takes 8 times the work, a sort 10, a line whose arrays outgrow a cache up to 14, a
 * square 64. What is not found beside a line is at most four times as slow as that line.
 */
const STEEP = 24;
const [ROUNDS, CONFIRMED] = [5, 3];

/**
 * Whether the work grows faster than the text. Whatever else the machine does can only add to a try, so the least of some
 * counts; and it would have to add the same in every repetition.
 */
export function isGrowing(read: Read, input: Input): boolean {
  for (const [shorter, longer] of STEPS) {
    const value = input(longer);
    const now = work(read, value);
    if (now < MEASURABLE) continue;
    const short = input(shorter);
    if (now > STEEP * work(read, short) && repeated(CONFIRMED, () => isSteep(read, short, value)))
      return true;
    if (now > ENOUGH && work(read, value) > ENOUGH) return false;
  }
  return false;
}

/** In turns, so that what slows the machine meets both. */
function isSteep(read: Read, shorter: unknown, longer: unknown): boolean {
  let [least, leastOfLonger] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    least = Math.min(least, work(read, shorter));
    leastOfLonger = Math.min(leastOfLonger, work(read, longer));
  }
  return leastOfLonger > MEASURABLE && leastOfLonger > STEEP * least;
}

/** Microseconds of the processor, without what goes on elsewhere; what a reader throws is its answer. */
function work(read: Read, value: unknown): number {
  const before = process.cpuUsage();
  try {
    const result = read(value);
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // Refused, which is the usual answer to such a text.
  }
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function repeated(times: number, is: () => boolean): boolean {
  return Array.from({ length: times }).every(is);
}
