/*
 * "Did you mean": finds the known names that are similar to a text. It returns only known names, never the text that
 * was sent, so a response that quotes them reveals nothing secret.
 */

/** Longer texts are not compared: they are no mistyped names, and comparing them would be expensive. */
const MAX_LENGTH = 64;
/** Length from which two mistakes are allowed; below it one, and below three letters none. */
const LONG_NAME = 5;
const SHORT_NAME = 3;
/** Length from which a part of a name matches it: `currency` for `currencyCode`. */
const SHORTEST_PART = 4;
const MAX_SUGGESTIONS = 3;

/** The letters and digits in lower case, to compare names regardless of spelling. */
export function fold(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other: optimal string
 * alignment, the restricted form of the Damerau-Levenshtein distance.
 */
export function editDistance(from: string, to: string): number {
  const a = Array.from(from);
  const b = Array.from(to);
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        ...(isSwap ? [(before[column - 2] ?? 0) + 1] : []),
      );
    }
    [before, above] = [above, current];
  }
  return above[b.length] ?? 0;
}

/** The distance of two folded names, or null where they are not similar. */
function rank(sent: string, known: string): number | null {
  if (sent === known) return 0;
  const length = Math.min(sent.length, known.length);
  const mistakes = length >= LONG_NAME ? 2 : length >= SHORT_NAME ? 1 : 0;
  const distance = Math.abs(sent.length - known.length) <= mistakes ? editDistance(sent, known) : Infinity;
  if (distance <= mistakes) return distance;
  return length >= SHORTEST_PART && (known.includes(sent) || sent.includes(known)) ? MAX_LENGTH : null;
}

/**
 * The known names that `sent` most likely means, at most three, in the order of `known`: other case or
 * punctuation, one or two typing mistakes, or a part of the name. Empty: none is similar.
 */
export function similarNames(sent: string, known: readonly string[]): string[] {
  if (sent.length > MAX_LENGTH) return [];
  const folded = fold(sent);
  if (folded === '') return [];
  const ranked = known.flatMap((name) => {
    const distance = rank(folded, fold(name));
    return distance === null ? [] : [{ name, distance }];
  });
  const best = Math.min(...ranked.map(({ distance }) => distance));
  return ranked
    .filter(({ distance }) => distance === best)
    .map(({ name }) => name)
    .slice(0, MAX_SUGGESTIONS);
}

/** "BTC", "BTC or ETH", "BTC, ETH or LTC". */
export function eitherOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last;
}
