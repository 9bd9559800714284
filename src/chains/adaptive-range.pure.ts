/** How many blocks one endpoint is asked for at once, learned from how it took the last ranges. */
export interface RangeSize {
  readonly blocks: number;
  /** Whether it has ever refused one: from then on it is asked for more with care. */
  readonly wasRefused: boolean;
  /** Full ranges in a row that it took well. */
  readonly taken: number;
}

/** What a range of that size turned out to be. */
export interface RangeOutcome {
  milliseconds: number;
  /** Logs and traces that came; on UTXO chains thousands of characters. Either way about as much work each. */
  rows: number;
}

export const FIRST_RANGE: RangeSize = { blocks: 16, wasRefused: false, taken: 0 };

const LONGEST = 256;
/** Slower, and an endpoint beside it would be asked the same (EvmPool hedges). */
const SLOW_MS = 600;
const QUICK_MS = 300;
/**
 * Of one answer: some 2 MB. More of them is no faster, costs memory, and holds up whatever else this process does;
 * hosted nodes cap an answer at 10,000.
 */
const MANY_ROWS = 4_000;
/** After a refusal: as many good ranges before the next step up. */
const PATIENCE = 8;

/** Refused, unanswered, or answered with nonsense. */
export function afterRefusal(size: RangeSize, asked: number): RangeSize {
  return { blocks: Math.max(1, Math.floor(Math.min(size.blocks, asked) / 2)), wasRefused: true, taken: 0 };
}

/** @param asked blocks of the range; one that was cut short by the tip teaches nothing but that it was too much */
export function afterRange(size: RangeSize, asked: number, { milliseconds, rows }: RangeOutcome): RangeSize {
  if (asked > 1 && (milliseconds > SLOW_MS || rows > MANY_ROWS)) {
    return { ...size, blocks: Math.max(1, Math.floor(asked / 2)), taken: 0 };
  }
  if (asked < size.blocks || milliseconds > QUICK_MS || rows > MANY_ROWS / 2) return size;
  const taken = size.taken + 1;
  if (size.wasRefused && taken < PATIENCE) return { ...size, taken };
  const step = size.wasRefused ? Math.max(1, size.blocks >> 3) : size.blocks;
  return { ...size, blocks: Math.min(LONGEST, size.blocks + step), taken: 0 };
}
