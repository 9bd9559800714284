/** How much of a response is kept, in bytes of UTF-8 (specification/webhooks.md#delivery). */
const MAX_BYTES = 4_096;

/**
 * The start of a response body as text that Postgres can store: valid UTF-8 (invalid bytes become U+FFFD), no NUL, at
 * most 4 KiB.
 */
export function toExcerpt(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, MAX_BYTES)).replaceAll('\0', '\uFFFD');
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= MAX_BYTES) return text;
  // U+FFFD takes more bytes than what it replaces, and the cut must not split a character.
  return new TextDecoder().decode(bytes.subarray(0, MAX_BYTES), { stream: true });
}
