import type { ObservedBlock, TransferCandidate } from '../chain-adapter.pure.js';

/** A block as one endpoint shows it, with those traces that only the other one could read. */
export function mergeTraces(block: ObservedBlock, other: ObservedBlock): ObservedBlock {
  const { unread } = block;
  if (!unread || other.hash !== block.hash) return block;
  if (!other.unread) return withTraces(block, other, () => true, null);
  const { txHashes: left } = other.unread;
  // Which transactions the block has is not known here; what the other knows of them all is at least as much.
  if (unread.txHashes === null)
    return left === null ? block : withTraces(block, other, () => true, other.unread);
  if (left === null) return block;
  const isLeft = new Set(left);
  const isRead = (txHash: string) => !isLeft.has(txHash);
  const still = unread.txHashes.filter((txHash) => isLeft.has(txHash));
  const wasUnread = new Set(unread.txHashes);
  return withTraces(
    block,
    other,
    (txHash) => wasUnread.has(txHash) && isRead(txHash),
    still.length === 0 ? null : { ...unread, txHashes: still },
  );
}

/** Native transfers of some transactions are those that the other shows. */
function withTraces(
  block: ObservedBlock,
  other: ObservedBlock,
  isFromOther: (txHash: string) => boolean,
  unread: ObservedBlock['unread'] | null,
): ObservedBlock {
  const isReplaced = ({ asset, txHash }: TransferCandidate) => asset === 'native' && isFromOther(txHash);
  return {
    ...block,
    candidates: [
      ...block.candidates.filter((one) => !isReplaced(one)),
      ...other.candidates.filter(isReplaced),
    ],
    unread: unread ?? undefined,
  };
}
