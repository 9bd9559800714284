/** Bytes of the events of a page; what is around them has less than a kilobyte. */
const MAX_BYTES = 63 * 1024;

/**
 * The events of a page: as many as fit, and at least one, because who sends many transfers makes events longer.
 * @param limit of their number
 */
export function pageOf<Event extends { body: string }>(found: readonly Event[], limit: number): Event[] {
  let bytes = 0;
  const end = found.findIndex(({ body }, i) => {
    bytes += Buffer.byteLength(body) + 1;
    return i === limit || (i > 0 && bytes > MAX_BYTES);
  });
  return end < 0 ? [...found] : found.slice(0, end);
}
