/** The error of a field for a public key that contains a private key. */
export const PRIVATE_KEY =
  'must be an extended public key (xpub), not a private key; whoever has a private key can spend the funds, so never enter it anywhere but in the wallet';
/** The same for a mnemonic. */
export const SEED_WORDS =
  'must be an extended public key (xpub), not seed words; whoever has the words can spend the funds, so never enter them anywhere but in the wallet';

/**
 * BIP32 and SLIP-132 private prefixes at the start or after a descriptor's bracket; the checksum may be wrong. A letter
 * or digit before one is not a start: bech32 addresses contain `0` and `l`, and thus rarely `0xprv`.
 */
const EXTENDED_PRIVATE = /(?:^|[^0-9A-Za-z])(?:[xyztuvYZUV]prv|[LM]tpv|dgpv)/;
/** Wallet import format, plain or encrypted (BIP38), alone or inside a text such as a descriptor. */
const WIF =
  /(?<![0-9A-Za-z])(?:[5KLQ6Tc9][1-9A-HJ-NP-Za-km-z]{50,51}|6P[1-9A-HJ-NP-Za-km-z]{56})(?![0-9A-Za-z])/;
/** 32 bytes of key or 64 bytes of seed, alone or inside a text. */
const RAW = /(?<![0-9A-Za-z])(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{128})(?![0-9A-Za-z])/i;
/** BIP39 has 12 to 24 words in ten languages; one word may be missing, or two may be joined. */
const FEWEST_WORDS = 11;

/** Whether a text contains what only its owner may know, also between spaces; null: it does not. */
export function secretIn(input: string): 'private-key' | 'seed-words' | null {
  const text = input.trim();
  if (EXTENDED_PRIVATE.test(text) || WIF.test(text) || RAW.test(text) || /private key/i.test(text)) {
    return 'private-key';
  }
  // Words are also recognized in a numbered or comma-separated list.
  const words = text.split(/[^\p{L}\p{M}\d]+/u).filter((piece) => /^[\p{L}\p{M}]+$/u.test(piece));
  return words.length >= FEWEST_WORDS ? 'seed-words' : null;
}

/** The error for a private key or seed words; null for any other text. */
export function secretProblem(input: string): string | null {
  const kind = secretIn(input);
  if (kind === null) return null;
  return kind === 'private-key' ? PRIVATE_KEY : SEED_WORDS;
}
