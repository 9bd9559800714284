import { ChainInconsistencyError, type ObservedBlock } from '../chain-adapter.pure.js';
import { type EvmEndpoint, NotEligibleError } from './evm-endpoint.js';
import { mergeTraces } from './merge-traces.pure.js';
import { isAboutTraces } from './native-transfers.js';

/** Milliseconds for the traces of a block that cannot be read as a whole, at each endpoint. */
export const TRACES_MS = 5_000;
/** The same for a block that is applied already. */
export const PATIENT_TRACES_MS = 60_000;

/** Whether an endpoint that failed so may show everything else of the block. */
export function keepsOnlyTraces(error: unknown): boolean {
  return isAboutTraces(error) || error instanceof NotEligibleError;
}

/** A block, and the endpoint that showed it. */
interface ShownBlock {
  value: ObservedBlock;
  by: EvmEndpoint;
}

/**
 * Reads a block of which no endpoint shows all traces: each may know what another cannot read. One without traces comes
 * last, and shows everything else.
 * @param budgetMs milliseconds for the traces at each endpoint
 * @returns null when no endpoint has the block
 * @throws Error the first one, when no endpoint shows even the rest of the block
 */
export async function readInParts(
  endpoints: readonly EvmEndpoint[],
  height: number,
  budgetMs: number,
): Promise<ShownBlock | null> {
  const isTracing = ({ capabilities }: EvmEndpoint) => capabilities?.native !== 'transactions';
  const ordered = [...endpoints.filter(isTracing), ...endpoints.filter((endpoint) => !isTracing(endpoint))];
  let found: ShownBlock | null = null;
  const errors: unknown[] = [];
  for (const by of ordered) {
    const value = await by
      .call('traces', ({ node }) => node.blockInParts(height, budgetMs))
      .run()
      .catch((error: unknown) => {
        errors.push(error);
        return null;
      });
    if (!value) continue;
    found = found ? { value: mergeTraces(found.value, value), by: found.by } : { value, by };
    if (!found.value.unread) return found;
  }
  if (found) return found;
  if (errors.length === 0) return null;
  throw errors[0] instanceof Error ? errors[0] : new ChainInconsistencyError('no endpoint shows the block');
}
