/** Numbers of more characters than these get smaller in narrow boxes; the style sheets have the sizes. */
const NUMBER_SIZES = [36, 26, 20, 16, 12] as const;

/** @returns null for a number that is short enough for any box */
export function numberSize({ length }: string): number | null {
  return length > 8 ? (NUMBER_SIZES.findLast((most) => length <= most) ?? NUMBER_SIZES[0]) : null;
}
