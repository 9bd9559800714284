/** Opaque to clients. The format may change, but old cursors must remain readable. */
const TEXT = /^e(0|[1-9][0-9]{0,17})$/;

/** The position before the first event. */
export const FEED_START = 0n;

/** @param position in the feed, from 0 (before the first event) */
export function formatEventCursor(position: bigint): string {
  return Buffer.from(`e${position}`, 'ascii').toString('base64url');
}

/** The position of a cursor; null if {@link formatEventCursor} did not make it. */
export function parseEventCursor(text: string): bigint | null {
  const [, digits] = TEXT.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (digits === undefined) return null;
  const position = BigInt(digits);
  // Base64 has several encodings of the same bytes; only the canonical one is accepted.
  return formatEventCursor(position) === text ? position : null;
}
