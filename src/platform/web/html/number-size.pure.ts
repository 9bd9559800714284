/** Numbers of more characters than these get smaller in narrow boxes; the style sheets have the sizes. */
const NUMBER_SIZES = [36, 26, 20, 16, 12] as const;

/** Names that people know by their hyphen and look for as one: "ERC-20", "ORDER-1042". Longer ones do not fit a line. */
export const HYPHENATED = /(?<![\p{L}\p{N}-])(\(?\p{Lu}{2,6}-\d{1,6}\)?)(?![\p{L}\p{N}-])/u;

/** @returns null for a number that is short enough for any box */
export function numberSize({ length }: string): number | null {
  return length > 8 ? (NUMBER_SIZES.findLast((most) => length <= most) ?? NUMBER_SIZES[0]) : null;
}
