const PLAIN = 'aceilnorsuyACEINOSUY';
const ACCENTED = 'àçéîļñöŕšûýÀÇÉÎÑÖŠÛÝ';
const ACCENTS = new Map(Array.from(PLAIN, (letter, i) => [letter, ACCENTED.charAt(i)]));
/** What German and Finnish texts are longer than English ones. */
const GROWTH = 0.35;

/**
 * An English ICU message with accents on its letters and a third more characters. What is in braces (placeholders,
 * plurals with their texts) stays.
 */
export function pseudoMessage(message: string): string {
  let depth = 0;
  let result = '';
  for (const letter of message) {
    if (letter === '{') depth++;
    result += depth === 0 ? (ACCENTS.get(letter) ?? letter) : letter;
    if (letter === '}') depth--;
  }
  return `[${result}${'~'.repeat(Math.ceil(message.length * GROWTH))}]`;
}
