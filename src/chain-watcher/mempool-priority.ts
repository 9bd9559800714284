/**
 * Which waiting transactions to read, in which order: what has just come before what has waited longer, because a
 * customer may be looking at the page.
 * @param waiting all that wait now
 * @param read those that were looked at already
 * @param listed all that waited at the last look, read or not
 */
export function mempoolPriority(
  waiting: readonly string[],
  read: ReadonlySet<string>,
  listed: ReadonlySet<string>,
): string[] {
  const unread = waiting.filter((txHash) => !read.has(txHash));
  return [
    ...unread.filter((txHash) => !listed.has(txHash)),
    ...unread.filter((txHash) => listed.has(txHash)),
  ];
}
