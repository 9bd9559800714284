import type { Clock } from '../platform/kernel/clock.pure.js';
import { RpcError } from './rpc-error.pure.js';

/** How many blocks to request from one endpoint at once, learned from its latest responses. */
export interface RangeSize {
  readonly blocks: number;
  /** Whether the endpoint has ever refused a range: from then on the size grows slowly. */
  readonly wasRefused: boolean;
  /** Full ranges in a row that were quick and light. */
  readonly successes: number;
}

/** Cost of one range. */
export interface RangeOutcome {
  milliseconds: number;
  /** Logs and traces received; on UTXO chains thousands of characters, which are about as much work each. */
  rows: number;
}

export const FIRST_RANGE: RangeSize = { blocks: 16, wasRefused: false, successes: 0 };

const LONGEST = 256;
/** Slower than this, and EvmPool would send a hedged request to the next endpoint. */
const SLOW_MS = 600;
const QUICK_MS = 300;
/**
 * About 2 MB in one response. More is no faster, costs memory and blocks the event loop; hosted nodes cap a response at
 * 10,000 rows.
 */
const MANY_ROWS = 4_000;
/** Good ranges before each step up, once a range was refused. */
const SUCCESSES_PER_STEP = 8;

/**
 * After an error, a missing response or an inconsistent one.
 * @param suggested blocks that the node says it accepts; null when it does not say
 */
export function afterRefusal(size: RangeSize, requested: number, suggested: number | null = null): RangeSize {
  const half = Math.floor(Math.min(size.blocks, requested) / 2);
  const blocks = suggested !== null && suggested < requested ? suggested : half;
  return { blocks: Math.max(1, blocks), wasRefused: true, successes: 0 };
}

/** Whether a refused range may be accepted at once if it is shorter; else the request is repeated later. */
export function mayShrink(error: unknown): boolean {
  if (!(error instanceof RpcError)) return true;
  return error.kind !== 'rate-limit' && error.kind !== 'unavailable' && !error.isUnsupported;
}

/** @param requested blocks; a range cut short by the tip can shrink the size but not grow it */
export function afterRange(
  size: RangeSize,
  requested: number,
  { milliseconds, rows }: RangeOutcome,
): RangeSize {
  if (requested > 1 && (milliseconds > SLOW_MS || rows > MANY_ROWS)) {
    return { ...size, blocks: Math.max(1, Math.floor(requested / 2)), successes: 0 };
  }
  if (requested < size.blocks || milliseconds > QUICK_MS || rows > MANY_ROWS / 2) return size;
  const successes = size.successes + 1;
  if (size.wasRefused && successes < SUCCESSES_PER_STEP) return { ...size, successes };
  const step = size.wasRefused ? Math.max(1, size.blocks >> 3) : size.blocks;
  return { ...size, blocks: Math.min(LONGEST, size.blocks + step), successes: 0 };
}

/** Reads ranges from one node, of a size that adapts to it. */
export class AdaptiveRange {
  constructor(
    private readonly clock: Clock,
    private size: RangeSize = FIRST_RANGE,
  ) {}

  /**
   * Reads one range, with smaller and smaller sizes while the node refuses.
   * @param count blocks wanted
   * @param read reads two blocks or more
   * @param readSingly used when the node accepts no ranges
   */
  async run<T>(
    count: number,
    read: (count: number) => Promise<{ blocks: T[]; rows: number }>,
    readSingly: () => Promise<T[]>,
  ): Promise<T[]> {
    for (;;) {
      const requested = Math.min(this.size.blocks, count);
      const begun = this.clock.now().getTime();
      try {
        const { blocks, rows } =
          requested > 1 ? await read(requested) : { blocks: await readSingly(), rows: 0 };
        const milliseconds = this.clock.now().getTime() - begun;
        this.size = afterRange(this.size, requested, { milliseconds, rows });
        return blocks;
      } catch (error) {
        const suggested = error instanceof RpcError ? error.refusal.blocks : null;
        this.size = afterRefusal(this.size, requested, suggested);
        if (requested <= 1 || !mayShrink(error)) throw error;
      }
    }
  }
}
