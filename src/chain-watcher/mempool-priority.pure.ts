/**
 * Which mempool transactions to read, and in which order: the newest first, because a customer may be watching the
 * checkout page.
 * @param waiting hashes now in the mempool
 * @param read hashes read before
 * @param listed hashes in the mempool at the last step, read or not
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
