/** Options of a benchmark. */
export interface Options {
  /** Of the full size: 1, or less for a look while one works on it. */
  scale: number;
  /** Rounds of all cases. */
  rounds: number;
}

/** One benchmark; it rejects when what it measured was wrong. What it starts goes to {@link atTheEnd}. */
export interface Benchmark {
  name: string;
  run(options: Options): Promise<Record<string, unknown>>;
}

/** @throws Error naming what a run got wrong: a fast wrong answer is no result */
export function demand(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new Error(`wrong result: ${what}`);
}

/** A full size cut down, to something that still goes through everything. */
export function scaled(full: number, { scale }: Options, least = 1): number {
  return Math.max(least, Math.round(full * scale));
}
