/** Where a bar is drawn. Units of the picture, from its upper left corner. */
export interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Steps of a height: finer than a pixel, so that a ratio of exact amounts can become a length. */
const STEPS = 10_000n;

/**
 * A bar for each value, from the floor up; the highest fills the picture. A value above zero is never invisible.
 * @param values not negative
 */
export function barsOf(values: readonly bigint[], width: number, height: number): Bar[] {
  const top = values.reduce((highest, value) => (value > highest ? value : highest), 0n);
  const slot = width / Math.max(values.length, 1);
  const gap = Math.min(slot * 0.2, 4);
  return values.map((value, index) => {
    const share = top === 0n ? 0 : Number((value * STEPS) / top) / Number(STEPS);
    const length = value === 0n ? 0 : Math.max(share * height, 1);
    return { x: index * slot + gap / 2, y: height - length, width: slot - gap, height: length };
  });
}

/** The index of the highest value, the first of equals; null where all are zero. */
export function peakOf(values: readonly bigint[]): number | null {
  let peak: number | null = null;
  for (const [index, value] of values.entries())
    if (value > (peak === null ? 0n : (values[peak] ?? 0n))) peak = index;
  return peak;
}
