import { RpcError } from './json-rpc.js';
import { afterRange, afterRefusal, FIRST_RANGE, type RangeSize } from './adaptive-range.pure.js';

/** Sizes the ranges that one node is asked for, and asks again for less while it refuses. */
export class RangeSizer {
  constructor(private size: RangeSize = FIRST_RANGE) {}

  /**
   * @param count as many as are wanted
   * @param read a range of two blocks or more
   * @param readSingly where ranges do not work
   */
  async run<T>(
    count: number,
    read: (count: number) => Promise<{ blocks: T[]; rows: number }>,
    readSingly: () => Promise<T[]>,
  ): Promise<T[]> {
    for (;;) {
      const asked = Math.min(this.size.blocks, count);
      const begun = performance.now();
      try {
        const { blocks, rows } = asked > 1 ? await read(asked) : { blocks: await readSingly(), rows: 0 };
        this.size = afterRange(this.size, asked, { milliseconds: performance.now() - begun, rows });
        return blocks;
      } catch (error) {
        this.size = afterRefusal(this.size, asked);
        // Who does not answer at all will not answer half as much right now.
        if (asked <= 1 || (error instanceof RpcError && error.code === null)) throw error;
      }
    }
  }
}
