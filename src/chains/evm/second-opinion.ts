import type { ObservedBlock, ObservedTransfer } from '../chain-adapter.pure.js';
import type { EvmEndpoint } from './evm-endpoint.js';
import { showsAll } from './quorum-threshold.js';
import { TRACES_MS } from './read-in-parts.js';

/** Whether an endpoint shows the same. Null when it cannot tell: it does not have the block, or not its traces. */
export async function secondOpinion(
  { node }: EvmEndpoint,
  block: ObservedBlock,
  large: readonly ObservedTransfer[],
): Promise<'agrees' | 'differs' | null> {
  const lacksTraces = node.capabilities?.native === 'transactions';
  if (lacksTraces && large.some(({ ordinal }) => ordinal.startsWith('call:'))) return null;
  const again = await node.block(block.height).catch(() => node.blockInParts(block.height, TRACES_MS));
  if (!again) return null;
  if (again.hash !== block.hash) return 'differs';
  const { unread } = again;
  if (unread && large.some(({ txHash, ordinal }) => ordinal.startsWith('call:') && isUnread(unread, txHash)))
    return null;
  const concerned = again.candidates.filter((candidate) =>
    large.some(({ txHash, key }) => txHash === candidate.txHash && key.equals(candidate.key)),
  );
  const found = await node.verify(again, concerned);
  return showsAll(found, large) ? 'agrees' : 'differs';
}

function isUnread({ txHashes }: NonNullable<ObservedBlock['unread']>, txHash: string): boolean {
  return txHashes?.includes(txHash) ?? true;
}
