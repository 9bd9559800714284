/** Letters on the tile of a shop that has no logo. */
const MOST = 2;

/** "Bean & Leaf" is BL, "東京珈琲" is 東: of the first words that begin with a letter or digit. Empty: there are none. */
export function initialsOf(title: string): string {
  return title
    .split(/\s+/)
    .flatMap((word) => /^\P{L}{0,2}?([\p{L}\p{N}]\p{M}*)/u.exec(word)?.[1] ?? [])
    .slice(0, MOST)
    .join('')
    .toUpperCase();
}
