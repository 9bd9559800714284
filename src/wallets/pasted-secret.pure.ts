/** The error of a field for a public key that contains a private key. */
export const PRIVATE_KEY =
  'must be an extended public key (xpub), not a private key; whoever has a private key can spend the funds, so never enter it anywhere but in the wallet';
/** The same for a mnemonic. */
export const SEED_WORDS =
  'must be an extended public key (xpub), not a recovery phrase; whoever has the phrase can spend the funds, so never enter it anywhere but in the wallet';

type Secret = 'private-key' | 'seed-words';

/**
 * BIP32 and SLIP-132 private prefixes at the start or after a descriptor's bracket; the checksum may be wrong. A letter
 * or digit before one is not a start: bech32 addresses contain `0` and `l`, and thus rarely `0xprv`. Something follows:
 * a file may have the name alone, `"xprv": null`.
 */
const EXTENDED_PRIVATE = /(?:^|[^0-9A-Za-z])(?:[xyztuvYZUV]prv|[LM]tpv|dgpv)[1-9A-HJ-NP-Za-km-z]/;
/** Wallet import format, plain or encrypted (BIP38), alone or inside a text such as a descriptor. */
const WIF =
  /(?<![0-9A-Za-z])(?:[5KLQ6Tc9][1-9A-HJ-NP-Za-km-z]{50,51}|6P[1-9A-HJ-NP-Za-km-z]{56})(?![0-9A-Za-z])/;
/** 32 bytes of key or 64 bytes of seed, alone or inside a text. */
const RAW = /(?<![0-9A-Za-z])(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{128})(?![0-9A-Za-z])/i;
/** BIP39 has 12 to 24 words in ten languages; one word may be missing, or two may be joined. */
const FEWEST_WORDS = 11;

/** An extended public key: 82 bytes in base58. */
const PUBLIC = '(?:[xyztuvYZUV]pub|[LM]tub|dgub)[1-9A-HJ-NP-Za-km-z]{107,108}';
const HAS_PUBLIC = new RegExp(PUBLIC);
/** Nothing but a key or a descriptor of one, however it was broken. */
const ONLY_PUBLIC = new RegExp(`^[a-z(]*(?:\\[[^\\]]*\\])?${PUBLIC}[/0-9<>;*]*\\)*(?:#[0-9a-z]*)?$`);
/** The words of all lists of BIP39 in Latin letters have 3 to 8; those of other scripts count whatever they have. */
const SEED_WORD = /^(?:[a-z\p{M}]{3,8}|(?!.*[a-z])[\p{L}\p{M}]+)$/iu;

/** Names under which the files of wallets keep what spends: Electrum's keystore, exports of descriptors and of seeds. */
const SECRET_NAMES: readonly (readonly [RegExp, Secret])[] = [
  [/^(?:seed|seed_?words|words|mnemonic|passphrase)$/i, 'seed-words'],
  [/prv$|priv(?:ate)?_?key|^(?:wif|keypairs|secret)$/i, 'private-key'],
];
/** Ids of transactions, in Electrum's files: what lies below them is public. */
const TRANSACTION_ID = /^[0-9a-f]{64}$/i;

/** Marks around a text that was copied from a mail, a document or a file. */
const QUOTES = '"\'`“”„«»';
const AROUND = new RegExp(`^[\\s${QUOTES}]+|[\\s${QUOTES}]+$`, 'g');

/** Whether a text contains what only its owner may know, also between spaces; null: it does not. */
export function secretIn(input: string): Secret | null {
  const text = withoutMarks(input);
  const file = parseFile(text);
  if (file === null) return secretInText(text);
  // A name that stands twice is read once: the letters say so in any case.
  return EXTENDED_PRIVATE.test(text) || WIF.test(text) ? 'private-key' : secretInFile(file);
}

/** The error for a private key or a recovery phrase; null for any other text. */
export function secretProblem(input: string): string | null {
  const kind = secretIn(input);
  if (kind === null) return null;
  return kind === 'private-key' ? PRIVATE_KEY : SEED_WORDS;
}

/** What mail, QR and text programs add to a text, or write in place of what stood there. */
export function withoutMarks(input: string): string {
  return input
    .replaceAll(/[\u00AD\u200B-\u200F\u2060\uFEFF]/g, '')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/^[ \t]*>[> \t]*/gm, '')
    .replaceAll(/[‘’′ʼ]/g, "'")
    .replaceAll(AROUND, '');
}

/** The JSON object that wallets export, also when a mail program broke its lines; null: the text is none. */
export function parseFile(text: string): Readonly<Record<string, unknown>> | null {
  if (!text.startsWith('{')) return null;
  for (const attempt of [text, text.replaceAll(/[\r\n]/g, '')])
    try {
      return JSON.parse(attempt) as Record<string, unknown>;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  return null;
}

function secretInText(text: string): Secret | null {
  const compact = text.replaceAll(/\s/g, '');
  if (isPrivate(text) || /private key/i.test(text)) return 'private-key';
  // Broken into pieces; words alone never make up a key.
  if (/\d/.test(compact) && isPrivate(compact)) return 'private-key';
  if (ONLY_PUBLIC.test(compact)) return null;
  // A file that is cut off has labels, too.
  const hasLabels = text.startsWith('{') || HAS_PUBLIC.test(compact);
  return (hasLabels ? longestRun(text) : countWords(text)) >= FEWEST_WORDS ? 'seed-words' : null;
}

const isPrivate = (text: string) => EXTENDED_PRIVATE.test(text) || WIF.test(text) || RAW.test(text);

/** Words are also recognized in a numbered or comma-separated list. */
const countWords = (text: string) =>
  text.split(/[^\p{L}\p{M}\d]+/u).filter((piece) => /^[\p{L}\p{M}]+$/u.test(piece)).length;

/**
 * Beside a public key stand the labels of an export, and what a person wrote: there only words count that follow each
 * other, as a recovery phrase does, and that could be some.
 */
function longestRun(text: string): number {
  let [run, longest] = [0, 0];
  for (const piece of text
    .normalize('NFD')
    .replaceAll(/\b\d{1,2}[.):]?(?=\s)/g, ' ')
    .split(/[\s,;."]+/)) {
    if (piece === '') continue;
    run = SEED_WORD.test(piece) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

function secretInFile(file: Readonly<Record<string, unknown>>): Secret | null {
  const open: [name: string, value: unknown][] = Object.entries(file);
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const [name, value] = entry;
    if (TRANSACTION_ID.test(name)) continue;
    const isFilled =
      typeof value === 'string' ? value !== '' : isObject(value) && Object.keys(value).length > 0;
    const named = isFilled && SECRET_NAMES.find(([pattern]) => pattern.test(name));
    if (named) return named[1];
    if (isObject(value)) open.push(...Object.entries(value));
    // The words of a list, or one text.
    const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(' ') : value;
    const found = typeof texts === 'string' ? secretInText(texts) : null;
    if (found) return found;
  }
  return null;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
