export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 256;

/** Shorter ones are parts of too many others: "ann" is in "channel". */
const WORD_MIN = 4;

/** The gateway's own name. */
const PRODUCT_WORDS = ['crypto', 'payment', 'gateway'];

/** What is typed for a letter, to satisfy rules about digits and symbols. */
const LETTERS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '!': 'i',
  l: 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
};

/** A text in the form in which passwords are compared: "P@ssw0rd" and "password" are the same. */
export function foldPassword(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[01!l34@5$7]/g, (sign) => LETTERS[sign] ?? sign);
}

/**
 * The words that an attacker tries first: of the gateway's name and host, and of the user's email address and name
 * (specification/authentication.md#passwords).
 */
export function contextWords(host: string, user: { email: string; name: string | null }): string[] {
  const [local = '', domain = ''] = user.email.split('@');
  const texts = [local, user.name ?? '', ownLabels(domain), ownLabels(host), ...PRODUCT_WORDS];
  const words = texts
    .flatMap((text) => text.normalize('NFKC').split(/[^\p{L}\p{M}]+/u))
    .filter((word) => word.length >= WORD_MIN);
  return [...new Set(words)];
}

/**
 * Why a new password is refused, as the end of a sentence about the field; null: it is good. Words of the context may
 * be in it, but do not count: otherwise long random passwords would be refused by chance, and good passphrases.
 * @param common folded
 */
export function passwordProblem(
  password: string,
  common: ReadonlySet<string>,
  words: readonly string[],
): string | null {
  // Code points, as in the document.
  const { length } = Array.from(password);
  if (length < PASSWORD_MIN || length > PASSWORD_MAX)
    return `must be between ${PASSWORD_MIN} and ${PASSWORD_MAX} characters.`;
  const folded = foldPassword(password);
  if (common.has(folded)) return 'must not be one of the most common passwords.';
  const rest = withoutWords(folded, words);
  if (rest !== null && (rest.length < PASSWORD_MIN || common.has(rest)))
    return `must have ${PASSWORD_MIN} characters that are not easy to guess, without the words of your name, your email address and this gateway's name and address.`;
  return null;
}

/** Null: it contains none of them. */
function withoutWords(folded: string, words: readonly string[]): string | null {
  // The longest first: what remains of "lovelace" without "love" would count.
  const sorted = words.map(foldPassword).toSorted((a, b) => b.length - a.length);
  const rest = sorted.reduce((text, word) => text.replaceAll(word, ' '), folded);
  return rest === folded ? null : rest.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

/** A domain without the last label, which is no word of anyone. */
function ownLabels(domain: string): string {
  const labels = domain.split('.');
  return labels.length > 1 ? labels.slice(0, -1).join('.') : domain;
}
