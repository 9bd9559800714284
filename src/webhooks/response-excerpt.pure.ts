/** How much of an answer is kept, in bytes of UTF-8 (specification/webhooks.md#delivery). */
const MAX_BYTES = 4_096;

/**
 * The start of an answer as text that Postgres stores: valid UTF-8 (what is not becomes U+FFFD), no NUL, at most
 * 4 KiB.
 */
export function toExcerpt(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, MAX_BYTES)).replaceAll('\0', '\uFFFD');
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= MAX_BYTES) return text;
  // Replacements grow the text, and a cut must not fall inside a character.
  return new TextDecoder().decode(bytes.subarray(0, MAX_BYTES), { stream: true });
}
