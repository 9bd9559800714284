import { afterRange, afterRefusal, FIRST_RANGE, type RangeSize } from './adaptive-range.js';

const QUICK = { milliseconds: 50, rows: 100 };
const sizeOf = (blocks: number, more: Partial<RangeSize> = {}): RangeSize => ({
  ...FIRST_RANGE,
  blocks,
  ...more,
});
const again = (size: RangeSize, times: number): RangeSize =>
  Array.from({ length: times }).reduce<RangeSize>((one) => afterRange(one, one.blocks, QUICK), size);

describe('AdaptiveRange size', () => {
  it('doubles with every quick and light range, up to 256 blocks', () => {
    expect([1, 2, 3, 4, 5].map((times) => again(FIRST_RANGE, times).blocks)).toEqual([32, 64, 128, 256, 256]);
  });

  it.each([
    ['a slow range halves', { milliseconds: 601, rows: 100 }, 8],
    ['a heavy range halves', { milliseconds: 50, rows: 4_001 }, 8],
    ['a range neither quick nor slow keeps its size', { milliseconds: 301, rows: 100 }, 16],
    ['a range neither light nor heavy keeps its size', { milliseconds: 50, rows: 2_001 }, 16],
  ])('%s', (_, outcome, blocks) => {
    expect(afterRange(sizeOf(16), 16, outcome).blocks).toBe(blocks);
  });

  it('shrinks but does not grow after a range cut short by the tip', () => {
    expect(afterRange(sizeOf(64), 10, QUICK).blocks).toBe(64);
    expect(afterRange(sizeOf(64), 10, { ...QUICK, rows: 5_000 }).blocks).toBe(5);
  });

  it('halves after a refusal, down to one block', () => {
    expect(afterRefusal(sizeOf(16), 16)).toEqual({ blocks: 8, wasRefused: true, successes: 0 });
    expect(afterRefusal(sizeOf(16), 5).blocks).toBe(2);
    expect(afterRefusal(sizeOf(1), 1).blocks).toBe(1);
    expect(afterRange(sizeOf(1), 1, { milliseconds: 9_000, rows: 9_000 }).blocks).toBe(1);
  });

  it('grows by an eighth after eight good ranges once a range was refused', () => {
    const refused = afterRefusal(sizeOf(128), 128);
    expect(again(refused, 7).blocks).toBe(64);
    expect(again(refused, 8).blocks).toBe(72);
    expect(again(afterRefusal(sizeOf(2), 2), 8).blocks).toBe(2);
  });
});
