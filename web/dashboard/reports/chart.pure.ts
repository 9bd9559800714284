/** Where a bar is drawn. Units of the picture, from its upper left corner. */
export interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Steps of a height: finer than a pixel, so that a ratio of exact amounts can become a length. */
const STEPS = 10_000n;
/** Lines of an axis above its floor. */
const LINES = 3n;
/** What a step of an axis begins with, in tenths: numbers that people count in. */
const ROUND = [10n, 20n, 25n, 50n];

const highestOf = (values: readonly bigint[]) =>
  values.reduce((highest, value) => (value > highest ? value : highest), 0n);

/** What stands beside an axis, from zero up: three steps of 1, 2, 2.5 or 5, the last at or above the highest value. */
export function axisOf(values: readonly bigint[]): bigint[] {
  const top = highestOf(values);
  if (top === 0n) return [0n];
  for (let power = 1n; ; power *= 10n)
    for (const tenths of ROUND) {
      // A quarter of the smallest unit is none.
      if ((tenths * power) % 10n !== 0n) continue;
      const step = (tenths * power) / 10n;
      if (step * LINES >= top) return [0n, step, step * 2n, step * LINES];
    }
}

const shareOf = (value: bigint, top: bigint) =>
  top === 0n ? 0 : Number((value * STEPS) / top) / Number(STEPS);

/**
 * A bar for each value, from the floor up. A value above zero is never invisible.
 * @param values not negative
 * @param top what fills the picture
 */
export function barsOf(values: readonly bigint[], top: bigint, width: number, height: number): Bar[] {
  const slot = width / Math.max(values.length, 1);
  const gap = Math.min(slot * 0.2, 4);
  return values.map((value, index) => {
    const length = value === 0n ? 0 : Math.max(shareOf(value, top) * height, 1);
    return { x: index * slot + gap / 2, y: height - length, width: slot - gap, height: length };
  });
}

/** The points of a line, from edge to edge, for `points` of SVG. @param values not negative */
export function lineOf(values: readonly bigint[], top: bigint, width: number, height: number): string {
  const slot = width / Math.max(values.length - 1, 1);
  return values
    .map((value, index) => `${round(index * slot)},${round(height - shareOf(value, top) * height)}`)
    .join(' ');
}

const round = (length: number) => Math.round(length * 10) / 10;

/** The index of the highest value, the first of equals; null where all are zero. */
export function peakOf(values: readonly bigint[]): number | null {
  let peak: number | null = null;
  for (const [index, value] of values.entries())
    if (value > (peak === null ? 0n : (values[peak] ?? 0n))) peak = index;
  return peak;
}
