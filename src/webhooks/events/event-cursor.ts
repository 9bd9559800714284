/** The format may change, but cursors of before must remain readable. */
const TEXT = /^e(0|[1-9][0-9]{0,17})$/;

/** The position before the first event. */
export const FEED_START = 0n;

/** What a cursor is made of. @param position in the feed of all merchants, from 0 (before the first event) */
export function formatFeedPlace(position: bigint): string {
  return `e${position}`;
}

/** The position; null if {@link formatFeedPlace} did not make it. */
export function parseFeedPlace(text: string): bigint | null {
  const [, digits] = TEXT.exec(text) ?? [];
  return digits === undefined ? null : BigInt(digits);
}
