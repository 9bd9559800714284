import type { ChainAdapter, ObservedBlock } from './chain-adapter.pure.js';

/**
 * Reads consecutive blocks concurrently, one request each; returns those before the first missing or failed one.
 * @throws Error when the first block fails
 */
export async function readBlocksConcurrently(
  adapter: Pick<ChainAdapter, 'block'>,
  from: number,
  count: number,
): Promise<ObservedBlock[]> {
  const results = await Promise.allSettled(Array.from({ length: count }, (_, i) => adapter.block(from + i)));
  const blocks: ObservedBlock[] = [];
  for (const result of results) {
    if (result.status === 'rejected') {
      if (blocks.length === 0) throw result.reason;
      break;
    }
    if (!result.value) break;
    blocks.push(result.value);
  }
  return blocks;
}
