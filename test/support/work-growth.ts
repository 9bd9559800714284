type Read = (value: unknown) => unknown;
export type Input = (length: number) => unknown;

/** Characters. The longest is about what a body may have. */
const [SHORTEST, LONGEST] = [2_000, 64_000];
/** Microseconds of the processor: below them the clock says too little, and above them a square would have shown. */
const [MEASURABLE, ENOUGH] = [3_000, 40_000];
/** For twice the text: a line takes 2 times the work, a sort 2.2, a square 4. */
const STEEP = 2.8;
const [ROUNDS, CONFIRMED] = [5, 3];

/**
 * Whether the work grows faster than the text: twice over, from a quarter to a half of it and to the whole, at a length
 * that takes long enough to be measured. Whatever else the machine does can only add to a try, so the least of some
 * counts; and it would have to add the same in every repetition.
 */
export function isGrowing(read: Read, input: Input): boolean {
  let before = work(read, input(SHORTEST / 2));
  for (let length = SHORTEST; length <= LONGEST && before < ENOUGH; length *= 2) {
    const value = input(length);
    const now = work(read, value);
    const values = [input(length / 4), input(length / 2), value] as const;
    if (now > MEASURABLE && now > STEEP * before && repeated(CONFIRMED, () => isSteep(read, values)))
      return true;
    before = now;
  }
  return false;
}

function isSteep(read: Read, values: readonly [unknown, unknown, unknown]): boolean {
  const [quarter, half, whole] = leastOf(read, values);
  return whole > MEASURABLE && half > STEEP * quarter && whole > STEEP * half;
}

/** Of each value, in turns, so that what slows the machine meets all of them. */
function leastOf<Values extends readonly unknown[]>(
  read: Read,
  values: Values,
): { [At in keyof Values]: number } {
  const least = values.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, value] of values.entries()) least[i] = Math.min(least[i] ?? Infinity, work(read, value));
  return least as { [At in keyof Values]: number };
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
