import type { ChainAdapter, ObservedBlock } from './chain-adapter.pure.js';

/**
 * Consecutive blocks, each read by itself and all at once, as far as the node answers them.
 * @throws the failure of the first one; later ones come next time
 */
export async function readBlocksConcurrently(
  adapter: Pick<ChainAdapter, 'block'>,
  from: number,
  count: number,
): Promise<ObservedBlock[]> {
  const answers = await Promise.allSettled(Array.from({ length: count }, (_, i) => adapter.block(from + i)));
  const blocks: ObservedBlock[] = [];
  for (const answer of answers) {
    if (answer.status === 'rejected') {
      if (blocks.length === 0) throw answer.reason;
      break;
    }
    if (!answer.value) break;
    blocks.push(answer.value);
  }
  return blocks;
}
