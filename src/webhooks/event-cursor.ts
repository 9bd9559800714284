/** Opaque to clients: what it says may change, an old one must always be understood. */
const TEXT = /^e(0|[1-9][0-9]{0,17})$/;

/** Where the feed begins. */
export const FEED_START = 0n;

/** @param position place in the feed, from 0 (before everything) */
export function formatEventCursor(position: bigint): string {
  return Buffer.from(`e${position}`, 'ascii').toString('base64url');
}

/** The place in the feed that a cursor stands for; null for what {@link formatEventCursor} never made. */
export function parseEventCursor(text: string): bigint | null {
  const [, digits] = TEXT.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (digits === undefined) return null;
  const position = BigInt(digits);
  // Base64 has several spellings of the same bytes.
  return formatEventCursor(position) === text ? position : null;
}
